// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/graph.h"

#include "core/foundation/catalog/catalog.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

namespace hw::proof {

namespace {

constexpr std::uint16_t kWhole = 0xFFFF; ///< all ports of a device that forwards are one NIC; else it is the card

} // namespace

std::vector<NetworkId> carriersOf(const Snapshot& s, NetworkId network, std::span<const std::vector<LinkEnds>> linksByNetwork)
{
    std::vector<NetworkId> result{network};
    for (std::size_t i = 0; i < result.size(); ++i)
        for (const auto& link : linksByNetwork[result[i].value])
            for (const PortId port : {link.from, link.to}) {
                const TierId tier = s.devices.tier[s.ports.device[port]];
                const auto role = s.ports.role[port];
                const auto other = s.tiers.network[tier];
                if (s.tiers.kind[tier] != TierKind::Switch || !other || role == PortRole::Host || role == PortRole::Up) continue;
                if (std::ranges::find(result, *other) == result.end()) result.push_back(*other);
            }
    return result;
}

Graph::Graph(const Snapshot& snapshot, const ProjectParts& parts, std::span<const NetworkId> networks, std::span<const LinkEnds> links)
    : m_s(&snapshot), m_networks(networks), m_links(links), m_planes(std::max<int>(snapshot.networks.planes[networks.front()], 1)),
      m_rails(std::max<int>(snapshot.networks.rails[networks.front()], 1)), m_cards(parts)
{
    m_cabled.assign(m_s->ports.nextId(), 0);
    for (const auto& link : m_links) m_cabled[link.from.value] = m_cabled[link.to.value] = 1;
    makeVertices();
    makeNics();
    makeArcs();
    makeGroups(attachNics());
}

bool Graph::isMember(Maybe<NetworkId> network) const { return network && std::ranges::find(m_networks, *network) != m_networks.end(); }

void Graph::makeVertices()
{
    const auto& d = m_s->devices;
    const auto isSwitchTier = [&](TierId tier) { return m_s->tiers.kind[tier] == TierKind::Switch && isMember(m_s->tiers.network[tier]); };
    std::vector<std::uint8_t> peer(d.nextId(), 0);
    for (const auto& link : m_links) {
        const DeviceId a = m_s->ports.device[link.from], b = m_s->ports.device[link.to];
        const bool peers = m_s->ports.role[link.from] == PortRole::Peer && m_s->ports.role[link.to] == PortRole::Peer;
        if (peers && !isSwitchTier(d.tier[a]) && !isSwitchTier(d.tier[b])) peer[a.value] = peer[b.value] = 1;
    }
    m_vertexOf.assign(d.nextId(), kNone);
    d.forEach([&](DeviceId id) {
        const TierId tier = d.tier[id];
        const bool isSwitch = isSwitchTier(tier);
        if (!isSwitch && !peer[id.value]) return;
        m_vertexOf[id.value] = vertexCount();
        m_vertices.push_back({id, tier, m_s->tiers.level[tier], d.pod[id], d.segment[id], d.rail[id], d.plane[id], !isSwitch});
    });
}

void Graph::makeNics()
{
    struct Key {
        DeviceId device;
        std::uint16_t label;
        PortId port;
        auto operator<=>(const Key&) const = default;
    };
    std::vector<Key> keys;
    m_s->ports.forEach([&](PortId port) {
        if (m_s->ports.medium[port] != Medium::Data || !isMember(m_s->ports.network[port])) return;
        const DeviceId device = m_s->ports.device[port];
        const auto v = m_vertexOf[device.value];
        if (v != kNone && !m_vertices[v].endDevice) return;
        const bool foreign = m_s->tiers.kind[m_s->devices.tier[device]] == TierKind::Switch; // a switch of another network joins as one
        keys.push_back({device, v != kNone || foreign ? kWhole : m_cards.orOwn(*m_s, port), port});
    });
    if (!std::ranges::is_sorted(keys)) std::ranges::sort(keys);
    m_nicOfPort.assign(m_s->ports.nextId(), kNone);
    m_nicPorts.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key& key = keys[i];
        const bool sameDevice = i > 0 && keys[i - 1].device == key.device;
        if (!sameDevice || keys[i - 1].label != key.label)
            m_nics.push_back({key.device, key.label, std::uint16_t(sameDevice ? m_nics.back().ordinal + 1 : 0), false});
        m_nics.back().own |= m_s->ports.network[key.port] == network();
        m_nicOfPort[key.port.value] = std::uint32_t(m_nics.size() - 1);
        m_nicPorts.push_back(key.port);
    }
}

void Graph::makeArcs()
{
    struct Ends {
        std::uint32_t a, b;
        std::int64_t gbps;
    };
    std::vector<Ends> ends;
    m_arcStart.assign(vertexCount() + 1, 0);
    for (const auto& link : m_links) {
        const auto a = m_vertexOf[m_s->ports.device[link.from].value], b = m_vertexOf[m_s->ports.device[link.to].value];
        if (a == kNone || b == kNone || a == b) continue;
        ends.push_back({a, b, std::min(m_s->ports.rate[link.from], m_s->ports.rate[link.to]).count()});
        ++m_arcStart[a + 1], ++m_arcStart[b + 1];
    }
    std::partial_sum(m_arcStart.begin(), m_arcStart.end(), m_arcStart.begin());
    m_arcs.resize(m_arcStart.back());
    auto fill = m_arcStart;
    for (const auto& e : ends) {
        m_arcs[fill[e.a]++] = {e.b, 1, e.gbps};
        m_arcs[fill[e.b]++] = {e.a, 1, e.gbps};
    }
    std::uint32_t out = 0; // parallel cables become one arc, in place
    for (std::uint32_t v = 0; v < vertexCount(); ++v) {
        const std::uint32_t begin = m_arcStart[v], end = m_arcStart[v + 1];
        std::sort(m_arcs.begin() + begin, m_arcs.begin() + end);
        m_arcStart[v] = out;
        for (std::uint32_t i = begin; i < end; ++i) {
            if (i > begin && m_arcs[i].to == m_arcs[out - 1].to) {
                ++m_arcs[out - 1].cables;
                m_arcs[out - 1].gbps += m_arcs[i].gbps;
            } else {
                m_arcs[out++] = m_arcs[i];
            }
        }
    }
    m_arcStart[vertexCount()] = out;
    m_arcs.resize(out);
}

/// One entry per NIC and vertex, sorted by both; a NIC of a forwarding device depends on that device.
std::vector<Graph::RawAttachment> Graph::attachNics() const
{
    std::vector<RawAttachment> raw;
    for (const auto& link : m_links) {
        for (const auto& [port, other] : {std::pair(link.from, link.to), std::pair(link.to, link.from)}) {
            const auto nic = m_nicOfPort[port.value];
            if (nic == kNone) continue;
            const auto own = m_vertexOf[m_s->ports.device[port].value], far = m_vertexOf[m_s->ports.device[other].value];
            const auto at = own != kNone ? own : far;
            if (at == kNone) continue;
            raw.push_back({nic, {at, 1, std::min(m_s->ports.rate[link.from], m_s->ports.rate[link.to]).count(), own != kNone}});
        }
    }
    std::ranges::sort(raw, {}, [](const RawAttachment& r) { return std::pair(r.nic, r.attachment.vertex); });
    std::size_t out = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (out > 0 && raw[out - 1].nic == raw[i].nic && raw[out - 1].attachment.vertex == raw[i].attachment.vertex) {
            ++raw[out - 1].attachment.cables;
            raw[out - 1].attachment.gbps += raw[i].attachment.gbps;
        } else {
            raw[out++] = raw[i];
        }
    }
    raw.resize(out);
    return raw;
}

/// Place of a NIC. Its rail is that of the switches that it is cabled to, the first of several; where they tell none, its number.
Graph::Group Graph::groupOf(const Nic& nic, std::span<const Attachment> attachments) const
{
    const auto& d = m_s->devices;
    Group g;
    g.tier = d.tier[nic.device];
    g.backup = d.role[nic.device] == DeviceRole::Backup;
    g.own = nic.own;
    g.pod = d.pod[nic.device];
    g.segment = d.segment[nic.device];
    if (m_rails < 2) return g;
    for (const auto& a : attachments)
        if (const auto rail = m_vertices[a.vertex].rail; rail >= 0 && (g.rail < 0 || rail < g.rail)) g.rail = rail;
    if (g.rail < 0 && nic.ordinal < m_rails) g.rail = std::int16_t(nic.ordinal);
    return g;
}

void Graph::makeGroups(std::vector<RawAttachment> raw)
{
    std::unordered_multimap<std::uint64_t, std::uint32_t> known;
    std::vector<std::uint32_t> groupOfNic(m_nics.size());
    std::vector<Attachment> own;
    std::uint32_t last = kNone; // neighbors in the table are often twins
    const auto place = [](const Group& g) { return std::tuple(g.tier, g.backup, g.own, g.pod, g.segment, g.rail); };
    const auto same = [&](const Group& g, std::uint32_t other) {
        return place(g) == place(m_groups[other]) && std::ranges::equal(own, attachments(m_groups[other]));
    };
    for (std::uint32_t nic = 0, next = 0; nic < m_nics.size(); ++nic) {
        own.clear();
        for (; next < raw.size() && raw[next].nic == nic; ++next) own.push_back(raw[next].attachment);
        Group g = groupOf(m_nics[nic], own);
        if (last == kNone || !same(g, last)) {
            std::uint64_t hash =
                (std::uint64_t(std::uint16_t(g.pod)) << 32) ^ (std::uint64_t(std::uint16_t(g.segment)) << 16) ^ std::uint16_t(g.rail);
            for (const auto& a : own) hash = (hash ^ a.vertex ^ std::uint64_t(a.cables) << 40) * 0x9e3779b97f4a7c15ull;
            const auto [begin, end] = known.equal_range(hash);
            const auto found = std::find_if(begin, end, [&](const auto& entry) { return same(g, entry.second); });
            if (found == end) {
                g.attachmentStart = std::uint32_t(m_attachments.size());
                m_attachments.insert(m_attachments.end(), own.begin(), own.end());
                g.attachmentEnd = std::uint32_t(m_attachments.size());
                last = std::uint32_t(m_groups.size());
                m_groups.push_back(g);
                known.emplace(hash, last);
            } else {
                last = found->second;
            }
        }
        groupOfNic[nic] = last;
        ++m_groups[last].nicEnd;
    }
    std::uint32_t start = 0;
    for (auto& g : m_groups) {
        const std::uint32_t count = g.nicEnd;
        g.nicStart = g.nicEnd = start;
        start += count;
    }
    m_groupNics.resize(m_nics.size());
    for (std::uint32_t nic = 0; nic < m_nics.size(); ++nic) m_groupNics[m_groups[groupOfNic[nic]].nicEnd++] = nic;
}

std::string Graph::vertexName(std::uint32_t v) const { return m_s->devices.name[m_vertices[v].device]; }

std::string Graph::nicName(std::uint32_t nic) const
{
    const Nic& n = m_nics[nic];
    const auto& device = m_s->devices.name[n.device];
    if (n.label == kWhole) return device;
    if (n.label >= CardsOfTypes::kUnlisted) return fmt::format("{} port {}", device, n.label - CardsOfTypes::kUnlisted + 1);
    const auto& label = m_cards.ofType(m_s->devices.type[n.device]).names[n.label];
    return label.empty() ? device : device + " " + label;
}

std::string Graph::tierName(TierId tier) const { return m_s->tiers.kind[tier] == TierKind::Server ? "server" : m_s->tiers.name[tier]; }

NetworkGraph::NetworkGraph(const Snapshot& s, const ProjectParts& parts, NetworkId network, std::span<const std::vector<LinkEnds>> byNetwork)
    : m_networks(carriersOf(s, network, byNetwork))
{
    if (m_networks.size() > 1) {
        for (const NetworkId id : m_networks) m_together.insert(m_together.end(), byNetwork[id.value].begin(), byNetwork[id.value].end());
        std::ranges::sort(m_together, {}, &LinkEnds::link);
        m_together.erase(std::ranges::unique(m_together, {}, &LinkEnds::link).begin(), m_together.end());
    }
    m_graph.emplace(s, parts, m_networks, m_networks.size() > 1 ? m_together : byNetwork[network.value]);
}

} // namespace hw::proof
