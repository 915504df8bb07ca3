// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"
#include "core/foundation/model/words.h"

#include <array>
#include <cstdint>

namespace hw::prediction {

/// What precedes the failure of a host, as its telemetry counts it.
enum class Sign : std::uint8_t {
    Xid,            ///< XID errors of the hardware; those of applications are left out
    EccCorrected,   ///< single-bit errors
    EccUncorrected, ///< double-bit errors, row remapping failures
    PcieReplays,
    LinkErrors, ///< frames with CRC errors
    Flaps,      ///< losses of a link
    HotHours,   ///< hours of a GPU above the limit
};
inline constexpr std::size_t kSigns = 7;
} // namespace hw::prediction

namespace hw {
HW_WORDS(prediction::Sign, "xid", "ecc-corrected", "ecc-uncorrected", "pcie-replays", "link-errors", "flaps", "hot-hours")
} // namespace hw

namespace hw::prediction {

[[nodiscard]] Text titleOf(Sign sign);
using Counts = std::array<double, kSigns>;

/// Proportional hazards: the failure rate of a host is its base rate times Π (1 + nᵢ)^wᵢ over its signs, nᵢ their excess counts (Signs).
/// The base rate is that of the fault log that goodput uses; all weights are assumed (settings `prediction.*`).
struct HazardModel {
    double perHostYear = 0; ///< base rate, faults
    Counts weights{};
    double halfLifeDays = 0; ///< of counts
    double horizonDays = 0;
    double threshold = 0; ///< probability within the horizon from which a failure is predicted
    double hotC = 0;      ///< limit of HotHours

    [[nodiscard]] static HazardModel of(const Snapshot& snapshot);
    [[nodiscard]] static HazardModel standard();                  ///< where there is no design
    [[nodiscard]] double ratio(const Counts& counts) const;       ///< to the base rate
    [[nodiscard]] double probability(const Counts& counts) const; ///< of a failure within the horizon
    [[nodiscard]] bool predicts(const Counts& counts) const { return probability(counts) >= threshold; }
};

/// Signs of one host. Counts halve every half-life; what counts is their excess over the host's own usual rate, which is the mean of its older
/// counts (control chart on exponentially weighted counts, S. Roberts 1959). Times never go back: earlier ones count as now.
class Signs {
public:
    void add(Sign sign, std::int64_t ms, double count, double halfLifeDays); ///< a count of 0: the host is observed
    /// Decayed counts less what the usual rate leaves of them and less twice the scatter of that; not below 0.
    [[nodiscard]] Counts excess(std::int64_t ms, double halfLifeDays) const;
    void clear(std::int64_t ms);                                     ///< the host was checked or repaired: its usual rate stays
    [[nodiscard]] std::int64_t firstMs() const { return m_firstMs; } ///< of the first sign since; 0: none

private:
    Counts m_recent{}, m_long{}; ///< as of m_atMs
    std::int64_t m_startMs = 0, m_clearMs = 0, m_atMs = 0, m_firstMs = 0;
};

} // namespace hw::prediction
