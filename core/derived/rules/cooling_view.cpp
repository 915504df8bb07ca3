// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/cooling_view.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

std::string CoolingView::subject(const CoolingLoop& loop) const
{
    const std::string room = loop.hall ? input.subject(ref(*loop.hall)) : std::string();
    if (loop.kind == LoopKind::Air) return room + "|air";
    const auto first = loop.sources.empty() ? loop.members : loop.sources;
    return room + "|" + (first.empty() ? std::string(wordOf(loop.kind)) : input.subject(ref(first.front())));
}

std::vector<EntityRef> CoolingView::entities(const CoolingLoop& loop) const
{
    std::vector<EntityRef> out;
    for (const DeviceId id : loop.sources) out.push_back(ref(id));
    if (out.empty() && loop.hall) out.push_back(ref(*loop.hall));
    for (const DeviceId id : loop.members)
        if (out.empty()) out.push_back(ref(id));
    return out;
}

std::string CoolingView::room(DeviceId id) const
{
    const auto hall = hallOf(s, id);
    return hall ? input.subject(ref(*hall)) : std::string("outside");
}

bool CoolingView::cools() const
{
    return std::ranges::any_of(chain.units, [](const CoolingUnit& unit) { return unit.parts() || unit.feeds >= 0 || unit.ratedW > 0; });
}

bool CoolingView::coolsIn(BuildingId building) const
{
    return std::ranges::any_of(chain.units, [&](const CoolingUnit& unit) { return unit.feeds >= 0 && buildingOf(s, unit.device) == building; });
}

Text wattsText(double watts) { return powerText(Milliwatts(std::llround(watts * 1000))); }

} // namespace hw::rules
