// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/feeder_losses.h"

#include "core/derived/figures/supply.h"
#include "core/foundation/model/setting_values.h"

#include <cmath>

namespace hw {

std::vector<Milliwatts> feederLosses(const Figures& figures, const PowerChain& chain)
{
    const Snapshot& s = *figures.snapshot;
    const Supply& supply = figures.get<SupplyNode>();
    const PowerFeeds& feeds = figures.get<PowerFeedsNode>();
    const double powerFactor = powerFactorOf(s), celsius = numberSetting(s, "power.conductor_c");
    std::vector<Milliwatts> losses(s.devices.nextId());
    s.devices.forEach([&](DeviceId id) {
        const auto ways = feeds.of(id);
        for (std::size_t w = 0; w < ways.size(); ++w) {
            const SupplyLine* line = ways[w].link ? supply.of(*ways[w].link) : nullptr;
            const Milliwatts carried = chain.flow.shares[chain.network.firstFeed(id.value) + w].total();
            if (!line || carried.count() <= 0) continue;
            const power::Impedance impedance = impedanceOf(*figures.parts, *line, celsius);
            if (!impedance.known()) continue;
            const double watts = power::lineLossW(impedance, toWatts(carried), line->size.volts, powerFactor, line->size.phases);
            losses[id.value] += Milliwatts(std::llround(1000 * watts));
        }
    });
    return losses;
}

} // namespace hw
