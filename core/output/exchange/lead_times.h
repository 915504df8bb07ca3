// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/bom_sections.h"

namespace hw {

/// Something that has to be ordered long before it is needed.
struct LeadTime {
    std::string part;
    Text description;
    std::int64_t quantity = 0;
    std::int32_t days = 0; ///< from order to delivery
    int phase = 1;
    std::string orderBy; ///< ISO 8601; empty where the phase has no date
    std::string source;  ///< of the days
    Confidence confidence = Confidence::Assumed;
    friend bool operator==(const LeadTime&, const LeadTime&) = default;
};

/// Parts that state how long they take, by phase; the longest first: they are the critical path of buying. The order is due so many days, and
/// those of the setting "lead.install_days", before the phase's date. Sections are those of the bill by phases.
[[nodiscard]] std::vector<LeadTime> leadTimes(const Snapshot& snapshot, const BomSections& byPhase);
/// The bill of a design without phases as the only section.
[[nodiscard]] BomSections onePhase(const Bom& bom);
[[nodiscard]] BomSections phaseSections(const Figures& figures, const Bom& bom);
/// A date of ISO 8601 so many days before another; empty for what is no date.
[[nodiscard]] std::string daysBefore(const std::string& date, std::int64_t days);
/// "8 transformer-2500kva: 896 days, order by 2026-01-01": one line for people.
[[nodiscard]] Text leadTimeText(const Snapshot& snapshot, const LeadTime& lead);

} // namespace hw
