// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bindings/balances.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/nodes.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::bindings::balances {

namespace {

using Kind = Relation::Kind;
constexpr double kRestFlow = 0.05, kRestHeat = 0.02; ///< of design (assumed)
constexpr double kCharging = 0.25;                   ///< of what passes a UPS, that its batteries may take (assumed)
constexpr double kRestLoad = 0.05;                   ///< of the rating, from which on meters state their accuracy (IEC 61557-12)

/// Finds what coolant ties together: heat of places, both sides of heat exchangers, what flows into loops and out of them, what is in one water.
class CoolantRelations {
public:
    CoolantRelations(const Figures& design, const Bound& bound, All& out)
        : m_figures(design), m_bound(bound), m_out(out), m_chain(design.get<CoolingChainNode>())
    {
    }

    void run()
    {
        readTakers(), readInlets();
        for (const CoolingUnit& unit : m_chain.units) {
            if (!unit.parts()) continue;
            if (unit.feeds >= 0) heat(ref(unit.device), "", unit.feeds, unit.lpm, 0);
            if (unit.takes >= 0) heat(ref(unit.device), "primary", unit.takes, unit.takesLpm, 0);
            if (unit.feeds >= 0 && unit.takes >= 0) exchange(unit);
        }
        for (const auto& [rack, of] : m_racks)
            if (of.loop >= 0) heat(ref(rack), "", of.loop, of.lpm, of.watts);
        for (std::int32_t loop = 0; loop < std::int32_t(m_chain.loops.size()); ++loop)
            if (m_chain.loops[std::size_t(loop)].kind != LoopKind::Air) split(loop), water(loop);
    }

private:
    struct OfRack {
        std::int32_t loop = -1;
        double watts = 0, lpm = 0;
    };
    [[nodiscard]] PointNo at(EntityRef entity, Measure measure, const char* element) const { return m_bound.find({entity, measure, element}); }
    /// What a rack draws on the basis of the chain.
    [[nodiscard]] double wattsOf(RackId rack) const { return toWatts(m_figures.power->rack(rack).at(m_chain.at.basis)); }
    [[nodiscard]] const std::string& coolantOf(std::int32_t loop) const { return m_chain.loops[std::size_t(loop)].coolant; }

    /// Loop, heat and flow of racks; -1 where a rack depends on several loops.
    void readTakers()
    {
        for (const CooledLoad& taker : m_chain.takers) {
            if (!taker.rack || taker.loop < 0) continue;
            OfRack& of = m_racks.try_emplace(*taker.rack, OfRack{taker.loop, 0, 0}).first->second;
            of.loop = of.loop == taker.loop ? of.loop : -1;
            of.watts += taker.liquidW, of.lpm += std::max(taker.lpm, taker.leastLpm);
        }
    }
    void heat(EntityRef entity, const char* element, std::int32_t loop, double lpm, double liquidW)
    {
        Relation r{Kind::Heat, entity};
        r.loop = loop, r.coolant = coolantOf(loop), r.restFlow = lpm * kRestFlow;
        PointNo heat = at(entity, Measure::Heat, element);
        if (heat == kNoPoint && liquidW > 0 && entity.kind == EntityKind::Rack) {
            const double whole = wattsOf(RackId(entity.id));
            if (whole > 0) heat = at(entity, Measure::ActivePower, element), r.assumed = r.share = std::min(1.0, liquidW / whole), r.slow = true;
            r.restHeat = liquidW * kRestHeat;
        }
        r.points = {at(entity, Measure::Flow, element), at(entity, Measure::SupplyTemperature, element),
                    at(entity, Measure::ReturnTemperature, element), heat};
        const auto inlets = m_inlets.find(entity.kind == EntityKind::Rack ? RackId(entity.id) : RackId{});
        Relation spare = r;
        add(std::move(r));
        if (!spare.slow || inlets == m_inlets.end() || m_out.relations.empty() || m_out.relations.back().entity != entity) return;
        spare.insteadOf = std::uint32_t(m_out.relations.size() - 1); // while the meter of the rack is not read
        spare.points.pop_back(), spare.points.insert(spare.points.end(), inlets->second.begin(), inlets->second.end());
        add(std::move(spare));
    }
    /// Power meters of what feeds a rack.
    void readInlets()
    {
        const Snapshot& s = *m_figures.snapshot;
        const PowerFeeds& feeds = m_figures.get<PowerFeedsNode>();
        s.devices.forEach([&](DeviceId id) {
            const auto rack = s.devices.rack[id];
            if (!rack || m_figures.parts->device(s.devices.type[id]).power.element == PowerElement::None) return;
            if (std::ranges::any_of(feeds.of(id), [&](const PowerFeed& feed) { return !(s.devices.rack[feed.supplier] == rack); }))
                m_inlets[*rack].push_back(at(ref(id), Measure::ActivePower, ""));
        });
    }
    void exchange(const CoolingUnit& unit)
    {
        const EntityRef entity = ref(unit.device);
        Relation r{Kind::Exchange, entity};
        for (const char* side : {"", "primary"})
            for (const Measure m : {Measure::Flow, Measure::SupplyTemperature, Measure::ReturnTemperature}) r.points.push_back(at(entity, m, side));
        r.loop = unit.feeds, r.coolant = coolantOf(unit.feeds), r.farCoolant = coolantOf(unit.takes);
        r.restFlow = unit.lpm * kRestFlow;
        if (unit.element == CoolingElement::Chiller) { // its condenser gives off what its compressor draws, too
            if (const PointNo power = at(entity, Measure::ActivePower, ""); power != kNoPoint)
                r.points.push_back(power);
            else
                r.share = unit.cop > 0 ? 1 + 1 / unit.cop : unit.heatW > 0 ? 1 + unit.ownW / unit.heatW : 1, r.learns = true;
        }
        if (coolantOf(unit.feeds) != "air") add(std::move(r));
    }
    /// Of all units and takers of a loop; only where all of them are measured.
    void split(std::int32_t loop)
    {
        const auto onReturn = [&](const CoolingUnit& unit) { return unit.onReturn && unit.takes == loop; };
        if (std::ranges::any_of(m_chain.units, onReturn)) return; // what passes by the other takers has no meter
        Relation r{Kind::Split, {}};
        r.loop = loop;
        for (const CoolingUnit& unit : m_chain.units)
            if (unit.parts() && unit.feeds == loop) r.points.push_back(at(ref(unit.device), Measure::Flow, "")), r.restFlow += unit.lpm * kRestFlow;
        r.first = std::uint32_t(r.points.size());
        for (const CoolingUnit& unit : m_chain.units)
            if (unit.parts() && unit.takes == loop) r.points.push_back(at(ref(unit.device), Measure::Flow, "primary"));
        std::set<RackId> racks;
        for (const CooledLoad& taker : m_chain.takers) {
            if (taker.loop != loop) continue;
            if (!taker.rack)
                r.points.push_back(at(ref(taker.device), Measure::Flow, ""));
            else if (racks.insert(*taker.rack).second)
                r.points.push_back(m_racks[*taker.rack].loop == loop ? at(ref(*taker.rack), Measure::Flow, "") : kNoPoint);
        }
        if (r.first > 0 && r.first < r.points.size()) add(std::move(r));
    }
    void water(std::int32_t loop)
    {
        Pool pool;
        const auto put = [&](EntityRef entity, const char* element, double lpm, bool source) {
            const PointNo point = at(entity, Measure::SupplyTemperature, element);
            if (point != kNoPoint) pool.members.push_back({point, at(entity, Measure::Flow, element), lpm * kRestFlow, source});
        };
        for (const CoolingUnit& unit : m_chain.units) {
            if (!unit.parts()) continue;
            if (unit.feeds == loop) put(ref(unit.device), "", unit.lpm, true);
            if (unit.takes == loop && !unit.onReturn) put(ref(unit.device), "primary", unit.takesLpm, false);
        }
        for (const auto& [rack, of] : m_racks)
            if (of.loop == loop) put(ref(rack), "", of.lpm, false);
        if (pool.members.size() < 3) return;
        std::vector<std::uint32_t> relations;
        for (const Pool::Member& member : pool.members) {
            // What cools may have a temperature of its own; only where its heat is known, too, can it be told from a bad sensor.
            if (member.source && !m_out.of.contains(member.point)) continue;
            Relation r{Kind::Water, m_bound.points[member.point].entity, {member.point}};
            r.loop = loop, r.pool = std::uint32_t(m_out.pools.size()), r.source = member.source;
            relations.push_back(std::uint32_t(m_out.relations.size()));
            add(std::move(r));
        }
        mix(pool, loop, relations);
        for (const Pool::Member& member : pool.members)
            for (const PointNo point : {member.point, member.flow})
                if (point != kNoPoint) m_out.poolOf[point].push_back(std::uint32_t(m_out.pools.size()));
        m_out.relationsOfPool.push_back(std::move(relations));
        m_out.pools.push_back(std::move(pool));
    }
    /// What several sources supply, mixed by their flows, is what arrives.
    void mix(const Pool& pool, std::int32_t loop, std::vector<std::uint32_t>& relations)
    {
        Relation r{Kind::Mix, {}};
        r.loop = loop, r.pool = std::uint32_t(m_out.pools.size()), r.learns = true;
        for (const Pool::Member& member : pool.members)
            if (member.source) r.points.push_back(member.point);
        r.first = std::uint32_t(r.points.size());
        for (const Pool::Member& member : pool.members)
            if (member.source) r.points.push_back(member.flow);
        if (r.first < 2 || pool.members.size() < r.first + 2u || std::ranges::find(r.points, kNoPoint) != r.points.end()) return;
        r.entity = m_bound.points[r.points.front()].entity;
        relations.push_back(std::uint32_t(m_out.relations.size()));
        add(std::move(r));
    }
    void add(Relation relation)
    {
        if (std::ranges::find(relation.points, kNoPoint) != relation.points.end()) return;
        for (const PointNo point : relation.points) m_out.of[point].push_back(std::uint32_t(m_out.relations.size()));
        m_out.relations.push_back(std::move(relation));
    }

    const Figures& m_figures;
    const Bound& m_bound;
    All& m_out;
    const CoolingChain& m_chain;
    std::map<RackId, OfRack> m_racks;
    std::map<RackId, std::vector<PointNo>> m_inlets;
};

/// Finds what power ties together: meters and those below them, what one meter says in several ways.
class PowerRelations {
public:
    PowerRelations(const Figures& design, const Bound& bound, All& out)
        : m_figures(design), m_bound(bound), m_out(out), s(*design.snapshot), m_feeds(design.get<PowerFeedsNode>())
    {
    }

    void run()
    {
        readBelow();
        const auto& chain = powerChain(m_figures, PowerBasis::Design);
        for (auto& [id, below] : m_below) {
            const double through = toWatts(chain.through(id));
            const bool storing = specOf(id).power.element == PowerElement::Ups;
            meter(ref(id), below, std::max(0.0, toWatts(chain.load(id)) - through) + (storing ? kCharging * through : 0), storing);
        }
        for (auto& [id, below] : m_strips) meter(ref(id), below, 0, false);
        s.devices.forEach([&](DeviceId id) { ways(ref(id)); });
    }

private:
    struct Below {
        std::vector<PointNo> children;
        bool whole = true;
    };
    [[nodiscard]] const DeviceSpec& specOf(DeviceId id) const { return m_figures.parts->device(s.devices.type[id]); }
    [[nodiscard]] PointNo at(EntityRef entity, Measure measure, const char* element = "") const { return m_bound.find({entity, measure, element}); }

    /// Whose children all have meters and no other supplier; and racks over their strips.
    void readBelow()
    {
        s.devices.forEach([&](DeviceId id) {
            std::set<DeviceId> suppliers;
            for (const PowerFeed& feed : m_feeds.of(id)) suppliers.insert(feed.supplier);
            const PointNo own = at(ref(id), Measure::ActivePower);
            for (const DeviceId supplier : suppliers) {
                Below& b = m_below[supplier];
                b.whole = b.whole && suppliers.size() == 1 && own != kNoPoint;
                b.children.push_back(own);
            }
            const auto rack = s.devices.rack[id];
            const bool enters = rack && specOf(id).power.element != PowerElement::None &&
                                std::ranges::any_of(suppliers, [&](DeviceId from) { return !(s.devices.rack[from] == rack); });
            if (!enters) return;
            Below& b = m_strips[*rack];
            b.whole = b.whole && own != kNoPoint;
            b.children.push_back(own);
        });
    }
    void meter(EntityRef entity, Below& below, double lossW, bool storing)
    {
        const PointNo parent = at(entity, Measure::ActivePower);
        if (parent == kNoPoint || !below.whole || below.children.empty()) return;
        Relation r{Kind::Meter, entity, {parent}};
        r.points.insert(r.points.end(), below.children.begin(), below.children.end());
        r.lossW = lossW, r.storing = storing;
        add(std::move(r));
    }
    /// What one meter says in several ways.
    void ways(EntityRef entity)
    {
        const PointNo power = at(entity, Measure::ActivePower), factor = at(entity, Measure::PowerFactor);
        const double restW = kRestLoad * double(specOf(DeviceId(entity.id)).capacity.value.count()) / 1000;
        const PointNo voltage = at(entity, Measure::Voltage), current = at(entity, Measure::Current), apparent = at(entity, Measure::ApparentPower);
        const auto put = [&](Kind kind, std::vector<PointNo> points) {
            if (std::ranges::find(points, kNoPoint) != points.end()) return;
            Relation r{kind, entity, std::move(points)};
            r.learns = true, r.restHeat = restW;
            if (factor != kNoPoint && kind != Kind::Phases) { // without it, while that is not read
                Relation whole = r;
                whole.points.push_back(factor);
                r.insteadOf = std::uint32_t(m_out.relations.size());
                add(std::move(whole));
            }
            add(std::move(r));
        };
        put(Kind::Current, {power, voltage, current});
        put(Kind::Apparent, {power, apparent});
        put(Kind::Phases, {current, at(entity, Measure::Current, "l1"), at(entity, Measure::Current, "l2"), at(entity, Measure::Current, "l3")});
    }
    void add(Relation relation)
    {
        for (const PointNo point : relation.points) m_out.of[point].push_back(std::uint32_t(m_out.relations.size()));
        m_out.relations.push_back(std::move(relation));
    }

    const Figures& m_figures;
    const Bound& m_bound;
    All& m_out;
    const Snapshot& s;
    const PowerFeeds& m_feeds;
    std::map<DeviceId, Below> m_below;
    std::map<RackId, Below> m_strips;
};

} // namespace

All allOf(const Figures& design, const Bound& bound)
{
    All out;
    CoolantRelations(design, bound, out).run();
    PowerRelations(design, bound, out).run();
    for (std::uint32_t i = 0; i < out.relations.size(); ++i)
        if (const Relation& r = out.relations[i]; (r.kind == Kind::Heat && r.insteadOf == Relation::kNone) || r.kind == Kind::Exchange)
            out.alike[{r.kind, r.loop, r.entity.kind}].push_back(i);
    return out;
}

} // namespace hw::bindings::balances
