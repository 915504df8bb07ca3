// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/lead_times.h"

#include "core/foundation/model/setting_values.h"
#include "core/foundation/money/phases.h"
#include "core/foundation/money/price_book.h"

#include <algorithm>
#include <chrono>
#include <map>

#include <fmt/format.h>

namespace hw {

std::string daysBefore(const std::string& date, std::int64_t days)
{
    if (!isDate(date)) return {};
    using namespace std::chrono;
    const year_month_day given(year(std::stoi(date.substr(0, 4))), month(unsigned(std::stoi(date.substr(5, 2)))),
                               day(unsigned(std::stoi(date.substr(8)))));
    const year_month_day then(sys_days(given) - std::chrono::days(days));
    return fmt::format("{:04}-{:02}-{:02}", int(then.year()), unsigned(then.month()), unsigned(then.day()));
}

BomSections onePhase(const Bom& bom) { return {BomBy::Phase, {{"1", i18n("phase {}", 1), bom}}}; }

BomSections phaseSections(const Figures& figures, const Bom& bom)
{
    return PhaseIndex(*figures.snapshot).single() ? onePhase(bom) : bomSections(figures, bom, BomBy::Phase);
}

std::vector<LeadTime> leadTimes(const Snapshot& s, const BomSections& byPhase)
{
    std::vector<LeadTime> all;
    const auto install = std::int64_t(numberSetting(s, "lead.install_days"));
    for (const auto& section : byPhase.sections) {
        const int number = std::stoi(section.name);
        const auto phase = phaseOfNumber(s, number);
        const std::string date = phase ? s.phases.date[*phase] : std::string();
        std::map<std::string, LeadTime> parts;
        std::map<std::string, std::pair<std::int32_t, std::int32_t>> lengths; // of cables
        for (const auto& line : section.bom.lines) {
            if (line.leadDays <= 0) continue;
            const auto [known, fresh] = parts.try_emplace(line.part);
            LeadTime& lead = known->second;
            if (fresh)
                lead = {line.part,       line.description,   0, line.leadDays, number, daysBefore(date, line.leadDays + install),
                        line.leadSource, line.leadConfidence};
            lead.quantity += line.quantity;
            auto& [shortest, longest] = lengths[line.part];
            shortest = fresh ? line.lengthMm : std::min(shortest, line.lengthMm), longest = std::max(longest, line.lengthMm);
        }
        for (auto& [slug, lead] : parts) {
            if (const auto [shortest, longest] = lengths[slug]; shortest != longest)
                lead.description = i18n("{} (and other lengths, up to {:.0f} m)", lead.description, longest / 1e3);
            all.push_back(std::move(lead));
        }
    }
    std::ranges::stable_sort(all, [](const LeadTime& a, const LeadTime& b) { return a.days > b.days; });
    return all;
}

Text leadTimeText(const Snapshot& s, const LeadTime& lead)
{
    const bool single = s.phases.size() == 0;
    const bool assumed = lead.confidence == Confidence::Assumed;
    const Text days = assumed ? i18np(lead.days, "{:L} day (assumed)", "{:L} days (assumed)") : i18np(lead.days, "{:L} day", "{:L} days");
    const Text what = single ? i18n("{:L} {}: {}", lead.quantity, lead.part, days)
                             : i18n("{:L} {} for {}: {}", lead.quantity, lead.part, phaseText(s, lead.phase), days);
    return lead.orderBy.empty() ? what : i18n("{}, order by {}", what, lead.orderBy);
}

} // namespace hw
