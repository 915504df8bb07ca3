// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/workload_fabric.h"

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/find_network.h"
#include "simulation/fabric/hosts.h"

#include <algorithm>

namespace hw::sim {
inline namespace training {

namespace {

/// What server type and scale-up network state; returns the accelerators of one scale-up domain. The network's word counts.
Result<int> readServerType(const Snapshot& s, WorkloadFabric& f)
{
    const auto parts = ProjectParts::of(s.partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const PartTypeId type = s.devices.type[f.hosts.front()];
    const DeviceSpec& spec = (*parts)->device(type);
    f.serverType = s.partTypes.slug[type];
    for (std::size_t p = 0; p < f.peakFlops.size(); ++p)
        if (const auto found = spec.teraflops.find(std::array{"fp16", "bf16", "fp8", "fp4"}[p]); found != spec.teraflops.end())
            f.peakFlops[p] = found->second.value * 1e12;
    f.scaleUpGbps = double(spec.scaleUpRate.value.count());
    int domain = spec.scaleUpDomain;
    s.networks.forEach([&](NetworkId id) {
        if (s.networks.kind[id] != NetworkKind::ScaleUp) return;
        if (s.networks.domain[id] > 0) domain = s.networks.domain[id];
        if (s.networks.acceleratorRate[id].count() > 0) f.scaleUpGbps = double(s.networks.acceleratorRate[id].count());
    });
    return domain;
}

/// Hosts that follow each other in a segment share a domain, as many as it has room for; one rack's, where a rack holds a whole domain.
void numberDomains(const Snapshot& s, WorkloadFabric& f, int acceleratorsOfDomain)
{
    const std::uint32_t room = std::max<std::uint32_t>(1, std::uint32_t(std::max(0, acceleratorsOfDomain)) / f.gpusPerHost);
    const auto rackOf = [&](std::size_t h) { return s.devices.rack[f.hosts[h]]; };
    std::uint32_t inFirstRack = 0;
    for (std::size_t h = 0; h < f.hosts.size(); ++h) inFirstRack += rackOf(h) == rackOf(0);
    const bool byRack = room > 1 && inFirstRack >= room;
    std::uint32_t domain = 0, inDomain = 0;
    for (std::size_t h = 0; h < f.hosts.size(); ++h) {
        const bool moved = h > 0 && (f.places[h].pod != f.places[h - 1].pod || f.places[h].segment != f.places[h - 1].segment ||
                                     (byRack && rackOf(h) != rackOf(h - 1)));
        if (h > 0 && (moved || inDomain == room)) ++domain, inDomain = 0;
        ++inDomain;
        f.domainOfHost.push_back(domain);
        f.places[h].domain = int(domain);
    }
}

void countPlaces(WorkloadFabric& f)
{
    for (std::size_t h = 0; h < f.places.size(); ++h) {
        const bool newPod = h == 0 || f.places[h].pod != f.places[h - 1].pod;
        f.pods += newPod;
        f.segments += newPod || f.places[h].segment != f.places[h - 1].segment;
    }
}

} // namespace

Result<WorkloadFabric> workloadFabric(const Snapshot& s, const std::string& network, FabricVariant variant)
{
    const auto id = findNetwork(s, network);
    if (!id) return fail(ErrorCode::Refused, "network", i18n("unknown network \"{}\"", network), i18n("use a network of the design"));
    WorkloadFabric f;
    f.hosts = activeServers(s);
    const auto layout = hostLayout(s, *id, f.hosts);
    if (!layout) return tl::unexpected(layout.error());
    FabricOptions options;
    options.variant = variant;
    options.portsPerNic = layout->portsPerNic;
    f.graph = std::make_shared<const FabricGraph>(s, *id, options);
    f.gpusPerHost = std::uint32_t(layout->accelerators);
    f.nicsPerHost = std::uint32_t(layout->nics);
    for (const DeviceId d : f.hosts) f.places.push_back({s.devices.pod[d], s.devices.segment[d], -1});
    const auto domain = readServerType(s, f);
    if (!domain) return tl::unexpected(domain.error());
    numberDomains(s, f, *domain);
    countPlaces(f);
    return f;
}

} // namespace training
} // namespace hw::sim
