// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derive/facility.h"

#include "core/model/number_setting.h"

#include <algorithm>

namespace hw {

std::vector<char> reachedByUtility(const Figures& figures, const PowerChain& chain)
{
    const Snapshot& s = *figures.snapshot;
    std::vector<char> reached(chain.network.size(), 0);
    const auto order = chain.network.order();
    for (std::size_t at = order.size(); at-- > 0;) {
        const auto i = order[at];
        if (!s.devices.contains(DeviceId(i))) continue;
        reached[i] = figures.parts->device(s.devices.type[DeviceId(i)]).power.element == PowerElement::Utility;
        for (const auto& feed : chain.network.feeds(i)) reached[i] = reached[i] || reached[feed.from];
    }
    return reached;
}

FacilityPower facilityPower(const Figures& figures, PowerBasis basis)
{
    const Snapshot& s = *figures.snapshot;
    const PowerChain& chain = powerChain(figures, basis);
    const auto reached = reachedByUtility(figures, chain);
    FacilityPower out;
    out.complete = true;
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        const Milliwatts draw = chain.network[id.value].draw;
        if (kind == TierKind::Power) {
            out.losses += chain.load(id) - chain.through(id);
            return;
        }
        (kind == TierKind::Cooling ? out.cooling : out.it) += draw;
        out.complete = out.complete && (draw.count() == 0 || reached[id.value]);
    });
    out.complete = out.complete && out.it.count() > 0;
    return out;
}

Pue pueOf(const Figures& figures, PowerBasis basis)
{
    const Snapshot& s = *figures.snapshot;
    if (s.setting("site.pue_basis", "constant") == "losses")
        if (const FacilityPower facility = facilityPower(figures, basis); facility.complete) return {std::max(1.0, facility.pue()), true};
    return {std::max(1.0, numberSetting(s, "site.pue", 1.2)), false};
}

} // namespace hw
