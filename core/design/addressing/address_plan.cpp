// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/addressing/address_plan.h"

#include "core/derived/figures/link_sides.h"
#include "core/derived/topology/nic_ports.h"
#include "core/design/addressing/address_rules.h"
#include "core/design/addressing/pool.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>

namespace hw {

namespace {

/// Thrown within this file and turned into a Result at its border.
struct Refusal {
    Error error;
};

template <class T>
T need(Result<T> result)
{
    if (!result) throw Refusal{result.error()};
    return std::move(*result);
}

void need(const Result<void>& fine)
{
    if (!fine) throw Refusal{fine.error()};
}

class Planner {
public:
    Planner(const Snapshot& s, const Progress& progress) : m_s(s), m_progress(progress), m_rules(s), m_parts(need(ProjectParts::of(s.partTypes))) {}

    AddressPlan run()
    {
        m_s.networks.forEach([&](NetworkId network) { numberSwitches(network); });
        step(0.2);
        sortLinks();
        step(0.4);
        addressLinks();
        step(0.6);
        addressHosts();
        step(0.8);
        addressManagement();
        listBreakouts();
        return std::move(m_plan);
    }

private:
    void step(double fraction) const
    {
        if (m_progress.stopRequested()) throw Refusal{{ErrorCode::Canceled, "addressing", i18n("canceled"), {}}};
        m_progress.report(fraction, words(i18n("Addressing")));
    }

    TierId tierOf(PortId port) const { return m_s.devices.tier[m_s.ports.device[port]]; }
    bool isSwitch(PortId port) const { return m_s.tiers.kind[tierOf(port)] == TierKind::Switch; }

    struct PoolPair {
        AddressPool *v4 = nullptr, *v6 = nullptr;
    };

    /// The pools `KEY4` and `KEY6` of a tier in a network.
    PoolPair& poolsOf(std::string_view key, NetworkId network, TierId tier)
    {
        auto& pools = m_poolsOf[{key, network, tier}];
        if (!pools.v4) {
            const auto v4 = m_rules.value(std::string(key) + "4", network, tier), v6 = m_rules.value(std::string(key) + "6", network, tier);
            pools.v4 = need(m_pools.addresses(v4.text, v4.name, IpFamily::V4));
            pools.v6 = need(m_pools.addresses(v6.text, v6.name, IpFamily::V6));
        }
        return pools;
    }

    std::vector<TierId> switchTiers(NetworkId network) const
    {
        std::vector<TierId> tiers;
        m_s.tiers.forEach([&](TierId t) {
            if (isSwitchTierOf(m_s, t, network)) tiers.push_back(t);
        });
        std::stable_sort(tiers.begin(), tiers.end(), [&](TierId a, TierId b) { return m_s.tiers.level[a] < m_s.tiers.level[b]; });
        return tiers;
    }

    /// As in RFC 7938, each switch of the lowest tier has an AS of its own; above, those of a pod (and
    /// plane) share one, and so do those of the top.
    void numberSwitches(NetworkId network)
    {
        const auto tiers = switchTiers(network);
        std::vector<std::vector<DeviceId>> members(m_s.tiers.nextId());
        m_s.devices.forEach([&](DeviceId d) { members[m_s.devices.tier[d].value].push_back(d); });
        for (const TierId tier : tiers) {
            auto per = m_rules.value("asn_per", network, tier);
            if (per.text.empty()) per.text = m_s.tiers.level[tier] == m_s.tiers.level[tiers.front()] ? "device" : "pod plane"; // no text
            const SharedBy shared = need(SharedBy::parse(per, "device"));
            const auto range = m_rules.value("asn", network, tier);
            AsnPool* asns = need(m_pools.asns(range.text, range.name));
            std::map<std::uint64_t, std::uint32_t> known;
            const PoolPair& loopbacks = poolsOf("loopback", network, tier);
            for (const DeviceId device : members[tier.value]) {
                const auto [entry, isNew] = known.try_emplace(shared.groupOf(m_s, device), 0u);
                if (isNew) entry->second = need(asns->take());
                m_plan.switches.push_back({device, entry->second, need(loopbacks.v4->takeOne()), need(loopbacks.v6->takeOne())});
            }
        }
    }

    /// Between two switches of a network, or of a switch and a gateway: point to point. Everything else
    /// that ends at a switch is a host's port.
    void sortLinks()
    {
        m_s.links.forEach([&](LinkId link) {
            const PortId from = m_s.links.from[link], to = m_s.links.to[link];
            const auto network = m_s.ports.network[from];
            if (!network || m_s.ports.medium[from] != Medium::Data) return;
            const LowerEnd lower = lowerEnd(m_s, from, to);
            const PortId low = lower == LowerEnd::To ? to : from, high = lower == LowerEnd::To ? from : to;
            const bool between = isSwitch(high) && isSwitchTierOf(m_s, tierOf(low), *network);
            if (lower == LowerEnd::Neither || between)
                m_plan.links.push_back({link, *network, low, high, 0, 0});
            else
                m_hosts.push_back({link, *network, low, high, 0});
        });
    }

    void addressLinks()
    {
        for (auto& link : m_plan.links) {
            const PoolPair& pools = poolsOf("fabric", link.network, tierOf(link.lower));
            link.lower4 = need(pools.v4->take(31)).first;
            link.lower6 = need(pools.v6->take(127)).first;
        }
    }

    struct Host {
        LinkId link;
        NetworkId network;
        PortId port, switchPort;
        std::uint64_t group;
    };

    void addressHosts()
    {
        std::map<std::pair<NetworkId, TierId>, SharedBy> shared;
        for (auto& host : m_hosts) {
            const std::pair key(host.network, tierOf(host.switchPort));
            auto found = shared.find(key);
            if (found == shared.end()) {
                auto subnet = m_rules.value("host_subnet", key.first, key.second);
                if (onePerNic(key.first, key.second) && subnet.text == "switch") subnet.text = "pod segment rail"; // no text
                found = shared.emplace(key, need(SharedBy::parse(subnet, "switch"))).first;
            }
            host.group = found->second.groupOf(m_s, m_s.ports.device[host.switchPort]);
        }
        const auto subnetOf = [&](const Host& h) { return std::tuple(h.network, tierOf(h.switchPort), h.group); };
        std::sort(m_hosts.begin(), m_hosts.end(), [&](const Host& a, const Host& b) {
            return std::tuple_cat(subnetOf(a), std::tuple(a.switchPort)) < std::tuple_cat(subnetOf(b), std::tuple(b.switchPort));
        });
        for (std::size_t i = 0, next; i < m_hosts.size(); i = next) {
            for (next = i; next < m_hosts.size() && subnetOf(m_hosts[next]) == subnetOf(m_hosts[i]);) ++next;
            makeSubnet(i, next);
        }
    }

    bool onePerNic(NetworkId network, TierId tier)
    {
        const auto per = m_rules.value("host_address", network, tier);
        need(checkAddressValue("host_address", per.text, per.name));
        return per.text == "nic" && m_s.networks.kind[network] != NetworkKind::Management;
    }
    /// A NIC, by the name of its card.
    std::pair<DeviceId, std::string> nicOfPort(PortId port)
    {
        const DeviceId device = m_s.ports.device[port];
        const auto& interfaces = m_parts->device(m_s.devices.type[device]).interfaces;
        const std::size_t number = m_s.cages.number[m_s.ports.cage[port]];
        return {device, number < interfaces.size() ? std::string(nicOf(interfaces[number].name)) : "if" + std::to_string(number)};
    }

    /// Ports begin + 2 …: network, gateway, the ports, broadcast.
    void makeSubnet(std::size_t begin, std::size_t end)
    {
        const Host& first = m_hosts[begin];
        const NetworkId network = first.network;
        const TierId tier = tierOf(first.switchPort);
        const bool management = m_s.networks.kind[network] == NetworkKind::Management;
        const PoolPair& pools = poolsOf(management ? "management" : "host", network, tier);
        const bool perNic = !management && onePerNic(network, tier);
        std::vector<std::uint32_t> place; // of each port among the addresses
        std::uint32_t addresses = 0;
        std::map<std::pair<DeviceId, std::string>, std::uint32_t> placeOf;
        for (std::size_t i = begin; i < end; ++i) {
            const auto [at, fresh] = perNic ? placeOf.try_emplace(nicOfPort(m_hosts[i].port), addresses) : std::pair(placeOf.end(), true);
            place.push_back(perNic ? at->second : addresses);
            addresses += fresh;
        }
        for (const auto& [nic, number] : placeOf)
            if (const auto [at, fresh] = m_subnetOfNic.try_emplace({network, nic}, m_plan.subnets.size()); !fresh)
                throw Refusal{{ErrorCode::Refused, m_rules.value("host_subnet", network, tier).name,
                               i18n("the ports of {}:{} are in different subnets ({} and {})", m_s.devices.name[nic.first], nic.second,
                                    m_plan.subnets[at->second].name, m_s.devices.name[m_s.ports.device[first.switchPort]]),
                               i18n("use coordinates that both access switches share, such as pod segment rail, or host_address: port")}};
        const int length = 32 - std::bit_width(addresses + 2);
        AddressPlan::Subnet subnet;
        subnet.network = network;
        subnet.name = m_s.devices.name[m_s.ports.device[first.switchPort]];
        subnet.v4 = need(pools.v4->take(length));
        subnet.v6 = need(pools.v6->take(64));
        subnet.ports = std::uint32_t(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const auto offset = AddressNumber(place[i - begin] + 2);
            m_plan.hostPorts.push_back({m_hosts[i].link, m_hosts[i].port, m_hosts[i].switchPort, std::uint32_t(m_plan.subnets.size()),
                                        subnet.v4.first + offset, subnet.v6.first + offset});
        }
        m_plan.subnets.push_back(std::move(subnet));
    }

    void addressManagement()
    {
        std::vector<const AddressPlan::HostPort*> managed(m_s.devices.nextId(), nullptr);
        for (const auto& port : m_plan.hostPorts) {
            auto& entry = managed[m_s.ports.device[port.port].value];
            if (m_s.networks.kind[m_plan.subnets[port.subnet].network] == NetworkKind::Management && !entry) entry = &port;
        }
        const auto v4 = m_rules.general("management4"), v6 = m_rules.general("management6");
        AddressPool* pool4 = nullptr;
        AddressNumber next6 = 0; // all in one subnet
        m_s.devices.forEach([&](DeviceId device) {
            if (const auto* port = managed[device.value]) {
                m_plan.management.push_back({device, port->v4, port->v6});
                return;
            }
            const TierKind kind = m_s.tiers.kind[m_s.devices.tier[device]];
            if (kind == TierKind::Power || kind == TierKind::Cooling) return;
            if (!pool4) {
                pool4 = need(m_pools.addresses(v4.text, v4.name, IpFamily::V4));
                next6 = need(need(m_pools.addresses(v6.text, v6.name, IpFamily::V6))->take(64)).first;
            }
            m_plan.management.push_back({device, need(pool4->takeOne()), ++next6});
        });
    }

    void listBreakouts()
    {
        std::vector<Gbps> rate(m_s.cages.nextId());
        m_s.ports.forEach([&](PortId port) {
            if (m_s.ports.medium[port] == Medium::Data) rate[m_s.ports.cage[port].value] = m_s.ports.rate[port];
        });
        m_s.cages.forEach([&](CageId cage) {
            const DeviceId device = m_s.cages.device[cage];
            const bool isSwitch = m_s.tiers.kind[m_s.devices.tier[device]] == TierKind::Switch;
            if (isSwitch && m_s.cages.split[cage] > 1) m_plan.breakouts.push_back({cage, device, m_s.cages.split[cage], rate[cage.value]});
        });
        std::stable_sort(m_plan.breakouts.begin(), m_plan.breakouts.end(), [](const auto& a, const auto& b) { return a.device < b.device; });
    }

    const Snapshot& m_s;
    const Progress& m_progress;
    AddressRules m_rules;
    Pools m_pools;
    std::map<std::tuple<std::string_view, NetworkId, TierId>, PoolPair> m_poolsOf;
    AddressPlan m_plan;
    std::vector<Host> m_hosts;
    std::shared_ptr<const ProjectParts> m_parts;
    std::map<std::pair<NetworkId, std::pair<DeviceId, std::string>>, std::size_t> m_subnetOfNic;
};

} // namespace

Result<AddressPlan> planAddresses(const Snapshot& snapshot, const Progress& progress)
{
    try {
        return Planner(snapshot, progress).run();
    } catch (const Refusal& refusal) {
        return tl::unexpected(refusal.error);
    }
}

} // namespace hw
