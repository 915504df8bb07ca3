// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/entity.h"
#include "core/operations/bindings/channel.h"
#include "core/operations/bindings/measure.h"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hw::bindings {

/// Where a value belongs: a measure of an entity, or of a part of it that is no entity.
struct Point {
    EntityRef entity;
    Measure measure = Measure::ActivePower;
    std::string element; ///< "", "gpu3", "l1", "pump2", "primary", "setpoint" (not measured but asked for: never judged)
    friend bool operator==(const Point&, const Point&) = default;
    friend auto operator<=>(const Point&, const Point&) = default;
};
/// Whether it is asked for, not measured: its element is "setpoint", or ends in it ("primary setpoint").
[[nodiscard]] inline bool isSetpoint(const Point& point) { return point.element.ends_with("setpoint"); }
using PointNo = std::uint32_t;
inline constexpr PointNo kNoPoint = 0xFFFF'FFFF;

/// From what a channel says to the unit of its measure: value · factor + offset; a counter is turned into its rise per second first. Of states
/// that are more than two, those that stand for 1 are the bits of `ones`, by their numbers.
struct Conversion {
    double factor = 1, offset = 0;
    bool counter = false;
    std::uint32_t ones = 0;                                  ///< 0: a number, or a state of two
    double least = -std::numeric_limits<double>::infinity(); ///< what the channel says below it means that there is no value
    [[nodiscard]] double operator()(double value) const
    {
        if (value < least) return std::numeric_limits<double>::quiet_NaN();
        if (ones == 0) return value * factor + offset;
        return value >= 0 && value < 32 ? double(ones >> std::uint32_t(value + 0.5) & 1U) : value;
    }
    friend bool operator==(const Conversion&, const Conversion&) = default;
};

/// A value of a point, in the unit of its measure.
struct PointSample {
    PointNo point = kNoPoint;
    std::int64_t timeMs = 0;
    double value = 0;
    bool good = true;
};

/// What is not bound, and why.
enum class Cause : std::uint8_t {
    None,
    NoRule,        ///< no rule fits its name and labels
    UnknownName,   ///< [0] is the name of nothing
    SeveralNames,  ///< several things are called [0]
    OtherKind,     ///< [0] is a thing that has no telemetry
    NoMeasure,     ///< [0] is the word of no measure
    RulesDisagree, ///< rules [0] and [1] bind it to different points
    Doubled,       ///< channel [0] says the same point, [1]
    HeldByHand,    ///< a person bound channel [0] to the same point, [1]
    NoUnit,        ///< nobody states its unit; [1]: unit of the measure
    UnknownUnit,   ///< [0] is no unit that is known; [1]: unit of the measure
    OtherUnit,     ///< [0] cannot be converted to [1], the unit of the measure
    SetAside,      ///< by a person
    SetAsideByRule ///< by rule [0]
};

/// Every channel with its point, or why it has none. Immutable; made again when channels, rules or names change.
/// Points are sorted, so that those of one entity follow each other.
struct Bound {
    enum class Reason : std::uint8_t { Bound, Unbound, Ambiguous, UnitConflict, SetAside };
    struct Channel {
        Reason reason = Reason::Unbound;
        Cause cause = Cause::None;
        PointNo point = kNoPoint; ///< kNoPoint unless it is bound
        Conversion conversion;
        std::array<std::uint32_t, 2> details{}; ///< among `details`: what the cause is about
        friend bool operator==(const Channel&, const Channel&) = default;
    };
    std::vector<Point> points;
    std::vector<Channel> channels; ///< by ChannelNo
    std::vector<std::string> details;
    std::size_t bound = 0, unbound = 0, ambiguous = 0, conflicting = 0, setAside = 0;

    [[nodiscard]] PointNo find(const Point& point) const; ///< kNoPoint: nothing measures it
    /// The points of an entity, [first, last).
    [[nodiscard]] std::pair<PointNo, PointNo> pointsOf(EntityRef entity) const;
    [[nodiscard]] Text why(ChannelNo channel) const; ///< of what is not bound; else empty
};
using BoundPtr = std::shared_ptr<const Bound>;

} // namespace hw::bindings

namespace hw {
HW_WORDS(bindings::Bound::Reason, "bound", "unbound", "ambiguous", "unit-conflict", "set-aside")
} // namespace hw
