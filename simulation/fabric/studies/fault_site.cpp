// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/fault_site.h"

#include "core/derived/topology/port_links.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

/// The first port, by host, NIC and port, that `fits`.
template <class Fits>
bool firstPort(const StudyFabric& fabric, FaultSite& place, Fits fits)
{
    for (const DeviceId host : fabric.servers)
        for (int nic = 0; nic < fabric.layout.nics; ++nic) {
            const auto ports = fabric.graph.nicPorts(host, nic);
            for (std::size_t p = 0; p < ports.size(); ++p)
                if (fits(host, ports[p])) {
                    place.host = host, place.nic = nic, place.port = int(p);
                    return true;
                }
        }
    return false;
}

} // namespace

Result<FaultSite> faultSite(const Snapshot& s, const StudyFabric& fabric, EntityRef what)
{
    const auto refuse = [](Text why) {
        return fail(ErrorCode::Refused, "device", std::move(why), i18n("specify an active server, one of its ports, or a switch of this network"));
    };
    FaultSite place;
    if (what.kind == EntityKind::Port) {
        const auto link = linkInPort(s, PortId(what.id));
        if (link && firstPort(fabric, place,
                              [&](DeviceId, const FabricGraph::HostPort& port) { return port.access != FabricGraph::kNone && port.link == *link; }))
            return place;
        return refuse(i18n("that port does not connect an active server to this network"));
    }
    if (what.kind != EntityKind::Device) return refuse(i18n("neither a device nor a port"));
    const DeviceId device(what.id);
    const std::string name = s.devices.name[device];
    if (s.tiers.kind[s.devices.tier[device]] == TierKind::Server) {
        if (firstPort(fabric, place,
                      [&](DeviceId host, const FabricGraph::HostPort& port) { return host == device && port.access != FabricGraph::kNone; }))
            return place;
        return refuse(i18n("{} is not an active server of this network", name));
    }
    place.vertex = fabric.graph.vertexOf(device);
    if (place.vertex == FabricGraph::kNone) return refuse(i18n("{} is not a switch of this network", name));
    (void)firstPort(fabric, place, [&](DeviceId, const FabricGraph::HostPort& port) { return port.access == place.vertex; });
    return place;
}

Result<FaultSite> linkSite(const Snapshot& s, const StudyFabric& fabric, std::span<const LinkId> links)
{
    const FabricGraph& graph = fabric.graph;
    for (const LinkId link : links)
        if (2 * link.value >= graph.designedCount() || graph.capacityGbps()[2 * link.value] <= 0)
            return fail(ErrorCode::Refused, "link",
                        i18n("{} – {} carries no traffic in this network", s.devices.name[s.ports.device[s.links.from[link]]],
                             s.devices.name[s.ports.device[s.links.to[link]]]),
                        i18n("specify a link between active servers and switches of this network"));
    FaultSite place;
    const LinkId first = links.front();
    if (firstPort(fabric, place,
                  [&](DeviceId, const FabricGraph::HostPort& port) { return port.access != FabricGraph::kNone && port.link == first; }))
        return place;
    const std::uint32_t a = graph.tail(2 * first.value), b = graph.head(2 * first.value);
    if (a == FabricGraph::kNone || b == FabricGraph::kNone)
        return fail(ErrorCode::Refused, "link", i18n("does not connect an active server to this network"), i18n("specify another"));
    place.vertex = graph.at(b).level < graph.at(a).level ? b : a;
    (void)firstPort(fabric, place, [&](DeviceId, const FabricGraph::HostPort& port) { return port.access == place.vertex; });
    return place;
}

} // namespace fabric
} // namespace hw::sim
