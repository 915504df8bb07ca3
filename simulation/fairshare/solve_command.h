// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "certificate.h"
#include "problem.h"

namespace hw::sim {
inline namespace fairshare {

/// What `hallwright-cli solve` does.
struct SolveRequest {
    std::filesystem::path path;
    bool finish = false; ///< finish times of all flows from t = 0 instead of rates
    int repeat = 1;      ///< solve this often, at least once; the best time counts
};

struct SolveOutcome {
    size_t flows = 0, links = 0, hops = 0;
    double readS = 0;        ///< CPU seconds of the process, as all times here
    double buildS = 0;       ///< making the index of the problem
    double solveS = 0;       ///< the rates alone, best of the repeats
    double finishS = 0;      ///< the run to completion; 0 without `finish`
    Certificate certificate; ///< of the rates at the start, also with `finish`
    bool certificateOk = false;
    bool stopped = false;       ///< by the stop token; `values` is then empty
    std::vector<double> values; ///< one a flow: rates, or finish times (infinity: never)

    /// "flows=N links=N hops=N read_s=X build_s=X solve_s=X certificate=ok"; with `finish` also " finish_s=X".
    std::string line() const;
};

/// Reads, solves and certifies a problem file. The error is the reader's. `progress` gets the fraction done of the run to
/// completion. Stops between repeats and events when asked to.
tl::expected<SolveOutcome, ProblemError> solveFile(const SolveRequest& request, std::stop_token stop = {},
                                                   const std::function<void(double)>& progress = {});

} // namespace fairshare
} // namespace hw::sim
