// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/feeders/feeders.h"

#include "core/derived/figures/figures.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <cmath>

namespace hw {

namespace {

/// Reactive over real power at a power factor.
double tangent(double factor) { return std::sqrt(std::max(0.0, 1 - factor * factor)) / factor; }

} // namespace

double UtilityLoad::factor() const
{
    const double apparent = std::hypot(watts, vars);
    return apparent > 0 ? watts / apparent : 1;
}

std::vector<UtilityLoad> utilityLoadsOf(const FeederLoads& loads)
{
    const Snapshot& s = loads.s;
    const ProjectParts& parts = *loads.figures.parts;
    const auto& chain = loads.chain;
    const power::Flow& flow = loads.flow();
    const double ofLoads = tangent(loads.powerFactor), ofUps = tangent(std::clamp(numberSetting(s, "power.ups_input_factor"), 0.5, 1.0));
    const double uk = numberSetting(s, "power.transformer_uk_percent") / 100, high = numberSetting(s, "power.high_uk_percent") / 100,
                 magnetizing = numberSetting(s, "power.magnetizing_percent") / 100;
    std::vector<double> vars(chain.network.size(), 0), heat(chain.network.size(), 0); // of what the element feeds; heat of lines below it
    std::vector<UtilityLoad> out;
    for (const auto i : chain.network.order()) { // consumers first
        const DeviceId id(i);
        if (!s.devices.contains(id) || !flow.live[i]) continue;
        const DeviceSpec& spec = parts.device(s.devices.type[id]);
        const PowerElement element = spec.power.element;
        const double intake = toWatts(flow.intake[i].total());
        vars[i] += toWatts(chain.network[i].draw) * ofLoads;
        if (element == PowerElement::Ups)
            vars[i] = intake * ofUps; // what is behind it draws from its inverter
        else if (element == PowerElement::Shelf)
            vars[i] = intake * ofLoads; // direct current behind it
        else if (element == PowerElement::Transformer && spec.power.apparent.value.count() > 0) {
            const double rated = double(spec.power.apparent.value.count()) / 1000, carried = std::hypot(toWatts(flow.through[i].total()), vars[i]);
            const auto uses = chain.network.uses(i);
            const bool toSwitchgear = std::ranges::any_of(uses, [&](const auto& use) {
                return parts.device(s.devices.type[DeviceId(use.consumer)]).power.element == PowerElement::Switchgear;
            });
            const double x = toSwitchgear ? high : rated <= 630e3 ? std::min(uk, 0.04) : uk;
            vars[i] += magnetizing * rated + x * carried * carried / rated;
        }
        if (element == PowerElement::Utility && intake > 0) out.push_back({id, intake + heat[i], vars[i]});
        const auto ways = chain.network.feeds(i);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            const double share = toWatts(loads.normal(id, w));
            if (share <= 0 || intake <= 0) continue;
            const double passed = vars[i] * share / intake;
            vars[ways[w].from] += passed, heat[ways[w].from] += heat[i] * share / intake;
            const SupplyLine* line = loads.line(id, w);
            if (!line || line->size.phases != power::LinePhases::Three) continue;
            const power::Impedance z = impedanceOf(parts, *line, loads.celsius);
            const double amps = std::hypot(share, passed) / (std::sqrt(3.0) * line->size.volts);
            vars[ways[w].from] += 3 * amps * amps * z.x / 1000, heat[ways[w].from] += 3 * amps * amps * z.r / 1000;
        }
    }
    std::ranges::sort(out, {}, &UtilityLoad::at);
    return out;
}

} // namespace hw
