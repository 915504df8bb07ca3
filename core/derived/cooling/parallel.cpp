// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/parallel.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::cooling {

std::vector<ParallelHeaders> parallelHeaders(const CoolingChain& chain)
{
    std::map<DeviceId, std::vector<DeviceId>> joined;
    for (const CoolantPath& way : chain.ways)
        if (way.loop >= 0) joined[way.taker].push_back(way.feeder), joined[way.feeder].push_back(way.taker);
    const auto isA = [&](DeviceId id, CoolingElement element) {
        const CoolingUnit* unit = chain.unit(id);
        return unit && unit->element == element;
    };
    std::map<std::pair<std::int32_t, std::vector<DeviceId>>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t u = 0; u < chain.units.size(); ++u) {
        const CoolingUnit& unit = chain.units[u];
        if (unit.element != CoolingElement::Header || unit.feeds < 0) continue;
        std::set<DeviceId> seen{unit.device};
        std::vector<DeviceId> open{unit.device}, ends;
        while (!open.empty()) {
            const DeviceId id = open.back();
            open.pop_back();
            for (const DeviceId other : joined[id]) {
                if (!seen.insert(other).second || isA(other, CoolingElement::Header)) continue;
                (isA(other, CoolingElement::Valve) ? open : ends).push_back(other);
            }
        }
        std::ranges::sort(ends);
        if (ends.empty()) ends.push_back(unit.device); // alone
        groups[{unit.feeds, std::move(ends)}].push_back(u);
    }
    std::vector<ParallelHeaders> out;
    for (auto& [key, headers] : groups) out.push_back({key.first, std::move(headers), key.second});
    return out;
}

} // namespace hw::cooling
