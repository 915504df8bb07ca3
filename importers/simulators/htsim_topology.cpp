// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/simulators/htsim_topology.h"

#include "core/foundation/base/disjoint_sets.h"

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr int kQueueBytes = 1'000'000; ///< per port and direction (assumed)
constexpr int kSwitchNs = 300;         ///< through a switch (assumed)

tl::unexpected<Error> cannotSay(const std::string& where, Text what)
{
    return fail(ErrorCode::Refused, where, i18n("htsim cannot describe this fabric: {}", what),
                i18n("choose another network or parameters, or export astra, simai or simgrid"));
}

/// A part of the fabric: hosts by one port of their NICs, and all switches that they reach.
class HtsimPart {
public:
    HtsimPart(const SimFabric& f, std::string name, std::vector<std::pair<std::uint32_t, sim::FabricGraph::HostPort>> ports,
              std::vector<std::uint32_t> switches)
        : m_f(f), m_graph(*f.fabric.graph), m_name(std::move(name)), m_ports(std::move(ports)), m_switches(std::move(switches))
    {
    }

    Result<HtsimTopology> topology()
    {
        HtsimTopology out;
        out.name = m_name;
        levels();
        if (m_levels.size() < 2 || m_levels.size() > 3) return cannotSay(m_name, i18n("it has {} switch tiers, not two or three", m_levels.size()));
        out.tiers.resize(m_levels.size());
        if (auto ok = access(out); !ok) return tl::unexpected(ok.error());
        for (std::size_t t = 0; t + 1 < m_levels.size(); ++t)
            if (auto ok = between(t, out); !ok) return tl::unexpected(ok.error());
        if (auto ok = pods(out); !ok) return tl::unexpected(ok.error());
        for (std::size_t t = 0; t + 1 < out.tiers.size(); ++t) {
            auto& tier = out.tiers[t];
            // Hosts side over switch side; htsim compares radixes at the lowest tier and rates above it.
            const double down = double(tier.radixDown) * double(t == 0 ? 1 : tier.gbps),
                         up = double(tier.radixUp) * double(t == 0 ? 1 : out.tiers[t + 1].gbps);
            tier.oversubscribed = std::uint32_t(std::max(1.0, down / up));
            if (double(tier.oversubscribed) * up != down)
                return cannotSay(m_name,
                                 i18n("{} ports down and {} up in tier {} give a fractional oversubscription", tier.radixDown, tier.radixUp, t));
        }
        if (auto ok = checkHtsim(out); !ok) return tl::unexpected(ok.error());
        return out;
    }

private:
    void levels()
    {
        std::map<int, std::vector<std::uint32_t>> byLevel;
        for (const auto v : m_switches) byLevel[m_f.level(v)].push_back(v);
        for (auto& [level, list] : byLevel) m_levels.push_back(std::move(list));
        if (m_levels.size() == 3 && onePod()) m_levels.pop_back(); // cores that nothing has to cross
        for (std::size_t t = 0; t < m_levels.size(); ++t)
            for (const auto v : m_levels[t]) m_tierOf[v] = t;
    }

    /// Whether all below the top hangs together without it.
    [[nodiscard]] bool onePod() const
    {
        DisjointSets joined(m_graph.switchCount());
        const int top = m_f.level(m_levels.back().front());
        for (const auto& trunk : m_f.trunks)
            if (m_f.level(trunk.b) < top) joined.join(trunk.a, trunk.b);
        const auto pod = joined.find(m_levels[0].front());
        return std::ranges::all_of(m_levels[0], [&](std::uint32_t v) { return joined.find(v) == pod; });
    }

    Result<void> access(HtsimTopology& out)
    {
        for (const auto& [gpu, port] : m_ports) {
            if (m_tierOf[port.access] != 0) return cannotSay(m_name, i18n("servers are connected to switches above the lowest tier"));
            m_hostsOf[port.access].push_back(gpu);
            const auto gbps = std::int64_t(m_graph.capacityGbps()[m_graph.upward(port)]);
            if (out.tiers[0].gbps == 0) out.tiers[0].gbps = gbps;
            if (out.tiers[0].gbps != gbps) return cannotSay(m_name, i18n("servers have links of {} and {} Gb/s", out.tiers[0].gbps, gbps));
        }
        for (const auto v : m_levels[0]) {
            const auto hosts = std::uint32_t(m_hostsOf[v].size());
            if (out.tiers[0].radixDown == 0) out.tiers[0].radixDown = hosts;
            if (hosts != out.tiers[0].radixDown || hosts == 0)
                return cannotSay(m_name, i18n("access switches have {} and {} server ports", out.tiers[0].radixDown, hosts));
        }
        return {};
    }

    /// Links between a tier and the next one: as many from each, to as many, in equal bundles.
    Result<void> between(std::size_t t, HtsimTopology& out)
    {
        auto &lower = out.tiers[t], &upper = out.tiers[t + 1];
        std::map<std::uint32_t, std::uint32_t> up, down;
        std::uint32_t bundle = 0;
        for (const auto& trunk : m_f.trunks) {
            const auto a = m_tierOf.find(trunk.a), b = m_tierOf.find(trunk.b);
            if (a == m_tierOf.end() || b == m_tierOf.end() || a->second != t) continue;
            if (b->second != t + 1) return cannotSay(m_name, i18n("links connect tiers {} and {}", a->second, b->second));
            const std::int64_t each = trunk.gbps / trunk.links;
            if (bundle == 0) bundle = trunk.links, upper.gbps = each;
            if (trunk.links != bundle)
                return cannotSay(m_name, i18n("{} and {} parallel links between switches of tiers {} and {}", bundle, trunk.links, t, t + 1));
            if (each != upper.gbps) return cannotSay(m_name, i18n("links of {} and {} Gb/s between tiers {} and {}", upper.gbps, each, t, t + 1));
            up[trunk.a] += trunk.links, down[trunk.b] += trunk.links;
            m_above[trunk.a].push_back(trunk.b);
        }
        upper.bundle = bundle;
        for (const auto v : m_levels[t]) {
            if (lower.radixUp == 0) lower.radixUp = up[v];
            if (up[v] != lower.radixUp || up[v] == 0)
                return cannotSay(m_name, i18n("switches of tier {} have {} and {} uplink ports", t, lower.radixUp, up[v]));
        }
        for (const auto v : m_levels[t + 1]) {
            if (upper.radixDown == 0) upper.radixDown = down[v];
            if (down[v] != upper.radixDown || down[v] == 0)
                return cannotSay(m_name, i18n("switches of tier {} have {} and {} downlink ports", t + 1, upper.radixDown, down[v]));
        }
        return {};
    }

    /// In two tiers all is one pod. In three, what is joined below the cores is one, all access switches of it reach all its aggregation
    /// switches, and the n-th aggregation switch of every pod reaches the same cores.
    Result<void> pods(HtsimTopology& out)
    {
        std::vector<std::vector<std::uint32_t>> pods;
        if (m_levels.size() == 2) {
            pods.push_back(m_levels[0]);
        } else {
            DisjointSets joined(m_graph.switchCount());
            for (const auto v : m_levels[0])
                for (const auto above : m_above[v]) joined.join(v, above);
            std::map<std::uint32_t, std::size_t> podOf;
            for (const auto v : m_levels[0]) {
                const auto [found, fresh] = podOf.emplace(joined.find(v), pods.size());
                if (fresh) pods.emplace_back();
                pods[found->second].push_back(v);
            }
            if (auto ok = cores(joined, pods.size()); !ok) return ok;
        }
        for (const auto& pod : pods) {
            const auto& first = m_above[pod.front()];
            for (const auto v : pod) {
                if (m_above[v] != first) return cannotSay(m_name, i18n("access switches of one pod reach different aggregation switches"));
                for (const auto gpu : m_hostsOf[v]) out.hosts.push_back(gpu);
            }
            if (pod.size() != pods.front().size())
                return cannotSay(m_name, i18n("pods have {} and {} access switches", pods.front().size(), pod.size()));
        }
        out.podSize = std::uint32_t(pods.front().size()) * out.tiers[0].radixDown;
        return {};
    }

    Result<void> cores(DisjointSets& joined, std::size_t pods)
    {
        std::map<std::uint32_t, std::vector<std::uint32_t>> aggs; // by pod, in order
        for (const auto v : m_levels[1]) aggs[joined.find(v)].push_back(v);
        if (aggs.size() != pods) return cannotSay(m_name, i18n("aggregation switches without access switches"));
        const auto& first = aggs.begin()->second;
        std::map<std::uint32_t, std::size_t> groupOf; // of cores
        for (const auto& [pod, list] : aggs) {
            if (list.size() != first.size()) return cannotSay(m_name, i18n("pods have {} and {} aggregation switches", first.size(), list.size()));
            for (std::size_t i = 0; i < list.size(); ++i) {
                if (m_above[list[i]] != m_above[first[i]])
                    return cannotSay(m_name, i18n("aggregation switch {} of two pods reaches different core switches", i + 1));
                for (const auto core : m_above[list[i]])
                    if (groupOf.emplace(core, i).first->second != i)
                        return cannotSay(m_name, i18n("a core switch is connected to several aggregation switches of a pod"));
            }
        }
        return {};
    }

    const SimFabric& m_f;
    const sim::FabricGraph& m_graph;
    std::string m_name;
    std::vector<std::pair<std::uint32_t, sim::FabricGraph::HostPort>> m_ports;
    std::vector<std::uint32_t> m_switches;
    std::vector<std::vector<std::uint32_t>> m_levels;              ///< from the servers up
    std::map<std::uint32_t, std::size_t> m_tierOf;                 ///< by switch
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_hostsOf; ///< by access switch
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_above;   ///< by switch, ascending
};

} // namespace

Result<void> checkHtsim(const HtsimTopology& t)
{
    const auto& tiers = t.tiers;
    const auto refuse = [&](Text what) -> Result<void> { return cannotSay(t.name, std::move(what)); };
    const std::size_t nodes = t.hosts.size();
    if (tiers.size() < 2 || tiers.size() > 3) return refuse(i18n("it has {} switch tiers, not two or three", tiers.size()));
    if (nodes == 0 || t.podSize == 0 || nodes % t.podSize != 0) return refuse(i18n("{} hosts do not fill pods of {}", nodes, t.podSize));
    if (tiers[0].bundle != 1) return refuse(i18n("servers have several links to one switch"));
    for (std::size_t i = 0; i < tiers.size(); ++i) {
        const auto& tier = tiers[i];
        if (tier.radixDown == 0 || tier.gbps <= 0 || tier.bundle == 0 || tier.radixDown % tier.bundle != 0)
            return refuse(i18n("{} downlink ports in tier {} are not a multiple of its {} parallel links", tier.radixDown, i, tier.bundle));
        if (i + 1 < tiers.size() && (tier.radixUp == 0 || tier.radixUp % tiers[i + 1].bundle != 0))
            return refuse(i18n("{} uplink ports in tier {} are not a multiple of {} parallel links", tier.radixUp, i, tiers[i + 1].bundle));
    }
    if (t.podSize % tiers[0].radixDown != 0)
        return refuse(i18n("a pod of {} hosts does not fill switches with {} downlink ports", t.podSize, tiers[0].radixDown));
    if (tiers[0].radixDown / tiers[0].radixUp != tiers[0].oversubscribed || tiers[0].radixDown % tiers[0].radixUp != 0)
        return refuse(i18n("{} ports down and {} up in tier {} give a fractional oversubscription", tiers[0].radixDown, tiers[0].radixUp, 0));
    const std::size_t pods = nodes / t.podSize;
    // htsim counts uplinks by capacity and aggregation switches by uplinks.
    const auto wholeOf = [](std::size_t a, std::size_t b) { return b > 0 && a % b == 0; };
    std::size_t below = nodes * std::size_t(tiers[0].gbps), above = std::size_t(tiers[1].gbps) * tiers[0].oversubscribed;
    if (!wholeOf(below, above)) return refuse(i18n("the capacity of server links does not fill links of {} Gb/s", tiers[1].gbps));
    const std::size_t uplinks = below / above;
    if (!wholeOf(uplinks, pods * tiers[1].radixDown))
        return refuse(i18n("{} uplinks do not fill aggregation switches with {} downlink ports", uplinks, tiers[1].radixDown));
    const std::size_t aggs = uplinks / (pods * tiers[1].radixDown);
    if (aggs * tiers[1].bundle != tiers[0].radixUp)
        return refuse(i18n("it derives {} uplinks per access switch from rates of {} and {} Gb/s, the fabric has {}", aggs * tiers[1].bundle,
                           tiers[0].gbps, tiers[1].gbps, tiers[0].radixUp));
    if (tiers.size() == 2) return {};
    below = uplinks * std::size_t(tiers[1].gbps), above = std::size_t(tiers[2].gbps) * tiers[1].oversubscribed;
    if (!wholeOf(below, above) || !wholeOf(below / above, tiers[2].radixDown))
        return refuse(i18n("uplinks of the aggregation switches do not fill core switches with {} downlink ports", tiers[2].radixDown));
    const std::size_t cores = below / above / tiers[2].radixDown;
    if (!wholeOf(cores, aggs) || cores * tiers[2].bundle / aggs != tiers[1].radixUp)
        return refuse(i18n("it derives {} core switches for {} aggregation switches with {} uplink ports", cores, aggs, tiers[1].radixUp));
    return {};
}

Result<std::vector<HtsimTopology>> htsimTopologies(const SimFabric& f)
{
    const sim::FabricGraph& graph = *f.fabric.graph;
    if (f.fabric.nicsPerHost == 1 && f.fabric.gpusPerHost > 1)
        return cannotSay(f.network, i18n("servers have one NIC for {} GPUs", f.fabric.gpusPerHost));
    std::vector<HtsimTopology> out;
    for (int p = 0; p < graph.portsPerNic(); ++p) {
        std::vector<std::pair<std::uint32_t, sim::FabricGraph::HostPort>> ports;
        for (std::uint32_t gpu = 0; gpu < f.gpus(); ++gpu) {
            const auto own = f.fabric.ports(gpu);
            if (std::size_t(p) >= own.size() || own[std::size_t(p)].access == sim::FabricGraph::kNone)
                return cannotSay(f.network,
                                 i18n("port {} of the NIC of GPU {} of {} is not connected", p + 1, gpu % f.fabric.gpusPerHost + 1, f.hostName(gpu)));
            ports.emplace_back(gpu, own[std::size_t(p)]);
        }
        // Access switches of this port, and all above them, by parts that hang together over them.
        std::vector<char> reached(graph.switchCount(), 0);
        for (const auto& [gpu, port] : ports) reached[port.access] = 1;
        std::vector<std::uint32_t> front;
        for (const auto v : f.switches)
            if (reached[v]) front.push_back(v);
        DisjointSets parts(graph.switchCount());
        while (!front.empty()) {
            std::vector<std::uint32_t> next;
            for (const auto v : front)
                for (const auto& arc : graph.upArcs(v)) {
                    parts.join(v, arc.to);
                    if (!reached[arc.to]) reached[arc.to] = 1, next.push_back(arc.to);
                }
            front = std::move(next);
        }
        std::map<std::uint32_t, std::size_t> partOf;
        std::vector<std::vector<std::pair<std::uint32_t, sim::FabricGraph::HostPort>>> portsOf;
        std::vector<std::vector<std::uint32_t>> switchesOf;
        for (const auto& entry : ports) {
            const auto [found, fresh] = partOf.emplace(parts.find(entry.second.access), portsOf.size());
            if (fresh) portsOf.emplace_back(), switchesOf.emplace_back();
            portsOf[found->second].push_back(entry);
        }
        for (const auto v : f.switches)
            if (reached[v])
                if (const auto found = partOf.find(parts.find(v)); found != partOf.end()) switchesOf[found->second].push_back(v);
        for (std::size_t part = 0; part < portsOf.size(); ++part) {
            const std::string name = portsOf.size() == 1 ? fmt::format("plane{}", p + 1) : fmt::format("plane{}-part{}", p + 1, part + 1);
            auto topology = HtsimPart(f, name, std::move(portsOf[part]), std::move(switchesOf[part])).topology();
            if (!topology) return tl::unexpected(topology.error());
            out.push_back(std::move(*topology));
        }
    }
    return out;
}

std::string htsimText(const HtsimTopology& t, double linkNs)
{
    std::string out = fmt::format(
        "# {}: {} hosts, a host is a NIC port; queues and latencies are assumed\nNodes {}\nTiers {}\nPodsize {}\n", // no text: of another program
        t.name,                                                                                                     // no text: of another program
        t.hosts.size(), t.hosts.size(), t.tiers.size(), t.podSize);
    for (std::size_t i = 0; i < t.tiers.size(); ++i) {
        const auto& tier = t.tiers[i];
        const bool top = i + 1 == t.tiers.size();
        out += fmt::format("Tier {}\nDownlink_speed_Gbps {}\n", i, tier.gbps);
        if (!top) out += fmt::format("Radix_Up {}\n", tier.radixUp);
        out += fmt::format("Radix_Down {}\n", tier.radixDown);
        if (!top) out += fmt::format("Queue_up {}\n", kQueueBytes);
        out += fmt::format("Queue_down {}\n", kQueueBytes);
        if (!top) out += fmt::format("Oversubscribed {}\n", tier.oversubscribed);
        if (tier.bundle > 1) out += fmt::format("Bundle {}\n", tier.bundle);
        out += fmt::format("Downlink_Latency_ns {:.0f}\nSwitch_Latency_ns {}\n", std::max(1.0, linkNs), kSwitchNs);
    }
    return out;
}

std::string htsimConnections(std::size_t hosts, std::size_t shift, std::int64_t bytes)
{
    std::string out = fmt::format("Nodes {}\nConnections {}\n", hosts, hosts);
    for (std::size_t h = 0; h < hosts; ++h) out += fmt::format("{}->{} id {} start 0 size {}\n", h, (h + shift) % hosts, h + 1, bytes);
    return out;
}

} // namespace hw::importers
