// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/impact/failing.h"

#include <set>

namespace hw::test {

/// A failure played through by computing the whole network again at every moment, without anything of core/derived/impact but what fails at once.
struct SlowCourse {
    std::set<DeviceId> tripped;
    std::map<DeviceId, std::int64_t> darkSince;                      ///< at the end
    std::set<std::tuple<DeviceId, std::int64_t, std::int64_t>> gaps; ///< of power that came back
    std::multiset<std::tuple<std::int64_t, int, DeviceId>> happenings;
    std::optional<std::int64_t> rideThrough;
};
[[nodiscard]] SlowCourse playThrough(const impact::Model& model, const impact::Failed& failed);

} // namespace hw::test
