// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/routing_options.h"

#include "core/foundation/model/snapshot.h"
#include "simulation/fabric/hash.h"

#include <algorithm>

namespace hw::sim {
inline namespace fabric {

std::uint64_t RoutingOptions::seedOf(int level, std::uint32_t vertex) const
{
    const auto at = std::size_t(std::max(level, 0));
    std::uint64_t own = at < tiers.size() && tiers[at].seed ? tiers[at].seed : mix(seed + (equalSeeds ? 0 : std::uint64_t(at) * 0x10001));
    return perSwitchSeeds ? mix(own ^ (std::uint64_t(vertex) << 20)) : own;
}

HashKind RoutingOptions::kindOf(int level) const
{
    return level >= 0 && std::size_t(level) < tiers.size() ? tiers[std::size_t(level)].kind : HashKind::FiveTuple;
}

void RoutingOptions::setTier(int level, TierHash hash)
{
    if (level < 0) return;
    if (tiers.size() <= std::size_t(level)) tiers.resize(std::size_t(level) + 1);
    tiers[std::size_t(level)] = hash;
}

Result<RoutingOptions> routingOptions(const Snapshot& s, NetworkId network, std::uint64_t seed)
{
    RoutingOptions options;
    options.seed = seed;
    Result<RoutingOptions> result = options;
    s.tiers.forEach([&](TierId id) {
        if (s.tiers.network[id] != network || !result) return;
        const std::string key = "network." + s.networks.key[network] + ".hash." + s.tiers.key[id];
        const std::string value = s.setting(key, name(HashKind::FiveTuple));
        if (value == name(HashKind::SourcePort))
            result->setTier(s.tiers.level[id], {HashKind::SourcePort, 0});
        else if (value != name(HashKind::FiveTuple))
            result = fail(ErrorCode::Refused, key, i18n("unsupported value '{}'", value), i18n("set it to five-tuple or source-port"));
    });
    return result;
}

const char* name(PathSelection selection)
{
    switch (selection) {
    case PathSelection::Hash: return "hash";
    case PathSelection::Disjoint: return "disjoint";
    case PathSelection::LeastLoad: return "least-load";
    case PathSelection::Spray: return "spray";
    }
    return "";
}

const char* name(HashKind kind)
{
    switch (kind) {
    case HashKind::FiveTuple: return "five-tuple";
    case HashKind::SourcePort: return "source-port";
    }
    return "";
}

const char* name(RateControl control)
{
    switch (control) {
    case RateControl::Ideal: return "ideal";
    case RateControl::Paced: return "paced";
    }
    return "";
}

const char* name(FabricVariant variant)
{
    switch (variant) {
    case FabricVariant::AsDesigned: return "as-designed";
    case FabricVariant::SinglePlane: return "single-plane";
    case FabricVariant::SingleToR: return "single-tor";
    case FabricVariant::StackedToR: return "stacked-tor";
    }
    return "";
}

} // namespace fabric
} // namespace hw::sim
