// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/report/network_view.h"

#include <algorithm>

namespace hw {

std::vector<std::string> unevenWiring(const Snapshot& snapshot, NetworkId network)
{
    std::vector<std::string> result;
    snapshot.linkRules.forEach([&](LinkRuleId rule) {
        if (!(snapshot.linkRules.network[rule] == network)) return;
        const auto& name = snapshot.linkRules.key[rule];
        if (auto text = snapshot.setting("wiring." + name + ".uneven"); !text.empty()) result.push_back(name + ": " + text);
    });
    return result;
}

std::vector<std::string> designNotes(const Snapshot& snapshot)
{
    std::vector<std::string> result;
    snapshot.settings.forEach([&](SettingId id) {
        if (snapshot.settings.key[id].starts_with("note.")) result.push_back(snapshot.settings.value[id]);
    });
    return result;
}

std::string tierName(const Snapshot& snapshot, TierId tier)
{
    return snapshot.tiers.kind[tier] == TierKind::Server ? "server" : snapshot.tiers.name[tier];
}

std::string typeOfTier(const Figures& figures, TierId tier)
{
    const auto& devices = figures.snapshot->devices;
    std::map<std::string, std::int64_t> counts;
    devices.forEach([&](DeviceId id) {
        if (devices.tier[id] == tier) ++counts[(*figures.parts)[devices.type[id]].slug];
    });
    std::string best;
    std::int64_t most = 0;
    for (const auto& [slug, count] : counts)
        if (count > most) best = slug, most = count;
    return best;
}

bool peersAtTop(const FabricFigures::Network& network)
{
    return std::ranges::any_of(network.links, [&](const auto& link) {
        const auto tier = std::ranges::find(network.tiers, link.from, &FabricFigures::Tier::id);
        return link.from == link.to && tier != network.tiers.end() && tier->upGbps == 0;
    });
}

namespace {

/// Every two servers have switches that join them, but not every two of their NICs, and not by rails either.
bool nicsApart(const NetworkProof* proof)
{
    return proof && proof->hasCables() && !proof->connectivity.throughSwitches && !proof->connectivity.whole.withinRails;
}

} // namespace

Text connectionText(const FabricFigures::Network& network, const NetworkProof* proof)
{
    if (network.throughServers)
        return network.connected ? i18n("all servers connected, some only through servers that forward traffic (not modeled by any simulation)")
                                 : i18n("connected only if servers forward traffic (as in BCube), which is not modeled");
    if (network.connected && nicsApart(proof)) return i18n("all servers connected, but not every pair of their NICs");
    return network.connected ? i18n("all servers connected") : i18n("NOT all servers connected");
}

} // namespace hw
