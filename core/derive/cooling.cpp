// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/cooling.h"

#include "core/model/places.h"

#include <map>

namespace hw {

std::int64_t CoolingUnits::needed(PowerBasis basis) const
{
    const std::int64_t unit = unitCapacity.count();
    return unit > 0 ? (load[std::size_t(basis)].count() + unit - 1) / unit : 0;
}

std::vector<CoolingUnits> coolingUnits(const Snapshot& s, const ProjectParts& parts, const PowerFigures& power)
{
    std::map<std::pair<HallId, PartTypeId>, std::int64_t> counts;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] != TierKind::Cooling) return;
        if (const auto hall = hallOf(s, id)) ++counts[{*hall, s.devices.type[id]}];
    });
    std::vector<CoolingUnits> result;
    for (const auto& [place, count] : counts) {
        const DeviceSpec& spec = parts.device(place.second);
        const Load& heat = power.hall(place.first);
        CoolingUnits& units = result.emplace_back(CoolingUnits{place.first, place.second, count, spec.capacity.value, {}});
        for (std::size_t b = 0; b < kPowerBases; ++b) units.load[b] = spec.removes == "liquid" ? heat.liquid[b] : heat.power[b] - heat.liquid[b];
    }
    return result;
}

} // namespace hw
