// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/evidence/absence.h"
#include "core/operations/monitoring/evidence/readings.h"

namespace hw::monitoring {

/// What a point says at a moment, against what it said before.
enum class State : std::uint8_t {
    Nothing, ///< no value yet, not trusted, or silent while a source is away
    Normal,
    Zero,   ///< nothing flows, turns, carries or is up, where the design has something
    Silent, ///< no value for longer than usual, while its source speaks
    Up,     ///< well above what it was, the load of all its like taken out
    Down
};

struct Sight {
    State state = State::Nothing;
    std::int64_t sinceMs = 0;
    std::uint32_t readings = 1, least = 1; ///< that say so; before it counts
};

/// Which points of the graphs are not as they were. A state counts once it was the same for a second.
class Evidence {
public:
    using Sights = std::map<bindings::PointNo, Sight>;

    void resize(std::size_t points);
    void second(std::int64_t atMs, std::span<const bindings::PointNo> dirty, const Readings& readings, const LoadFactors& factors, const Plans& plans,
                const bindings::Bound& bound, const Absence& absence);
    void fellSilent(std::span<const bindings::PointNo> points, std::int64_t atMs); ///< sooner than each by itself would be missed; after `second`
    void forget(bindings::PointNo p, std::int64_t atMs);                           ///< what it said was its sensor's
    [[nodiscard]] const Sights& sights() const { return m_sights; }                ///< of what is neither normal nor unknown
    [[nodiscard]] bool changed() const { return m_changed; }
    [[nodiscard]] State stateOf(bindings::PointNo p) const { return m_points[p].state; }
    [[nodiscard]] bool isTurning(bindings::PointNo p) const
    {
        return m_pending.contains(p);
    } ///< its last value says something else, for less than a second
    /// Whether it was well above what it was at any time from `sinceMs` on. A load that rose and then fell with its job has said what it knows.
    [[nodiscard]] bool rose(bindings::PointNo p, std::int64_t sinceMs) const { return m_points[p].upMs >= sinceMs; }
    [[nodiscard]] float before(bindings::PointNo p) const { return m_points[p].slow; } ///< of Power: over plan and load factor
    [[nodiscard]] float usual(bindings::PointNo p) const { return m_points[p].raw; }   ///< as it is read, of late; NaN: nothing
    [[nodiscard]] float last(bindings::PointNo p) const { return m_points[p].last; }   ///< value, NaN: none
    [[nodiscard]] float swing(bindings::PointNo p) const { return m_points[p].swing; } ///< of a load from one poll to the next, a share of it
    void renumber(const std::vector<bindings::PointNo>& now, std::size_t points);

private:
    struct Known {
        float slow = kUnknown, raw = kUnknown, most = 0, last = kUnknown; ///< slow, raw: of late while normal; raw: as it is read
        float swing = 0;                                                  ///< from one poll to the next
        std::int64_t lastMs = 0;
        std::int64_t upMs = -1; ///< when it was last seen to be Up; -1: never
        State state = State::Nothing;
    };
    [[nodiscard]] State classify(bindings::PointNo p, float value, float swing, const Plan& plan, bindings::Measure measure,
                                 const LoadFactors& factors, float& level) const;
    void learn(Known& known, float level, float value, std::int64_t atMs);
    void set(bindings::PointNo p, State state, std::int64_t atMs);
    void settleUp(std::int64_t atMs);

    std::vector<Known> m_points;
    Sights m_sights, m_pending;
    bool m_changed = false, m_forgot = false;
};

} // namespace hw::monitoring
