// SPDX-License-Identifier: GPL-3.0-or-later
// Power, cooling, floor and what still fits.
#include "core/output/document/parts.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/values/place_fields.h"
#include "core/output/report/amounts.h"
#include "core/output/report/cooling_report.h"
#include "core/output/report/power_levels.h"

#include <algorithm>

namespace hw::document {
namespace {

using namespace amounts;
using Style = Paragraph::Style;

Text capacityText(Milliwatts capacity) { return capacity.count() ? powerText(capacity) : verbatim("–"); }

Table basesTable(const Report::Power& power)
{
    Table table;
    table.caption = power.pueComputed ? i18n("IT power by basis; PUE {:.3f} of this design at the design outdoor temperature", power.pue)
                                      : i18n("IT power by basis; constant PUE {:.3f}", power.pue);
    table.columns = {{i18n("Basis"), 2},
                     {i18n("Pods"), 1, true},
                     {i18n("Core building"), 1.2, true},
                     {i18n("IT power"), 1, true},
                     {i18n("Facility power"), 1, true}};
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate}) {
        const auto it = power.it[std::size_t(basis)], core = power.coreIt[std::size_t(basis)];
        const auto name = powerBasisName(basis);
        Table::Row row{{basis == power.basis ? i18n("{} (of this report)", name) : verbatim(std::string(name)), powerText(it), powerText(core),
                        powerText(it + core), powerText(basis == power.basis ? power.facilityW() : toWatts(it + core) * power.pue)}};
        if (basis == power.basis) row.kind = RowKind::Total;
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table levelsTable(const Report::Power& power)
{
    Table table;
    table.caption = i18n("Power chain levels with their most loaded elements");
    table.columns = {{i18n("Level"), 2},
                     {i18n("Count"), 0.6, true},
                     {i18n("Load"), 0.9, true},
                     {i18n("Single failure"), 0.9, true},
                     {i18n("Capacity"), 0.9, true},
                     {i18n("Worst-case utilization"), 0.9, true},
                     {i18n("Most loaded"), 1.8}};
    for (const auto& level : levelsByTitle(power.levels)) {
        const double worst = level.capacity.count() ? toWatts(std::max(level.load, level.failover)) / toWatts(level.capacity) : 0;
        const Tone tone = worst > 1 ? Tone::Bad : worst > 0.9 ? Tone::Warning : Tone::Plain;
        table.rows.push_back({{level.title, grouped(level.count), powerText(level.load), powerText(level.failover), capacityText(level.capacity),
                               level.capacity.count() ? Cell(percent(worst), tone) : Cell(verbatim("–")), verbatim(level.worst)}});
    }
    return table;
}

Bars levelBars(const Report::Power& power)
{
    Bars bars;
    bars.caption = i18n("Load vs capacity; the mark shows the load after any other single element fails");
    for (const auto& level : levelsByTitle(power.levels)) {
        if (level.capacity.count() == 0) continue;
        const double capacity = toWatts(level.capacity);
        bars.bars.push_back({level.title, i18n("{} of {}", powerText(level.load), powerText(level.capacity)), toWatts(level.load) / capacity,
                             toWatts(std::max(level.load, level.failover)) / capacity});
    }
    return bars;
}

Facts powerFacts(const Report& report)
{
    const auto& power = report.power;
    Facts facts;
    facts.lines.push_back({i18n("Per accelerator"), i18n("{:.0f} W", power.perAcceleratorW)});
    if (power.facility.complete) facts.lines.push_back({i18n("Overhead"), lossesText(report)});
    facts.lines.push_back({i18n("Power cords within racks"), grouped(power.cords)});
    facts.lines.push_back({i18n("Unpowered or not dual-fed"), grouped(power.unfedDevices), power.unfedDevices ? Tone::Bad : Tone::Good});
    facts.lines.push_back({i18n("Outage on single failure"), grouped(power.darkOnSingleLoss), power.darkOnSingleLoss ? Tone::Warning : Tone::Good});
    if (report.site.limit.count() > 0) {
        const Text share = percent(std::abs(report.site.spareShare));
        facts.lines.push_back({report.site.limitBasis == "facility" ? i18n("Site limit, facility power") : i18n("Site limit, IT power"),
                               report.site.spareShare >= 0 ? i18n("{}, {} spare", powerText(report.site.limit), share)
                                                           : i18n("{}, exceeded by {}", powerText(report.site.limit), share),
                               report.site.fits ? Tone::Good : Tone::Bad});
    }
    return facts;
}

Section powerSection(const Input& in)
{
    Section section{i18n("Power"), 2, "budgets.power", {}};
    const auto& power = in.report.power;
    section.blocks.push_back(basesTable(power));
    section.blocks.push_back(powerFacts(in.report));
    if (const Bars bars = levelBars(power); !bars.bars.empty()) section.blocks.push_back(bars);
    if (!power.levels.empty()) section.blocks.push_back(levelsTable(power));
    return section;
}

Section coolingSection(const Input& in)
{
    Section section{i18n("Cooling"), 2, "budgets.cooling", {}};
    const auto& cooling = in.report.cooling;
    Facts facts;
    facts.lines.push_back({i18n("Heat to air"), i18n("{}, {:.0Lf} m³/s at {:g} K", powerText(cooling.air), cooling.airFlowM3s, cooling.airDeltaK)});
    facts.lines.push_back({i18n("Heat to liquid"), cooling.liquid.count()
                                                       ? i18n("{}, {:.0Lf} L/min of {} at {:g} K, supply {:g} °C", powerText(cooling.liquid),
                                                              cooling.flowLpm, cooling.coolant, cooling.coolantDeltaK, cooling.coolantSupplyC)
                                                       : i18n("none")});
    if (const auto rule = flowRuleText(cooling)) facts.lines.push_back({i18n("Rule of thumb"), *rule});
    section.blocks.push_back(facts);
    Bars bars;
    bars.caption = i18n("Heat load vs capacity, by loop");
    for (const CoolingLoop& loop : in.figures.get<CoolingChainNode>().loops) {
        if (loop.heatW <= 0 || loop.capacityW <= 0) continue;
        const double share = loop.heatW / loop.capacityW;
        bars.bars.push_back({verbatim(loop.name), i18n("{} of {}", powerText(loop.heatW), powerText(loop.capacityW)), share, share});
    }
    if (!bars.bars.empty()) section.blocks.push_back(bars);
    return section;
}

/// The heaviest rack of each hall, kg/m² on its own footprint.
std::vector<double> heaviestByHall(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    std::vector<double> most(s.halls.nextId(), 0);
    for (const ValueField& field : floorLoadFields(figures)) {
        if (field.entity != EntityKind::Rack) continue;
        s.racks.forEach([&](RackId id) {
            double& hall = most[s.rows.hall[s.racks.row[id]].value];
            if (const float v = field.at(id.value); known(v)) hall = std::max(hall, double(v));
        });
    }
    return most;
}

Section floorSection(const Input& in)
{
    Section section{i18n("Floor"), 2, "budgets.floor", {}};
    const Snapshot& s = in.snapshot();
    std::vector<std::int64_t> racks(s.halls.nextId(), 0);
    s.racks.forEach([&](RackId id) { ++racks[s.rows.hall[s.racks.row[id]].value]; });
    const auto heaviest = heaviestByHall(in.figures);
    Table table;
    table.caption = i18n("Rooms");
    table.columns = {{i18n("Building"), 1.3},          {i18n("Room"), 1.5},     {i18n("Size, m"), 1.1, true}, {i18n("Area, m²"), 0.9, true},
                     {i18n("Racks"), 0.7, true},       {i18n("IT"), 0.9, true}, {i18n("kW/m²"), 0.7, true},   {i18n("Maximum, kg/m²"), 1.1, true},
                     {i18n("Floor rating"), 0.9, true}};
    s.halls.forEach([&](HallId id) {
        const double x = s.halls.sizeX[id].count() / 1000.0, y = s.halls.sizeY[id].count() / 1000.0, area = x * y;
        const Milliwatts load = in.figures.power->hall(id).at(in.report.power.basis);
        const int bears = s.halls.floorLoad[id].count();
        const double most = heaviest[id.value];
        table.rows.push_back({{verbatim(s.buildings.name[s.halls.building[id]]), verbatim(s.halls.name[id]), i18n("{:.1f} × {:.1f}", x, y),
                               i18n("{:.0f}", area), grouped(racks[id.value]), load.count() ? powerText(load) : verbatim("–"),
                               load.count() && area > 0 ? i18n("{:.1f}", toWatts(load) / 1000 / area) : verbatim("–"),
                               most > 0 ? Cell(i18n("{:.0f}", most), bears > 0 && most > bears ? Tone::Warning : Tone::Plain) : Cell(verbatim("–")),
                               bears ? grouped(bears) : verbatim("–")}});
    });
    if (table.rows.empty())
        section.blocks.push_back(Paragraph{i18n("The design contains no rooms.")});
    else
        section.blocks.push_back(table);
    return section;
}

Cell amountCell(const std::optional<Milliwatts>& power) { return power ? Cell(powerText(*power)) : Cell(i18n("any"), Tone::Dim); }

Section headroomSection(const Input& in)
{
    Section section{i18n("Headroom"), 2, "budgets.headroom", {}};
    const Headroom& room = in.report.headroom;
    if (room.server)
        section.blocks.push_back(Paragraph{i18n("One additional server ({}) requires {}, {} U and {} backend ports.", in.parts()[*room.server].model,
                                                powerText(room.serverPower), room.serverUnits, room.serverPorts)});
    if (room.halls.empty()) {
        section.blocks.push_back(Paragraph{i18n("No hall contains rows.")});
        return section;
    }
    Table table;
    table.caption = i18n("Remaining in the halls");
    table.columns = {{i18n("Hall"), 2},
                     {i18n("Power"), 1, true},
                     {i18n("Units"), 0.8, true},
                     {i18n("Ports"), 0.8, true},
                     {i18n("Weight, kg"), 1, true},
                     {i18n("Additional servers"), 1, true},
                     {i18n("Limiting resource"), 1.4}};
    for (const PlaceSpare& hall : room.halls)
        table.rows.push_back({{verbatim(hall.name), amountCell(hall.power), grouped(hall.units), grouped(hall.ports),
                               hall.weight ? Cell(grouped(hall.weight->count() / 1000)) : Cell(i18n("any"), Tone::Dim), grouped(hall.servers),
                               hall.limit ? resourceWord(*hall.limit) : verbatim("–")}});
    section.blocks.push_back(table);
    return section;
}

} // namespace

void addBudgets(const Input& in, std::vector<Section>& sections)
{
    sections.push_back({i18n("Budgets"), 1, "budgets", {}});
    sections.push_back(powerSection(in));
    sections.push_back(coolingSection(in));
    sections.push_back(feedersSection(in));
    sections.push_back(yearSection(in));
    sections.push_back(floorSection(in));
    sections.push_back(headroomSection(in));
}

} // namespace hw::document
