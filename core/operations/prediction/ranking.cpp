// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/prediction/ranking.h"

#include <algorithm>
#include <cmath>

namespace hw::prediction {

std::vector<DeviceId> gpuHosts(const Figures& design)
{
    std::vector<DeviceId> out;
    const Snapshot& s = *design.snapshot;
    s.devices.forEach([&](DeviceId id) {
        if (s.tiers.kind[s.devices.tier[id]] == TierKind::Server && design.parts->device(s.devices.type[id]).accelerators > 0) out.push_back(id);
    });
    return out;
}

void rank(std::vector<Likely>& hosts) { std::ranges::stable_sort(hosts, std::greater(), &Likely::ratio); }

Text signsText(const Likely& host, const HazardModel& model)
{
    std::vector<std::pair<double, Sign>> signs;
    for (std::size_t i = 0; i < kSigns; ++i)
        if (Counts one{}; (one[i] = host.counts[i]) >= 0.05 && model.ratio(one) > 1.1) signs.emplace_back(model.ratio(one), Sign(i));
    std::ranges::stable_sort(signs, std::greater(), &std::pair<double, Sign>::first);
    Text out;
    for (const auto& [weight, sign] : signs) {
        const Text one = i18n("{:.3g} {}", host.counts[std::size_t(sign)], titleOf(sign));
        out = out.empty() ? one : i18n("{}, {}", out, one);
    }
    return out;
}

} // namespace hw::prediction
