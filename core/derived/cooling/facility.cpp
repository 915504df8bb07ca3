// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cooling/facility.h"

#include "core/derived/cooling/reading.h"
#include "core/derived/figures/feeder_losses.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>

namespace hw {

namespace {

/// How much of the like of it runs, of 1.
double running(std::int64_t count, std::size_t of) { return of == 0 ? 1 : std::min(1.0, double(count) / double(of)); }

} // namespace

double coolingDraw(const CoolingChain& chain, const CoolingUnit& unit)
{
    if (unit.feeds < 0) return unit.ownW;
    const CoolingLoop& loop = chain.loops[std::size_t(unit.feeds)];
    if (unit.cop > 0) return unit.heatW / unit.cop;
    if (unit.element == CoolingElement::Pump) return unit.ownW * running(loop.runningPumps, loop.pumps.size());
    return unit.parts() ? unit.ownW * running(loop.runningSources, loop.sources.size()) : unit.ownW;
}

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
    const auto& cooled = figures.get<CoolingChainNode>();
    const auto feeders = feederLosses(figures, chain);
    const bool planned = cooled.at.basis == basis; // the cooling chain knows the heat of one basis
    FacilityPower out;
    out.complete = true;
    s.devices.forEach([&](DeviceId id) {
        const TierKind kind = s.tiers.kind[s.devices.tier[id]];
        const Milliwatts draw = chain.network[id.value].draw;
        out.feeders += feeders[id.value];
        if (kind == TierKind::Power) {
            out.losses += chain.load(id) - chain.through(id);
            return;
        }
        (kind == TierKind::Cooling ? out.cooling : out.it) += draw;
        if (kind == TierKind::Cooling) {
            const CoolingUnit* unit = planned ? cooled.unit(id) : nullptr;
            out.coolingAtLoad += unit ? Milliwatts(std::llround(coolingDraw(cooled, *unit) * 1000)) : draw;
        }
        out.complete = out.complete && (draw.count() == 0 || reached[id.value]);
    });
    const bool rejection =
        std::ranges::any_of(cooled.units, [](const CoolingUnit& unit) { return cooling::rejectsHeat(unit.element) && unit.feeds >= 0; });
    out.complete = out.complete && rejection && out.it.count() > 0;
    return out;
}

Pue pueOf(const Figures& figures, PowerBasis basis)
{
    const Snapshot& s = *figures.snapshot;
    if (settingOf(s, "site.pue_basis") == "losses")
        if (const FacilityPower facility = facilityPower(figures, basis); facility.complete)
            return {facility.pue(), true, facility.it, facility.atLoad()};
    Pue out{std::max(1.0, numberSetting(s, "site.pue")), false, {}, {}};
    s.devices.forEach([&](DeviceId id) { out.it += figures.power->device(id).at(basis); });
    out.facility = Milliwatts(std::llround(out.value * double(out.it.count())));
    return out;
}

} // namespace hw
