// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/fabricfiles/ib_fabric.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/model/find_network.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace hw::importers {

bool IbFabric::isSwitch(DeviceId device) const
{
    const Snapshot& s = *m_design.snapshot;
    return s.tiers.kind[s.devices.tier[device]] == TierKind::Switch;
}

Result<IbFabric> IbFabric::of(const Figures& design, const std::string& network)
{
    const Snapshot& s = *design.snapshot;
    IbFabric out(design);
    const auto interfaceOf = [&](PortId port) -> const Interface* {
        const auto& all = design.parts->device(s.devices.type[s.ports.device[port]]).interfaces;
        const std::size_t number = s.cages.number[s.ports.cage[port]];
        return number < all.size() ? &all[number] : nullptr;
    };
    const auto isInfinibandPort = [&](PortId port) {
        const Interface* one = interfaceOf(port);
        if (!one) return false;
        if (one->slug.starts_with("infiniband-")) return true;
        // A type that names the cage alone leaves it to the description of the switch.
        const DeviceId device = s.ports.device[port];
        return out.isSwitch(device) && !one->management && one->slug.find("base-x-") != std::string::npos &&
               isInfiniband((*design.parts)[s.devices.type[device]]);
    };
    if (const auto named = network.empty() ? std::nullopt : findNetwork(s, network))
        out.m_networks.insert(*named);
    else
        s.ports.forEach([&](PortId id) {
            if (s.ports.medium[id] == Medium::Data && s.ports.network[id] && isInfinibandPort(id)) out.m_networks.insert(*s.ports.network[id]);
        });
    if (out.m_networks.empty())
        return fail(ErrorCode::Refused, "--network", i18n("no port of the design is of an InfiniBand type"),
                    i18n("choose the network that is InfiniBand: {}", listedNames(networkNames(s))));

    std::map<DeviceId, std::vector<std::pair<std::pair<int, int>, PortId>>> ports;
    std::set<DeviceId> linked;
    s.links.forEach([&](LinkId id) {
        if (!out.has(id)) return;
        for (const PortId port : {s.links.from[id], s.links.to[id]}) linked.insert(s.ports.device[port]);
    });
    s.ports.forEach([&](PortId id) {
        const DeviceId device = s.ports.device[id];
        if (s.ports.medium[id] != Medium::Data || !linked.contains(device)) return;
        if (const Interface* one = interfaceOf(id); one && one->management) return;
        ports[device].push_back({{s.cages.number[s.ports.cage[id]], s.ports.lane[id]}, id});
    });
    out.m_numbers.assign(s.ports.nextId(), 0);
    for (auto& [device, all] : ports) {
        std::ranges::sort(all);
        int number = 0;
        for (const auto& [place, id] : all) out.m_numbers[id.value] = ++number;
        (out.isSwitch(device) ? out.m_switches : out.m_hosts).push_back(device);
    }
    return out;
}

bool IbFabric::has(LinkId link) const
{
    const Snapshot& s = *m_design.snapshot;
    const PortId from = s.links.from[link];
    return s.ports.medium[from] == Medium::Data && s.ports.network[from] && m_networks.contains(*s.ports.network[from]);
}

IbFabric::End IbFabric::end(PortId port) const
{
    const Snapshot& s = *m_design.snapshot;
    const DeviceId device = s.ports.device[port];
    const std::string& name = s.devices.name[device];
    if (isSwitch(device)) return {name, m_numbers[port.value]};
    // nic3p2 of a host is HCA-3, port 2; a port of another name counts as an adapter of its own.
    const std::string own = portName(s, *m_design.parts, port);
    int adapter = 0, number = 1;
    const char* const last = own.data() + own.size();
    if (own.starts_with("nic")) {
        const auto read = std::from_chars(own.data() + 3, last, adapter);
        if (read.ec != std::errc() || (read.ptr != last && *read.ptr != 'p'))
            adapter = 0;
        else if (read.ptr != last && std::from_chars(read.ptr + 1, last, number).ptr != last)
            adapter = 0;
    }
    if (adapter == 0) adapter = m_numbers[port.value], number = 1;
    return {name + " HCA-" + std::to_string(adapter), number};
}

Result<void> IbExporter::write(const exchange::ExportJob& job, const Progress&) const
{
    const auto figures = job.figures();
    if (!figures) return tl::unexpected(figures.error());
    const auto fabric = IbFabric::of(**figures, job.network);
    if (!fabric) return tl::unexpected(fabric.error());
    const auto text = textOf(job, *(*figures)->snapshot, *fabric);
    if (!text) return tl::unexpected(text.error());
    return writeFile(job.output, *text);
}

} // namespace hw::importers
