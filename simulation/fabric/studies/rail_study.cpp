// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/rail_study.h"

#include "simulation/fabric/hash.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

using Place = std::pair<int, int>; ///< pod, segment

Place placeOf(const Snapshot& s, DeviceId host) { return {s.devices.pod[host], s.devices.segment[host]}; }

double crossing(const Snapshot& s, const std::vector<DeviceId>& ring)
{
    std::size_t edges = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) edges += placeOf(s, ring[i]) != placeOf(s, ring[(i + 1) % ring.size()]);
    return double(edges) / double(ring.size());
}

/// Fisher and Yates, with numbers that are the same everywhere.
void shuffle(std::vector<DeviceId>& order, std::uint64_t seed)
{
    std::uint64_t state = mix(seed ^ 0x0de2);
    for (std::size_t i = order.size() - 1; i > 0; --i) {
        state = mix(state);
        std::swap(order[i], order[std::size_t((static_cast<unsigned __int128>(state) * (i + 1)) >> 64)]);
    }
}

/// Ring per rail over all ports: its rates, and what goes above the access switches.
Result<void> ring(const StudyFabric& fabric, const std::vector<DeviceId>& hosts, RailResult& out)
{
    std::vector<FlowSpec> flows;
    for (std::size_t i = 0; i < hosts.size(); ++i)
        for (int k = 0; k < out.nics * fabric.layout.portsPerNic; ++k) {
            FlowSpec f;
            f.source = hosts[i], f.destination = hosts[(i + 1) % hosts.size()];
            f.sourceNic = f.destinationNic = std::int16_t(k / fabric.layout.portsPerNic);
            f.sourcePort = std::int16_t(k % fabric.layout.portsPerNic);
            f.connection = std::uint16_t(f.sourcePort);
            f.group = std::uint32_t(i) * std::uint32_t(out.nics) + std::uint32_t(f.sourceNic);
            flows.push_back(f);
        }
    const auto routed = routeFlows(fabric.graph, {}, std::move(flows));
    if (!routed) return tl::unexpected(routed.error());
    if (routed->unreachable > 0)
        return noPath(i18np(routed->unreachable, "{:L} flow of the ring has no path", "{:L} flows of the ring have no path"));
    const ProvedRates proved = proveRates(routed->problem);
    out.certificateOk = proved.ok, out.certificateGap = proved.gap;
    std::size_t local = 0;
    std::vector<double> nic(hosts.size() * std::size_t(out.nics), 0.0);
    for (std::uint32_t f = 0; f < routed->flows.size(); ++f) {
        const auto way = routed->problem.linksOf(f);
        local += way.size() == 2 && routed->reaches(f);
        if (way.size() > 2) out.ringUpperLoadGbps += proved.gbps[f] * double(way.size() - 2);
        nic[routed->flows[f].group] += proved.gbps[f];
    }
    out.ringUnderOneSwitch = double(local) / double(routed->flows.size());
    out.ringGbps = *std::min_element(nic.begin(), nic.end());
    return {};
}

/// Direct all-to-all: every NIC of a host to every NIC of every other host; ports spread evenly over ports that the fabric joins nearest.
void allToAll(const StudyFabric& fabric, const std::vector<DeviceId>& hosts, RailResult& out)
{
    std::size_t pairs = 0, acrossRails = 0, upper = 0, railPairs = 0, railUpper = 0;
    Router router(fabric.graph, {});
    for (const DeviceId to : hosts)
        for (int r = 0; r < out.nics; ++r) {
            router.aimAt(fabric.graph.nicPorts(to, r));
            for (const DeviceId from : hosts) {
                if (from == to) continue;
                for (int q = 0; q < out.nics; ++q)
                    for (const auto& port : fabric.graph.nicPorts(from, q)) {
                        if (port.access == FabricGraph::kNone) continue;
                        const bool above = router.distance(port.access).value_or(1) > 0;
                        ++pairs, upper += above, acrossRails += q != r;
                        if (q == r) ++railPairs, railUpper += above;
                    }
            }
        }
    out.allToAllCrossesRails = double(acrossRails) / double(pairs);
    out.allToAllThroughUpper = double(upper) / double(pairs);
    out.forwardedCrossesRails = 0; // by construction: bytes change rails inside the host
    out.forwardedThroughUpper = railPairs ? double(railUpper) / double(railPairs) : 0;
}

} // namespace

Result<RailResult> runRailStudy(const Snapshot& s, const RailStudy& study, const Progress& progress)
{
    const auto fabric = studyFabric(s, study.network);
    if (!fabric) return tl::unexpected(fabric.error());
    if (study.hosts < 2 || std::size_t(study.hosts) > fabric->servers.size())
        return fail(ErrorCode::Refused, "hosts", i18n("{} requested, {} active hosts available", study.hosts, fabric->servers.size()),
                    i18n("use 2 to {}", fabric->servers.size()));
    if (study.seeds < 1) return fail(ErrorCode::Refused, "seeds", i18n("at least one required"), i18n("use 1,000"));
    const std::vector<DeviceId> hosts(fabric->servers.begin(), fabric->servers.begin() + study.hosts);
    RailResult out;
    out.hosts = study.hosts;
    out.nics = fabric->layout.nics;
    std::set<Place> places;
    for (const auto host : hosts) places.insert(placeOf(s, host));
    out.segments = int(places.size());
    if (auto done = ring(*fabric, hosts, out); !done) return tl::unexpected(done.error());
    out.ringCrossesSegments = crossing(s, hosts);
    Sample random;
    for (int i = 0; i < study.seeds; ++i) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "rail study", i18n("canceled")); // no text
        auto order = hosts;
        shuffle(order, study.firstSeed + std::uint64_t(i));
        random.add(crossing(s, order));
    }
    out.randomRingCrossesSegments = random.mean();
    std::size_t across = 0;
    for (const auto a : hosts)
        for (const auto b : hosts) across += placeOf(s, a) != placeOf(s, b);
    out.randomExpected = out.allToAllCrossesSegments = double(across) / double(hosts.size() * (hosts.size() - 1));
    progress.report(0.3, "All-to-all");
    allToAll(*fabric, hosts, out);
    out.notes = {kFluidNote, i18n("All-to-all counts bytes between hosts only; rail forwarding (PXN) first moves them within the host.")};
    return out;
}

} // namespace fabric
} // namespace hw::sim
