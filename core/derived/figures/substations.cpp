// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/substations.h"

#include "core/derived/figures/power_chain.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace hw {

namespace {

/// Ratings of the transformers of each substation, VA, the largest first.
std::vector<std::vector<double>> stationsOf(const Snapshot& s, const ProjectParts& parts, const PowerFeeds& feeds, std::vector<DeviceId>& devices)
{
    const auto element = [&](DeviceId id) { return parts.device(s.devices.type[id]).power.element; };
    std::vector<char> toSwitchgear(s.devices.nextId(), 0);
    s.devices.forEach([&](DeviceId id) {
        if (element(id) != PowerElement::Switchgear) return;
        for (const PowerFeed& feed : feeds.of(id)) toSwitchgear[feed.supplier.value] = 1;
    });
    std::map<std::pair<int, std::uint32_t>, std::vector<double>> stations;
    s.devices.forEach([&](DeviceId id) {
        if (element(id) != PowerElement::Transformer || !toSwitchgear[id.value]) return;
        const auto ways = feeds.of(id);
        const auto utility = std::ranges::find_if(ways, [&](const PowerFeed& feed) { return element(feed.supplier) == PowerElement::Utility; });
        if (utility == ways.end()) return;
        const auto building = buildingOf(s, id);
        const auto hall = hallOf(s, id);
        const std::pair<int, std::uint32_t> place = building ? std::pair(0, (*building).value)
                                                    : hall   ? std::pair(1, (*hall).value)
                                                             : std::pair(2, utility->supplier.value);
        stations[place].push_back(double(parts.device(s.devices.type[id]).power.apparent.value.count()) / 1000);
        devices.push_back(id);
    });
    std::vector<std::vector<double>> out;
    for (auto& [place, ratings] : stations) {
        std::ranges::sort(ratings, std::greater());
        out.push_back(std::move(ratings));
    }
    return out;
}

double deliveredVa(const std::vector<std::vector<double>>& stations, std::size_t spare)
{
    double each = 0, all = 0, largest = 0;
    bool anyEmpty = false;
    for (const auto& ratings : stations) {
        double sum = 0;
        for (std::size_t i = 0; i < ratings.size(); ++i) {
            sum += ratings[i];
            if (i >= spare) each += ratings[i];
        }
        anyEmpty = anyEmpty || ratings.size() <= spare;
        all += sum, largest = std::max(largest, sum);
    }
    return anyEmpty && spare > 0 ? all - largest : each;
}

} // namespace

SubstationSize substationSize(const Snapshot& s)
{
    return {std::llround(numberSetting(s, "site.substation_transformers")), std::llround(numberSetting(s, "site.substation_spare")),
            numberSetting(s, "site.substation_mva"), powerFactorOf(s)};
}

SubstationSupply substationSupply(const Snapshot& s, const ProjectParts& parts, const PowerFeeds& feeds)
{
    SubstationSupply out;
    const auto spare = std::size_t(std::max(0.0, numberSetting(s, "site.substation_spare")));
    auto stations = stationsOf(s, parts, feeds, out.devices);
    out.drawn = !stations.empty();
    if (!out.drawn) {
        const auto count = std::size_t(numberSetting(s, "site.substations")), each = std::size_t(numberSetting(s, "site.substation_transformers"));
        stations.assign(count, std::vector<double>(each, 1e6 * numberSetting(s, "site.substation_mva")));
    }
    out.stations = std::int64_t(stations.size());
    for (const auto& ratings : stations) out.transformers += std::int64_t(ratings.size());
    out.capacityW = deliveredVa(stations, spare) * powerFactorOf(s);
    return out;
}

} // namespace hw
