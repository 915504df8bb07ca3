// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/detectors/system_detector.h"

namespace hw::monitoring {

/// Network cards of a host that send far less than its others while these work: collectives load all of them alike. Where link, rate, lanes
/// and frames of such a card are in order, what holds it back is behind it: its PCIe link. Looks at new values only.
class SlowNics {
public:
    SlowNics(const Figures& figures, const bindings::Bound& bound, const Plans& plans, const Limits& limits);
    /// What a card sends against what its fellows do, bit/s.
    struct Slow {
        float measured = 0, others = 0;
        std::int64_t sinceMs = 0;
    };
    /// `excused`: links of which something else is reported.
    void second(std::int64_t atMs, std::span<const bindings::PointNo> dirty, const Readings& readings, const std::set<std::uint32_t>& excused);
    [[nodiscard]] const std::map<bindings::PointNo, Slow>& slow() const { return m_slow; } ///< that stand

private:
    struct Card {
        std::uint32_t group = kNobody;
        int bad = 0, good = 0; ///< in a row
        std::int64_t sinceMs = 0;
    };
    [[nodiscard]] float othersOf(bindings::PointNo card, const Readings& readings) const;

    std::vector<std::vector<bindings::PointNo>> m_groups; ///< what the cards of a host send, of one network and rate
    std::map<bindings::PointNo, Card> m_cards;
    std::map<bindings::PointNo, Slow> m_slow;
    const Plans& m_plans;
    float m_far;                ///< of the median of the others
    int m_inARow;               ///< readings: their times differ, so that one may have missed the start of a job
    std::vector<float> m_rates; ///< of a group, bit/s
};

[[nodiscard]] std::unique_ptr<SystemDetector> makeSlowNics(const DetectorScene& scene);

} // namespace hw::monitoring
