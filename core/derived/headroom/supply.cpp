// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/headroom/supply.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hw {

namespace {

std::int64_t capacityMw(const DeviceSpec& spec, double powerFactor)
{
    std::int64_t capacity = PowerSupply::kUnlimited;
    if (spec.capacity.value.count() > 0) capacity = spec.capacity.value.count();
    if (const auto apparent = spec.power.apparent.value.count(); apparent > 0)
        capacity = std::min(capacity, std::int64_t(double(apparent) * powerFactor));
    return capacity;
}

/// Everything upstream of a rack: a side carries all of it when the other is lost, its elements in equal parts; an element with several ways
/// in may take all of it over any of them.
std::vector<PowerSupply::Part> upstream(const PowerChain& chain, const PowerFeeds& feeds, const std::set<DeviceId>& suppliers)
{
    std::map<char, int> ofSide;
    for (const DeviceId id : suppliers) ++ofSide[feeds.side(id)];
    std::map<std::uint32_t, double> open, done; // by rank: what is fed before what feeds it
    for (const DeviceId id : suppliers) open[chain.network.rank(id.value)] += 1.0 / ofSide[feeds.side(id)];
    std::vector<PowerSupply::Part> parts;
    while (!open.empty()) {
        const auto [rank, sum] = *open.begin();
        open.erase(open.begin());
        const power::Index i = chain.network.order()[rank];
        const double share = std::min(1.0, sum);
        parts.push_back({DeviceId(i), share});
        const auto ways = chain.network.feeds(i);
        const auto intake = chain.network[i].intake;
        for (const auto& way : ways) {
            const auto together = intake == power::Intake::Shared     ? std::int64_t(ways.size())
                                  : intake == power::Intake::Parallel ? std::ranges::count(ways, way.group, &power::Feed::group)
                                                                      : 1;
            if (chain.network.rank(way.from) > rank) open[chain.network.rank(way.from)] += share / double(together);
        }
    }
    return parts;
}

} // namespace

PowerSupply PowerSupply::of(const Figures& figures, PowerBasis basis)
{
    const Snapshot& s = *figures.snapshot;
    const PowerChain& chain = powerChain(figures, basis);
    const PowerWorst& worst = worstPower(figures, basis);
    const PowerFeeds& feeds = figures.get<PowerFeedsNode>();
    const double powerFactor = powerFactorOf(s);
    PowerSupply supply;
    supply.spareMw.assign(s.devices.nextId(), kUnlimited);
    std::vector<std::set<DeviceId>> suppliers(s.racks.nextId());
    s.devices.forEach([&](DeviceId id) {
        const bool element = s.tiers.kind[s.devices.tier[id]] == TierKind::Power;
        if (element) {
            supply.chain = true;
            const std::int64_t capacity = capacityMw(figures.parts->device(s.devices.type[id]), powerFactor);
            const Milliwatts most = worst.through(id);
            if (capacity < kUnlimited)
                supply.spareMw[id.value] = chain.flow.live[id.value] ? capacity - (most + chain.network[id.value].loss.at(most)).count() : 0;
        }
        const auto rack = s.devices.rack[id];
        if (!rack) return;
        if (element) {
            suppliers[(*rack).value].insert(id);
        } else if (s.tiers.kind[s.devices.tier[id]] != TierKind::Cooling) {
            for (const PowerFeed& feed : feeds.of(id)) suppliers[(*rack).value].insert(feed.supplier);
        }
    });
    supply.ofRack.resize(s.racks.nextId());
    s.racks.forEach([&](RackId id) { supply.ofRack[id.value] = upstream(chain, feeds, suppliers[id.value]); });
    return supply;
}

std::int64_t PowerSupply::spareOfRackMw(RackId rack) const
{
    if (chain && ofRack[rack.value].empty()) return 0;
    std::int64_t spare = kUnlimited;
    for (const Part& part : ofRack[rack.value])
        if (spareMw[part.element.value] < kUnlimited)
            spare = std::min(spare, std::int64_t(std::floor(double(std::max<std::int64_t>(0, spareMw[part.element.value])) / part.share)));
    return spare;
}

} // namespace hw
