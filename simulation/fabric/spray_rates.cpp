// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/spray.h"

#include "simulation/fairshare/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace hw::sim {
inline namespace fabric {

SprayRates::SprayRates(const FabricGraph& graph, RoutingOptions options, const FabricState* state)
    : m_router(graph, std::move(options), state, state),
      m_capacity(state ? state->capacities() : std::vector<double>(graph.capacityGbps().begin(), graph.capacityGbps().end()))
{
}

bool SprayRates::addFlow(const FlowSpec& flow)
{
    const auto* port = m_router.sourcePort(flow);
    if (!port) return false;
    const std::pair key(m_router.graph().upward(*port), std::uint64_t(flow.destination.value) << 16 | std::uint16_t(flow.destinationNic));
    auto known = m_known.find(key);
    if (known == m_known.end()) {
        const auto begin = std::uint32_t(m_shares.size());
        if (!m_router.router().spread(*port, m_shares)) return false;
        m_patterns.push_back({begin, std::uint32_t(m_shares.size())});
        known = m_known.emplace(key, std::uint32_t(m_patterns.size() - 1)).first;
    }
    m_flows.push_back({known->second, flow.weight});
    return true;
}

std::vector<double> SprayRates::solve() const
{
    // Per link: what is left, the weighted share of its open flows, and the patterns on it.
    std::vector<double> rest = m_capacity, demand(m_capacity.size(), 0.0), openWeight(m_patterns.size(), 0.0), level(m_patterns.size(), 0.0);
    for (const Flow& f : m_flows) openWeight[f.pattern] += f.weight;
    std::vector<std::vector<std::uint32_t>> on(m_capacity.size());
    for (std::uint32_t p = 0; p < m_patterns.size(); ++p)
        for (auto i = m_patterns[p].begin; i < m_patterns[p].end; ++i) {
            demand[m_shares[i].link] += m_shares[i].share * openWeight[p];
            on[m_shares[i].link].push_back(p);
        }
    // All flows of a pattern have one level: the same links bound them all.
    struct Candidate {
        double share;
        DirectedLink link;
        bool operator>(const Candidate& o) const { return share != o.share ? share > o.share : link > o.link; }
    };
    std::vector<std::uint32_t> open(m_capacity.size(), 0);
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto shareOf = [&](DirectedLink l) { return std::max(rest[l], 0.0) / demand[l]; };
    for (DirectedLink l = 0; l < on.size(); ++l) {
        open[l] = std::uint32_t(on[l].size());
        if (open[l]) queue.push({shareOf(l), l});
    }
    std::vector<std::uint8_t> fixed(m_patterns.size(), 0);
    while (!queue.empty()) {
        const Candidate next = queue.top();
        queue.pop();
        if (open[next.link] == 0) continue;
        if (const double now = shareOf(next.link); now > next.share * (1 + 1e-15)) { // shares only grow
            queue.push({now, next.link});
            continue;
        }
        for (const std::uint32_t p : on[next.link]) {
            if (fixed[p]) continue;
            fixed[p] = 1;
            level[p] = next.share;
            for (auto i = m_patterns[p].begin; i < m_patterns[p].end; ++i) {
                const auto l = m_shares[i].link;
                rest[l] -= m_shares[i].share * openWeight[p] * next.share;
                demand[l] -= m_shares[i].share * openWeight[p];
                --open[l];
            }
        }
    }
    std::vector<double> rate;
    for (const Flow& f : m_flows) rate.push_back(level[f.pattern] * f.weight);
    return rate;
}

std::vector<double> SprayRates::loads(std::span<const double> rate) const
{
    std::vector<ExactSum> pattern(m_patterns.size()), load(m_capacity.size());
    for (std::size_t f = 0; f < m_flows.size(); ++f) pattern[m_flows[f].pattern].add(rate[f]);
    for (std::uint32_t p = 0; p < m_patterns.size(); ++p)
        for (auto i = m_patterns[p].begin; i < m_patterns[p].end; ++i) load[m_shares[i].link].add(m_shares[i].share * pattern[p].value());
    std::vector<double> result;
    result.reserve(load.size());
    for (const auto& sum : load) result.push_back(sum.value());
    return result;
}

SprayRates::Proof SprayRates::prove(std::span<const double> rate) const
{
    Proof proof;
    if (rate.size() != m_flows.size()) return {INFINITY, INFINITY, false};
    const auto load = loads(rate);
    std::vector<double> top(m_capacity.size(), 0.0);
    for (std::size_t f = 0; f < m_flows.size(); ++f)
        for (auto i = m_patterns[m_flows[f].pattern].begin; i < m_patterns[m_flows[f].pattern].end; ++i)
            top[m_shares[i].link] = std::max(top[m_shares[i].link], rate[f] / m_flows[f].weight);
    const auto slack = [&](DirectedLink l) { return m_capacity[l] > 0 ? 1 - load[l] / m_capacity[l] : load[l] > 0 ? -INFINITY : 0.0; };
    for (DirectedLink l = 0; l < load.size(); ++l) proof.overload = std::max(proof.overload, -slack(l));
    for (std::size_t f = 0; f < m_flows.size(); ++f) {
        double gap = INFINITY;
        for (auto i = m_patterns[m_flows[f].pattern].begin; i < m_patterns[m_flows[f].pattern].end; ++i) {
            const auto l = m_shares[i].link;
            gap = std::min(gap, std::max(slack(l), top[l] > 0 ? 1 - rate[f] / m_flows[f].weight / top[l] : 0.0));
        }
        proof.worstGap = std::max(proof.worstGap, gap);
    }
    proof.ok = proof.overload <= kTolerance && proof.worstGap <= kTolerance;
    return proof;
}

} // namespace fabric
} // namespace hw::sim
