// SPDX-License-Identifier: GPL-3.0-or-later
// Balanced flows: every taker gets what it needs, what has head to spare is throttled; heads, velocities and margins follow.
#include "core/derived/cooling/pipes.h"
#include "core/foundation/base/disjoint_sets.h"
#include "core/physics/hydraulics/head_loss.h"
#include "core/physics/hydraulics/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::cooling {

namespace {

constexpr double kLpm = hydraulics::kLiter / 60; ///< m³/s
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// A network with its flows set and solved. Inlets share what their region gives off.
class Balanced {
public:
    Balanced(Pipes& pipes, std::optional<std::size_t> without) : m_pipes(pipes), m_without(without), m_flow(pipes.inlets.size(), 0) {}

    /// False where flows have no way, or the solver finds none.
    bool solve()
    {
        auto& net = m_pipes.network;
        if (net.links.empty() || net.viscosityM2s <= 0 || !setFlows()) return false;
        auto answer = hydraulics::solve(net);
        if (!answer || !answer->cutOff.empty()) return false;
        m_answer = std::move(*answer);
        measure();
        return true;
    }
    [[nodiscard]] double flowLpm(std::size_t link) const { return std::abs(m_answer.flowM3s[link]) / kLpm; }
    [[nodiscard]] double lossKpa(std::size_t link) const
    {
        const auto& l = m_pipes.network.links[link];
        return std::abs(m_answer.headM[l.from] - m_answer.headM[l.to]) * kpaOfM();
    }
    [[nodiscard]] double inletLpm(std::size_t i) const { return m_flow[i] / kLpm; }
    [[nodiscard]] double neededKpa(std::size_t i) const { return m_needed[i]; } ///< of an inlet with a head
    [[nodiscard]] double pathKpa(std::size_t o) const { return m_path[o]; }
    [[nodiscard]] double marginKpa(std::size_t o) const { return m_margin[o]; } ///< infinite where no head is stated
    [[nodiscard]] bool out(std::size_t i) const { return m_without && *m_without == i; }

private:
    [[nodiscard]] double kpaOfM() const { return hydraulics::kGravity * m_pipes.network.densityKgM3 / 1000; }
    [[nodiscard]] double head(hydraulics::Index n) const { return m_answer.headM[n] * kpaOfM(); }

    /// Regions from the takers back to the sources: what pumps draw from a region is known once the region that they feed is done.
    bool setFlows()
    {
        auto& net = m_pipes.network;
        DisjointSets groups(net.nodes.size());
        for (const auto& link : net.links) groups.join(link.from, link.to);
        m_region.resize(net.nodes.size());
        for (hydraulics::Index n = 0; n < net.nodes.size(); ++n) m_region[n] = groups.find(n), net.nodes[n].demandM3s = 0, net.nodes[n].fixed = false;
        std::map<hydraulics::Index, double> wanted;
        for (const auto region : m_region) wanted[region];
        for (const auto& outlet : m_pipes.outlets) {
            net.nodes[outlet.node].demandM3s += outlet.lpm * kLpm;
            wanted[m_region[outlet.node]] += outlet.lpm * kLpm;
        }
        std::map<hydraulics::Index, bool> done;
        for (std::size_t round = 0; round <= wanted.size(); ++round)
            for (const auto& [region, flow] : wanted)
                if (!done[region] && known(region, done)) {
                    if (!give(region, wanted)) return false;
                    done[region] = true;
                }
        return std::ranges::all_of(wanted, [&](const auto& w) { return done[w.first]; });
    }

    /// True when all pumps that draw from the region have their flow.
    bool known(hydraulics::Index region, std::map<hydraulics::Index, bool>& done)
    {
        for (std::size_t i = 0; i < m_pipes.inlets.size(); ++i) {
            const auto& inlet = m_pipes.inlets[i];
            if (inlet.other && !out(i) && m_region[*inlet.other] == region && m_region[inlet.node] != region && !done[m_region[inlet.node]])
                return false;
        }
        return true;
    }

    bool give(hydraulics::Index region, std::map<hydraulics::Index, double>& wanted)
    {
        auto& net = m_pipes.network;
        double weight = 0;
        for (std::size_t i = 0; i < m_pipes.inlets.size(); ++i)
            if (m_region[m_pipes.inlets[i].node] == region && !out(i)) weight += m_pipes.inlets[i].weight;
        std::optional<hydraulics::Index> fixed;
        for (std::size_t i = 0; i < m_pipes.inlets.size(); ++i) {
            const auto& inlet = m_pipes.inlets[i];
            if (m_region[inlet.node] != region || out(i)) continue;
            m_flow[i] = wanted[region] * inlet.weight / weight;
            if (!fixed) fixed = inlet.node;
            net.nodes[inlet.node].demandM3s -= m_flow[i];
            if (inlet.other) net.nodes[*inlet.other].demandM3s += m_flow[i], wanted[m_region[*inlet.other]] += m_flow[i];
        }
        if (!fixed && wanted[region] > 0) return false;
        if (!fixed)
            for (hydraulics::Index n = 0; n < net.nodes.size() && !fixed; ++n)
                if (m_region[n] == region) fixed = n;
        net.nodes[*fixed].fixed = true, net.nodes[*fixed].headM = 0;
        return true;
    }

    /// What lifts the weakest taker of a region to its own loss; what the suction side of a pump loses.
    void measure()
    {
        const auto& p = m_pipes;
        std::map<hydraulics::Index, double> lift, slack; // by region, kPa: needed; the least that inlets have beyond their node's head
        for (const auto& outlet : p.outlets) {
            auto& most = lift.try_emplace(m_region[outlet.node], -kNoLimit).first->second;
            most = std::max(most, outlet.ownKpa - head(outlet.node));
        }
        m_needed.assign(p.inlets.size(), 0);
        std::map<hydraulics::Index, std::size_t> weakest;
        for (std::size_t i = 0; i < p.inlets.size(); ++i) {
            const auto& inlet = p.inlets[i];
            const auto region = m_region[inlet.node];
            if (out(i) || !lift.contains(region)) continue;
            const double before = suction(i) + inlet.ownKpa;
            m_needed[i] = head(inlet.node) + lift[region] + before;
            if (inlet.headKpa <= 0) continue;
            const double spare = inlet.headKpa - before - head(inlet.node);
            if (const auto [it, fresh] = slack.try_emplace(region, spare); fresh || spare < it->second) it->second = spare, weakest[region] = i;
        }
        for (const auto& outlet : p.outlets) {
            const auto region = m_region[outlet.node];
            const bool stated = slack.contains(region);
            m_margin.push_back(stated ? head(outlet.node) + slack[region] - outlet.ownKpa : kNoLimit);
            m_path.push_back(stated ? head(p.inlets[weakest[region]].node) - head(outlet.node) + suction(weakest[region]) : -head(outlet.node));
        }
    }
    [[nodiscard]] double suction(std::size_t i) const
    {
        const auto& inlet = m_pipes.inlets[i];
        if (!inlet.other) return 0;
        double most = 0;
        for (const auto& source : m_pipes.inlets)
            if (!source.other && m_region[source.node] == m_region[*inlet.other])
                most = std::max(most, head(source.node) + source.ownKpa - head(*inlet.other));
        return most;
    }

    Pipes& m_pipes;
    std::optional<std::size_t> m_without;
    std::vector<double> m_flow, m_needed, m_path, m_margin;
    std::vector<hydraulics::Index> m_region;
    hydraulics::Solution m_answer;
};

/// What enters a header or valve leaves it again: half of the flows of all its ways.
void addPassing(CoolingChain& chain, const CoolantPath& way)
{
    for (const DeviceId id : {way.taker, way.feeder})
        if (const auto u = chain.unitOf[id.value]; u >= 0)
            if (CoolingUnit& unit = chain.units[std::size_t(u)]; unit.element == CoolingElement::Header || unit.element == CoolingElement::Valve)
                unit.lpm += way.lpm / 2;
}

/// Of one of the pairs over which a unit takes return water: in the network of supplies they carry what passes beside it.
double returnLpmOf(const CoolingChain& chain, const CoolingUnit& unit)
{
    const auto pairs = std::ranges::count_if(chain.ways, [&](const CoolantPath& way) { return way.taker == unit.device && way.loop == unit.takes; });
    return pairs > 0 ? unit.takesLpm / double(pairs) : 0;
}

void fillPipes(const Pipes& pipes, const Balanced& solved, CoolingChain& chain, CoolingLoop& loop)
{
    const auto speed = [&](std::size_t link, double lpm) { return hydraulics::velocity(lpm * kLpm, pipes.network.links[link].diameterM); };
    for (const auto& [w, link] : pipes.linkOfWay) {
        CoolantPath& way = chain.ways[w];
        way.lpm = solved.flowLpm(link);
        way.lossKpa = solved.lossKpa(link);
        if (const CoolingUnit* unit = chain.unit(way.taker); unit && unit->onReturn && unit->takes == way.loop) way.lpm = returnLpmOf(chain, *unit);
        if (way.innerMm > 0) way.velocityMs = speed(link, way.lpm);
        loop.fastestMs = std::max(loop.fastestMs, way.velocityMs);
        addPassing(chain, way);
    }
    for (const auto& [link, id] : pipes.headerLinks) {
        CoolingUnit& header = chain.units[std::size_t(chain.unitOf[id.value])];
        header.velocityMs = std::max(header.velocityMs, speed(link, solved.flowLpm(link)));
        header.sectionLpm = std::max(header.sectionLpm, solved.flowLpm(link));
        header.lossKpa += solved.lossKpa(link);
        loop.fastestMs = std::max(loop.fastestMs, header.velocityMs);
    }
}

void fillEnds(const Pipes& pipes, const Balanced& solved, CoolingChain& chain)
{
    for (std::size_t o = 0; o < pipes.outlets.size(); ++o) {
        const auto& outlet = pipes.outlets[o];
        const double margin = solved.marginKpa(o);
        if (const auto at = chain.takerOf[outlet.device.value]; at >= 0 && chain.takers[std::size_t(at)].device == outlet.device) {
            CooledLoad& taker = chain.takers[std::size_t(at)];
            taker.lossKpa = outlet.ownKpa, taker.pathKpa = solved.pathKpa(o);
            taker.marginKpa = std::isfinite(margin) ? margin : 0;
            const double needed = taker.lossKpa + taker.pathKpa;
            if (taker.marginKpa < 0 && needed > 0) taker.availableLpm *= std::sqrt(std::max(needed + taker.marginKpa, 0.0) / needed);
        } else if (const auto u = chain.unitOf[outlet.device.value]; u >= 0) {
            chain.units[std::size_t(u)].lossKpa = outlet.ownKpa;
        }
    }
}

/// The inlet with least head to spare.
void fillHeads(const Pipes& pipes, const Balanced& solved, CoolingChain& chain, CoolingLoop& loop)
{
    for (std::size_t i = 0; i < pipes.inlets.size(); ++i) {
        const auto& inlet = pipes.inlets[i];
        if (inlet.headKpa <= 0 || solved.out(i)) continue;
        CoolingUnit& unit = chain.units[std::size_t(chain.unitOf[inlet.device.value])];
        unit.neededKpa = std::max(unit.neededKpa, solved.neededKpa(i));
        if (loop.headKpa <= 0 || inlet.headKpa - solved.neededKpa(i) < loop.headKpa - loop.neededKpa)
            loop.headKpa = inlet.headKpa, loop.neededKpa = solved.neededKpa(i);
    }
}

/// Where pumps give less than all need, everybody gets less.
void limitByPumps(CoolingChain& chain, std::int32_t l)
{
    const CoolingLoop& loop = chain.loops[std::size_t(l)];
    const double share = loop.capacityLpm > 0 && loop.lpm > loop.capacityLpm ? loop.capacityLpm / loop.lpm : 1;
    for (CooledLoad& taker : chain.takers)
        if (taker.loop == l) taker.availableLpm = taker.lpm * (loop.sources.empty() ? 0 : share);
}

/// What flows from the manifolds to what they feed.
void fillHoses(const Design& d, CoolingChain& chain, std::int32_t l)
{
    const CoolingLoop& loop = chain.loops[std::size_t(l)];
    const auto fluid = fluidAt(loop.coolant, (loop.supplyC + loop.returnC) / 2);
    for (CoolantHose& hose : chain.hoses) {
        const CooledLoad& taker = *chain.taker(hose.device);
        if (taker.loop != l) continue;
        hose.loop = l, hose.lpm = shareLpm(d, chain, taker, hose.device), hose.lossKpa = lossKpa(hose, hose.lpm, fluid);
        if (hose.innerMm > 0) hose.velocityMs = hydraulics::velocity(hose.lpm * kLpm, hose.innerMm / 1000);
    }
}

void solveLoop(const Design& d, CoolingChain& chain, std::int32_t l)
{
    CoolingLoop& loop = chain.loops[std::size_t(l)];
    limitByPumps(chain, l);
    if (loop.kind == LoopKind::Liquid) fillHoses(d, chain, l);
    if (loop.implied || loop.kind == LoopKind::Air || loop.lpm <= 0) return;
    Pipes pipes = pipesOf(d, chain, l);
    Balanced all(pipes, {});
    if (!all.solve()) return;
    fillPipes(pipes, all, chain, loop);
    fillEnds(pipes, all, chain);
    fillHeads(pipes, all, chain, loop);
    for (std::size_t i = 0; i < pipes.inlets.size(); ++i)
        if (all.inletLpm(i) > 0)
            if (CoolingUnit& unit = chain.units[std::size_t(chain.unitOf[pipes.inlets[i].device.value])]; unit.element == CoolingElement::Pump)
                unit.lpm = all.inletLpm(i);
    if (loop.spare() < 1) return;
    for (std::size_t i = 0; i < pipes.inlets.size(); ++i) {
        Balanced less(pipes, i);
        if (less.solve()) fillHeads(pipes, less, chain, loop);
    }
}

} // namespace

void solveFlows(const Design& d, CoolingChain& chain)
{
    for (std::int32_t l = 0; l < std::int32_t(chain.loops.size()); ++l) solveLoop(d, chain, l);
}

} // namespace hw::cooling
