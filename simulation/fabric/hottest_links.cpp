// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/hottest_links.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace hw::sim {
inline namespace fabric {

void rankHottest(FlowResult& result, std::size_t most, std::span<const double> loadGbps)
{
    const auto load = [&](std::uint32_t l) { return loadGbps.empty() ? double(result.loadGbps[l]) : loadGbps[l]; };
    const auto utilisation = [&](std::uint32_t l) { return result.capacityGbps[l] > 0 ? load(l) / double(result.capacityGbps[l]) : 0.0; };
    std::vector<std::uint32_t> used;
    for (std::uint32_t l = 0; l < result.loadGbps.size(); ++l)
        if (load(l) > 0) used.push_back(l);
    std::vector<std::uint32_t> flows(result.loadGbps.size(), 0);
    for (const auto l : result.flowLinks)
        if (l < flows.size()) ++flows[l];
    const auto heat = [&](std::uint32_t l) { return std::tuple(-std::round(utilisation(l) * 1e6), -std::int64_t(flows[l]), l); };
    const auto middle = used.begin() + std::ptrdiff_t(std::min(most, used.size()));
    std::partial_sort(used.begin(), middle, used.end(), [&](std::uint32_t a, std::uint32_t b) { return heat(a) < heat(b); });
    result.hottest.clear();
    for (auto it = used.begin(); it != middle; ++it) result.hottest.push_back({*it, utilisation(*it), flows[*it]});
}

} // namespace fabric
} // namespace hw::sim
