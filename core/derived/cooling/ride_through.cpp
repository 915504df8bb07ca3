// SPDX-License-Identifier: GPL-3.0-or-later
// How long coolant and air last with their heat left in them: what is in them and flows, by how much it may warm up, with what.
#include "core/derived/cooling/kept_heat.h"
#include "core/derived/cooling/reading.h"
#include "core/foundation/model/places.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hw::cooling {

namespace {

constexpr double kLeastLimitK = 0.1; ///< of what is at its limit as designed

double pipeLiters(const CoolantPath& way) { return 2 * way.lengthM * std::numbers::pi / 4 * way.innerMm * way.innerMm / 1000; }

/// Members and ways of a loop that its coolant flows through from what heats it to what cools it: they lie on a simple path between the two.
class Flowing {
public:
    Flowing(const CoolingChain& chain, std::int32_t l) : m_chain(chain), m_loop(l)
    {
        const CoolingLoop& loop = chain.loops[std::size_t(l)];
        m_member.assign(loop.members.size(), 1);
        if (loop.implied || loop.kind == LoopKind::Air) return;
        using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                            boost::property<boost::edge_index_t, std::size_t>>;
        const std::size_t heats = loop.members.size(), cools = heats + 1;
        Graph graph(cools + 1);
        std::size_t edges = 0;
        const auto join = [&](std::size_t a, std::size_t b) { boost::add_edge(a, b, edges++, graph); };
        join(heats, cools); // what shares a block with it lies between the two
        bool any[2] = {false, false};
        for (std::size_t m = 0; m < loop.members.size(); ++m) {
            const bool source = isSource(loop.members[m]), heat = isHeat(loop.members[m]);
            if (heat) join(m, heats), any[0] = true;
            if (source) join(m, cools), any[1] = true;
        }
        if (!any[0] || !any[1]) return; // nothing is known of its flow
        for (std::size_t w = 0; w < chain.ways.size(); ++w) {
            if (chain.ways[w].loop != l) continue;
            m_ways.push_back(w), m_edgeOf.push_back(edges);
            join(place(chain.ways[w].taker), place(chain.ways[w].feeder));
        }
        std::vector<std::size_t> block(edges);
        boost::biconnected_components(graph, boost::make_iterator_property_map(block.begin(), boost::get(boost::edge_index, graph)));
        std::ranges::fill(m_member, 0);
        const auto [begin, end] = boost::edges(graph);
        for (auto edge = begin; edge != end; ++edge) {
            if (block[boost::get(boost::edge_index, graph, *edge)] != block[0]) continue;
            for (const std::size_t m : {boost::source(*edge, graph), boost::target(*edge, graph)})
                if (m < heats) m_member[m] = 1;
        }
        for (const std::size_t edge : m_edgeOf) m_way.push_back(block[edge] == block[0]);
        m_known = true;
    }

    [[nodiscard]] bool passes(DeviceId id) const
    {
        const std::size_t m = place(id);
        return m < m_member.size() && m_member[m] != 0;
    }
    [[nodiscard]] bool passesWay(std::size_t w) const
    {
        if (!m_known) return true;
        return m_way[std::size_t(std::ranges::lower_bound(m_ways, w) - m_ways.begin())] != 0;
    }

private:
    [[nodiscard]] std::size_t place(DeviceId id) const
    {
        const auto& members = m_chain.loops[std::size_t(m_loop)].members;
        return std::size_t(std::ranges::lower_bound(members, id) - members.begin());
    }
    [[nodiscard]] bool isSource(DeviceId id) const
    {
        const CoolingUnit* unit = m_chain.unit(id);
        return unit && partsLoops(unit->element) && unit->feeds == m_loop;
    }
    [[nodiscard]] bool isHeat(DeviceId id) const
    {
        const CoolingUnit* unit = m_chain.unit(id);
        const CooledLoad* taker = m_chain.taker(id);
        return (taker && taker->device == id && taker->loop == m_loop) || (unit && partsLoops(unit->element) && unit->takes == m_loop);
    }

    const CoolingChain& m_chain;
    std::int32_t m_loop;
    bool m_known = false;
    std::vector<char> m_member, m_way;
    std::vector<std::size_t> m_ways, m_edgeOf;
};

/// What the loops hold, and of that what flows.
void addLiters(const Design& d, CoolingChain& chain)
{
    std::vector<Flowing> flowing;
    for (std::int32_t l = 0; l < std::int32_t(chain.loops.size()); ++l) flowing.emplace_back(chain, l);
    const auto add = [&](std::int32_t l, double liters, bool flows) {
        if (l < 0) return;
        CoolingLoop& loop = chain.loops[std::size_t(l)];
        loop.liters += liters, loop.flowingLiters += flows ? liters : 0;
    };
    for (std::size_t w = 0; w < chain.ways.size(); ++w)
        if (const std::int32_t l = chain.ways[w].loop; l >= 0) add(l, pipeLiters(chain.ways[w]), flowing[std::size_t(l)].passesWay(w));
    for (const CooledLoad& taker : chain.takers)
        if (taker.loop >= 0) add(taker.loop, taker.liters, flowing[std::size_t(taker.loop)].passes(taker.device));
    for (const CoolingUnit& unit : chain.units) {
        const CoolingSpec& spec = d.spec(unit.device).cooling;
        const auto of = [&](std::int32_t l, double liters) {
            if (l >= 0) add(l, liters, flowing[std::size_t(l)].passes(unit.device));
        };
        of(rejectsHeat(unit.element) || !unit.parts() ? unit.feeds : unit.takes, spec.liters.value);
        if (unit.parts() && !movesAir(unit.element)) of(unit.feeds, spec.feedLiters.value);
    }
}

/// Coolant of cabinets: the setting, and not beyond what the cabinets bear; air: up to its limit; facility water: as little as the least of what
/// gives its heat to it.
void stateLimits(CoolingChain& chain)
{
    for (CoolingLoop& loop : chain.loops) loop.limitK = loop.kind == LoopKind::Air ? chain.at.airLimitC - loop.supplyC : chain.at.rideThroughK;
    for (const CooledLoad& taker : chain.takers)
        if (taker.loop >= 0 && taker.warmestC > 0) {
            CoolingLoop& loop = chain.loops[std::size_t(taker.loop)];
            loop.limitK = std::min(loop.limitK, taker.warmestC - loop.supplyC);
        }
    for (std::size_t round = 0; round < chain.loops.size(); ++round)
        for (const CoolingUnit& unit : chain.units)
            if (unit.parts() && unit.takes >= 0 && unit.feeds >= 0 && unit.heatW > 0) {
                double& limit = chain.loops[std::size_t(unit.takes)].limitK;
                limit = std::min(limit, chain.loops[std::size_t(unit.feeds)].limitK);
            }
    for (CoolingLoop& loop : chain.loops) loop.limitK = std::max(loop.limitK, kLeastLimitK);
}

/// Up to its limit; by the margin of planners for the air of a room, and for coolant of which nothing is stated.
double storedJ(const Design& d, const CoolingChain& chain, const CoolingLoop& loop)
{
    const double liters = loop.flowingLiters * 60 * loop.wattsPerLpmK * loop.limitK;
    if (loop.kind == LoopKind::Liquid && liters <= 0) return chain.at.cabinetMarginS * loop.heatW;
    if (loop.kind != LoopKind::Air) return liters;
    if (chain.at.airMarginS > 0) return chain.at.airMarginS * loop.heatW;
    const auto& halls = d.s.halls;
    const double m3 = toMeters(halls.sizeX[*loop.hall]) * toMeters(halls.sizeY[*loop.hall]) * toMeters(halls.sizeZ[*loop.hall]);
    return m3 * loop.wattsPerLpmK * loop.limitK;
}

/// Facility water that flows and is not cooled, from what all its sources leave in it to the first limit.
void readFacility(CoolingChain& chain)
{
    if (std::ranges::none_of(chain.loops, [](const CoolingLoop& loop) { return loop.kind == LoopKind::Facility; })) return;
    const FlowTraits traits = FlowTraits::of(chain);
    KeptHeat kept(chain, traits);
    HeatTransient clock(heatLoops(chain), heatCabinets(chain));
    std::vector<Milliwatts> cabinets;
    for (const CooledLoad& taker : chain.takers) cabinets.push_back(Milliwatts(std::llround(taker.liquidW * 1000)));
    for (CoolingLoop& loop : chain.loops) {
        if (loop.kind != LoopKind::Facility || loop.sources.empty()) continue;
        std::vector<KeptHeat::Out> out;
        for (const DeviceId id : loop.sources) out.push_back({std::uint32_t(chain.unitOf[id.value]), false});
        kept.settle(out, {}, cabinets);
        clock.restart();
        clock.settle(kept.loops(), kept.cabinets());
        if (const auto first = clock.soonest()) loop.rideThroughS = double(*first) / 1000;
    }
}

} // namespace

void findRideThrough(const Design& d, CoolingChain& chain)
{
    addLiters(d, chain);
    stateLimits(chain);
    for (CoolingLoop& loop : chain.loops) {
        loop.storedJ = storedJ(d, chain, loop);
        if (loop.heatW > 0) loop.rideThroughS = loop.storedJ / loop.heatW;
    }
    readFacility(chain);
}

} // namespace hw::cooling
