// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <string_view>

namespace hw::monitoring {

/// The settings "watch.*", as shares of 1 where they are said in per cent.
struct Limits {
    std::int64_t holdMs = 0, missingMs = 0, flapMs = 0, causeHoldMs = 0, idleMs = 0;
    double hysteresis = 0, overPlan = 0, capacity = 0, imbalance = 0, flow = 0, supplyMarginK = 0, link = 0, idle = 0;
    double errors = 0, drops = 0, riseKPerMin = 0, flaps = 0, margin = 0;
    std::int64_t jobMs = 0, aloneMs = 0, togetherMs = 0, silentMs = 0;
    double retransmits = 0;
    double nic = 0, nicReadings = 0, throttled = 0, throttledReadings = 0, deviceLinks = 0, device = 0, idleHall = 0, phaseLoad = 0, together = 0;
    [[nodiscard]] static Limits of(const Snapshot& snapshot);
    friend bool operator==(const Limits&, const Limits&) = default;
};

/// A setting in per cent as a share of 1, and one in seconds as ms.
[[nodiscard]] double shareSetting(const Snapshot& snapshot, std::string_view key);
[[nodiscard]] std::int64_t msSetting(const Snapshot& snapshot, std::string_view key);

} // namespace hw::monitoring
