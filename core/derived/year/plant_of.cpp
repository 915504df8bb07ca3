// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/year/plant_of.h"

#include "core/derived/cooling/facility.h"
#include "core/derived/cooling/reading.h"
#include "core/derived/figures/feeder_losses.h"
#include "core/foundation/catalog/rejection.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/plant/coolers.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw {

namespace {

constexpr double kDesignWetBulbC = 24; ///< at which towers of the catalog are rated

class PlantReader {
public:
    explicit PlantReader(const Figures& figures, plant::PlantRules rules)
        : m_figures(figures), m_s(*figures.snapshot), m_basis(powerBasisOf(m_s)), m_power(powerChain(figures, m_basis)),
          m_cooling(figures.get<CoolingChainNode>()), m_spareRuns(settingOf(m_s, "year.redundant_units") == "share")
    {
        m_out.rules = std::move(rules);
        m_draws.resize(m_power.network.size());
    }

    Result<plant::PlantModel> read()
    {
        orderLoops();
        if (m_order.size() != m_cooling.loops.size())
            return fail(ErrorCode::Refused, m_s.setting("project.name"), i18n("coolant loops supply each other"), i18n("run check and correct them"));
        readLoops();
        readIt();
        readUnits();
        readConditions();
        readPower();
        return std::move(m_out);
    }

private:
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_figures.parts->device(m_s.devices.type[id]); }
    [[nodiscard]] bool feedsAnother(const CoolingUnit& unit) const { return unit.feeds >= 0 && unit.takes >= 0 && unit.parts(); }

    /// What hands heat on before what takes it.
    void orderLoops()
    {
        const std::size_t n = m_cooling.loops.size();
        std::vector<std::set<std::int32_t>> outward(n);
        std::vector<int> open(n, 0);
        for (const CoolingUnit& unit : m_cooling.units)
            if (feedsAnother(unit)) outward[std::size_t(unit.feeds)].insert(unit.takes);
        for (const auto& to : outward)
            for (const std::int32_t l : to) ++open[std::size_t(l)];
        std::vector<char> done(n, 0);
        for (bool more = true; more;) {
            more = false;
            for (std::size_t l = 0; l < n; ++l) {
                if (done[l] || open[l] > 0) continue;
                done[l] = 1, more = true;
                m_order.push_back(std::int32_t(l));
                for (const std::int32_t to : outward[l]) --open[std::size_t(to)];
            }
        }
        m_placeOf.assign(n, -1);
        for (std::size_t i = 0; i < m_order.size(); ++i) m_placeOf[std::size_t(m_order[i])] = std::int32_t(i);
    }
    [[nodiscard]] plant::Loop* loop(std::int32_t ofChain)
    {
        return ofChain < 0 ? nullptr : &m_out.loops[std::size_t(m_placeOf[std::size_t(ofChain)])];
    }
    [[nodiscard]] std::int32_t placeOf(std::int32_t ofChain) const { return ofChain < 0 ? -1 : m_placeOf[std::size_t(ofChain)]; }

    void readLoops()
    {
        const CoolingConditions& at = m_cooling.at;
        for (const std::int32_t l : m_order) {
            const CoolingLoop& from = m_cooling.loops[std::size_t(l)];
            plant::Loop to{.name = from.name, .setC = from.supplyC, .wattsPerFlowK = from.wattsPerLpmK, .designW = from.heatW};
            const bool air = from.kind == LoopKind::Air, facility = from.kind == LoopKind::Facility;
            to.deltaK = air ? at.airDeltaK : facility ? from.riseK : at.deltaK;
            to.designFlow = air ? from.airM3s : from.lpm;
            to.kgPerFlow = air ? 1.2 : 1.0 / 60;
            to.role = air ? plant::LoopRole::Air : facility ? plant::LoopRole::Facility : plant::LoopRole::Cabinets;
            if (facility) {
                const auto takes = [&](const CoolingUnit& unit) { return unit.takes == l && unit.parts(); };
                const auto chills = [&](const CoolingUnit& unit) { return !takes(unit) || unit.element == CoolingElement::Chiller; };
                if (std::ranges::any_of(m_cooling.units, takes) && std::ranges::all_of(m_cooling.units, chills))
                    to.role = plant::LoopRole::Condenser, to.setC = m_out.rules.leastCondenserC;
            }
            m_out.loops.push_back(std::move(to));
        }
        for (const CoolingUnit& unit : m_cooling.units) {
            if (!unit.parts() || unit.takes < 0) continue;
            plant::Loop& taken = *loop(unit.takes);
            if (const double limit = spec(unit.device).cooling.warmestSupplyC.value; limit > 0)
                taken.warmestC = taken.warmestC > 0 ? std::min(taken.warmestC, limit) : limit;
        }
        for (const CooledLoad& taker : m_cooling.takers)
            if (plant::Loop* of = loop(taker.loop); of && taker.warmestC > 0)
                of->warmestC = of->warmestC > 0 ? std::min(of->warmestC, taker.warmestC) : taker.warmestC;
        // Water behind heat exchangers is as much colder as they need.
        for (const std::int32_t l : m_order)
            for (const CoolingUnit& unit : m_cooling.units) {
                if (unit.feeds != l || unit.takes < 0 || unit.element != CoolingElement::Exchanger) continue;
                plant::Loop& outer = *loop(unit.takes);
                const double set = loop(l)->setC - unit.approachK;
                if (outer.role != plant::LoopRole::Condenser) outer.setC = std::min(outer.setC, set);
            }
        if (!m_out.rules.economizer) return;
        constexpr double kBesideK = 2;
        for (const CoolingUnit& unit : m_cooling.units)
            if (feedsAnother(unit) && unit.element == CoolingElement::Chiller)
                loop(unit.takes)->setC = std::min(loop(unit.takes)->setC, loop(unit.feeds)->setC - kBesideK);
    }

    /// Of the supplies of a device, unless shelves feed it: their rated output.
    [[nodiscard]] double ratedOutput(DeviceId id) const
    {
        for (const PowerFeed& feed : m_figures.get<PowerFeedsNode>().of(id))
            if (spec(feed.supplier).power.element == PowerElement::Shelf || takesDirectCurrent(spec(feed.supplier))) return 0;
        double input = 0;
        for (const PowerInlet& inlet : spec(id).inlets) input += toWatts(inlet.maximumDraw);
        return input * plant::supplyEfficiency(m_out.rules.supplies, 1);
    }

    void readIt()
    {
        std::map<std::pair<std::uint32_t, std::int64_t>, std::int32_t> groups;
        std::vector<double> draws(m_power.network.size(), 0);
        std::map<std::pair<std::int32_t, std::int32_t>, double> heat; // by loop and group
        m_s.devices.forEach([&](DeviceId id) {
            const TierKind kind = m_s.tiers.kind[m_s.devices.tier[id]];
            const Milliwatts draw = m_power.network[id.value].draw;
            if (kind == TierKind::Power || kind == TierKind::Cooling || draw.count() <= 0 || !m_power.flow.live[id.value]) return;
            const auto [at, fresh] = groups.emplace(std::pair(m_s.devices.type[id].value, draw.count()), std::int32_t(m_out.it.size()));
            if (fresh) {
                plant::ItGroup group{.ratedOutputW = ratedOutput(id)};
                group.supplies = group.ratedOutputW > 0;
                if (group.supplies) group.output = plant::supplyOutput(m_out.rules.supplies, toWatts(draw) / group.ratedOutputW);
                m_out.it.push_back(group);
            }
            const auto group = at->second;
            m_out.it[std::size_t(group)].designW += toWatts(draw);
            m_draws[id.value].group = group;
            const double liquid = toWatts(m_figures.power->device(id).liquid[std::size_t(m_basis)]);
            if (const CooledLoad* taker = m_cooling.taker(id); taker && taker->loop >= 0 && liquid > 0) heat[{taker->loop, group}] += liquid;
            const auto hall = hallOf(m_s, id);
            if (const auto air = hall ? m_cooling.airOf[(*hall).value] : -1; air >= 0) heat[{air, group}] += toWatts(draw) - liquid;
        });
        m_s.devices.forEach([&](DeviceId id) {
            auto& draw = m_draws[id.value];
            if (draw.group >= 0) draw.share = toWatts(m_power.network[id.value].draw) / m_out.it[std::size_t(draw.group)].designW;
        });
        for (const auto& [key, watts] : heat) loop(key.first)->itHeat.emplace_back(key.second, watts / m_out.it[std::size_t(key.second)].designW);
        m_groups = std::int32_t(m_out.it.size());
    }

    /// Units of one part type between the same loops.
    struct Alike {
        CoolingElement element;
        PartTypeId type;
        std::int32_t takes, feeds;
        friend auto operator<=>(const Alike&, const Alike&) = default;
    };

    void readUnits()
    {
        std::map<Alike, std::vector<const CoolingUnit*>> alike;
        std::vector<char> known(m_power.network.size(), 0);
        for (const CoolingUnit& unit : m_cooling.units) {
            const bool pump = unit.element == CoolingElement::Pump;
            if (unit.feeds < 0 || unit.dry || !(pump || cooling::partsLoops(unit.element))) continue;
            alike[{unit.element, m_s.devices.type[unit.device], unit.takes, unit.feeds}].push_back(&unit);
            known[unit.device.value] = 1;
        }
        for (const auto& [key, units] : alike) addUnits(key, units);
        for (plant::Loop& of : m_out.loops) {
            double parts = 0;
            for (const plant::Units& units : of.movers)
                if (units.element != CoolingElement::Pump) parts += units.part;
            for (plant::Units& units : of.movers)
                if (parts > 0) units.part /= parts;
            for (plant::Units& units : of.sinks) {
                double rated = 0;
                for (const plant::Units& other : of.sinks) rated += other.count * other.ratedW;
                units.part = rated > 0 ? units.count * units.ratedW / rated : 1;
            }
        }
        // What draws and belongs to no loop draws all the time.
        m_s.devices.forEach([&](DeviceId id) {
            const Milliwatts draw = m_power.network[id.value].draw;
            if (m_s.tiers.kind[m_s.devices.tier[id]] != TierKind::Cooling || known[id.value] || draw.count() <= 0) return;
            m_draws[id.value] = {m_groups, 1};
            m_out.constant.emplace_back(m_groups++, toWatts(draw));
        });
    }

    void addUnits(const Alike& key, const std::vector<const CoolingUnit*>& of)
    {
        const CoolingUnit& first = *of.front();
        const CoolingLoop& from = m_cooling.loops[std::size_t(key.feeds)];
        const DeviceSpec& part = spec(first.device);
        plant::Loop& into = *loop(key.feeds);
        plant::Units units{.name = (*m_figures.parts)[m_s.devices.type[first.device]].slug, .element = key.element, .count = double(of.size())};
        const bool pump = key.element == CoolingElement::Pump, air = from.kind == LoopKind::Air;
        if (!m_spareRuns) {
            const double all = double(pump ? from.pumps.size() : from.sources.size()),
                         running = double(pump ? from.runningPumps : from.runningSources);
            if (all > 0) units.count = std::max(1.0, units.count * std::min(1.0, running / all));
        }
        units.drawW = first.ownW, units.ratedW = first.ratedW, units.ratedFlow = air ? first.capacityM3s : first.capacityLpm;
        if (units.ratedW <= 0) units.ratedW = from.heatW / double(std::max<std::size_t>(from.sources.size(), 1));
        units.approachK = first.approachK, units.points = part.cooling.points;
        units.takes = pump ? -1 : placeOf(key.takes);
        units.part = 0;
        for (const CoolingUnit* unit : of) units.part += unit->heatW;
        if (key.element == CoolingElement::Tower) {
            const double approach = leastSupplyC(units.points, kDesignWetBulbC, kDesignWetBulbC) - kDesignWetBulbC;
            units.approachK = approach > 0 ? approach / plant::towerApproach(kDesignWetBulbC, m_cooling.at.facilityDeltaK, 1, 1) : 1;
        }
        units.group = m_groups++;
        for (const CoolingUnit* unit : of) m_draws[unit->device.value] = {units.group, 1 / double(of.size())};
        const bool sink = from.kind == LoopKind::Facility && !pump;
        (sink ? into.sinks : into.movers).push_back(std::move(units));
    }

    void readConditions()
    {
        m_s.halls.forEach([&](HallId hall) {
            if (m_cooling.airOf[hall.value] < 0) return;
            m_out.rules.airVolumeM3 +=
                m_s.halls.sizeX[hall].count() / 1e3 * (m_s.halls.sizeY[hall].count() / 1e3) * (m_s.halls.sizeZ[hall].count() / 1e3);
        });
        plant::Reuse& reuse = m_out.reuse;
        reuse.heatW = numberSetting(m_s, "reuse.heat_kw") * 1000, reuse.supplyC = numberSetting(m_s, "reuse.supply_c");
        reuse.firstMonth = int(numberSetting(m_s, "reuse.first_month")), reuse.lastMonth = int(numberSetting(m_s, "reuse.last_month"));
        double best = -1e9;
        for (std::size_t l = 0; l < m_out.loops.size(); ++l) {
            const plant::Loop& of = m_out.loops[l];
            if (of.role != plant::LoopRole::Facility || of.designW <= 0) continue;
            const double returnC = of.setC + of.deltaK, weight = returnC * 1e3 + of.designW / 1e9;
            if (weight > best) best = weight, reuse.loop = std::int32_t(l);
        }
    }

    void readPower()
    {
        std::vector<std::int32_t> places(m_power.network.size(), -1);
        std::vector<std::int32_t> ofLoop(m_out.loops.size(), -1);
        for (std::size_t l = 0; l < m_out.loops.size(); ++l) {
            if (m_out.loops[l].role != plant::LoopRole::Air) continue;
            m_out.loops[l].place = ofLoop[l] = std::int32_t(m_out.places.size());
            m_out.places.push_back(m_out.loops[l].name);
        }
        m_out.outdoors = std::int32_t(m_out.places.size()), m_out.ventilated = m_out.outdoors + 1;
        m_out.places.push_back("outdoors"), m_out.places.push_back("ventilated");
        std::vector<double> feeders(m_power.network.size(), 0);
        const auto losses = feederLosses(m_figures, m_power);
        m_s.devices.forEach([&](DeviceId id) {
            feeders[id.value] = toWatts(losses[id.value]);
            if (m_s.tiers.kind[m_s.devices.tier[id]] != TierKind::Power) return;
            const auto hall = hallOf(m_s, id);
            if (!hall || m_s.halls.kind[*hall] == RoomKind::Yard)
                places[id.value] = m_out.outdoors;
            else if (const auto air = m_cooling.airOf[(*hall).value]; air >= 0)
                places[id.value] = ofLoop[std::size_t(placeOf(air))];
            else
                places[id.value] = m_out.ventilated;
        });
        m_out.power = plant::PowerTree(m_power.network, m_power.flow, m_draws, places, feeders, std::size_t(m_groups), m_out.places.size());
        std::vector<char> fixed(std::size_t(m_groups), 0);
        std::fill_n(fixed.begin(), m_out.it.size(), char(1));
        for (const auto& [group, watts] : m_out.constant) fixed[std::size_t(group)] = 1;
        m_out.power.fix(fixed);
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const PowerBasis m_basis;
    const PowerChain& m_power;
    const CoolingChain& m_cooling;
    const bool m_spareRuns;
    plant::PlantModel m_out;
    std::vector<std::int32_t> m_order, m_placeOf; ///< loops of the chain as the year solves them, and the other way round
    std::vector<plant::PowerTree::Draw> m_draws;
    std::int32_t m_groups = 0;
};

} // namespace

Result<plant::PlantRules> plantRules(const Snapshot& s)
{
    plant::PlantRules out;
    out.supplies = plant::supplyClassFromName(settingOf(s, "year.power_supplies")).value_or(plant::SupplyClass::Titanium);
    const auto on = [&](const char* key) { return settingOf(s, key) == "on"; };
    const auto share = [&](const char* key) { return numberSetting(s, key) / 100; };
    out.freeCooling = on("year.free_cooling"), out.economizer = on("year.economizer"), out.pads = on("year.adiabatic");
    out.freeApproachK = numberSetting(s, "year.free_cooling_approach_k"), out.freeFanShare = share("year.free_cooling_fans_percent");
    out.padEffect = share("year.adiabatic_percent");
    out.fixedHead = share("year.fixed_head_percent"), out.leastFlow = share("year.least_flow_percent");
    out.leastCondenserC = numberSetting(s, "year.least_condenser_c");
    out.cycles = numberSetting(s, "year.cycles"), out.driftShare = share("year.drift_percent");
    out.otherShare = share("year.other_percent"), out.ventilationShare = share("year.ventilation_percent");
    out.leastDewPointC = -numberSetting(s, "year.frost_point_k"), out.mostDewPointC = numberSetting(s, "site.dew_point_c");
    out.airChanges = numberSetting(s, "year.air_changes");
    for (const auto& [key, air, curves] :
         {std::tuple("year.chiller_air", true, &out.airChiller), std::tuple("year.chiller_water", false, &out.waterChiller)}) {
        auto chosen = plant::shippedChillerCurves(settingOf(s, key), air);
        if (!chosen) return fail(chosen.error().code, std::string(key) + " " + chosen.error().where, chosen.error().what, chosen.error().todo);
        *curves = std::move(*chosen);
    }
    return out;
}

Result<plant::PlantModel> plantOf(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    auto rules = plantRules(s);
    if (!rules) return tl::unexpected(rules.error());
    if (!facilityPower(figures, powerBasisOf(s)).complete)
        return fail(ErrorCode::Refused, s.setting("project.name"), i18n("the power or cooling plant is incomplete"),
                    i18n("use layout to add it; annual energy follows from the plant of the design"));
    return PlantReader(figures, std::move(*rules)).read();
}

} // namespace hw
