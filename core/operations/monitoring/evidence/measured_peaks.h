// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/evidence/readings.h"
#include "core/operations/monitoring/incident/findings.h"

namespace hw::monitoring {

/// Mean, peak and 99th percentile of every point of power, heat and flow, from a histogram in steps of a tenth.
class MeasuredPeaks {
public:
    void design(const Plans& plans);
    void renumber(const std::vector<bindings::PointNo>& now, const Plans& plans);
    void second(std::span<const bindings::PointNo> dirty, const Readings& readings);
    [[nodiscard]] std::shared_ptr<const std::vector<Life>> life() const;

private:
    static constexpr std::size_t kSteps = 96; ///< of a tenth each, from a hundredth of the reference
    struct Seen {
        bindings::PointNo point = bindings::kNoPoint;
        float reference = 0, peak = 0;
        double sum = 0;
        std::uint32_t samples = 0;
        std::array<std::uint32_t, kSteps> steps{};
    };
    [[nodiscard]] static bool counts(const Plan& plan);
    std::vector<std::uint32_t> m_slot; ///< by point; kNobody: not kept
    std::vector<Seen> m_seen;
};

} // namespace hw::monitoring
