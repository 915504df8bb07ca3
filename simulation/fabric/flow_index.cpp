// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/flow_index.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr double kFull = 1 - 1e-6; ///< loads are kept as floats

} // namespace

FlowIndex::FlowIndex(const FlowResult& r) : m_start(std::max(r.loadGbps.size(), r.capacityGbps.size()) + 1, 0), m_flows()
{
    const auto inside = [&](std::uint32_t l) { return std::size_t(l) + 1 < m_start.size(); };
    for (const auto l : r.flowLinks)
        if (inside(l)) ++m_start[l + 1];
    std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
    m_flows.resize(m_start.back());
    auto fill = m_start;
    for (std::uint32_t f = 0; f < r.flows.size(); ++f)
        for (auto i = r.flowLinkOffset[f]; i < r.flowLinkOffset[f + 1]; ++i)
            if (inside(r.flowLinks[i])) m_flows[fill[r.flowLinks[i]]++] = f;
}

std::vector<Collision> collisions(const FabricGraph& graph, const FlowResult& r, const FlowIndex& index)
{
    std::vector<Collision> found;
    std::map<std::uint32_t, std::vector<std::uint32_t>> byJob;
    const auto links = std::uint32_t(std::min<std::size_t>(index.linkCount(), graph.directedCount()));
    for (std::uint32_t l = 0; l < links; ++l) {
        const auto flows = index.flowsOn(l);
        const double capacity = double(r.capacityGbps[l]);
        if (flows.size() < 2 || graph.tail(l) == FabricGraph::kNone || graph.head(l) == FabricGraph::kNone ||
            double(r.loadGbps[l]) < kFull * capacity)
            continue;
        byJob.clear();
        for (const auto f : flows) byJob[r.flows[f].job].push_back(f);
        for (auto& [job, members] : byJob) {
            if (members.size() < 2) continue;
            Collision c{l, job, std::move(members), 0};
            for (const auto f : c.flows) {
                // Alone on this link the flow would get what its narrowest other link has.
                double narrowest = capacity;
                for (auto i = r.flowLinkOffset[f]; i < r.flowLinkOffset[f + 1]; ++i)
                    if (r.flowLinks[i] < r.capacityGbps.size()) narrowest = std::min(narrowest, double(r.capacityGbps[r.flowLinks[i]]));
                c.lostGbps += std::max(narrowest - r.flows[f].rateGbps, 0.0);
            }
            found.push_back(std::move(c));
        }
    }
    const auto order = [](const Collision& c) { return std::tuple(-c.lostGbps, c.directedLink, c.job); };
    std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
    return found;
}

std::vector<LoadHistogram> loadHistograms(const FabricGraph& graph, std::span<const float> load)
{
    std::map<std::tuple<int, int, int>, LoadHistogram> kinds; // upward first
    const auto level = [&](std::uint32_t vertex) { return vertex == FabricGraph::kNone ? std::int16_t(0) : graph.at(vertex).level; };
    for (DirectedLink l = 0; l < graph.directedCount() && l < load.size(); ++l) {
        const double capacity = double(graph.capacityGbps()[l]);
        if (capacity <= 0) continue;
        const auto from = level(graph.tail(l)), to = level(graph.head(l));
        auto& kind = kinds[{from > to, from, to}];
        kind.fromLevel = from, kind.toLevel = to;
        const double used = double(load[l]) / capacity;
        ++kind.links[std::min<std::size_t>(std::size_t(used * LoadHistogram::kBins), LoadHistogram::kBins - 1)];
        ++kind.total;
        kind.idle += load[l] <= 0;
        kind.meanUtilization += used;
        kind.maxUtilization = std::max(kind.maxUtilization, used);
    }
    std::vector<LoadHistogram> result;
    for (auto& [key, kind] : kinds) {
        kind.meanUtilization /= double(kind.total);
        result.push_back(kind);
    }
    return result;
}

std::vector<Polarization> polarization(const FabricGraph& graph, std::span<const std::uint32_t> offset, std::span<const std::uint32_t> links)
{
    std::vector<std::uint32_t> flows(graph.switchCount(), 0);
    std::vector<std::uint8_t> used(graph.directedCount(), 0);
    for (std::size_t f = 0; f + 1 < offset.size(); ++f)
        for (auto i = offset[f]; i < offset[f + 1]; ++i) {
            const auto l = links[i];
            if (l >= graph.directedCount()) continue;
            const auto from = graph.tail(l), to = graph.head(l);
            if (from == FabricGraph::kNone || to == FabricGraph::kNone || graph.at(to).level <= graph.at(from).level) continue;
            ++flows[from];
            used[l] = 1;
        }
    std::map<std::int16_t, std::tuple<double, double, std::size_t>> sums; // used and expected shares, switches
    for (std::uint32_t v = 0; v < graph.switchCount(); ++v) {
        const auto arcs = graph.upArcs(v);
        if (flows[v] == 0 || arcs.size() < 2) continue;
        auto& [share, expected, count] = sums[graph.at(v).level];
        const double n = double(arcs.size());
        share += double(std::count_if(arcs.begin(), arcs.end(), [&](const auto& arc) { return used[arc.link]; })) / n;
        expected += 1 - std::pow(1 - 1 / n, double(flows[v]));
        ++count;
    }
    std::vector<Polarization> result;
    for (const auto& [level, sum] : sums)
        result.push_back({level, std::get<0>(sum) / double(std::get<2>(sum)), std::get<1>(sum) / double(std::get<2>(sum))});
    return result;
}

} // namespace fabric
} // namespace hw::sim
