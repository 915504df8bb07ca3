// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/proof.h"

#include "core/derived/proof/paths.h"
#include "core/derived/proof/sections.h"
#include "core/derived/proof/single_points.h"
#include "core/foundation/catalog/catalog.h"

#include <algorithm>

namespace hw {

namespace {

std::uint64_t product(const std::vector<NetworkProof::Choice>& choices, auto&& factor)
{
    std::uint64_t result = 1;
    for (const auto& c : choices) result = proof::saturatingProduct(result, std::uint64_t(factor(c)));
    return result;
}

NetworkProof::Size sizeOf(const proof::Graph& graph)
{
    NetworkProof::Size size;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) size.switches += !graph.vertex(v).endDevice;
    const auto& nics = graph.allNics();
    for (std::size_t i = 0; i < nics.size(); ++i) size.endDevices += i == 0 || nics[i].device != nics[i - 1].device;
    for (const auto& g : graph.groups()) (g.backup ? size.backupNics : size.nics) += g.nics();
    size.cables = std::int64_t(graph.links().size());
    return size;
}

/// Rails that are joined within themselves and not to each other.
bool railsApart(const NetworkProof& proof)
{
    const auto apart = [](const auto& p) { return p.otherRail && !p.reachable; };
    const auto asRailsApart = [](const auto& p) { return p.otherRail || p.reachable; };
    return proof.connectivity.whole.withinRails && !proof.connectivity.throughSwitches && std::ranges::any_of(proof.pairs, apart) &&
           std::ranges::all_of(proof.pairs, asRailsApart);
}

void flagConnectivity(NetworkProof& proof)
{
    auto& flags = proof.flags;
    const auto& c = proof.connectivity;
    for (const auto& carrier : proof.carriers) flags.push_back(i18n("uses the switches of {}: verified together with it", carrier));
    if (c.peersForward) flags.push_back(i18n("interconnected end devices forward traffic: included here, but not modeled by any simulation"));
    if (proof.needsForwarding())
        flags.push_back(i18n("connected only if end devices forward traffic, as in BCube: not modeled; the following applies to the switches only"));
    else if (railsApart(proof))
        flags.push_back(i18n("rail-only: cross-rail and all-to-all traffic only through the host"));
    else if (!c.throughSwitches)
        flags.push_back(i18n("not all NICs can reach each other through the switches"));
    if (proof.scaleUp)
        flags.push_back(c.domainDevices.equal()
                            ? i18np(c.domains, "{} scale-up domain of {} end devices, not interconnected",
                                    "{} scale-up domains of {} end devices, not interconnected", c.domainDevices.min)
                            : i18np(c.domains, "{} scale-up domain of {} to {} end devices, not interconnected",
                                    "{} scale-up domains of {} to {} end devices, not interconnected", c.domainDevices.min, c.domainDevices.max));
    else if (!c.throughHosts)
        flags.push_back(i18np(c.separateDevices.count, "{} end device is not connected to the rest", "{} end devices are not connected to the rest"));
    if (!c.idleSwitches.empty()) flags.push_back(i18np(c.idleSwitches.count, "{} switch is not cabled", "{} switches are not cabled"));
    if (!proof.wiring.planesMeetAt.empty()) flags.push_back(i18n("the planes are connected at tier {}", proof.wiring.planesMeetAt));
    if (!proof.wiring.planesCrossed.empty())
        flags.push_back(i18np(proof.wiring.planesCrossed.count, "{} cable connects two planes", "{} cables connect two planes"));
    if (!proof.wiring.nicsOnOnePlane.empty())
        flags.push_back(
            i18np(proof.wiring.nicsOnOnePlane.count, "{} NIC has all its ports in one plane", "{} NICs have all their ports in one plane"));
}

void flagShape(NetworkProof& proof)
{
    auto& flags = proof.flags;
    for (const auto& t : proof.tiers)
        if (!t.even && !t.access) flags.push_back(i18n("uneven cabling between {} and {}", t.lower, t.upper));
    if (const auto* worst = proof.worstBisection(); worst && worst->carriedGbps < worst->wantedGbps)
        flags.push_back(i18n("below full bisection: {:.4g} % ({})", 100 * worst->fraction(), worst->halves));
    if (!proof.singleSwitches.empty())
        flags.push_back(i18np(proof.singleSwitches.count, "{} switch is a single point of failure", "{} switches are single points of failure"));
    if (!proof.method.exhaustive) flags.push_back(i18n("too irregular to examine every pair of NICs: path counts and cuts are based on a sample"));
}

using LinksByNetwork = std::vector<std::vector<LinkEnds>>;

Text withoutCables(const Snapshot& s, NetworkId network)
{
    const auto domain = s.networks.domain[network];
    if (s.networks.kind[network] != NetworkKind::ScaleUp || domain == 0) return i18n("no cables: nothing to verify");
    return i18np(domain,
                 "no cables: the {:L} accelerator of a scale-up domain is connected inside the equipment at {:L} Gb/s per direction "
                 "(part data); not verified",
                 "no cables: the {:L} accelerators of a scale-up domain are connected inside the equipment at {:L} Gb/s per direction "
                 "(part data); not verified",
                 s.networks.acceleratorRate[network].count());
}

Result<NetworkProof> prove(const Snapshot& s, const ProjectParts& parts, NetworkId network, const LinksByNetwork& byNetwork, const Progress& progress)
{
    NetworkProof out;
    out.network = network;
    out.name = s.networks.name[network];
    out.scaleUp = s.networks.kind[network] == NetworkKind::ScaleUp;
    out.management = s.networks.kind[network] == NetworkKind::Management;
    const proof::NetworkGraph made(s, parts, network, byNetwork);
    const proof::Graph& graph = made.graph();
    for (const NetworkId carrier : made.carriers()) out.carriers.push_back(s.networks.name[carrier]);
    out.size = sizeOf(graph);
    if (!out.hasCables()) {
        out.flags.push_back(withoutCables(s, network));
        return out;
    }
    const auto stopped = [&] { return fail(ErrorCode::Canceled, out.name, i18n("verification stopped")); };
    out.wiring = proof::proveWiring(graph);
    out.connectivity = proof::proveConnectivity(graph);
    out.tiers = proof::proveEvenness(graph);
    if (progress.stopRequested()) return stopped();
    progress.report(0.4, words(i18n("Counting paths")));
    if (!proof::provePaths(graph, progress, out)) return stopped();
    progress.report(0.7, words(i18n("Solving flows")));
    if (!out.scaleUp) out.bisections = proof::proveBisections(graph); // halves of the whole say nothing about domains that are not joined
    auto single = proof::singlePoints(graph);
    out.singleSwitches = std::move(single.switches);
    out.singleCables = std::move(single.cables);
    flagConnectivity(out);
    flagShape(out);
    return out;
}

} // namespace

bool NetworkProof::Wiring::sound() const
{
    return portsUsedTwice.empty() && portsOfOtherNetworks.empty() && ratesThatDiffer.empty() && endToEnd.empty() && cablesUsedTwice.empty() &&
           linksWithoutCable.empty() && planesCrossed.empty() && nicsOnOnePlane.empty();
}

std::uint64_t NetworkProof::PairClass::searchSpace() const
{
    return product(choices, [](const Choice& c) { return c.choices; });
}

std::uint64_t NetworkProof::PairClass::searchSpaceUp() const
{
    return product(choices, [](const Choice& c) { return c.up ? c.choices : 1; });
}

std::uint64_t NetworkProof::PairClass::searchSpaceBlind() const
{
    return product(choices, [](const Choice& c) { return c.choices > 1 ? c.ports : 1; });
}

const NetworkProof::Bisection* NetworkProof::worstBisection() const
{
    const auto worst = std::ranges::min_element(bisections, {}, [](const Bisection& b) { return b.fraction(); });
    return worst == bisections.end() ? nullptr : &*worst;
}

bool NetworkProof::holds() const
{
    if (!hasCables()) return true;
    return wiring.sound() && connectivity.holds(scaleUp) && (scaleUp || connectivity.throughSwitches || railsApart(*this));
}

bool NetworkProof::Connectivity::holds(bool scaleUp) const
{
    if (scaleUp) return throughSwitches && domainDevices.equal();
    const auto partHolds = [](const Part& p) { return p.withinRails; };
    return throughHosts && partHolds(whole) && std::ranges::all_of(planes, partHolds);
}

Result<std::vector<NetworkProof>> proveNetworks(const Snapshot& snapshot, const ProjectParts& parts, const Progress& progress)
{
    const auto links = linksByNetwork(snapshot);
    std::vector<NetworkProof> result;
    for (const NetworkId id : snapshot.networks.ids()) {
        auto proof = prove(snapshot, parts, id, links, progress);
        if (!proof) return tl::unexpected(proof.error());
        result.push_back(std::move(*proof));
    }
    return result;
}

} // namespace hw
