// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/bindings/point.h"

#include <memory>
#include <set>
#include <span>
#include <vector>

namespace hw::bindings {

/// When a sensor counts as bad; settings "telemetry.*", where each has its source.
struct PlausibilityLimits {
    double heatShare = 0.1;  ///< measured heat against flow × ΔT × ρ cp; twice that against power that turns into heat
    double heatW = 2000;     ///< and by so much
    double meterShare = 0.1; ///< a meter against those below it
    double meterW = 1000;    ///< and by so much
    int stuckSamples = 10;   ///< the same value so many times while neighbors move
    int jumps = 6;           ///< leaps to and fro among about 60 values, each many times what neighbors move
    double holdS = 10;       ///< a contradiction must last so long
    double oldS = 250;       ///< values older than that are held against nothing
    friend bool operator==(const PlausibilityLimits&, const PlausibilityLimits&) = default;
};
[[nodiscard]] PlausibilityLimits plausibilityLimits(const Snapshot& snapshot);

/// A sensor whose values cannot be right.
struct ImplausibleSensor {
    enum class Kind : std::uint8_t {
        Impossible, ///< outside MeasureInfo
        Heat,       ///< heat, flow and temperatures of one place contradict each other
        Meter,      ///< a meter and those below it contradict each other
        Stuck,      ///< does not move while its neighbors do
        Jumping     ///< leaps to and fro, further than its neighbors
    } kind = Kind::Impossible;
    PointNo point = kNoPoint;          ///< the bad sensor
    std::vector<PointNo> against;      ///< what it was held against
    double measured = 0, expected = 0; ///< in the measure's unit
    std::int64_t sinceMs = 0;
    Text what; ///< "does not move at 30.0 °C while its neighbors do"
    friend bool operator==(const ImplausibleSensor&, const ImplausibleSensor&) = default;
};

/// Of the power of racks on one loop, what coolant takes by flow and temperatures, and what the design assumes that it takes.
struct LiquidShare {
    EntityRef entity; ///< the first of them
    std::size_t places = 0;
    double assumed = 0, measured = 0;   ///< of their power, 0 to 1: means
    double assumedW = 0, measuredW = 0; ///< of all of them, averaged over a minute
    friend bool operator==(const LiquidShare&, const LiquidShare&) = default;
};

/// How a point is read.
struct Pace {
    double everyS = 0;                                    ///< between values that differ; 0: nearly every second, or it is steady
    float swing = 0;                                      ///< by which share of itself it differs from one to the next, where that is seldom; else 0
    float mean = std::numeric_limits<float>::quiet_NaN(); ///< over some of them
};

/// Judges sensors by what they say together. Its clock is that of `judge`, so that the same samples give the same doubts. Belongs to one thread.
class Plausibility {
public:
    Plausibility(const FiguresPtr& design, BoundPtr bound);
    ~Plausibility();
    Plausibility(Plausibility&&) noexcept;
    Plausibility& operator=(Plausibility&&) noexcept;

    /// Points have other numbers now (by old number; kNoPoint: gone): what is known of those that stay is kept.
    void follow(const Plausibility& was, const std::vector<PointNo>& now);
    void take(std::span<const PointSample> samples); ///< a few steps each
    /// The doubts that stand at this moment, by point. Balances are computed only where a value changed since the last call.
    [[nodiscard]] std::vector<ImplausibleSensor> judge(std::int64_t atMs);
    /// Where most racks of a loop agree on another share than the design assumes: then that is wrong, and not their sensors. As of the last `judge`.
    [[nodiscard]] std::vector<LiquidShare> shares() const;
    [[nodiscard]] Pace paceOf(PointNo point) const; ///< as of the last sample
    /// Sensors that are in question, and not decided yet: as of the last `judge`.
    [[nodiscard]] const std::set<PointNo>& disputed() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace hw::bindings
