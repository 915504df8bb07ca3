// SPDX-License-Identifier: GPL-3.0-or-later
// A cable has connectors on both sides, a connector positions (lanes, or pairs of fibers); profiles say which of one side belongs to which of the
// other. Front ports lie on positions of rear ports.
#include "importers/netbox/inventory/wiring.h"

#include "importers/netbox/inventory/values.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::importers::netbox_in {

namespace {

constexpr int kMostPanels = 16;
constexpr std::size_t kMostWays = 64; ///< of one port

struct Way {
    PortAt end;
    std::vector<std::size_t> cables;
    std::vector<Crossing> panels;
};

/// Connector and position on the other side of a shuffle, from 1 (NetBox dcim/cable_profiles.py).
std::optional<std::pair<int, int>> shuffled(const std::string& profile, int side, int connector, int position)
{
    if (profile == "trunk-4c4p-shuffle") return std::pair(position, connector);
    const int half = (position - 1) / 2, place = (position - 1) % 2 + 1; // two halves of a connector of four
    if (profile == "trunk-2c4p-shuffle") return std::pair(half + 1, (connector - 1) * 2 + place);
    if (profile != "breakout-2c4p-8c1p-shuffle") return std::nullopt;
    if (side == 0) return std::pair(half * 4 + (connector - 1) * 2 + place, 1);
    return std::pair((connector - 1) / 2 % 2 + 1, (connector - 1) / 4 * 2 + (connector - 1) % 2 + 1);
}

class Follower {
public:
    explicit Follower(Inventory& inventory) : m(inventory)
    {
        for (std::size_t c = 0; c < m.cables.size(); ++c)
            for (int side = 0; side < 2; ++side)
                for (std::size_t i = 0; i < m.cables[c].sides[std::size_t(side)].size(); ++i)
                    if (const CableEnd& end = m.cables[c].sides[std::size_t(side)][i]; end.port != kNone)
                        if (!m_plugs.emplace(PortAt{end.kind, end.port}, Plug{c, side, int(i)}).second) m_twice.push_back(c);
        const auto& fronts = m.of(PortKind::Front);
        for (std::size_t f = 0; f < fronts.size(); ++f)
            for (const Mapping& mapping : fronts[f].mappings) m_fronts[{mapping.onRear, mapping.rearPosition}].push_back({f, mapping.position});
    }

    Wiring run()
    {
        for (const PortKind kind : {PortKind::Interface, PortKind::PowerPort})
            for (std::size_t i = 0; i < m.of(kind).size(); ++i) trace({kind, i});
        Wiring wiring;
        collect(wiring);
        tellOthers();
        return wiring;
    }

private:
    struct Plug {
        std::size_t cable;
        int side, connector; ///< from 0
    };
    struct Peer {
        CableEnd end;
        int lane; ///< position within its connector, 0 = all
    };

    void trace(PortAt from)
    {
        const auto plug = m_plugs.find(from);
        if (plug == m_plugs.end()) return;
        std::vector<Way> ways;
        m_circuit = false;
        follow(from, 0, {}, ways);
        std::set<PortAt> ends;
        std::erase_if(ways, [&](const Way& way) { return way.end == from || !ends.insert(way.end).second; });
        if (ways.empty() && !m_circuit && !isLost(plug->second.cable)) m_open.push_back(from);
        if (!ways.empty()) m_ways.emplace(from, std::move(ways));
    }

    /// Whether a cable ends at something that was not read.
    [[nodiscard]] bool isLost(std::size_t cable) const
    {
        const auto lost = [](const CableEnd& end) { return end.port == kNone && end.kind != PortKind::Circuit && end.kind != PortKind::Console; };
        return std::ranges::any_of(m.cables[cable].sides, [&](const auto& side) { return std::ranges::any_of(side, lost); });
    }

    /// What is plugged in at the other side of a connector.
    std::vector<Peer> across(const Plug& plug, int lane) const
    {
        const Cable& cable = m.cables[plug.cable];
        const auto& own = cable.sides[std::size_t(plug.side)];
        const auto& others = cable.sides[std::size_t(1 - plug.side)];
        std::vector<Peer> peers;
        const int connector = plug.connector + 1;
        if (cable.profile.ends_with("-shuffle")) {
            const int positions = cable.profile.starts_with("breakout") && plug.side == 1 ? 1 : 4;
            for (int position = lane > 0 ? lane : 1; position <= (lane > 0 ? lane : positions); ++position)
                if (const auto to = shuffled(cable.profile, plug.side, connector, position);
                    to && to->first >= 1 && std::size_t(to->first) <= others.size())
                    peers.push_back({others[std::size_t(to->first - 1)], to->second});
            return peers;
        }
        if (own.size() == others.size()) return {{others[std::size_t(plug.connector)], lane}};
        if (others.size() == 1) return {{others.front(), connector}};
        if (own.size() == 1) {
            for (std::size_t i = 0; i < others.size(); ++i)
                if (lane == 0 || std::size_t(lane) == i + 1) peers.push_back({others[i], 0});
            return peers;
        }
        return peers; // so many to so many others: nothing says which
    }

    void follow(PortAt at, int lane, Way way, std::vector<Way>& ways)
    {
        const auto plug = m_plugs.find(at);
        if (plug == m_plugs.end() || way.panels.size() > kMostPanels || ways.size() >= kMostWays) return;
        if (std::ranges::find(way.cables, plug->second.cable) != way.cables.end()) return; // a ring
        way.cables.push_back(plug->second.cable);
        for (const Peer& peer : across(plug->second, lane)) {
            if (peer.end.kind == PortKind::Circuit) m_circuit = true, m_circuits.insert(plug->second.cable);
            if (peer.end.port == kNone) continue;
            const PortAt next{peer.end.kind, peer.end.port};
            if (next.kind == PortKind::Front)
                throughFront(next.port, peer.lane, way, ways);
            else if (next.kind == PortKind::Rear)
                throughRear(next.port, peer.lane, way, ways);
            else {
                way.end = next;
                ways.push_back(way);
            }
        }
    }
    void throughFront(std::size_t front, int lane, const Way& way, std::vector<Way>& ways)
    {
        const Port& port = m.of(PortKind::Front)[front];
        for (const Mapping& mapping : port.mappings) {
            if (lane > 0 && port.mappings.size() > 1 && mapping.position != lane) continue;
            Way further = way;
            further.panels.push_back({front});
            follow({PortKind::Rear, mapping.onRear}, mapping.rearPosition, std::move(further), ways);
        }
    }
    void throughRear(std::size_t rear, int lane, const Way& way, std::vector<Way>& ways)
    {
        const auto first = m_fronts.lower_bound({rear, lane > 0 ? lane : 0});
        for (auto it = first; it != m_fronts.end() && it->first.first == rear && (lane == 0 || it->first.second == lane); ++it)
            for (const auto& [front, position] : it->second) {
                Way further = way;
                further.panels.push_back({front});
                const bool divided = m.of(PortKind::Front)[front].mappings.size() > 1;
                follow({PortKind::Front, front}, divided ? position : 0, std::move(further), ways);
            }
    }

    static std::pair<int, int> laneOf(const std::vector<Way>& ways, PortAt end)
    {
        for (std::size_t i = 0; i < ways.size(); ++i)
            if (ways[i].end == end) return {int(i), int(ways.size())};
        return {0, 1};
    }

    void collect(Wiring& wiring)
    {
        std::set<std::pair<PortAt, PortAt>> made;
        for (const auto& [from, ways] : m_ways)
            for (std::size_t lane = 0; lane < ways.size(); ++lane) {
                const Way& way = ways[lane];
                if (!made.insert(std::minmax(from, way.end)).second) continue;
                WholeLink link{from, way.end, int(lane), int(ways.size()), 0, 1, way.cables, way.panels};
                if (const auto back = m_ways.find(way.end); back != m_ways.end()) std::tie(link.laneB, link.splitB) = laneOf(back->second, from);
                wiring.overPanels += !way.panels.empty();
                wiring.links.push_back(std::move(link));
            }
        wiring.open = m_open.size();
    }

    void tellOthers()
    {
        for (const std::size_t cable : m_circuits)
            m.remarks.push_back({m.cables[cable].where, i18n("cable {} ends at a circuit: not traced", m.cables[cable].name)});
        for (const std::size_t cable : m_twice)
            m.remarks.push_back(
                {m.cables[cable].where, i18n("cable {} ends at a port of another cable: the first one is kept", m.cables[cable].name)});
        std::size_t uneven = 0, lost = 0;
        std::string where, whereLost;
        for (std::size_t c = 0; c < m.cables.size(); ++c) {
            const Cable& cable = m.cables[c];
            const std::size_t a = cable.sides[0].size(), b = cable.sides[1].size();
            if (a != b && a > 1 && b > 1 && !cable.profile.ends_with("-shuffle") && uneven++ == 0) where = cable.where;
            if (isLost(c) && lost++ == 0) whereLost = cable.where;
        }
        if (uneven > 0) {
            m.left += uneven, m.read -= std::min(m.read, uneven);
            m.remarks.push_back({where, i18np(uneven, "{:L} cable skipped: its ends have different numbers of terminations, and neither has one",
                                              "{:L} cables skipped: their ends have different numbers of terminations, and neither has one")});
        }
        if (lost > 0) {
            m.left += lost, m.read -= std::min(m.read, lost);
            m.remarks.push_back({whereLost, i18np(lost, "{:L} cable skipped: it ends at a device or port not included in the import",
                                                  "{:L} cables skipped: they end at devices or ports not included in the import")});
        }
        if (m_open.empty()) return;
        const Port& port = m.of(m_open.front().kind)[m_open.front().port];
        m.remarks.push_back({port.where, i18np(m_open.size(), "{:L} port is cabled, but the cable leads to no other device: no link created",
                                               "{:L} ports are cabled, but the cables lead to no other device: no links created")});
    }

    Inventory& m;
    std::map<PortAt, Plug> m_plugs;
    std::map<std::pair<std::size_t, int>, std::vector<std::pair<std::size_t, int>>> m_fronts; ///< by rear port and its position
    std::map<PortAt, std::vector<Way>> m_ways;
    std::vector<PortAt> m_open;
    std::vector<std::size_t> m_twice;
    std::set<std::size_t> m_circuits;
    bool m_circuit = false;
};

} // namespace

Wiring wiringOf(Inventory& inventory) { return Follower(inventory).run(); }

} // namespace hw::importers::netbox_in
