// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bindings_bench.h"
#include "tests/bench/cooling_bench.h"
#include "tests/bench/design_bench.h"
#include "tests/bench/edit_bench.h"
#include "tests/bench/estimate_bench.h"
#include "tests/bench/failover_bench.h"
#include "tests/bench/hydraulics_bench.h"
#include "tests/bench/monitoring_bench.h"
#include "tests/bench/size_bench.h"
#include "tests/bench/solver_bench.h"
#include "tests/bench/workload_bench.h"
#ifdef HW_GUI
#include "tests/bench/twin_bench.h"
#include "views/twin/twin_view.h"

#include <QApplication>
#endif

#include <cstring>
#include <iostream>

namespace {

/// Memory figures are of a whole process, so every part runs in one of its own.
int part(const char* name)
{
    if (std::strcmp(name, "pod") == 0)
        hw::bench::benchDesign(std::cout, 1);
    else if (std::strcmp(name, "campus") == 0)
        hw::bench::benchDesign(std::cout, 8);
    else if (std::strcmp(name, "failover") == 0)
        hw::bench::benchFailover(std::cout);
    else if (std::strcmp(name, "size") == 0)
        hw::bench::benchSize(std::cout);
    else if (std::strcmp(name, "edits") == 0)
        hw::bench::benchEdits(std::cout);
    else if (std::strcmp(name, "estimate") == 0)
        hw::bench::benchEstimate(std::cout);
    else if (std::strcmp(name, "solver") == 0)
        hw::bench::benchSolver(std::cout);
    else if (std::strcmp(name, "bindings") == 0)
        hw::bench::benchBindings(std::cout);
    else if (std::strcmp(name, "cooling") == 0)
        hw::bench::benchCooling(std::cout);
    else if (std::strcmp(name, "hydraulics") == 0)
        hw::bench::benchHydraulics(std::cout);
    else if (std::strcmp(name, "workload") == 0)
        hw::bench::benchWorkload(std::cout);
    else if (std::strcmp(name, "watch") == 0)
        hw::bench::benchWatch(std::cout);
    else if (std::strcmp(name, "faults") == 0)
        hw::bench::benchFaults(std::cout);
#ifdef HW_GUI
    else if (std::strcmp(name, "twin") == 0) {
        hw::views::TwinView::prepareApplication();
        int argc = 1;
        char program[] = "hallwright-bench";
        char* argv[] = {program, nullptr};
        QApplication application(argc, argv);
        if (benchTwin(std::cout)) return 0;
        std::cerr << "error: twin: needs a display with OpenGL; use tests/bench/run\n";
        return 1;
    }
#endif
    else {
        std::cerr << "error: " << name
                  << ": unknown part; use pod, campus, size, edits, estimate, solver, failover, hydraulics, cooling, bindings, workload or twin\n";
        return 2;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::cerr
            << "usage: hallwright-bench pod|campus|size|edits|estimate|solver|failover|hydraulics|cooling|bindings|workload|twin   (tests/bench/run "
               "prints all)\n";
        return 2;
    }
    return part(argv[1]);
}
