// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/functions.h"
#include "core/derived/topology/nic_ports.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace hw::rules {

namespace {

struct Coordinates {
    int pod, segment, rail, plane;
};

Coordinates coordinates(const Snapshot& s, DeviceId d) { return {s.devices.pod[d], s.devices.segment[d], s.devices.rail[d], s.devices.plane[d]}; }

bool differ(int a, int b) { return a >= 0 && b >= 0 && a != b; }

/// Why a server's port must not end at this switch; empty when it may. `rail` (-1: not told): where the ports like this one end.
Text hostFault(const Networks& networks, NetworkId network, NicPort nic, std::optional<int> rail, const Coordinates& host, const Coordinates& tor)
{
    if (rail && differ(*rail, tor.rail))
        return i18n("on most servers this port of NIC {} connects to rail {}, but the switch belongs to rail {}", nic.rail, *rail + 1, tor.rail + 1);
    if (!rail && networks.rails[network] > 1 && nic.rail <= networks.rails[network] && differ(nic.rail - 1, tor.rail))
        return i18n("NIC {} belongs to rail {}, but the switch to rail {}", nic.rail, nic.rail, tor.rail + 1);
    if (networks.planes[network] > 1 && nic.plane <= networks.planes[network] && differ(nic.plane - 1, tor.plane))
        return i18n("port {} of a NIC belongs to plane {}, but the switch to plane {}", nic.plane, nic.plane, tor.plane + 1);
    if (differ(host.pod, tor.pod)) return i18n("the server is in pod {}, but the switch in pod {}", host.pod + 1, tor.pod + 1);
    if (differ(host.segment, tor.segment))
        return i18n("the server is in segment {}, but the switch in segment {}", host.segment + 1, tor.segment + 1);
    return {};
}

Text switchFault(const Networks& networks, NetworkId network, const Coordinates& a, const Coordinates& b)
{
    if (networks.planes[network] > 1 && differ(a.plane, b.plane)) return i18n("the link connects plane {} and plane {}", a.plane + 1, b.plane + 1);
    if (networks.rails[network] > 1 && differ(a.rail, b.rail)) return i18n("the link connects rail {} and rail {}", a.rail + 1, b.rail + 1);
    return {};
}

/// The network whose rails or planes a link has to respect, if there is one.
Maybe<NetworkId> declaredNetwork(const Snapshot& s, LinkId link)
{
    const auto network = s.ports.network[s.links.from[link]];
    if (s.ports.medium[s.links.from[link]] != Medium::Data || !network) return {};
    return s.networks.rails[*network] > 1 || s.networks.planes[*network] > 1 ? network : Maybe<NetworkId>();
}

/// Which rail a NIC's ports belong to. As a rule that of the NIC's number. In a network where most NICs have ports in several rails every
/// port has a rail of its own: the one in which it ends on most servers.
class RailsOfPorts {
public:
    RailsOfPorts(const RuleInput& input, NicPorts& nics) : m_s(input.snapshot()), m_nics(nics)
    {
        std::vector<std::tuple<NetworkId, DeviceId, int, int>> ends; // of NICs, with the rail
        m_s.links.forEach([&](LinkId link) {
            const auto network = declaredNetwork(m_s, link);
            if (!network || m_s.networks.rails[*network] < 2) return;
            for (const auto& [port, other] :
                 {std::pair(m_s.links.from[link], m_s.links.to[link]), std::pair(m_s.links.to[link], m_s.links.from[link])}) {
                const DeviceId device = m_s.ports.device[port];
                const int rail = m_s.devices.rail[m_s.ports.device[other]];
                const NicPort nic = rail >= 0 && m_s.tiers.kind[m_s.devices.tier[device]] == TierKind::Server ? m_nics.of(m_s, port) : NicPort{};
                if (nic.rail == 0) continue;
                ends.emplace_back(*network, device, nic.rail, rail);
                ++m_ends[keyOf(*network, port, nic)][rail];
            }
        });
        std::ranges::sort(ends);
        struct Nics {
            std::int64_t severalPorts = 0, severalRails = 0;
        };
        std::map<NetworkId, Nics> count;
        for (std::size_t i = 0, next; i < ends.size(); i = next) {
            const auto& [network, device, nic, rail] = ends[i];
            const auto same = [&](const auto& end) { return std::get<0>(end) == network && std::get<1>(end) == device && std::get<2>(end) == nic; };
            for (next = i; next < ends.size() && same(ends[next]);) ++next;
            count[network].severalPorts += next > i + 1;
            count[network].severalRails += std::get<3>(ends[next - 1]) != rail;
        }
        for (const auto& [network, counted] : count)
            if (2 * counted.severalRails > counted.severalPorts) m_byPort.insert(network);
    }

    /// Nothing where the NIC's number tells.
    [[nodiscard]] std::optional<int> of(NetworkId network, PortId port, NicPort nic) const
    {
        if (!m_byPort.contains(network)) return std::nullopt;
        const auto found = m_ends.find(keyOf(network, port, nic));
        if (found == m_ends.end()) return -1;
        return std::ranges::max_element(found->second, {}, [](const auto& entry) { return entry.second; })->first;
    }

private:
    using Key = std::tuple<NetworkId, TierId, int, int, int>; ///< tier of the server, NIC, its port, lane of a split one
    [[nodiscard]] Key keyOf(NetworkId network, PortId port, NicPort nic) const
    {
        return {network, m_s.devices.tier[m_s.ports.device[port]], nic.rail, nic.plane, m_s.ports.lane[port]};
    }

    const Snapshot& m_s;
    NicPorts& m_nics;
    std::map<Key, std::map<int, std::int64_t>> m_ends; ///< links by the rail that they end in
    std::set<NetworkId> m_byPort;
};

} // namespace

std::vector<Finding> railsAndPlanes(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out;
    NicPorts nics(input.parts());
    const RailsOfPorts rails(input, nics);
    s.links.forEach([&](LinkId link) {
        const auto network = declaredNetwork(s, link);
        if (!network) return;
        PortId low = s.links.from[link], high = s.links.to[link];
        const auto isServer = [&](PortId p) { return s.tiers.kind[s.devices.tier[s.ports.device[p]]] == TierKind::Server; };
        if (isServer(high)) std::swap(low, high);
        const Coordinates a = coordinates(s, s.ports.device[low]), b = coordinates(s, s.ports.device[high]);
        Text fault;
        if (isServer(high))
            fault = i18n("the link connects two servers");
        else if (isServer(low))
            fault = hostFault(s.networks, *network, nics.of(s, low), rails.of(*network, low, nics.of(s, low)), a, b);
        else
            fault = switchFault(s.networks, *network, a, b);
        if (fault.empty()) return;
        out.push_back({.message = i18n("{} is linked to {}: {}", input.name(ref(low)), input.name(ref(high)), fault),
                       .entities = {ref(low), ref(high), ref(link)},
                       .id = findingId("N8", {input.subject(ref(low)), input.subject(ref(high))})});
    });
    return out;
}

std::vector<Finding> dualPlaneNics(const RuleInput& input)
{
    struct End {
        DeviceId host;
        NetworkId network;
        int nic;
        PortId port;
        int plane;
    };
    const Snapshot& s = input.snapshot();
    std::vector<End> ends;
    NicPorts nics(input.parts());
    s.links.forEach([&](LinkId link) {
        const auto network = declaredNetwork(s, link);
        if (!network || s.networks.planes[*network] < 2) return;
        for (const auto& [host, tor] : {std::pair(s.links.from[link], s.links.to[link]), std::pair(s.links.to[link], s.links.from[link])}) {
            const DeviceId device = s.ports.device[host];
            if (s.tiers.kind[s.devices.tier[device]] != TierKind::Server) continue;
            const NicPort nic = nics.of(s, host);
            const int plane = s.devices.plane[s.ports.device[tor]];
            if (nic.rail > 0 && plane >= 0) ends.push_back({device, *network, nic.rail, host, plane});
        }
    });
    std::ranges::sort(
        ends, [](const End& a, const End& b) { return std::tie(a.host, a.network, a.nic, a.port) < std::tie(b.host, b.network, b.nic, b.port); });
    std::vector<Finding> out;
    for (std::size_t i = 0, next; i < ends.size(); i = next) {
        const End& first = ends[i];
        bool samePlane = true, severalPorts = false;
        for (next = i; next < ends.size() && ends[next].host == first.host && ends[next].network == first.network && ends[next].nic == first.nic;
             ++next) {
            samePlane = samePlane && ends[next].plane == first.plane;
            severalPorts = severalPorts || ends[next].port != first.port;
        }
        if (!samePlane || !severalPorts) continue;
        Finding f{.entities = {ref(first.host)}};
        for (std::size_t k = i; k < next; ++k) f.entities.push_back(ref(ends[k].port));
        f.message = i18n("all linked ports of NIC {} of {} are on plane {}: its loss disconnects the NIC", first.nic, input.name(ref(first.host)),
                         first.plane + 1);
        f.id = findingId("N15", {input.subject(ref(first.host)), fmt::format("nic{}", first.nic)});
        out.push_back(std::move(f));
    }
    return out;
}

} // namespace hw::rules
