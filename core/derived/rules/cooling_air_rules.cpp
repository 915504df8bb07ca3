// SPDX-License-Identifier: GPL-3.0-or-later
// C5, C6, C12, C15: air before racks, its direction through them, its speed in aisles and before coils, and where it ends.
#include "core/derived/cooling/aisles.h"
#include "core/derived/cooling/reading.h"
#include "core/derived/rules/cooling_view.h"
#include "core/physics/coolant/heat.h"

#include <cmath>

namespace hw::rules {

std::vector<Finding> inletAir(const RuleInput& input)
{
    const CoolingView v(input);
    const double recommended = input.threshold(kInletRecommended), allowed = input.threshold(kInletAllowed);
    std::vector<Finding> out;
    for (const CoolingLoop& loop : v.chain.loops) {
        if (loop.kind != LoopKind::Air || loop.sources.empty() || loop.supplyC <= recommended) continue;
        const bool over = loop.supplyC > allowed;
        out.push_back(
            {.severity = over ? Severity::Error : Severity::Warning,
             .message = over ? i18n("rack inlet air of {}: {:.1f} °C, allowable {:.0f} °C", input.name(ref(*loop.hall)), loop.supplyC, allowed)
                             : i18n("rack inlet air of {}: {:.1f} °C, recommended maximum {:.0f} °C", input.name(ref(*loop.hall)), loop.supplyC,
                                    recommended),
             .entities = {ref(*loop.hall)},
             .id = findingId("C5", {input.subject(ref(*loop.hall))})});
    }
    for (const CoolingUnit& unit : v.chain.units) { // coils cannot give colder air than their water and approach
        if (unit.takes < 0 || unit.feeds < 0 || v.loop(unit.feeds).kind != LoopKind::Air || unit.approachK <= 0) continue;
        const double coldest = v.loop(unit.takes).supplyC + unit.approachK;
        if (coldest <= v.loop(unit.feeds).supplyC) continue;
        out.push_back({.severity = Severity::Error,
                       .message = i18n("{} cannot supply air below {:.1f} °C ({:.1f} °C water, {:.1f} K approach); planned: {:.1f} °C",
                                       v.name(unit.device), coldest, v.loop(unit.takes).supplyC, unit.approachK, v.loop(unit.feeds).supplyC),
                       .entities = {ref(unit.device)},
                       .id = findingId("C5", {input.subject(ref(unit.device))})});
    }
    return out;
}

namespace {

/// True for what draws air from behind its rack: rear to front, or front to rear and mounted from behind.
bool breathesHot(const CoolingView& v, DeviceId id)
{
    const std::string& airflow = v.spec(id).airflow;
    if (airflow != "front-to-rear" && airflow != "rear-to-front") return false;
    return (airflow == "rear-to-front") != (v.s.devices.face[id] == Face::Rear);
}

} // namespace

std::vector<Finding> airDirection(const RuleInput& input)
{
    const CoolingView v(input);
    Groups groups(input, "C6");
    v.s.devices.forEach([&](DeviceId id) {
        const auto rack = v.s.devices.rack[id];
        const Load& load = input.figures.power->device(id);
        if (!rack || !breathesHot(v, id) || load.at(input.basis) <= load.liquid[std::size_t(input.basis)]) return;
        groups.add(v.room(id) + "|" + input.parts()[v.s.devices.type[id]].slug, ref(id), Severity::Warning, 0, [&] {
            return i18n("{} in {} draws air from the hot aisle: reverse it, or use the variant with the opposite airflow direction", v.name(id),
                        input.name(ref(*rack)));
        });
    });
    return groups.findings();
}

std::vector<Finding> airSpeed(const RuleInput& input)
{
    const CoolingView v(input);
    const double most = input.threshold(kAirSpeed);
    Groups groups(input, "C12");
    if (!v.cools()) return {};
    for (const ColdAisle& aisle : coldAisles(input.figures, v.chain)) {
        const double speed = aisle.speedMs();
        if (speed <= most) continue;
        for (const RowId row : aisle.rows)
            groups.add("aisle|" + input.subject(ref(aisle.rows.front())), ref(row), Severity::Warning, speed, [&] {
                return i18n("cold aisle of {}: {:.1f} m³/s at {:.2f} m/s through two ends of {:.1f} m × {:.1f} m; maximum {:.2f} m/s",
                            input.name(ref(row)), aisle.airM3s, speed, double(aisle.widthMm) / 1000, aisle.sectionM2 * 1000 / double(aisle.widthMm),
                            most);
            });
    }
    for (const CoolingUnit& unit : v.chain.units)
        if (unit.faceMs > most)
            groups.add("coil|" + v.room(unit.device) + "|" + input.parts()[v.s.devices.type[unit.device]].slug, ref(unit.device), Severity::Warning,
                       unit.faceMs, [&] {
                           return i18n("air velocity through {}: {:.2f} m/s ({:.1f} m³/s); maximum {:.2f} m/s", v.name(unit.device), unit.faceMs,
                                       unit.airM3s, most);
                       });
    return groups.findings();
}

/// Where air ends: what a rack rejects to air above the limit of its room, and what it takes instead.
std::vector<Finding> airLimit(const RuleInput& input)
{
    const CoolingView v(input);
    const double limitW = input.threshold(kAirRack) * 1000;
    const Text source = v.s.setting(kAirRack.setting).empty() ? i18n("assumed for this hall") : i18n("project setting");
    Groups groups(input, "C15");
    const double perLpmK = cooling::wattsPerLpmK(cooling::fluidAt(v.chain.at.coolant, coolant::middleC(v.chain.at.supplyC, v.chain.at.deltaK)));
    v.s.racks.forEach([&](RackId rack) {
        const Load& load = input.figures.power->rack(rack);
        const double heatW = toWatts(load.at(input.basis) - load.liquid[std::size_t(input.basis)]);
        if (!(limitW > 0) || heatW <= limitW) return;
        const double excessW = heatW - limitW, deltaK = v.chain.at.deltaK;
        groups.add("air|" + input.parts()[v.s.racks.type[rack]].slug, ref(rack), Severity::Warning, heatW, [&] {
            return i18n("{} rejects {} to air ({:.1f} m³/s at {:.0f} K), limit {:.0f} kW ({}): cool {} of it with liquid ({:.0Lf} L/min of {} at "
                        "{:.0f} K), or "
                        "distribute its devices over {} racks",
                        input.name(ref(rack)), wattsText(heatW), heatW / coolant::kAirJPerM3K / v.chain.at.airDeltaK, v.chain.at.airDeltaK,
                        limitW / 1000, source, wattsText(excessW), perLpmK > 0 ? excessW / perLpmK / deltaK : 0, v.chain.at.coolant, deltaK,
                        int(std::ceil(heatW / limitW)));
        });
    });
    return groups.findings();
}

} // namespace hw::rules
