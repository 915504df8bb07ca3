// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/addressing/address_tables.h"

#include "core/foundation/catalog/entity.h"

namespace hw {

namespace {

std::string v4(AddressNumber address) { return addressText(address, IpFamily::V4); }
std::string v6(AddressNumber address) { return addressText(address, IpFamily::V6); }
std::string v4(AddressNumber address, int length) { return v4(address) + "/" + std::to_string(length); }
std::string v6(AddressNumber address, int length) { return v6(address) + "/" + std::to_string(length); }

/// Names of the rows that a plan speaks of.
struct Names {
    const Snapshot& s;
    const ProjectParts& parts;
    [[nodiscard]] const std::string& device(DeviceId id) const { return s.devices.name[id]; }
    [[nodiscard]] const std::string& deviceOf(PortId id) const { return s.devices.name[s.ports.device[id]]; }
    [[nodiscard]] std::string port(PortId id) const { return portName(s, parts, id); }
    [[nodiscard]] const std::string& network(NetworkId id) const { return s.networks.name[id]; }
    [[nodiscard]] std::string cage(CageId id) const
    {
        const auto& interfaces = parts.device(s.devices.type[s.cages.device[id]]).interfaces;
        const std::size_t number = s.cages.number[id];
        return number < interfaces.size() ? interfaces[number].name : "if" + std::to_string(number + 1);
    }
};

using Row = std::vector<std::string>;

AddressTable switchTable(const AddressPlan& plan, Names n)
{
    return {"switches", {{"device"}, {"network"}, {"tier"}, {"asn", true}, {"loopback4"}, {"loopback6"}}, [&plan, n](const auto& sink) {
                for (const auto& e : plan.switches) {
                    const TierId tier = n.s.devices.tier[e.device];
                    sink(Row{n.device(e.device), n.network(*n.s.tiers.network[tier]), n.s.tiers.name[tier], std::to_string(e.asn),
                             v4(e.loopback4, 32), v6(e.loopback6, 128)});
                }
            }};
}

AddressTable subnetTable(const AddressPlan& plan, Names n)
{
    return {"subnets", {{"name"}, {"network"}, {"prefix4"}, {"gateway4"}, {"prefix6"}, {"gateway6"}, {"ports", true}}, [&plan, n](const auto& sink) {
                for (const auto& e : plan.subnets)
                    sink(Row{e.name, n.network(e.network), prefixText(e.v4), v4(e.gateway4()), prefixText(e.v6), v6(e.gateway6()),
                             std::to_string(e.ports)});
            }};
}

AddressTable hostTable(const AddressPlan& plan, Names n)
{
    return {"host_ports",
            {{"device"}, {"port"}, {"network"}, {"address4"}, {"gateway4"}, {"address6"}, {"gateway6"}, {"switch"}, {"switch_port"}, {"subnet"}},
            [&plan, n](const auto& sink) {
                for (const auto& e : plan.hostPorts) {
                    const auto& subnet = plan.subnets[e.subnet];
                    sink(Row{n.deviceOf(e.port), n.port(e.port), n.network(subnet.network), v4(e.v4, subnet.v4.length), v4(subnet.gateway4()),
                             v6(e.v6, 64), v6(subnet.gateway6()), n.deviceOf(e.switchPort), n.port(e.switchPort), subnet.name});
                }
            }};
}

AddressTable linkTable(const AddressPlan& plan, Names n)
{
    return {"links",
            {{"network"}, {"lower"}, {"lower_port"}, {"lower4"}, {"lower6"}, {"upper"}, {"upper_port"}, {"upper4"}, {"upper6"}},
            [&plan, n](const auto& sink) {
                for (const auto& e : plan.links)
                    sink(Row{n.network(e.network), n.deviceOf(e.lower), n.port(e.lower), v4(e.lower4, 31), v6(e.lower6, 127), n.deviceOf(e.upper),
                             n.port(e.upper), v4(e.lower4 + 1, 31), v6(e.lower6 + 1, 127)});
            }};
}

AddressTable managementTable(const AddressPlan& plan, Names n)
{
    return {"management", {{"device"}, {"address4"}, {"address6"}}, [&plan, n](const auto& sink) {
                for (const auto& e : plan.management) sink(Row{n.device(e.device), v4(e.v4), v6(e.v6)});
            }};
}

AddressTable breakoutTable(const AddressPlan& plan, Names n)
{
    return {"breakouts", {{"device"}, {"cage"}, {"ports", true}, {"port_gbps", true}}, [&plan, n](const auto& sink) {
                for (const auto& e : plan.breakouts)
                    sink(Row{n.device(e.device), n.cage(e.cage), std::to_string(e.split), std::to_string(e.portRate.count())});
            }};
}

} // namespace

std::vector<AddressTable> addressTables(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts)
{
    const Names n{snapshot, parts};
    return {switchTable(plan, n), subnetTable(plan, n), hostTable(plan, n), linkTable(plan, n), managementTable(plan, n), breakoutTable(plan, n)};
}

AddressTable allAddresses(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts)
{
    const Names n{snapshot, parts};
    return {"addresses",
            {{"kind"}, {"device"}, {"port"}, {"network"}, {"address4"}, {"address6"}, {"peer"}, {"peer_port"}},
            [&plan, n](const auto& sink) {
                for (const auto& e : plan.switches)
                    sink(Row{"loopback", n.device(e.device), "", n.network(*n.s.tiers.network[n.s.devices.tier[e.device]]), v4(e.loopback4, 32),
                             v6(e.loopback6, 128), "", ""});
                for (const auto& e : plan.subnets)
                    sink(Row{"gateway", e.name, "", n.network(e.network), v4(e.gateway4(), e.v4.length), v6(e.gateway6(), 64), "", ""});
                for (const auto& e : plan.hostPorts)
                    sink(Row{"host", n.deviceOf(e.port), n.port(e.port), n.network(plan.subnets[e.subnet].network),
                             v4(e.v4, plan.subnets[e.subnet].v4.length), v6(e.v6, 64), n.deviceOf(e.switchPort), n.port(e.switchPort)});
                for (const auto& e : plan.links) {
                    sink(Row{"link", n.deviceOf(e.lower), n.port(e.lower), n.network(e.network), v4(e.lower4, 31), v6(e.lower6, 127),
                             n.deviceOf(e.upper), n.port(e.upper)});
                    sink(Row{"link", n.deviceOf(e.upper), n.port(e.upper), n.network(e.network), v4(e.lower4 + 1, 31), v6(e.lower6 + 1, 127),
                             n.deviceOf(e.lower), n.port(e.lower)});
                }
            }};
}

} // namespace hw
