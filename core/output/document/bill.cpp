// SPDX-License-Identifier: GPL-3.0-or-later
// What has to be bought.
#include "core/output/document/parts.h"

#include "core/output/exchange/bom_total.h"
#include "core/output/report/amounts.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::document {
namespace {

using namespace amounts;

Text unitText(const Bom::Line& line)
{
    const std::string_view unit = bomUnit(line);
    return unit == "lot" ? i18n("lot") : unit == "pcs" ? i18n("pcs") : verbatim(std::string(unit));
}

Text priceText(Money price)
{
    constexpr Money kCents(100 * 10'000); // from here on they do not matter
    return price < kCents ? verbatim(fmt::format("{:.2f}", toCurrency(price))) : wholeMoney(price);
}

/// Sums of a group, so that its heading says what it comes to.
struct GroupSum {
    Money sum;
    std::int64_t lines = 0;
};

GroupSum sumOf(const Bom& bom, Bom::Group group)
{
    GroupSum total;
    for (const auto& line : bom.lines)
        if (line.group == group) total.sum += line.sum, ++total.lines;
    return total;
}

Table groupsTable(const Bom& bom)
{
    Table table;
    table.caption = i18n("By group");
    table.columns = {{i18n("Group"), 3}, {i18n("Lines"), 1, true}, {i18n("Amount, {}", bom.currency), 1.4, true}, {i18n("Share"), 1, true}};
    std::vector<Bom::Group> groups;
    for (const auto& line : bom.lines)
        if (std::ranges::find(groups, line.group) == groups.end()) groups.push_back(line.group);
    for (const auto group : groups) {
        const GroupSum sum = sumOf(bom, group);
        table.rows.push_back({{bomGroupText(group), grouped(sum.lines), wholeMoney(sum.sum),
                               percent(bom.total.count() ? double(sum.sum.count()) / double(bom.total.count()) : 0)}});
    }
    table.rows.push_back({{i18n("Priced"), Cell(), wholeMoney(bom.quoted()), percent(1 - bom.assumedShare())}});
    table.rows.push_back({{i18n("Assumed"), Cell(), wholeMoney(bom.assumed), percent(bom.assumedShare())}});
    table.rows.push_back(
        {{i18n("Total"), grouped(std::int64_t(bom.lines.size())), totalText(bom.total, bom.withoutRate, wholeMoney(bom.total)), Cell()},
         RowKind::Total});
    return table;
}

Table systemsTable(const Report::Cost& cost)
{
    Table table;
    table.caption = i18n("By system, including its share of charges");
    table.columns = {{i18n("System"), 3},
                     {i18n("Priced, {}", cost.currency), 1.4, true},
                     {i18n("Assumed, {}", cost.currency), 1.4, true},
                     {i18n("Amount, {}", cost.currency), 1.4, true}};
    const auto shown = [&](Money sum) { return totalText(sum, cost.withoutRate, wholeMoney(sum)); };
    for (const auto& system : cost.systems)
        table.rows.push_back({{systemText(system.system), shown(system.quoted), shown(system.assumed), shown(system.total)}});
    return table;
}

Table publishedTable(const Report::Cost& cost)
{
    Table table;
    table.caption = i18n("Cost per kW of IT load and published ranges");
    table.columns = {{i18n("System"), 1.4},
                     {i18n("{} per kW", cost.currency), 1, true},
                     {i18n("Published"), 1.4, true},
                     {i18n("Position"), 0.8},
                     {i18n("Source"), 4}};
    for (const CostPosition& p : cost.published)
        table.rows.push_back({{systemText(*fromWord<CostSystem>(p.range.slug)), grouped(std::llround(p.perKw)),
                               i18n("{} to {}", grouped(std::llround(p.range.least)), grouped(std::llround(p.range.most))),
                               Cell(costSideText(p), p.side() > 0 ? Tone::Warning : Tone::Plain), verbatim(p.range.source)}});
    return table;
}

Table powerItemsTable(const Report::Cost& cost)
{
    Table table;
    table.caption = i18n("Cost of power by item");
    table.columns = {{i18n("Item"), 3},
                     {i18n("Amount, {}", cost.currency), 1.4, true},
                     {i18n("{} per kW", cost.currency), 1, true},
                     {i18n("Installed / required"), 1.2, true},
                     {i18n("Covered by published range"), 1.4}};
    for (const auto& item : cost.powerItems)
        table.rows.push_back(
            {{powerItemText(item.cost.item), wholeMoney(item.cost.sum), grouped(std::llround(item.perKw)),
              item.ratio > 0 ? verbatim(fmt::format("{:.2f}", item.ratio)) : Text(), item.cost.published() ? i18n("yes") : i18n("no")}});
    return table;
}

Table phasesTable(const Report& report)
{
    Table table;
    table.caption = i18n("By phase");
    table.columns = {{i18n("Phase"), 3},
                     {i18n("Date"), 1},
                     {i18n("Accelerators"), 1.2, true},
                     {i18n("IT power"), 1.2, true},
                     {i18n("Cost, {}", report.cost.currency), 1.4, true},
                     {i18n("Power cost"), 1.2, true},
                     {i18n("Cooling cost"), 1.2, true},
                     {i18n("Pre-built for later phases"), 1.3, true}};
    for (const auto& phase : report.phases)
        table.rows.push_back(
            {{phase.name.empty() ? i18n("phase {}", phase.number) : i18n("{} ({})", phase.name, phase.number), verbatim(phase.date),
              grouped(phase.accelerators), powerText(phase.it), wholeMoney(phase.cost), wholeMoney(phase.power), wholeMoney(phase.cooling),
              Cell(wholeMoney(phase.prebuilt), phase.prebuilt.count() > 0 ? Tone::Warning : Tone::Plain)}});
    return table;
}

constexpr std::size_t kMostOrders = 15; ///< parts that take longest; the bill as a file has all

/// What to order first: the critical path of buying.
Table ordersTable(const Report& report)
{
    const auto& leads = report.cost.leadTimes;
    const bool dated = std::ranges::any_of(leads, [](const LeadTime& lead) { return !lead.orderBy.empty(); });
    Table table;
    table.caption =
        leads.size() > kMostOrders ? i18n("Longest lead times: top {} of {} parts", kMostOrders, leads.size()) : i18n("Longest lead times");
    table.columns = {{i18n("Part"), 2}, {i18n("Quantity"), 0.9, true}, {i18n("Weeks"), 0.7, true}, {i18n("Basis"), 0.5}, {i18n("Source"), 4}};
    if (report.phases.size() > 1) table.columns.push_back({i18n("Phase"), 0.6, true});
    if (dated) table.columns.push_back({i18n("Order by"), 1});
    for (std::size_t i = 0; i < std::min(leads.size(), kMostOrders); ++i) {
        const LeadTime& lead = leads[i];
        Table::Row row{{verbatim(lead.part), grouped(lead.quantity), i18n("{:.0f}", lead.days / 7.0),
                        Cell(verbatim(std::string(1, char(lead.confidence))), lead.confidence == Confidence::Assumed ? Tone::Warning : Tone::Plain),
                        verbatim(lead.source)}};
        if (report.phases.size() > 1) row.cells.emplace_back(grouped(lead.phase));
        if (dated) row.cells.emplace_back(verbatim(lead.orderBy));
        table.rows.push_back(std::move(row));
    }
    return table;
}

constexpr std::size_t kMostLengths = 3; ///< of a part that stand on lines of their own

/// One past the lines of the same part that differ in length, from `first` on.
std::size_t endOfLengths(const Bom& bom, std::size_t first)
{
    std::size_t end = first;
    const auto& line = bom.lines[first];
    while (end < bom.lines.size() && line.lengthMm > 0 && bom.lines[end].group == line.group && bom.lines[end].part == line.part) ++end;
    return end;
}

/// All lengths of a part together: the bill as a file has each.
Table::Row lengthsRow(const Bom& bom, std::size_t first, std::size_t end)
{
    const auto& line = bom.lines[first];
    std::int64_t pieces = 0, lengthMm = 0;
    std::int32_t least = line.lengthMm, most = least;
    Money sum;
    for (std::size_t i = first; i < end; ++i) {
        pieces += bom.lines[i].quantity, lengthMm += bom.lines[i].quantity * bom.lines[i].lengthMm, sum += bom.lines[i].sum;
        least = std::min(least, bom.lines[i].lengthMm), most = std::max(most, bom.lines[i].lengthMm);
    }
    return {{verbatim(line.part),
             i18n("{:L} lengths from {:g} to {:g} m, {} in total", std::int64_t(end - first), least / 1000.0, most / 1000.0, lengthText(lengthMm)),
             grouped(pieces), unitText(line), line.priced ? Cell(i18n("by length"), Tone::Dim) : Cell(i18n("unpriced"), Tone::Warning),
             Cell(verbatim(std::string(1, char(line.confidence))), line.confidence == Confidence::Assumed ? Tone::Warning : Tone::Plain),
             wholeMoney(sum)}};
}

Table linesTable(const Bom& bom)
{
    Table table;
    table.columns = {{i18n("Part"), 2},
                     {i18n("Description"), 4},
                     {i18n("Quantity"), 0.9, true},
                     {i18n("Unit"), 0.5},
                     {i18n("Unit price, {}", bom.currency), 1.1, true},
                     {i18n("Basis"), 0.5},
                     {i18n("Amount, {}", bom.currency), 1.2, true}};
    std::optional<Bom::Group> group;
    for (std::size_t i = 0; i < bom.lines.size(); ++i) {
        const auto& line = bom.lines[i];
        if (group != line.group) {
            group = line.group;
            table.rows.push_back(
                {{i18n("{}: {} {}", bomGroupText(line.group), wholeMoney(sumOf(bom, line.group).sum), bom.currency)}, RowKind::Group});
        }
        if (const std::size_t end = endOfLengths(bom, i); end > i + kMostLengths) {
            table.rows.push_back(lengthsRow(bom, i, end));
            i = end - 1;
            continue;
        }
        table.rows.push_back(
            {{verbatim(line.part), line.description, grouped(line.quantity), unitText(line),
              !line.priced ? Cell(i18n("unpriced"), Tone::Warning) : Cell(priceText(line.unitPrice)),
              Cell(verbatim(std::string(1, char(line.confidence))), line.confidence == Confidence::Assumed ? Tone::Warning : Tone::Plain),
              wholeMoney(line.sum)}});
    }
    table.rows.push_back(
        {{i18n("Total"), Cell(), Cell(), Cell(), Cell(), Cell(), totalText(bom.total, bom.withoutRate, wholeMoney(bom.total))}, RowKind::Total});
    return table;
}

} // namespace

void addBill(const Input& in, std::vector<Section>& sections)
{
    Section section{i18n("Bill of materials"), 1, "bill", {}};
    if (in.bom.lines.empty()) {
        section.blocks.push_back(Paragraph{i18n("The bill of materials is empty.")});
        sections.push_back(std::move(section));
        return;
    }
    section.blocks.push_back(groupsTable(in.bom));
    if (in.report.cost.systems.size() > 1) section.blocks.push_back(systemsTable(in.report.cost));
    if (!in.report.cost.published.empty()) section.blocks.push_back(publishedTable(in.report.cost));
    if (!in.report.cost.powerItems.empty()) section.blocks.push_back(powerItemsTable(in.report.cost));
    if (in.report.phases.size() > 1) section.blocks.push_back(phasesTable(in.report));
    if (!in.report.cost.leadTimes.empty()) section.blocks.push_back(ordersTable(in.report));
    if (!in.report.cost.charges.empty()) section.blocks.push_back(Paragraph{in.report.cost.charges});
    Points left;
    for (const auto& out : in.bom.leftOut) left.points.push_back({leftOutText(out), Tone::Warning});
    if (!left.points.empty())
        section.blocks.push_back(Paragraph{i18n("Excluded from the total"), Paragraph::Style::Heading}), section.blocks.push_back(left);
    section.blocks.push_back(linesTable(in.bom));
    sections.push_back(std::move(section));
}

} // namespace hw::document
