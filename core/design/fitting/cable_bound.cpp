// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/fitting/cable_bound.h"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace hw::fitting {

namespace {

/// By k: how far the k-th neighbor of a place is at least, in plan along the hall's axes; mm.
std::vector<std::int32_t> nearest(const Placement& placement, std::span<const RackId> racks)
{
    std::vector<std::pair<std::int32_t, std::int32_t>> at;
    for (const RackId rack : racks) {
        const Box& box = placement.rack(rack);
        at.emplace_back((box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2);
    }
    std::vector<std::int32_t> least(at.size(), INT32_MAX), here(at.size());
    for (const auto& [x, y] : at) {
        for (std::size_t i = 0; i < at.size(); ++i) here[i] = std::abs(at[i].first - x) + std::abs(at[i].second - y);
        std::ranges::sort(here); // the place itself comes first
        for (std::size_t k = 0; k < here.size(); ++k) least[k] = std::min(least[k], here[k]);
    }
    return least;
}

/// The racks that a rack is joined to in one way: by as many cables of each class.
using Alike = std::map<std::uint16_t, int>;

} // namespace

Result<Money> leastCableCost(const Figures& figures, std::span<const RackId> racks)
{
    const Snapshot& s = *figures.snapshot;
    const Routing& routing = figures.get<RoutingNode>();
    const Cabling& cabling = figures.get<CablingNode>();
    const CableIndex& index = figures.get<CableIndexNode>();
    const auto near = nearest(figures.get<PlacementNode>(), racks);
    std::vector<char> here(s.racks.nextId(), 0);
    for (const RackId rack : racks) here[rack.value] = 1;

    std::map<std::uint32_t, std::size_t> partners; // by rack
    for (const auto& pair : routing.pairs()) ++partners[pair.a.value], ++partners[pair.b.value];
    std::map<std::pair<std::uint32_t, Alike>, std::vector<std::uint32_t>> groups; // pairs by the rack of more partners and their cables
    for (std::uint32_t p = 0; p < routing.pairs().size(); ++p) {
        const auto& pair = routing.pairs()[p];
        if (!here[pair.a.value] || !here[pair.b.value]) continue;
        Alike cables;
        for (const CableId cable : index.cablesOf(p)) ++cables[index.classOf[cable.value]];
        const auto center = partners[pair.a.value] >= partners[pair.b.value] ? pair.a.value : pair.b.value;
        groups[{center, std::move(cables)}].push_back(p);
    }
    Snapshot shortened(s);
    const std::int64_t slack = 10'000 + Cabling::slackOf(s);
    for (const auto& [group, pairs] : groups)
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const std::int32_t way = std::min(near[std::min(k + 1, near.size() - 1)], routing.pairs()[pairs[k]].lengthMm);
            for (const CableId cable : index.cablesOf(pairs[k])) {
                const std::int32_t drops = cabling[cable].routeMm - routing.pairs()[pairs[k]].lengthMm;
                if (s.cables.length[cable].count() == 0)
                    shortened.cables.length.set(
                        cable, Millimeters(std::int32_t((std::max(1, way + drops + cabling[cable].loopMm) * slack + 9'999) / 10'000)));
            }
        }
    const auto least = computeFigures(std::make_shared<const Snapshot>(std::move(shortened)));
    if (!least) return tl::unexpected(least.error());
    return cableTotals((*least)->get<PartsNode>(), (*least)->get<CablingNode>()).cost;
}

} // namespace hw::fitting
