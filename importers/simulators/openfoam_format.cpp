// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/atomic_file.h"
#include "importers/simulators/simulators.h"
#include "simulation/air/openfoam.h"

#include <charconv>

namespace hw::importers {

namespace {

class OpenFoamExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"openfoam", i18n("folder for OpenFOAM: the air of a hall as a case of buoyantBoussinesqSimpleFoam")};
    }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"hall", "NAME", i18n("hall (default: the first with fan walls or CRAHs)")},
                {"cells", "N", i18n("approximate number of grid cells (default: 120000)")},
                {"leakage", "PERCENT", i18n("open share of containment and of gaps between racks, in percent (default: 1)")},
                {"iterations", "N", i18n("iterations at most (default: 1500)")},
                {"np", "N", i18n("processes that decomposePar prepares (default: 1)")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress&) const override
    {
        namespace air = sim::air;
        air::HallOptions options;
        air::FoamOptions foam;
        const auto cells = number(job, "cells", std::int64_t(options.cells), std::int64_t(2'000), std::int64_t(20'000'000));
        const auto iterations = number(job, "iterations", foam.iterations, 1, 1'000'000);
        const auto processes = number(job, "np", foam.processes, 1, 4096);
        const auto leakage = number(job, "leakage", options.leakagePercent, 0.01, 50.0);
        if (!cells) return tl::unexpected(cells.error());
        if (!iterations) return tl::unexpected(iterations.error());
        if (!processes) return tl::unexpected(processes.error());
        if (!leakage) return tl::unexpected(leakage.error());
        options.cells = std::size_t(*cells), options.leakagePercent = *leakage;
        foam.iterations = *iterations, foam.processes = *processes;
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        const auto hall = air::airHall(**figures, job.option("hall"));
        if (!hall) return tl::unexpected(hall.error());
        const auto plan = air::hallPlan(**figures, *hall, options);
        if (!plan) return tl::unexpected(plan.error());
        const auto room = air::hallRoom(*plan, options.cells);
        if (!room) return tl::unexpected(room.error());
        const auto files = air::foamCase(*plan, *room, foam);
        if (!files) return tl::unexpected(files.error());
        return exchange::writeFolderWhole(job.output, air::kFoamNote,
                                          [&](const std::filesystem::path& folder) { return air::writeFoam(*files, folder); });
    }

private:
    template <class T>
    static Result<T> number(const exchange::ExportJob& job, const char* name, T usual, T least, T most)
    {
        const std::string given = job.option(name);
        if (given.empty()) return usual;
        T out = 0;
        const auto [end, code] = std::from_chars(given.data(), given.data() + given.size(), out);
        if (code != std::errc{} || end != given.data() + given.size() || !(out >= least && out <= most))
            return fail(ErrorCode::Usage, fmt::format("--{} {}", name, given), i18n("not between {} and {}", least, most)); // no text
        return out;
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> openfoamExporter() { return std::make_unique<OpenFoamExporter>(); }

} // namespace hw::importers
