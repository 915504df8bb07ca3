// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/capacity.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/headroom/supply.h"
#include "core/operations/monitoring/incident/alarm_texts.h"
#include "core/operations/monitoring/plan/limits.h"
#include "core/operations/monitoring/plan/plan.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

namespace hw::monitoring {

using bindings::Measure;

namespace {

/// Works a capacity out; borrowed for the call.
class Surveyor {
public:
    Surveyor(const Figures& figures, const bindings::Bound& bound, std::span<const Life> life)
        : f(figures), s(*figures.snapshot), m_basis(powerBasisOf(s)), m_chain(powerChain(figures, m_basis)), m_worst(worstPower(figures, m_basis)),
          m_cooling(figures.get<CoolingChainNode>()), m_margin(Limits::of(s).margin), m_used(s.devices.nextId(), 1)
    {
        for (const Life& one : life) {
            const bindings::Point& point = bound.points[one.point];
            if (point.element.empty()) m_life[{point.entity, point.measure}] = &one;
        }
    }

    MeasuredCapacity make()
    {
        addRacks();
        addFeeds();
        addLoops();
        addRooms();
        return std::move(m_out);
    }

private:
    [[nodiscard]] const Life* of(EntityRef entity, Measure measure) const
    {
        const auto at = m_life.find({entity, measure});
        return at == m_life.end() ? nullptr : at->second;
    }

    void addRacks()
    {
        s.racks.forEach([&](RackId id) {
            const Life* life = of(ref(id), Measure::ActivePower);
            if (!life) return;
            const Load& load = f.power->rack(id);
            m_out.samples = m_out.racks == 0 ? life->samples : std::min(m_out.samples, life->samples);
            ++m_out.racks;
            m_out.plannedW += toWatts(load.at(m_basis)), m_out.nameplateW += toWatts(load.at(PowerBasis::Nameplate));
            m_out.peaksW += life->peak, m_out.p99W += life->p99;
            m_out.strandedPowerW += std::max(0.0, toWatts(load.at(m_basis)) - life->p99);
        });
    }

    /// Of its plan, that an element really carries, with the margin; 1 where it is not measured.
    void addFeeds()
    {
        s.devices.forEach([&](DeviceId id) {
            const Life* life = of(ref(id), Measure::ActivePower);
            if (!life || s.tiers.kind[s.devices.tier[id]] != TierKind::Power) return;
            const double planned = toWatts(m_chain.load(id)), rating = toWatts(f.parts->device(s.devices.type[id]).capacity.value);
            const double used = life->p99 * (1 + m_margin);
            if (planned > 0) m_used[id.value] = std::min(1.0, used / planned);
            if (rating <= 0) return;
            const double worst = toWatts(m_worst.through(id)) * m_used[id.value];
            m_out.feeds.push_back(
                {ref(id), s.devices.name[id], rating, planned, life->mean, life->p99, life->peak, std::max(0.0, rating - std::max(used, worst))});
        });
        std::ranges::stable_sort(m_out.feeds, std::greater(), &MeasuredCapacity::Line::strandedW);
    }

    /// What a unit takes out: as its meter says, else by flow and temperatures at design.
    [[nodiscard]] const Life* heatOf(const CoolingUnit& unit, double& scale) const
    {
        scale = 1;
        if (const Life* life = of(ref(unit.device), Measure::Heat)) return life;
        if (unit.lpm <= 0 || unit.heatW <= 0) return nullptr;
        scale = unit.heatW / unit.lpm; // assumed: heat follows flow
        return of(ref(unit.device), Measure::Flow);
    }

    void addLoops()
    {
        m_loopUsed.assign(m_cooling.loops.size(), 1);
        std::map<bool, double> stages; // to spare, W, of loops side by side: of the rooms, of the facility
        for (std::size_t l = 0; l < m_cooling.loops.size(); ++l) {
            const CoolingLoop& loop = m_cooling.loops[l];
            MeasuredCapacity::Line line{{}, loop.name, loop.capacityW, loop.heatW, 0, 0, 0, 0};
            bool all = !loop.sources.empty() && loop.capacityW > 0;
            for (const DeviceId id : loop.sources) {
                double scale = 1;
                const Life* life = heatOf(*m_cooling.unit(id), scale);
                all = all && life;
                if (life) line.meanW += life->mean * scale, line.p99W += life->p99 * scale, line.peakW += life->peak * scale;
            }
            if (!all) continue;
            if (loop.heatW > 0) m_loopUsed[l] = std::min(1.0, line.p99W * (1 + m_margin) / loop.heatW);
            line.strandedW = std::max(0.0, loop.capacityW - line.p99W * (1 + m_margin));
            stages[loop.kind == LoopKind::Facility] += line.strandedW;
            m_out.loops.push_back(line);
        }
        // All heat passes the facility water after the loops of the rooms: of stages in a row the one with least to spare counts, once.
        for (const auto& [facility, spare] : stages)
            m_out.strandedCoolingW = stages.begin()->first == facility ? spare : std::min(m_out.strandedCoolingW, spare);
        std::ranges::stable_sort(m_out.loops, std::greater(), &MeasuredCapacity::Line::strandedW);
    }

    /// For every row with servers, how many more of the racks with servers that it has most of.
    void addRooms()
    {
        const PowerSupply supply = PowerSupply::of(f, m_basis);
        const DesignIndex& index = f.get<IndexNode>();
        s.rows.forEach([&](RowId row) {
            std::map<PartTypeId, std::vector<RackId>> byType;
            const auto isServer = [&](DeviceId id) { return s.tiers.kind[s.devices.tier[id]] == TierKind::Server; };
            for (const RackId rack : index.racksOfRow[row.value]) // hundreds of racks with one switch would say nothing
                if (f.power->rack(rack).at(m_basis).count() > 0 && std::ranges::any_of(index.devicesOfRack[rack.value], isServer))
                    byType[s.racks.type[rack]].push_back(rack);
            const std::pair<const PartTypeId, std::vector<RackId>>* most = nullptr;
            for (const auto& entry : byType)
                if (!most || entry.second.size() > most->second.size()) most = &entry;
            if (!most) return;
            RackId sample = most->second.front();
            for (const RackId rack : most->second)
                if (f.power->rack(rack).at(m_basis) > f.power->rack(sample).at(m_basis)) sample = rack;
            m_out.rooms.push_back(roomOf(row, sample, supply));
        });
    }

    MeasuredCapacity::Room roomOf(RowId row, RackId sample, const PowerSupply& supply) const
    {
        MeasuredCapacity::Room room{
            ref(row), s.rows.name[row], s.partTypes.slug[s.racks.type[sample]], toWatts(f.power->rack(sample).at(m_basis)), 0, 0, {}};
        double planned = 1e9, measured = 1e9;
        const auto bound = [&](double sparePlan, double spareLife, double each, const std::string& by) {
            if (each <= 0) return;
            planned = std::min(planned, std::floor(std::max(0.0, sparePlan) / each));
            const double n = std::floor(std::max(0.0, spareLife) / each);
            if (n < measured) measured = n, room.limit = by;
        };
        for (const PowerSupply::Part& part : supply.ofRack[sample.value]) {
            const std::int64_t spare = supply.spareMw[part.element.value];
            if (spare >= PowerSupply::kUnlimited || s.devices.rack[part.element]) continue; // a rack brings its own strips and shelves
            const double worst = toWatts(m_worst.through(part.element)), plan = double(spare) / 1000;
            bound(plan, plan + worst * (1 - m_used[part.element.value]), room.rackW * part.share, s.devices.name[part.element]);
        }
        const double liquid = toWatts(f.power->rack(sample).liquid[std::size_t(m_basis)]);
        for (const CooledLoad& taker : m_cooling.takers)
            if (taker.rack == sample && taker.loop >= 0) boundByLoop(std::size_t(taker.loop), liquid, bound);
        if (const auto hall = s.rows.hall[row]; hall.value < m_cooling.airOf.size() && m_cooling.airOf[hall.value] >= 0)
            boundByLoop(std::size_t(m_cooling.airOf[hall.value]), room.rackW - liquid, bound);
        room.planned = planned < 1e9 ? std::int64_t(planned) : 0, room.measured = measured < 1e9 ? std::int64_t(measured) : 0;
        return room;
    }

    template <class Bound>
    void boundByLoop(std::size_t l, double each, Bound&& bound) const
    {
        const CoolingLoop& loop = m_cooling.loops[l];
        if (loop.capacityW > 0) bound(loop.capacityW - loop.heatW, loop.capacityW - loop.heatW * m_loopUsed[l], each, loop.name);
    }

    const Figures& f;
    const Snapshot& s;
    PowerBasis m_basis;
    const PowerChain& m_chain;
    const PowerWorst& m_worst;
    const CoolingChain& m_cooling;
    double m_margin;
    std::vector<double> m_used, m_loopUsed;
    std::map<std::pair<EntityRef, Measure>, const Life*> m_life;
    MeasuredCapacity m_out;
};

nlohmann::ordered_json lineJson(const MeasuredCapacity::Line& line)
{
    const auto whole = [](double w) { return std::llround(w); };
    return {{"name", line.name},
            {"provisioned_w", whole(line.provisionedW)},
            {"planned_w", whole(line.plannedW)},
            {"mean_w", whole(line.meanW)},
            {"p99_w", whole(line.p99W)},
            {"peak_w", whole(line.peakW)},
            {"stranded_w", whole(line.strandedW)}};
}

} // namespace

MeasuredCapacity lifeCapacity(const Figures& figures, const bindings::Bound& bound, std::span<const Life> life)
{
    return Surveyor(figures, bound, life).make();
}

Text capacityText(const MeasuredCapacity& c)
{
    if (c.racks == 0) return i18n("No rack power has been measured yet.");
    std::vector<Text> lines{
        i18n("{} measured racks: {:.0Lf} kW planned, {:.0Lf} kW at the 99th percentile, {:.0Lf} kW if all peaks coincided.", c.racks,
             c.plannedW / 1000, c.p99W / 1000, c.peaksW / 1000),
        i18n("Diversity relative to nameplate: {:.2f} planned, {:.2f} measured.", c.plannedDiversity(), c.realDiversity()),
        i18n("Stranded capacity: {:.0Lf} kW of planned rack power, {:.0Lf} kW of cooling.", c.strandedPowerW / 1000, c.strandedCoolingW / 1000)};
    for (const MeasuredCapacity::Room& room : c.rooms)
        if (room.measured > 0 || room.planned > 0)
            lines.push_back(i18n("{}: spare power and cooling for {} racks of type {} ({} each) at measured load, {} at planned load, if no "
                                 "other row is extended (limiting resource: {}; floor space not checked).",
                                 room.name, room.measured, room.rackType, valueText(Measure::ActivePower, room.rackW), room.planned, room.limit));
    return together(std::move(lines));
}

nlohmann::ordered_json capacityJson(const MeasuredCapacity& c, const Figures&)
{
    nlohmann::ordered_json json{{"racks", c.racks},
                                {"samples", c.samples},
                                {"planned_w", std::llround(c.plannedW)},
                                {"nameplate_w", std::llround(c.nameplateW)},
                                {"p99_w", std::llround(c.p99W)},
                                {"peaks_w", std::llround(c.peaksW)},
                                {"diversity_planned", std::round(c.plannedDiversity() * 1e4) / 1e4},
                                {"diversity_measured", std::round(c.realDiversity() * 1e4) / 1e4},
                                {"stranded_power_w", std::llround(c.strandedPowerW)},
                                {"stranded_cooling_w", std::llround(c.strandedCoolingW)}};
    for (const auto* list : {&c.feeds, &c.loops}) {
        auto& rows = json[list == &c.feeds ? "feeds" : "loops"] = nlohmann::ordered_json::array();
        for (const MeasuredCapacity::Line& line : *list) rows.push_back(lineJson(line));
    }
    auto& rooms = json["fits"] = nlohmann::ordered_json::array();
    for (const MeasuredCapacity::Room& room : c.rooms)
        rooms.push_back({{"row", room.name},
                         {"rack", room.rackType},
                         {"rack_w", std::llround(room.rackW)},
                         {"planned", room.planned},
                         {"measured", room.measured},
                         {"limit", room.limit}});
    return json;
}

} // namespace hw::monitoring
