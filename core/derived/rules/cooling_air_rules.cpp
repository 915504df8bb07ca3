// SPDX-License-Identifier: GPL-3.0-or-later
// C5, C6, C12, C15: air before racks, its direction through them, its speed in aisles and before coils, and where it ends.
#include "core/derived/cooling/aisles.h"
#include "core/derived/cooling/reading.h"
#include "core/derived/rules/cooling_view.h"
#include "core/physics/coolant/heat.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

namespace {

double airHeatW(const Load& load, PowerBasis basis) { return toWatts(load.at(basis) - load.liquid[std::size_t(basis)]); }

/// What a rack may reject to the air of its hall, and why.
struct AirLimit {
    double watts = std::numeric_limits<double>::infinity();
    Text reason{};
    std::int64_t unitsToAdd = 0; ///< that lift it, where the air units set it
    double containedW = 0;       ///< in a contained aisle, where the rack's is none
};

/// The air units of one hall, and what they leave for a rack.
class HallAir {
public:
    HallAir(const CoolingView& v, const CoolingLoop& loop, std::int64_t spare) : m_hall(*loop.hall)
    {
        std::vector<std::pair<double, double>> units; // heat and flow
        for (const DeviceId id : loop.sources) {
            const CoolingUnit& unit = *v.chain.unit(id);
            if (!unit.dry) units.emplace_back(unit.capacityW, unit.capacityM3s);
        }
        std::ranges::sort(units);
        m_out = std::min(spare, std::int64_t(units.size()));
        if (units.empty()) return;
        const double perM3s = loop.wattsPerLpmK * v.chain.at.airDeltaK * std::max(1 - v.chain.at.bypassShare, 0.1);
        const auto carried = [&](std::size_t count) {
            double heat = 0, flow = 0;
            bool heats = true, flows = true; // stated by all of them
            for (std::size_t i = 0; i < count; ++i) {
                heat += units[i].first, flow += units[i].second * perM3s;
                heats = heats && units[i].first > 0, flows = flows && units[i].second > 0;
            }
            const double none = std::numeric_limits<double>::infinity();
            return std::min(heats ? heat : none, flows ? flow : none);
        };
        m_perUnitW = carried(1);
        m_carriedW = carried(units.size() - std::size_t(m_out));
    }

    /// `racksW`: heat of every rack; `otherW`: of all else in the room.
    void share(std::vector<double> racksW, double otherW)
    {
        if (!std::isfinite(m_carriedW)) return;
        std::ranges::sort(racksW);
        double left = m_carriedW = std::max(m_carriedW - otherW, 0.0);
        for (std::size_t i = 0; i < racksW.size(); ++i) {
            const double level = left / double(racksW.size() - i);
            if (racksW[i] > level * (1 + 1e-9)) {
                m_levelW = level;
                for (std::size_t k = i; k < racksW.size(); ++k) m_shortW += racksW[k] - level;
                return;
            }
            left -= racksW[i];
        }
    }

    [[nodiscard]] AirLimit limit(const CoolingView& v) const
    {
        if (!std::isfinite(m_levelW)) return {};
        return {m_levelW,
                i18np(m_out, "air-cooling units of {1}: {2} for its racks with {0:L} unit out",
                      "air-cooling units of {1}: {2} for its racks with {0:L} units out", v.input.name(ref(m_hall)), wattsText(m_carriedW)),
                m_perUnitW > 0 ? std::int64_t(std::ceil(m_shortW / m_perUnitW)) : 0};
    }

private:
    HallId m_hall;
    std::int64_t m_out = 0;
    double m_perUnitW = 0;
    double m_carriedW = std::numeric_limits<double>::infinity(); ///< with the spare units out, for racks
    double m_levelW = std::numeric_limits<double>::infinity();   ///< heat per rack up to which the units carry all; racks with less leave theirs
    double m_shortW = 0;                                         ///< above that, of all racks
};

/// What equipment of 19 inches, with blanking panels beside and between it, leaves the air: the width and height of its rack units.
AirLimit frontLimit(const CoolingView& v, RackId rack)
{
    constexpr double kOpeningM = 0.4826, kUnitM = 0.04445;
    const RackSpec& spec = v.input.parts().rack(v.s.racks.type[rack]);
    const double areaM2 = kOpeningM * spec.heightU * kUnitM, speed = v.input.threshold(kAirFront);
    if (!(speed > 0)) return {};
    const double watts = areaM2 * speed * coolant::kAirJPerM3K * v.chain.at.airDeltaK;
    if (v.s.rows.containment[v.s.racks.row[rack]] != Containment::None)
        return {watts, i18n("front opening of {:.2f} m² at {:.2f} m/s", areaM2, speed)};
    const double open = v.input.threshold(kOpenAisle);
    return {watts * open / 100, i18n("front opening of {:.2f} m² at {:.2f} m/s, {:.0f} % supply air without containment", areaM2, speed, open), 0,
            watts};
}

} // namespace

/// Where air ends: what a rack rejects to air above what the air of its hall takes out of it, and what it takes instead.
std::vector<Finding> airLimit(const RuleInput& input)
{
    const CoolingView v(input);
    const double given = input.threshold(kAirRack) * 1000;
    std::map<HallId, AirLimit> halls;
    if (!(given > 0)) {
        std::map<HallId, std::pair<std::vector<double>, double>> heats; // of the check's basis; their sum on the chain's
        v.s.racks.forEach([&](RackId rack) {
            auto& [racks, sum] = heats[v.s.rows.hall[v.s.racks.row[rack]]];
            racks.push_back(airHeatW(input.figures.power->rack(rack), input.basis));
            sum += airHeatW(input.figures.power->rack(rack), v.chain.at.basis);
        });
        for (const CoolingLoop& loop : v.chain.loops) {
            if (loop.kind != LoopKind::Air || !heats.contains(*loop.hall)) continue;
            HallAir air(v, loop, std::int64_t(std::llround(input.threshold(kAirSpare))));
            auto& [racks, sum] = heats[*loop.hall];
            air.share(std::move(racks), loop.heatW - sum);
            halls.emplace(*loop.hall, air.limit(v));
        }
    }
    Groups groups(input, "C15");
    const double perLpmK = cooling::wattsPerLpmK(cooling::fluidAt(v.chain.at.coolant, coolant::middleC(v.chain.at.supplyC, v.chain.at.deltaK)));
    v.s.racks.forEach([&](RackId rack) {
        const double heatW = airHeatW(input.figures.power->rack(rack), input.basis);
        const HallId hall = v.s.rows.hall[v.s.racks.row[rack]];
        AirLimit limit = given > 0 ? AirLimit{given, i18n("project setting")} : frontLimit(v, rack);
        if (const auto found = halls.find(hall); found != halls.end() && found->second.watts < limit.watts) limit = found->second;
        if (heatW <= limit.watts * (1 + 1e-9)) return;
        const double excessW = heatW - limit.watts, deltaK = v.chain.at.deltaK;
        groups.add("air|" + input.subject(ref(hall)) + "|" + input.parts()[v.s.racks.type[rack]].slug, ref(rack), Severity::Warning, excessW, [&] {
            const Text instead = limit.unitsToAdd > 0 ? i18np(limit.unitsToAdd, "add {:L} air-cooling unit", "add {:L} air-cooling units")
                                 : heatW <= limit.containedW
                                     ? i18n("contain its aisle (limit {})", wattsText(limit.containedW))
                                     : i18n("distribute its devices over {} racks", std::int64_t(std::ceil(heatW / std::max(limit.watts, 1.0))));
            return i18n("{} rejects {} to air ({:.1f} m³/s at {:.0f} K), limit {} ({}): cool {} of it with liquid ({:.0Lf} L/min of {} at {:.0f} K), "
                        "or {}",
                        input.name(ref(rack)), wattsText(heatW), heatW / coolant::kAirJPerM3K / v.chain.at.airDeltaK, v.chain.at.airDeltaK,
                        wattsText(limit.watts), limit.reason, wattsText(excessW), perLpmK > 0 ? excessW / perLpmK / deltaK : 0, v.chain.at.coolant,
                        deltaK, instead);
        });
    });
    return groups.findings();
}

} // namespace hw::rules
