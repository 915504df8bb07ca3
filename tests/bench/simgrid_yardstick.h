// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "simulation/fairshare/problem.h"

namespace hw::bench {

/// What SimGrid (https://simgrid.org) makes of a problem. It is a yardstick of the benchmarks where Debian's libsimgrid-dev is
/// installed and no part of the product. A run has a process of its own, for SimGrid keeps one simulation per process.
struct SimgridRun {
    bool done = false;         ///< false: SimGrid is not installed, or it took longer than `limitS`
    double cpuMs = 0;          ///< CPU time of the part that is measured
    std::vector<double> value; ///< per flow: its rate or its finish time, in the units of the problem
};

/// CPU ms of its max-min solver alone, all flows started at once: the event heap and the start of the flows are left out.
SimgridRun simgridRates(const hw::sim::FlowProblem& problem, unsigned limitS);

/// CPU ms from the start of all flows to the end of the last.
SimgridRun simgridCompletion(const hw::sim::FlowProblem& problem, unsigned limitS);

#ifdef HW_SIMGRID
inline constexpr bool kSimgridInstalled = true;
#else
inline constexpr bool kSimgridInstalled = false;
inline SimgridRun simgridRates(const hw::sim::FlowProblem&, unsigned) { return {}; }
inline SimgridRun simgridCompletion(const hw::sim::FlowProblem&, unsigned) { return {}; }
#endif

} // namespace hw::bench
