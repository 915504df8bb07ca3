// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw::monitoring {

/// The settings "watch.*", as shares of 1 where they are said in per cent.
struct Limits {
    std::int64_t holdMs = 0, missingMs = 0, flapMs = 0, causeHoldMs = 0, idleMs = 0;
    double hysteresis = 0, overPlan = 0, capacity = 0, imbalance = 0, flow = 0, supplyMarginK = 0, link = 0, idle = 0;
    double errors = 0, drops = 0, riseKPerMin = 0, flaps = 0, margin = 0;
    [[nodiscard]] static Limits of(const Snapshot& snapshot);
    friend bool operator==(const Limits&, const Limits&) = default;
};

} // namespace hw::monitoring
