// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/storage_path.h"

#include "core/foundation/model/setting_values.h"

#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // GCC 12 sees one in Boost.Graph's edge iterator that is none

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace hw::sim {
inline namespace reliability {

namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<
        boost::vertex_index_t, long,
        boost::property<boost::vertex_color_t, boost::default_color_type,
                        boost::property<boost::vertex_distance_t, long, boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>>,
    boost::property<boost::edge_capacity_t, double,
                    boost::property<boost::edge_residual_capacity_t, double, boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

constexpr double kUnlimited = 1e18;

bool carriesStorage(const Snapshot& s, Maybe<NetworkId> network)
{
    if (!network) return false;
    const auto kind = s.networks.kind[*network];
    return kind == NetworkKind::Frontend || kind == NetworkKind::Storage;
}

/// Of storage nodes: no switch, in a storage network.
bool isStorageTier(const Snapshot& s, TierId t)
{
    const auto network = s.tiers.network[t];
    return s.tiers.kind[t] != TierKind::Switch && s.tiers.kind[t] != TierKind::Server && network && s.networks.kind[*network] == NetworkKind::Storage;
}

std::map<TierId, std::size_t> devicesByTier(const Snapshot& s)
{
    std::map<TierId, std::size_t> count;
    s.devices.forEach([&](DeviceId d) { ++count[s.devices.tier[d]]; });
    return count;
}

std::optional<TierId> storageTier(const Snapshot& s, const std::string& wanted, const std::map<TierId, std::size_t>& count)
{
    std::optional<TierId> best;
    s.tiers.forEach([&](TierId t) {
        if (!isStorageTier(s, t) || !count.contains(t)) return;
        if (!wanted.empty() ? s.tiers.name[t] == wanted : !best || count.at(t) > count.at(*best)) best = t;
    });
    return best;
}

class TierFlow {
public:
    explicit TierFlow(std::size_t vertices) : m_graph(vertices) {}
    void join(std::size_t a, std::size_t b, double capacity)
    {
        auto [forth, fine] = add_edge(a, b, m_graph);
        auto [back, alsoFine] = add_edge(b, a, m_graph);
        put(boost::edge_capacity, m_graph, forth, capacity);
        put(boost::edge_capacity, m_graph, back, 0.0);
        put(boost::edge_reverse, m_graph, forth, back);
        put(boost::edge_reverse, m_graph, back, forth);
    }
    double run(std::size_t source, std::size_t sink) { return boykov_kolmogorov_max_flow(m_graph, source, sink); }
    /// On the source's side of a smallest cut, after run().
    bool reached(std::size_t vertex) const { return get(boost::vertex_color, m_graph, vertex) == boost::black_color; }

private:
    Graph m_graph;
};

} // namespace

std::vector<std::string> storageTiers(const Snapshot& s)
{
    const auto count = devicesByTier(s);
    std::vector<std::string> names;
    s.tiers.forEach([&](TierId t) {
        if (isStorageTier(s, t) && count.contains(t)) names.push_back(s.tiers.name[t]);
    });
    return names;
}

double StoragePath::bytesPerS(double linkEfficiency) const
{
    const double links = gbps / 8 * 1e9 * linkEfficiency;
    return mediaGBytesPerS > 0 ? std::min(links, mediaGBytesPerS * 1e9) : links;
}

StoragePath storagePath(const Snapshot& s, const std::string& wanted)
{
    const std::map<TierId, std::size_t> count = devicesByTier(s);
    StoragePath out;
    const auto storage = storageTier(s, wanted, count);
    if (!storage) return out;
    out.storageTier = s.tiers.name[*storage];
    out.storageNodes = count.at(*storage);
    out.capacityTb = double(out.storageNodes) * numberSetting(s, "storage." + s.tiers.key[*storage] + ".capacity_tb");
    out.mediaGBytesPerS = double(out.storageNodes) * numberSetting(s, "storage." + s.tiers.key[*storage] + ".media_gbytes_per_s");
    s.devices.forEach(
        [&](DeviceId d) { out.hosts += s.tiers.kind[s.devices.tier[d]] == TierKind::Server && s.devices.role[d] == DeviceRole::Active; });

    std::map<std::pair<TierId, TierId>, double> width;
    s.links.forEach([&](LinkId l) {
        const PortId from = s.links.from[l];
        if (s.links.role[l] != LinkRole::Active || !carriesStorage(s, s.ports.network[from])) return;
        const DeviceId a = s.ports.device[from], b = s.ports.device[s.links.to[l]];
        const double gbps = s.ports.rate[from].count();
        width[{s.devices.tier[a], s.devices.tier[b]}] += gbps;
        for (const DeviceId end : {a, b}) {
            if (s.tiers.kind[s.devices.tier[end]] == TierKind::Server && s.devices.role[end] == DeviceRole::Active) out.hostGbps += gbps;
            if (s.devices.tier[end] == *storage) out.storageGbps += gbps;
        }
    });
    const std::size_t tiers = s.tiers.nextId(), source = tiers, sink = tiers + 1;
    TierFlow flow(tiers + 2);
    for (const auto& [ends, gbps] : width) {
        flow.join(ends.first.value, ends.second.value, gbps); // links carry their rate in both directions
        flow.join(ends.second.value, ends.first.value, gbps);
    }
    for (const auto& [tier, n] : count)
        if (s.tiers.kind[tier] == TierKind::Server) flow.join(source, tier.value, kUnlimited);
    flow.join(storage->value, sink, kUnlimited);
    out.gbps = flow.run(source, sink);
    for (const auto& [ends, gbps] : width)
        if (flow.reached(ends.first.value) != flow.reached(ends.second.value))
            out.bottleneck.push_back(fmt::format("{} - {}: {:.0f} Gb/s", s.tiers.name[ends.first], s.tiers.name[ends.second], gbps));
    return out;
}

} // namespace reliability
} // namespace hw::sim
