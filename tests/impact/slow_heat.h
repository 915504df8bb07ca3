// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/impact/slow_clock.h"

namespace hw::test {

/// What a failure does to coolant and air, by the cooling chain of the design without what is out at every moment, in joules and seconds.
struct SlowHeatCourse {
    std::map<DeviceId, double> hot; ///< since when, s
    double missingW = 0;            ///< not taken out of cabinets and rooms, at most at a time
};
[[nodiscard]] SlowHeatCourse playHeat(const impact::Model& model, const impact::Failed& failed, const SlowCourse& power);

} // namespace hw::test
