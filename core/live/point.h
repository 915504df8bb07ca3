// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/live/channel.h"
#include "core/live/measure.h"
#include "core/model/entity.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hw::live {

/// Where a value belongs: a measure of an entity, or of a part of it that is no entity.
struct Point {
    EntityRef entity;
    Measure measure = Measure::ActivePower;
    std::string element; ///< "", "gpu3", "l1", "pump2", "primary", "setpoint" (not measured but asked for: never judged)
    friend bool operator==(const Point&, const Point&) = default;
    friend auto operator<=>(const Point&, const Point&) = default;
};
using PointNo = std::uint32_t;
inline constexpr PointNo kNoPoint = 0xFFFF'FFFF;

/// From what a channel says to the unit of its measure: value · factor + offset; a counter is turned into its rise per second first.
struct Conversion {
    double factor = 1, offset = 0;
    bool counter = false;
    friend bool operator==(const Conversion&, const Conversion&) = default;
};

/// A value of a point, in the unit of its measure.
struct PointSample {
    PointNo point = kNoPoint;
    std::int64_t timeMs = 0;
    double value = 0;
    bool good = true;
};

/// Every channel with its point, or why it has none. Immutable; made anew when channels, rules or names change.
/// Points are sorted, so that those of one entity follow each other.
struct Bound {
    enum class Reason : std::uint8_t { Bound, Unbound, Ambiguous, UnitConflict, SetAside };
    struct Channel {
        Reason reason = Reason::Unbound;
        PointNo point = kNoPoint;
        Conversion conversion;
        Text why; ///< of what is not bound
    };
    std::vector<Point> points;
    std::vector<Channel> channels; ///< by ChannelNo
    std::size_t bound = 0, unbound = 0, ambiguous = 0, conflicting = 0, setAside = 0;

    [[nodiscard]] PointNo find(const Point& point) const; ///< kNoPoint: nothing measures it
};
using BoundPtr = std::shared_ptr<const Bound>;

} // namespace hw::live
