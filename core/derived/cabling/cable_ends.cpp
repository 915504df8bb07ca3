// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_ends.h"

#include <algorithm>
#include <utility>

namespace hw {

namespace {

constexpr std::size_t kMostLinks = 64; ///< of one cable; beyond, no assembly is looked for

} // namespace

Sockets::Sockets(const Snapshot& snapshot, const ProjectParts& parts) : m_snapshot(snapshot), m_parts(parts)
{
    m_first.assign(snapshot.devices.nextId(), 0);
    std::size_t next = 0;
    snapshot.devices.forEach([&](DeviceId id) {
        m_first[id.value] = std::uint32_t(next);
        next += parts.device(snapshot.devices.type[id]).interfaces.size() + 1; // the last: cages that the type does not know
    });
    m_size = next;
}

std::uint32_t Sockets::of(CageId cage) const
{
    const DeviceId device = m_snapshot.cages.device[cage];
    const auto& interfaces = m_parts.device(m_snapshot.devices.type[device]).interfaces;
    const std::size_t number = m_snapshot.cages.number[cage];
    return m_first[device.value] + std::uint32_t(number < interfaces.size() ? interfaces[number].socket : interfaces.size());
}

CableEnds::CableEnds(const Snapshot& snapshot, const ProjectParts& parts, CableChoice& choice)
    : m_snapshot(snapshot), m_parts(parts), m_choice(choice), m_rules(SocketRules::of(snapshot.partTypes, parts)),
      m_known(snapshot.partTypes.nextId()), m_peer(snapshot.cages.nextId())
{
    const auto meet = [&](CageId cage, CageId peer) {
        if (snapshot.cages.split[cage] > 1 && !m_peer[cage.value]) m_peer[cage.value] = peer;
    };
    snapshot.links.forEach([&](LinkId link) {
        const CageId from = snapshot.ports.cage[snapshot.links.from[link]], to = snapshot.ports.cage[snapshot.links.to[link]];
        meet(from, to);
        meet(to, from);
    });
}

const Interface& CableEnds::interfaceOf(CageId cage) const
{
    static const Interface kNone{};
    const auto& interfaces = m_parts.device(m_snapshot.devices.type[m_snapshot.cages.device[cage]]).interfaces;
    const std::size_t number = m_snapshot.cages.number[cage];
    return number < interfaces.size() ? interfaces[number] : kNone;
}

CableEnds::Known& CableEnds::known(CageId cage)
{
    auto& type = m_known[m_snapshot.devices.type[m_snapshot.cages.device[cage]].value];
    const std::size_t number = m_snapshot.cages.number[cage];
    if (number >= type.size()) type.resize(number + 1);
    Known& entry = type[number];
    if (!entry.interface) {
        entry.interface = &interfaceOf(cage);
        entry.kind = m_choice.kindNumber(*entry.interface);
    }
    return entry;
}

int CableEnds::connectorsOf(CageId cage)
{
    const int split = std::max<int>(1, m_snapshot.cages.split[cage]);
    Known& entry = known(cage);
    if (const auto module = m_snapshot.cages.module[cage]; module && entry.interface->perSocket() == 1) {
        const int own = m_parts.transceiver(*module).connectors;
        return split % own == 0 ? own : 1;
    }
    const auto peer = m_peer[cage.value];
    if (split == 1 || !peer) return 1;
    const int peerSplit = std::max<int>(1, m_snapshot.cages.split[*peer]);
    const Interface& own = *entry.interface;
    const Known& far = known(*peer);
    auto& meetings = known(cage).meetings;
    const auto same = [&](const Meeting& m) { return m.split == split && m.peerKind == far.kind && m.peerSplit == peerSplit; };
    if (const auto found = std::find_if(meetings.begin(), meetings.end(), same); found != meetings.end()) return found->connectors;
    meetings.push_back({split, far.kind, peerSplit, m_rules.connectors(own, split, *far.interface, peerSplit)});
    return meetings.back().connectors;
}

Jack CableEnds::jackOf(PortId port)
{
    const CageId cage = m_snapshot.ports.cage[port];
    const int split = std::max<int>(1, m_snapshot.cages.split[cage]);
    return {cage, std::uint8_t(m_snapshot.ports.lane[port] * connectorsOf(cage) / split)};
}

CableEnd CableEnds::endOf(const Jack& jack)
{
    const int split = std::max<int>(1, m_snapshot.cages.split[jack.cage]), connectors = connectorsOf(jack.cage);
    const Known& entry = known(jack.cage);
    CableEnd end;
    end.kind = entry.kind;
    end.jacks = 0;
    end.ports = std::uint8_t(split / connectors);
    end.connectors = std::uint8_t(connectors * entry.interface->perSocket());
    end.module = m_snapshot.cages.module[jack.cage];
    return end;
}

std::size_t CableEnds::seen(const Jack& jack)
{
    const auto found = std::find_if(m_jacks.begin(), m_jacks.end(), [&](const Seen& s) { return s.jack == jack; });
    if (found != m_jacks.end()) return std::size_t(found - m_jacks.begin());
    m_jacks.push_back({jack, -1});
    return m_jacks.size() - 1;
}

/// Every link joins the two sides; false where that cannot be.
bool CableEnds::takeSides()
{
    m_flipped.assign(m_links.size(), 0);
    for (const auto& start : m_links) {
        if (m_jacks[start[0]].side >= 0) continue;
        if (m_jacks[start[1]].side < 0) m_jacks[start[0]].side = 0;
        for (bool changed = true; std::exchange(changed, false);)
            for (const auto& [a, b] : m_links) {
                auto &from = m_jacks[a].side, &to = m_jacks[b].side;
                if ((from < 0) == (to < 0)) continue;
                (from < 0 ? from : to) = std::int8_t(1 - std::max(from, to));
                changed = true;
            }
    }
    bool sound = true;
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        const auto [a, b] = m_links[i];
        sound = sound && m_jacks[a].side != m_jacks[b].side;
        m_flipped[i] = m_jacks[a].side == 1;
    }
    return sound;
}

int CableEnds::mostParallel() const
{
    int most = 1;
    for (std::size_t i = 0; i < m_links.size(); ++i) {
        int same = 1;
        for (std::size_t k = 0; k < i; ++k)
            same += (m_links[k][0] == m_links[i][0] && m_links[k][1] == m_links[i][1]) ||
                    (m_links[k][0] == m_links[i][1] && m_links[k][1] == m_links[i][0]);
        most = std::max(most, same);
    }
    return most;
}

/// The connectors of one side; false where they are not all alike.
bool CableEnds::gather(std::int8_t side, CableEnd& end)
{
    bool first = true, alike = true;
    for (const Seen& s : m_jacks) {
        if (s.side != side) continue;
        CableEnd own = endOf(s.jack);
        if (std::exchange(first, false)) end = own;
        own.jacks = end.jacks;
        alike = alike && own == end;
        ++end.jacks;
    }
    return alike;
}

CableClass CableEnds::classOf(std::span<const LinkId> links)
{
    const auto& l = m_snapshot.links;
    CableClass key;
    key.rateGbps = m_snapshot.ports.rate[l.from[links.front()]].count();
    m_jacks.clear();
    m_links.clear();
    const std::size_t looked = std::min(links.size(), kMostLinks);
    for (const LinkId link : links.first(looked)) m_links.push_back({seen(jackOf(l.from[link])), seen(jackOf(l.to[link]))});
    const bool bipartite = takeSides();
    m_flipped.resize(links.size(), 0);
    const bool from = gather(0, key.from), to = gather(1, key.to);
    key.shape = bipartite && from && to && looked == links.size() ? CableShape::of(key.from, key.to, mostParallel()) : CableShape{0, 0};
    return key;
}

} // namespace hw
