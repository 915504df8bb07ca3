// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/snapshot.h"

namespace hw::watch {

/// The settings "watch.*", as shares of 1 where they are said in per cent.
struct Limits {
    std::int64_t holdMs = 5000, missingMs = 15'000, flapMs = 60'000, causeHoldMs = 2000, idleMs = 60'000;
    double hysteresis = 0.03, overPlan = 0.1, capacity = 1, imbalance = 0.15, flow = 0.9, supplyMarginK = 3, link = 0.7, idle = 0.4;
    double errors = 1, drops = 10, riseKPerMin = 5, flaps = 5, margin = 0.1;
    [[nodiscard]] static Limits of(const Snapshot& snapshot);
    friend bool operator==(const Limits&, const Limits&) = default;
};

} // namespace hw::watch
