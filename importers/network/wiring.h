// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/addressing/address_plan.h"
#include "core/output/exchange/formats.h"
#include "importers/network/port_names.h"

#include <memory>

namespace hw::importers {

/// A data link, its lower end first (toward the servers).
struct WiredLink {
    LinkId link;
    PortId lower, upper;
};

/// The Ethernet links of a design, with names of ports as its switches have them. Left out: networks of kind scale-up, which run over
/// backplanes, and links of InfiniBand switches, which have neither LLDP nor BGP.
class Wiring {
public:
    /// `network`: name, key or kind; empty: all. Errors: Refused where nothing is left, or where two ports of a switch would get one name;
    /// Usage for an unknown network.
    [[nodiscard]] static Result<std::unique_ptr<Wiring>> of(SnapshotPtr snapshot, const std::string& network, PortNaming naming);

    const SnapshotPtr snapshot;
    const std::shared_ptr<const ProjectParts> parts;
    PortNames names;
    std::vector<WiredLink> links;    ///< in the order of ids
    std::vector<DeviceId> devices;   ///< that have an end of them, in the order of ids
    std::size_t infinibandLinks = 0; ///< that were left out

    [[nodiscard]] const Snapshot& s() const { return *snapshot; }
    [[nodiscard]] DeviceId deviceOf(PortId port) const { return snapshot->ports.device[port]; }
    [[nodiscard]] const std::string& deviceName(PortId port) const { return snapshot->devices.name[deviceOf(port)]; }
    [[nodiscard]] bool isSwitch(DeviceId device) const { return snapshot->tiers.kind[snapshot->devices.tier[device]] == TierKind::Switch; }
    /// Refuses ports of one switch that would get one name.
    [[nodiscard]] Result<void> checkNames() const;

private:
    Wiring(SnapshotPtr snapshot, std::shared_ptr<const ProjectParts> parts, PortNaming naming)
        : snapshot(std::move(snapshot)), parts(std::move(parts)), names(*this->snapshot, *this->parts, naming)
    {
    }
};

/// Told by its interfaces or its description: parts with sockets of a mechanical kind state InfiniBand there.
[[nodiscard]] bool isInfiniband(const Part& part);

/// A name that is a host name everywhere: letters, digits, '.', '-' and '_', beginning with a letter or digit, up to 63 characters, and of
/// one device only. Error: Refused, naming the device.
[[nodiscard]] Result<void> checkHostNames(const Snapshot& snapshot, std::span<const DeviceId> devices);

/// Rack and lowest unit, empty where it is in none.
struct RackPlace {
    std::string hall, row, rack;
    int u = 0;
};
[[nodiscard]] RackPlace rackPlace(const Snapshot& snapshot, DeviceId device);

/// `--names`: whose port names a file has.
[[nodiscard]] exchange::FormatOption namingOption();
/// Error: Usage.
[[nodiscard]] Result<PortNaming> namingOf(const exchange::ExportJob& job, PortNaming usual);

/// A YAML scalar, quoted where it would be read as something else than this text.
[[nodiscard]] std::string yamlText(std::string_view text);

/// "n[01-03,05]": neighbors that differ in the number at their end only, written together as Slurm reads them. In the order given; names
/// without such a number stay as they are.
[[nodiscard]] std::string hostList(std::span<const std::string> names);

/// Names without characters that groups of Ansible and variables must not have.
[[nodiscard]] std::string groupName(std::string_view text);

/// The addresses of a design by what they belong to.
class AddressIndex {
public:
    AddressIndex(const AddressPlan& plan, const Snapshot& snapshot);
    const AddressPlan& plan;
    [[nodiscard]] const AddressPlan::Switch* switchOf(DeviceId device) const { return at(m_switch, device.value); }
    [[nodiscard]] const AddressPlan::Management* managementOf(DeviceId device) const { return at(m_management, device.value); }
    [[nodiscard]] const AddressPlan::FabricLink* fabricLink(LinkId link) const { return at(m_fabric, link.value); }
    [[nodiscard]] const AddressPlan::HostPort* hostPort(LinkId link) const { return at(m_hosts, link.value); }
    /// The subnet that holds the management address; null: it is one of its own.
    [[nodiscard]] const AddressPlan::Subnet* managementSubnet(DeviceId device) const;

private:
    template <class T>
    static const T* at(const std::vector<const T*>& all, std::size_t i)
    {
        return i < all.size() ? all[i] : nullptr;
    }
    std::vector<const AddressPlan::Switch*> m_switch;
    std::vector<const AddressPlan::Management*> m_management;
    std::vector<const AddressPlan::FabricLink*> m_fabric;
    std::vector<const AddressPlan::HostPort*> m_hosts;
    std::vector<const AddressPlan::Subnet*> m_managementSubnet;
};

} // namespace hw::importers
