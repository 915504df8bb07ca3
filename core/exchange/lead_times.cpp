// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/lead_times.h"

#include "core/money/number_of.h"
#include "core/money/phases.h"
#include "core/money/price_book.h"

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
    const auto install = std::int64_t(numberOf(s, "lead.install_days"));
    for (const auto& section : byPhase.sections) {
        const int number = std::stoi(section.name);
        const auto phase = phaseOfNumber(s, number);
        const std::string date = phase ? s.phases.date[*phase] : std::string();
        std::map<std::string, LeadTime> parts;
        for (const auto& line : section.bom.lines) {
            if (line.leadDays <= 0) continue;
            auto& lead = parts[line.part];
            const auto quantity = lead.quantity + line.quantity;
            lead = {line.part, line.description, quantity, line.leadDays, number, daysBefore(date, line.leadDays + install)};
        }
        for (auto& [slug, lead] : parts) all.push_back(std::move(lead));
    }
    std::ranges::stable_sort(all, [](const LeadTime& a, const LeadTime& b) { return a.days > b.days; });
    return all;
}

Text leadTimeText(const Snapshot& s, const LeadTime& lead)
{
    const bool single = s.phases.size() == 0;
    const Text days = i18np(lead.days, "{:L} day", "{:L} days");
    const Text what = single ? i18n("{:L} {}: {}", lead.quantity, lead.part, days)
                             : i18n("{:L} {} for {}: {}", lead.quantity, lead.part, phaseText(s, lead.phase), days);
    return lead.orderBy.empty() ? what : i18n("{}, order by {}", what, lead.orderBy);
}

} // namespace hw
