// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/report/report_money.h"
#include "core/output/exchange/bom_total.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <nlohmann/json.hpp>

namespace hw {

namespace {

using Json = nlohmann::ordered_json;

void fillSystems(const Figures& figures, const Bom& bom, Report::Cost& cost)
{
    for (const auto& section : bomSections(figures, bom, BomBy::System).sections)
        cost.systems.push_back({*fromWord<CostSystem>(section.name), section.bom.total, section.bom.quoted(), section.bom.assumed});
}

/// Of the plant that an item consists of.
double ratioOf(const Report& report, PowerItem item)
{
    const auto ratio = [&](PlantPart part) {
        const auto found = std::ranges::find(report.plant, part, &PlantSize::part);
        return found == report.plant.end() ? 0 : found->ratio();
    };
    switch (item) {
    case PowerItem::Generators: return ratio(PlantPart::Generators);
    case PowerItem::Ups: return ratio(PlantPart::Ups);
    case PowerItem::Transformers: return ratio(PlantPart::Transformers);
    default: return 0;
    }
}

void fillPublished(const Figures& figures, const Bom& bom, const Report& report, Report::Cost& cost)
{
    if (!totalKnown(cost.total, cost.withoutRate)) return;
    const double itW = toWatts(report.power.campusAtBasis());
    SystemCosts costs{cost.currency, itW, {}};
    const auto items = powerItems(figures, bom);
    double goods = 0, power = 0;
    for (const PowerItemCost& item : items) goods += toCurrency(item.sum);
    for (const auto& system : cost.systems) {
        if (system.system == CostSystem::Power) power = toCurrency(system.total);
        if (system.system == CostSystem::Power || system.system == CostSystem::Cooling)
            costs.capital.emplace_back(system.system, toCurrency(system.total) * (system.system == CostSystem::Power ? publishedShare(items) : 1));
    }
    for (const PowerItemCost& item : items)
        if (itW > 0 && goods > 0) cost.powerItems.push_back({item, toCurrency(item.sum) * power / goods / (itW / 1000), ratioOf(report, item.item)});
    const Snapshot& s = *figures.snapshot;
    cost.published = costPositions(s, costs);
    std::erase_if(cost.published, [](const CostPosition& p) { return p.range.slug == "facility"; });
}

/// What of power and cooling stands before the IT that it is for.
void fillPrebuilt(std::vector<Report::PhaseRow>& phases)
{
    std::int64_t it = 0;
    Money power, cooling;
    for (const auto& row : phases) it += row.it.count(), power += row.power, cooling += row.cooling;
    if (it <= 0) return;
    std::int64_t itSoFar = 0;
    Money powerSoFar, coolingSoFar;
    for (auto& row : phases) {
        itSoFar += row.it.count(), powerSoFar += row.power, coolingSoFar += row.cooling;
        const double share = double(itSoFar) / double(it);
        const auto ahead = [&](Money soFar, Money all) {
            return Money(std::max<std::int64_t>(0, soFar.count() - std::llround(double(all.count()) * share)));
        };
        row.prebuilt = ahead(powerSoFar, power) + ahead(coolingSoFar, cooling);
    }
}

/// Equipment of power and cooling built up to each phase beyond the share of the IT, by part.
void fillPrebuiltParts(const BomSections& sections, std::vector<Report::PhaseRow>& phases)
{
    struct Sum {
        Text description;
        std::int64_t count = 0;
        Money sum;
    };
    const auto add = [](std::map<std::string, Sum>& to, const Bom& bom) {
        for (const Bom::Line& line : bom.lines) {
            if (line.group != Bom::Group::Devices || (line.system != CostSystem::Power && line.system != CostSystem::Cooling)) continue;
            Sum& sum = to[line.part];
            sum.description = line.description, sum.count += line.quantity, sum.sum += line.sum;
        }
    };
    std::map<std::string, Sum> all, soFar;
    double it = 0, itSoFar = 0;
    for (const auto& section : sections.sections) add(all, section.bom);
    for (const auto& row : phases) it += toWatts(row.it);
    if (it <= 0 || phases.size() < 2) return;
    for (auto& row : phases) {
        for (const auto& section : sections.sections)
            if (section.name == std::to_string(row.number)) add(soFar, section.bom);
        itSoFar += toWatts(row.it);
        for (const auto& [part, sum] : soFar) {
            const Sum& total = all[part];
            const Money ahead(sum.sum.count() - std::llround(double(total.sum.count()) * itSoFar / it));
            if (ahead.count() > 0) row.prebuiltParts.push_back({part, sum.description, sum.count, total.count, ahead});
        }
        std::ranges::stable_sort(row.prebuiltParts, std::greater(), [](const auto& one) { return one.amount.count(); });
    }
}

/// Modules at the earlier end of a cable come, and draw power, with the later one.
template <class F>
void laterModules(const Figures& figures, const PhaseIndex& phases, PowerBasis basis, F&& move)
{
    const Snapshot& s = *figures.snapshot;
    if (phases.single()) return;
    s.cables.forEach([&](CableId id) {
        int last = 1;
        for (const LinkId link : figures.cabling->linksOf(id)) last = std::max(last, phases.of(link));
        figures.cabling->forModules(id, [&](DeviceId device, PartTypeId module) {
            const auto& spec = figures.parts->transceiver(module);
            const bool counted = figures.power->device(device).at(basis).count() > 0 && !figures.parts->device(s.devices.type[device]).opticsIncluded;
            if (const int own = phases.of(device); own < last && counted)
                move(own, last, basis == PowerBasis::Nameplate ? spec.maximum.value : spec.typical.value);
        });
    });
}

void fillPhases(const Figures& figures, const BomSections& sections, Report& report)
{
    const Snapshot& s = *figures.snapshot;
    const PhaseIndex phases(s);
    std::map<int, Report::PhaseRow> rows;
    for (const int number : phases.numbers()) {
        auto& row = rows[number];
        row.number = number;
        row.name = words(phaseText(s, number));
        if (const auto phase = phaseOfNumber(s, number)) row.date = s.phases.date[*phase];
    }
    s.devices.forEach([&](DeviceId id) {
        auto& row = rows.at(phases.of(id));
        row.it += figures.power->device(id).at(report.power.basis);
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && s.devices.role[id] != DeviceRole::Backup)
            row.accelerators += figures.parts->device(s.devices.type[id]).accelerators;
    });
    laterModules(figures, phases, report.power.basis,
                 [&](int from, int to, Milliwatts power) { rows.at(from).it -= power, rows.at(to).it += power; });
    for (const auto& section : sections.sections)
        if (const auto row = rows.find(std::stoi(section.name)); row != rows.end()) {
            row->second.cost = section.bom.total;
            if (sections.sections.size() < 2) continue;
            for (const auto& system : bomSections(figures, section.bom, BomBy::System).sections)
                if (system.name == wordOf(CostSystem::Power))
                    row->second.power = system.bom.total;
                else if (system.name == wordOf(CostSystem::Cooling))
                    row->second.cooling = system.bom.total;
        }
    for (auto& [number, row] : rows) report.phases.push_back(std::move(row));
    fillPrebuilt(report.phases);
    fillPrebuiltParts(sections, report.phases);
}

Json countsJson(const StageCounts& counts)
{
    Json json = Json::object();
    for (std::size_t i = 0; i < counts.at.size(); ++i) json[std::string(kWords<Stage>[i])] = counts.at[i];
    json["total"] = counts.total();
    return json;
}

} // namespace

void fillMoney(const Figures& figures, const Bom& bom, Report& report)
{
    auto& cost = report.cost;
    cost.currency = bom.currency, cost.total = bom.total, cost.assumedShare = bom.assumedShare(), cost.leftOut = bom.leftOut;
    cost.quoted = bom.quoted(), cost.assumed = bom.assumed, cost.unpriced = bom.unpricedParts(), cost.withoutRate = bom.withoutRate;
    cost.charges = chargesText(bom);
    for (const auto& line : bom.lines) cost.byGroup[std::string(bomGroupName(line.group))] += line.sum;
    fillSystems(figures, bom, cost);
    fillPublished(figures, bom, report, cost);
    const BomSections byPhase = phaseSections(figures, bom);
    cost.leadTimes = leadTimes(*figures.snapshot, byPhase);
    fillPhases(figures, byPhase, report);
    report.stages = Stages::of(*figures.snapshot);
}

std::vector<Report::PhaseRow> phaseRows(const Figures& figures, const Bom& bom)
{
    Report report;
    report.power.basis = powerBasisOf(*figures.snapshot);
    fillPhases(figures, phaseSections(figures, bom), report);
    return std::move(report.phases);
}

std::vector<Text> prebuiltLines(const Report::PhaseRow& row, const std::string& currency)
{
    constexpr std::size_t kMost = 5;
    std::vector<Text> lines;
    if (row.prebuilt.count() <= 0) return lines;
    lines.push_back(i18n("Phase {}, power and cooling pre-built for later phases: {:L} {}", row.number, row.prebuilt.count() / 10000, currency));
    for (std::size_t i = 0; i < std::min(kMost, row.prebuiltParts.size()); ++i) {
        const auto& part = row.prebuiltParts[i];
        lines.push_back(
            i18n("  {}: {:L} of {:L} installed, {:L} {} pre-built", part.part, part.count, part.of, part.amount.count() / 10000, currency));
    }
    return lines;
}

double beyondRequired(const Report::Cost::Item& item) { return item.ratio > 1 && item.cost.published() ? item.perKw * (1 - 1 / item.ratio) : 0; }

Json costJson(const Report::Cost& cost)
{
    Json groups = Json::object(), systems = Json::object(), left = Json::array(), leads = Json::array(), items = Json::array();
    for (const auto& [group, sum] : cost.byGroup) groups[group] = toCurrency(sum);
    for (const auto& system : cost.systems) {
        Json& one = systems[std::string(wordOf(system.system))];
        one = {{"total", toCurrency(system.total)}, {"priced", toCurrency(system.quoted)}, {"assumed", toCurrency(system.assumed)}};
    }
    for (const auto& out : cost.leftOut)
        left.push_back({{"between", out.between}, {"links", out.links}, {"cables", out.cables}, {"reason", out.reason}, {"remedy", out.todo}});
    for (const auto& item : cost.powerItems) {
        Json one{{"item", wordOf(item.cost.item)}, {"total", toCurrency(item.cost.sum)}, {"per_kw", item.perKw}};
        one["installed_to_required"] = item.ratio > 0 ? Json(item.ratio) : Json();
        one["beyond_required_per_kw"] = beyondRequired(item);
        one["published"] = item.cost.published();
        items.push_back(std::move(one));
    }
    for (const auto& lead : cost.leadTimes) {
        Json one{{"part", lead.part}, {"quantity", lead.quantity}, {"days", lead.days}, {"phase", lead.phase}};
        one["order_by"] = lead.orderBy.empty() ? Json() : Json(lead.orderBy);
        leads.push_back(std::move(one));
    }
    return {{"currency", cost.currency},
            {"total", totalKnown(cost.total, cost.withoutRate) ? Json(toCurrency(cost.total)) : Json()},
            {"assumed_share", cost.assumedShare},
            {"priced", toCurrency(cost.quoted)},
            {"assumed", toCurrency(cost.assumed)},
            {"unpriced", cost.unpriced},
            {"without_rate", cost.withoutRate},
            {"by_group", groups},
            {"by_system", systems},
            {"published", costPositionsJson(cost.published)},
            {"power_items", items},
            {"lead_times", leads},
            {"left_out", left}};
}

Json prebuiltJson(const Report::PhaseRow& row)
{
    Json parts = Json::array();
    for (const auto& part : row.prebuiltParts)
        parts.push_back(
            {{"part", part.part}, {"description", part.description}, {"count", part.count}, {"of", part.of}, {"prebuilt", toCurrency(part.amount)}});
    return parts;
}

Json phasesJson(const Report& report)
{
    Json all = Json::array();
    for (const auto& row : report.phases) {
        all.push_back({{"number", row.number},
                       {"name", row.name},
                       {"date", row.date},
                       {"accelerators", row.accelerators},
                       {"it_w", toWatts(row.it)},
                       {"cost", toCurrency(row.cost)},
                       {"power", report.phases.size() > 1 ? Json(toCurrency(row.power)) : Json()},
                       {"cooling", report.phases.size() > 1 ? Json(toCurrency(row.cooling)) : Json()},
                       {"prebuilt", report.phases.size() > 1 ? Json(toCurrency(row.prebuilt)) : Json()},
                       {"prebuilt_parts", prebuiltJson(row)}});
    }
    return all;
}

Json stagesJson(const Stages& stages)
{
    return {{"racks", countsJson(stages.racks)}, {"devices", countsJson(stages.devices)}, {"cables", countsJson(stages.cables)}};
}

} // namespace hw
