// SPDX-License-Identifier: GPL-3.0-or-later
// C8 to C11: heat rejection, what pumps and chillers do when power fails, PUE and WUE, valves and leak sensors.
#include "core/derived/rules/cooling_view.h"
#include "core/derived/rules/power_view.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::rules {

namespace {

bool rejects(CoolingElement e) { return e == CoolingElement::Chiller || e == CoolingElement::DryCooler || e == CoolingElement::Tower; }

/// Capacity of a loop's sources without the largest `out` of them; nothing where one states none.
std::optional<double> capacityWithout(const CoolingView& v, const CoolingLoop& loop, std::int64_t out)
{
    std::vector<double> all;
    for (const DeviceId id : loop.sources) {
        const CoolingUnit& unit = *v.chain.unit(id);
        if (unit.ratedW <= 0) return std::nullopt;
        all.push_back(unit.dry ? 0 : unit.capacityW);
    }
    std::ranges::sort(all);
    double sum = 0;
    for (std::size_t i = 0; i + std::size_t(std::max<std::int64_t>(out, 0)) < all.size(); ++i) sum += all[i];
    return sum;
}

/// Only CDUs take from it: its water is too warm for air units.
bool cdusAlone(const CoolingView& v, std::size_t loop)
{
    bool any = false;
    for (const CoolingUnit& unit : v.chain.units) {
        if (!unit.parts() || unit.takes != std::int32_t(loop)) continue;
        if (unit.element != CoolingElement::Cdu) return false;
        any = true;
    }
    return any;
}

/// Heat of rooms without air units, by loop: their units would take from the loops that reject heat, in proportion; not from those of CDUs where
/// there are others.
std::vector<double> ventilated(const CoolingView& v)
{
    std::vector<double> shares(v.chain.loops.size(), 0), ofCdus(v.chain.loops.size(), 0);
    double sum = 0, sumOfCdus = 0;
    for (std::size_t l = 0; l < shares.size(); ++l) {
        const CoolingLoop& loop = v.chain.loops[l];
        if (loop.kind != LoopKind::Facility || std::ranges::none_of(loop.sources, [&](DeviceId id) { return rejects(v.chain.unit(id)->element); }))
            continue;
        if (cdusAlone(v, l))
            sumOfCdus += ofCdus[l] = loop.heatW;
        else
            sum += shares[l] = loop.heatW;
    }
    if (sum <= 0) shares = std::move(ofCdus), sum = sumOfCdus;
    for (double& share : shares) share = sum > 0 ? v.chain.ventilatedW * share / sum : 0;
    return shares;
}

void addDry(const CoolingView& v, Groups& groups)
{
    for (const CoolingUnit& unit : v.chain.units)
        if (unit.dry)
            groups.add("dry|" + v.room(unit.device) + "|" + v.input.parts()[v.s.devices.type[unit.device]].slug, ref(unit.device), Severity::Error, 0,
                       [&] { return i18n("{} is not connected to a water loop: connect it to a facility water header", v.name(unit.device)); });
}

} // namespace

std::vector<Finding> heatRejection(const RuleInput& input)
{
    const CoolingView v(input);
    const auto spare = std::int64_t(std::llround(input.threshold(kRejectionSpare)));
    Groups groups(input, "C8");
    addDry(v, groups);
    const auto extra = ventilated(v);
    for (std::size_t l = 0; l < v.chain.loops.size(); ++l) {
        const CoolingLoop& loop = v.chain.loops[l];
        if (loop.kind != LoopKind::Facility || (loop.heatW <= 0 && loop.sources.empty())) continue;
        const double heat = loop.heatW + loop.ownW + extra[l];
        const auto left = capacityWithout(v, loop, spare);
        const bool few = loop.spare() < spare, small = left && *left < heat * (1 - 1e-9);
        if (!few && !small) continue;
        const auto add = [&](EntityRef who) {
            groups.add("short|" + v.subject(loop), who, Severity::Error, 0, [&] {
                if (loop.sources.empty()) return i18n("{} has to reject {}, but has no chiller or cooler", loop.name, wattsText(heat));
                if (small)
                    return i18n("{} has to reject {} ({} of it losses and pumps); with {:L} units out, {} of capacity remains at "
                                "{:.0f} °C outdoor and {:.1f} °C supply temperature",
                                loop.name, wattsText(heat), wattsText(loop.ownW + extra[l]), spare, wattsText(*left), v.chain.at.ambientC,
                                loop.supplyC);
                return i18n("{} needs {:L} of its {:L} units or pumps for {} and {:.0Lf} L/min; required redundancy: N+{:L}", loop.name, loop.running,
                            loop.units, wattsText(heat), loop.lpm, spare);
            });
        };
        for (const EntityRef who : v.entities(loop)) add(who);
    }
    return groups.findings();
}

namespace {

/// Seconds until what moves a loop's coolant, or takes its heat out, runs again after a loss of the utility; 0 behind a UPS.
struct Restart {
    double seconds = 0;
    DeviceId unit{};
};

class RestartView {
public:
    explicit RestartView(const CoolingView& of) : v(of), power(of.input), m_start(numberSetting(of.s, "impact.generator_start_s"))
    {
        v.s.devices.forEach([&](DeviceId id) { m_ups = m_ups || power.element(id) == PowerElement::Ups; });
    }
    [[nodiscard]] bool hasUps() const { return m_ups; } ///< without any, nothing is said of power
    [[nodiscard]] Restart of(const CoolingLoop& loop) const
    {
        Restart worst;
        const auto look = [&](DeviceId id) {
            if (power.feeds.of(id).empty() || behindUps(id)) return;
            const double stated = v.spec(id).cooling.restartS.value;
            const double seconds = m_start + (stated > 0 ? stated : rejects(v.chain.unit(id)->element) ? v.input.threshold(kChillerRestart) : 0);
            if (seconds > worst.seconds) worst = {seconds, id};
        };
        for (const DeviceId id : loop.sources) look(id);
        for (const DeviceId id : loop.pumps) look(id);
        return worst;
    }

    [[nodiscard]] bool behindUps(DeviceId id) const
    {
        return std::ranges::any_of(power.upstream(id), [&](DeviceId up) { return power.element(up) == PowerElement::Ups; });
    }
    [[nodiscard]] bool isFed(DeviceId id) const { return !power.feeds.of(id).empty(); }

private:
    const CoolingView& v;
    PowerView power;
    double m_start;
    bool m_ups = false;
};

} // namespace

std::vector<Finding> rideThrough(const RuleInput& input)
{
    const CoolingView v(input);
    const RestartView restarts(v);
    std::vector<Finding> out;
    if (!restarts.hasUps()) return out;
    for (const CoolingLoop& loop : v.chain.loops) {
        if (loop.kind == LoopKind::Air || loop.heatW <= 0) continue;
        const Restart restart = restarts.of(loop);
        if (restart.seconds <= loop.rideThroughS) continue;
        out.push_back({.severity = Severity::Warning,
                       .message = i18n("{}: ride-through {:.0f} s ({:.0Lf} L in circulation, {:.0f} K rise) is shorter than the restart time of {}, "
                                       "{:.0f} s (not on UPS); put it on UPS, or add an in-line buffer tank",
                                       loop.name, loop.rideThroughS, loop.flowingLiters, loop.limitK, v.name(restart.unit), restart.seconds),
                       .entities = {ref(restart.unit)},
                       .id = findingId("C9", {v.subject(loop)})});
    }
    return out;
}

std::vector<Finding> coolingOffUps(const RuleInput& input)
{
    const CoolingView v(input);
    const RestartView restarts(v);
    if (!restarts.hasUps()) return {};
    const double dense = 1e3 * input.threshold(kDenseRack);
    std::map<HallId, double> densest;
    v.s.racks.forEach([&](RackId id) {
        double& most = densest[v.s.rows.hall[v.s.racks.row[id]]];
        most = std::max(most, toWatts(input.figures.power->rack(id).at(input.basis)));
    });
    std::vector<char> condenser(v.chain.loops.size(), 0); // chillers stop anyway
    for (const CoolingUnit& unit : v.chain.units)
        if (unit.element == CoolingElement::Chiller && unit.takes >= 0) condenser[std::size_t(unit.takes)] = 1;
    std::vector<double> served(v.chain.loops.size(), 0); // densest rack that a facility loop serves
    for (const CoolingUnit& unit : v.chain.units) {
        const auto hall = hallOf(v.s, unit.device);
        if (unit.takes < 0 || !hall) continue;
        if (const auto found = densest.find(*hall); found != densest.end())
            served[std::size_t(unit.takes)] = std::max(served[std::size_t(unit.takes)], found->second);
    }
    Groups groups(input, "C16");
    const auto look = [&](DeviceId id, double most) {
        if (most <= dense || !restarts.isFed(id) || restarts.behindUps(id)) return;
        groups.add(v.room(id) + "|" + input.parts()[v.s.devices.type[id]].slug, ref(id), Severity::Warning, most, [&] {
            return i18n("{} is not on UPS, but cools racks of up to {} (limit {}): put it on UPS", v.name(id), wattsText(most), wattsText(dense));
        });
    };
    for (const CoolingUnit& unit : v.chain.units) {
        using enum CoolingElement;
        if (unit.element != FanWall && unit.element != Crah && unit.element != InRow && unit.element != RearDoor && unit.element != Cdu) continue;
        const auto hall = hallOf(v.s, unit.device);
        if (const auto found = hall ? densest.find(*hall) : densest.end(); found != densest.end()) look(unit.device, found->second);
    }
    for (std::size_t l = 0; l < served.size(); ++l)
        if (v.chain.loops[l].kind == LoopKind::Facility && !condenser[l])
            for (const DeviceId pump : v.chain.loops[l].pumps) look(pump, served[l]);
    return groups.findings();
}

std::vector<Finding> warmRooms(const RuleInput& input)
{
    constexpr double kAirJ = 1200, kRiseK = 10; // of a cubic meter a kelvin; of the air that ventilates, assumed
    const CoolingView v(input);
    if (!v.cools()) return {};
    const PowerView power(input);
    std::map<HallId, double> heat;
    std::set<HallId> batteries;
    v.s.devices.forEach([&](DeviceId id) {
        const auto hall = hallOf(v.s, id);
        if (!power.isPower(id) || !hall || v.chain.airOf[(*hall).value] >= 0) return;
        if (v.s.halls.kind[*hall] != RoomKind::Electrical && v.s.halls.kind[*hall] != RoomKind::Battery) return;
        heat[*hall] += toWatts(power.chain.load(id) - power.chain.through(id));
        if (power.element(id) == PowerElement::Ups && power.spec(id).power.battery.value.count() > 0) batteries.insert(*hall);
    });
    std::vector<Finding> out;
    for (const auto& [hall, watts] : heat) {
        if (watts <= 1e3 * input.threshold(kRoomHeat) || !batteries.contains(hall)) continue;
        out.push_back(
            {.severity = Severity::Warning,
             .message = i18n(
                 "{}: room with batteries and {} of heat, but no air unit; ventilation with a rise of {:.0f} K above {:.0f} °C outdoors requires "
                 "{:.0f} m³/s and results in {:.0f} °C (batteries: 25 °C): add air units, or place the batteries in a cooled room",
                 input.name(ref(hall)), wattsText(watts), kRiseK, v.chain.at.ambientC, watts / kAirJ / kRiseK, v.chain.at.ambientC + kRiseK),
             .entities = {ref(hall)},
             .id = findingId("C17", {input.subject(ref(hall))})});
    }
    return out;
}

std::vector<Finding> efficiency(const RuleInput& input)
{
    const CoolingView v(input);
    std::vector<Finding> out;
    const bool rejection = std::ranges::any_of(v.chain.units, [](const CoolingUnit& unit) { return rejects(unit.element) && unit.feeds >= 0; });
    const FacilityPower power = facilityPower(input.figures, input.basis);
    if (!rejection || !power.complete) return out;
    const double pue = std::max(1.0, power.pue());
    const double stated = std::max(1.0, numberSetting(v.s, "site.pue")), tolerance = input.threshold(kPueTolerance) / 100;
    if (settingOf(v.s, "site.pue_basis") != "losses" && pue > stated * (1 + tolerance))
        out.push_back({.severity = Severity::Info,
                       .message = i18n("losses, pumps, fans and heat rejection of this design result in a PUE of {:.2f}, but limits use "
                                       "{:.2f}: set site.pue_basis to losses",
                                       pue, stated),
                       .id = findingId("C10", {"pue"})});
    double evaporated = 0;
    for (const CoolingUnit& unit : v.chain.units)
        if (unit.element == CoolingElement::Tower) evaporated += unit.heatW;
    const double wue = toWatts(power.it) > 0 ? input.threshold(kEvaporation) * evaporated / toWatts(power.it) : 0;
    if (wue > input.threshold(kWaterUse))
        out.push_back(
            {.severity = Severity::Info,
             .message = i18n("cooling towers evaporate {:.2f} L per kWh of IT energy (WUE); target: {:.2f}", wue, input.threshold(kWaterUse)),
             .id = findingId("C10", {"wue"})});
    return out;
}

std::vector<Finding> leakZones(const RuleInput& input)
{
    const CoolingView v(input);
    Groups groups(input, "C11");
    std::vector<std::vector<DeviceId>> before(v.chain.takers.size()); // what a cabinet depends on
    for (const CoolantPath& way : v.chain.ways)
        if (const auto at = v.chain.takerOf[way.taker.value]; at >= 0) before[std::size_t(at)].push_back(way.feeder);
    for (std::size_t t = 0; t < v.chain.takers.size(); ++t) {
        const CooledLoad& taker = v.chain.takers[t];
        if (taker.loop < 0 || v.loop(taker.loop).implied) continue;
        const CoolingSpec& own = v.spec(taker.device).cooling;
        const bool shut = own.isolates || (!before[t].empty() && std::ranges::all_of(before[t], [&](DeviceId id) {
                              return v.chain.unit(id)->element == CoolingElement::Valve || v.spec(id).cooling.isolates;
                          }));
        const bool sensed = own.leakSensor || std::ranges::all_of(taker.cooled, [&](DeviceId id) { return v.spec(id).cooling.leakSensor; });
        if (shut && sensed) continue;
        const std::string name = input.name(v.who(taker));
        groups.add((shut ? "sensor|" : "valve|") + v.subject(v.loop(taker.loop)), v.who(taker), Severity::Error, 0, [&] {
            if (shut) return i18n("{} has no leak sensor: specify one for its manifold or a device connected to it", name);
            return i18n("{} cannot be isolated from {}: no upstream valve", name, v.loop(taker.loop).name);
        });
    }
    return groups.findings();
}

} // namespace hw::rules
