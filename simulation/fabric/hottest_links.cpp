// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/hottest_links.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hw::sim {
inline namespace fabric {

std::vector<std::uint32_t> countFlows(const FlowResult& result)
{
    std::vector<std::uint32_t> flows(result.loadGbps.size(), 0);
    for (const auto link : result.flowLinks)
        if (link < flows.size()) ++flows[link];
    return flows;
}

void rankHottest(FlowResult& result, std::size_t most, LinkFacts facts)
{
    std::vector<std::uint32_t> counted;
    if (facts.flowsOver.empty() && !result.flowLinks.empty()) facts.flowsOver = counted = countFlows(result);
    const auto load = [&](std::uint32_t l) { return facts.loadGbps.empty() ? double(result.loadGbps[l]) : facts.loadGbps[l]; };
    const auto utilization = [&](std::uint32_t l) { return result.capacityGbps[l] > 0 ? load(l) / double(result.capacityGbps[l]) : 0.0; };
    const auto flows = [&](std::uint32_t l) { return l < facts.flowsOver.size() ? facts.flowsOver[l] : 0u; };
    using Heat = std::tuple<double, std::int64_t, std::uint32_t>; // less is hotter
    const auto heat = [&](std::uint32_t l) { return Heat(-std::round(utilization(l) * 1e6), -std::int64_t(flows(l)), l); };
    std::vector<Heat> hottest; // a heap with the least hot of them in front: most links are compared with that one only
    for (std::uint32_t l = 0; l < result.loadGbps.size() && most > 0; ++l) {
        if (load(l) <= 0) continue;
        const Heat its = heat(l);
        if (hottest.size() == most && its >= hottest.front()) continue;
        if (hottest.size() == most) {
            std::pop_heap(hottest.begin(), hottest.end());
            hottest.pop_back();
        }
        hottest.push_back(its);
        std::push_heap(hottest.begin(), hottest.end());
    }
    std::sort_heap(hottest.begin(), hottest.end());
    result.hottest.clear();
    for (const auto& [rank, shared, l] : hottest) result.hottest.push_back({l, utilization(l), flows(l)});
}

} // namespace fabric
} // namespace hw::sim
