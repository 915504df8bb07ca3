// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/study.h"
#include "tests/impact/slow_heat.h"

#include <set>

namespace hw::test {

/// A failure by taking the elements out of the tables and computing all again, without anything of core/derived/impact but what fails at once.
struct Removed {
    std::set<DeviceId> dark, hot, weakened;
    std::set<LinkId> links;                       ///< data links that are gone
    std::map<DeviceId, power::Phases> through;    ///< of live elements, where it changed
    impact::Loss loss;                            ///< without `redundancyLost`
    std::map<std::pair<int, int>, double> shares; ///< by pod and segment
};
/// `tripped`: what the failure takes along in time, removed like the rest but counted apart. `gaps`: without power meanwhile. `heat`: what
/// got too hot.
[[nodiscard]] Removed removeAndCompute(const impact::Model& model, const impact::Failed& failed, const std::set<DeviceId>& tripped,
                                       const std::set<DeviceId>& gaps, const SlowHeatCourse& heat);

} // namespace hw::test
