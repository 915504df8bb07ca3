// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/workload/workload_fabric.h"

#include "simulation/engine/hosts.h"

#include <algorithm>

namespace hw::sim {

namespace {

/// Accelerators of one scale-up domain and their rate, where the design has such a network.
std::pair<int, double> scaleUp(const Snapshot& s)
{
    std::pair<int, double> result{0, 0.0};
    s.networks.forEach([&](NetworkId id) {
        if (s.networks.kind[id] == NetworkKind::ScaleUp) result = {s.networks.domain[id], double(s.networks.acceleratorRate[id].count())};
    });
    return result;
}

/// Hosts that follow each other in a segment share a domain, as many as it has room for.
void numberDomains(WorkloadFabric& f, int acceleratorsOfDomain)
{
    const std::uint32_t hostsOfDomain = std::max<std::uint32_t>(1, std::uint32_t(std::max(0, acceleratorsOfDomain)) / f.gpusPerHost);
    std::uint32_t domain = 0, inDomain = 0;
    for (std::size_t h = 0; h < f.hosts.size(); ++h) {
        const bool moved = h > 0 && (f.places[h].pod != f.places[h - 1].pod || f.places[h].segment != f.places[h - 1].segment);
        if (h > 0 && (moved || inDomain == hostsOfDomain)) ++domain, inDomain = 0;
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
    const auto id = networkOf(s, network);
    if (!id) return fail(ErrorCode::Refused, "network", "there is no network \"" + network + "\"", "use a network of the design");
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
    const auto [domain, rate] = scaleUp(s);
    f.scaleUpGbps = rate;
    numberDomains(f, domain);
    countPlaces(f);
    return f;
}

} // namespace hw::sim
