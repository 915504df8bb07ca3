// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/balances.h"

#include <set>

namespace hw::bindings {

/// Supply temperature sensors of units in parallel on a loop while nothing else measures the mixed supply. What one unit supplies warmer warms the
/// return of all of them by its share; a reading that moves alone is that of its sensor.
class SupplySensors {
public:
    SupplySensors(const Figures& design, const Bound& bound, const balances::All& all);

    struct Doubt {
        PointNo point = kNoPoint;
        std::vector<PointNo> against; ///< returns that did not follow
        double measured = 0, expected = 0;
        std::int64_t sinceMs = 0;
    };
    /// `lastMs`: when a point was last read. To be called every second.
    void second(std::int64_t atMs, const balances::Value& value, const std::function<std::int64_t(PointNo)>& lastMs);
    void follow(const SupplySensors& was, const std::vector<PointNo>& now);               ///< by old number; kNoPoint: gone
    [[nodiscard]] const std::vector<Doubt>& doubts() const { return m_doubts; }           ///< that stand, by point
    [[nodiscard]] const std::vector<PointNo>& inQuestion() const { return m_inQuestion; } ///< not decided yet, ascending

private:
    struct Unit {
        PointNo supply = kNoPoint, back = kNoPoint, flow = kNoPoint; ///< flow: kNoPoint where it is not measured
        double share = 0, restFlow = 0;                              ///< of the flow of the loop
        double usualC = 0, usualBackC = 0, learnedS = 0;
        double wasC = 0, wasBackC = 0; ///< usual when it began
        std::int64_t sinceMs = -1;     ///< that it moved alone; -1: it did not
        std::int64_t offMs = -1;       ///< when it was so last
        bool stands = false;
    };
    struct Loop {
        std::vector<Unit> units;
        std::vector<PointNo> mixed; ///< that have to be read for the mixed supply to be known; empty: it is not measured
    };
    void look(std::vector<Unit>& units, std::int64_t atMs, double seconds, const balances::Value& value,
              const std::function<std::int64_t(PointNo)>& lastMs);

    std::vector<Loop> m_loops;
    std::vector<Doubt> m_doubts;
    std::vector<PointNo> m_inQuestion;
    std::int64_t m_lastMs = -1;
};

} // namespace hw::bindings
