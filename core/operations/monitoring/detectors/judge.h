// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/point_detector.h"
#include "core/operations/monitoring/evidence/readings.h"
#include "core/operations/monitoring/incident/findings.h"

#include <map>
#include <set>

namespace hw::monitoring {

/// Compares every point with its plan by the point detectors of the registry, with hysteresis in value and in time.
class Judge {
public:
    /// A deviation that stands, or may come to.
    struct Condition {
        DeviationKind kind = DeviationKind::OverBudget;
        float measured = 0, expected = 0, beyond = 0; ///< beyond: of the threshold, 0.1 = a tenth over it
        std::int64_t sinceMs = 0, backMs = -1;        ///< first seen; back within since
        bool stands = false;
        bindings::PointNo fullest = bindings::kNoPoint; ///< of a group of phases
    };
    using Conditions = std::map<bindings::PointNo, Condition>;
    /// Of a point; one that measures nothing and expects nothing where there is none (any more).
    [[nodiscard]] static const Condition& of(const Conditions& conditions, bindings::PointNo point)
    {
        static const Condition none;
        const auto found = conditions.find(point);
        return found == conditions.end() ? none : found->second;
    }

    /// Judges the points whose values are new; what begins and ends to stand is in `began` and `ended`.
    void second(std::int64_t atMs, std::span<const bindings::PointNo> dirty, const Readings& readings, const LoadFactors& factors, const Plans& plans,
                const Limits& limits);
    [[nodiscard]] const Conditions& conditions() const { return m_conditions; }
    [[nodiscard]] const std::vector<bindings::PointNo>& began() const { return m_began; }
    [[nodiscard]] const std::vector<std::pair<bindings::PointNo, Condition>>& ended() const { return m_ended; }
    /// Of what depends on a loop (Criterion::Flow, or the taking side of a unit) the flow that its heat needs; NaN: nobody says.
    [[nodiscard]] static float neededOf(bindings::PointNo taker, const Readings& readings, const Plans& plans);
    /// Of what the heat on a loop needs, the share that half of it gets at most; 1 where nobody says.
    [[nodiscard]] static double suppliedOf(const LoopFlows& flows, const Readings& readings, const Plans& plans);
    static constexpr float kStands = 0.05f;                   ///< of planned flow: below, a unit does not work
    static constexpr float kMostMoved = 1.5f;                 ///< of planned flow: more than so no unit moves, whatever its meter says (assumed)
    static constexpr float kHardlyAny = 0.05f;                ///< of planned flow: where the heat needs less, nothing follows
    void lose(bindings::PointNo point, const Plans& plans);   ///< it has no value any more: what may have begun with its last one has not
    void forget(DeviationKind kind);                          ///< what was judged by something that counts no longer; what stands ends
    void renumber(const std::vector<bindings::PointNo>& now); ///< by old number; kNoPoint: gone

private:
    [[nodiscard]] Verdict verdictOf(bindings::PointNo point, const Readings&, const LoadFactors&, const Plans&, const Limits&, std::int64_t atMs);
    void settle(bindings::PointNo point, const Verdict& verdict, std::int64_t atMs, const Limits& limits);
    void settleAll(std::int64_t atMs, const Readings& readings, const Plans& plans, const Limits& limits);
    void dropBad(const Readings& readings, const Plans& plans);
    template <class Is>
    [[nodiscard]] static bool anyOf(bindings::PointNo point, const Plans& plans, Is&& is); ///< of the points that it is judged by
    void average(bindings::PointNo point, Verdict& verdict, const Readings& readings, std::int64_t atMs, const Limits& limits);
    [[nodiscard]] bool idleWithOthers(const Condition& c) const;

    struct Mean {
        double flow = 0, need = 0;
        std::int64_t ms = 0, anewMs = 0; ///< of the last value; of the first one after a long silence, 0: there was none
    };
    Conditions m_conditions;
    std::map<bindings::PointNo, Mean> m_means;  ///< of flows and what they should be: loads swing faster than coolant warms up
    std::map<bindings::PointNo, float> m_lanes; ///< of links: the most that were seen, the design does not say it
    PhaseLoads m_phases;
    std::vector<bindings::PointNo> m_began;
    std::vector<std::pair<bindings::PointNo, Condition>> m_ended;
};

} // namespace hw::monitoring
