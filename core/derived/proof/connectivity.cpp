// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/sections.h"

#include "core/derived/proof/single_points.h"
#include "core/derived/proof/symmetry.h"
#include "core/foundation/base/shared_group.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::proof {

namespace {

using Part = NetworkProof::Part;

/// Reachability among the vertices that `inside` lets count.
template <class Inside>
Part provePart(const Graph& graph, int plane, Inside&& inside)
{
    Part part;
    part.plane = plane;
    DisjointSets classes(graph.vertexCount());
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        if (!inside(v)) continue;
        part.switches += !graph.vertex(v).endDevice;
        for (const auto& arc : graph.arcs(v))
            if (inside(arc.to)) classes.join(v, arc.to);
    }
    // A NIC with ports in several pieces is in the largest of them, which is only known at the end.
    std::map<std::uint32_t, std::int64_t> nicsOfPiece;
    std::map<std::int16_t, std::map<std::uint32_t, std::int64_t>> nicsOfRail;
    std::vector<std::set<std::uint32_t>> piecesOf(graph.groups().size());
    for (std::uint32_t i = 0; i < piecesOf.size(); ++i) {
        const auto& g = graph.groups()[i];
        for (const auto& a : graph.attachments(g))
            if (inside(a.vertex)) piecesOf[i].insert(classes.find(a.vertex));
        if (piecesOf[i].empty()) {
            for (const auto nic : graph.nics(g)) part.missing.add([&] { return graph.nicName(nic); });
            continue;
        }
        part.nics += g.nics();
        for (const auto piece : piecesOf[i]) nicsOfPiece[piece] += g.nics(), nicsOfRail[g.rail][piece] += g.nics();
    }
    const auto largest = [](const auto& pieces) {
        return std::ranges::max_element(pieces, [](const auto& a, const auto& b) { return a.second < b.second; })->first;
    };
    part.pieces = std::int64_t(nicsOfPiece.size());
    const auto allReach = [&](const auto& goal) {
        for (std::uint32_t i = 0; i < piecesOf.size(); ++i)
            if (!piecesOf[i].empty() && !piecesOf[i].contains(goal(graph.groups()[i]))) return false;
        return true;
    };
    if (nicsOfPiece.empty()) return part;
    const auto whole = largest(nicsOfPiece);
    part.connected = part.missing.empty() && allReach([&](const auto&) { return whole; });
    std::map<std::int16_t, std::uint32_t> ofRail;
    for (const auto& [rail, pieces] : nicsOfRail) ofRail[rail] = largest(pieces);
    part.withinRails = part.missing.empty() && allReach([&](const auto& g) { return ofRail[g.rail]; });
    const bool byRail = graph.rails() > 1 && std::ranges::any_of(ofRail, [&](const auto& entry) { return entry.second != whole; });
    for (std::uint32_t i = 0; i < piecesOf.size(); ++i) {
        const auto& g = graph.groups()[i];
        if (piecesOf[i].empty() || piecesOf[i].contains(byRail ? ofRail[g.rail] : whole)) continue;
        for (const auto nic : graph.nics(g)) part.cutOff.add([&] { return graph.nicName(nic); });
    }
    return part;
}

/// Every two NICs have a component of the switches' graph in common.
bool everyPairMeets(const Graph& graph)
{
    const auto component = switchComponents(graph);
    const auto domain = domainsOf(graph);
    std::map<std::uint32_t, std::set<std::vector<std::uint32_t>>> kindsOf;
    for (std::size_t g = 0; g < domain.size(); ++g) kindsOf[domain[g]].insert(componentsOf(graph, graph.groups()[g], component));
    const auto meet = [](const auto& a, const auto& b) { return std::ranges::find_first_of(a, b) != a.end(); };
    for (const auto& [_, kinds] : kindsOf)
        for (auto a = kinds.begin(); a != kinds.end(); ++a)
            for (auto b = a; b != kinds.end(); ++b)
                if (!meet(*a, *b)) return false;
    return !kindsOf.empty();
}

/// Every two end devices have NICs in one component.
bool everyTwoDevicesMeet(const Graph& graph)
{
    const auto component = switchComponents(graph);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> memberships;
    for (const auto& group : graph.groups()) {
        const auto components = componentsOf(graph, group, component);
        for (const auto nic : graph.nics(group))
            for (const auto c : components) memberships.emplace_back(graph.allNics()[nic].device.value, c);
    }
    return everyTwoShareAGroup(std::move(memberships));
}

/// Hosts as joints: what the devices of the network reach when end devices may pass traffic on.
void joinThroughHosts(const Graph& graph, NetworkProof::Connectivity& out)
{
    const Snapshot& s = graph.snapshot();
    DisjointSets classes(s.devices.nextId());
    for (const auto& link : graph.links()) classes.join(s.ports.device[link.from].value, s.ports.device[link.to].value);
    std::vector<DeviceId> ends;
    for (const auto& nic : graph.allNics())
        if (ends.empty() || ends.back() != nic.device) ends.push_back(nic.device);
    std::map<std::uint32_t, std::int64_t> sizes;
    for (const auto d : ends) ++sizes[classes.find(d.value)];
    out.throughHosts = sizes.size() == 1;
    out.domains = std::int64_t(sizes.size());
    for (const auto& [_, size] : sizes) out.domainDevices.add(size);
    if (sizes.size() < 2 || graph.kind() == NetworkKind::ScaleUp) return;
    const auto largest = std::ranges::max_element(sizes, [](const auto& a, const auto& b) { return a.second < b.second; })->first;
    for (const auto d : ends)
        if (classes.find(d.value) != largest) out.separateDevices.add([&] { return s.devices.name[d]; });
}

} // namespace

NetworkProof::Connectivity proveConnectivity(const Graph& graph)
{
    NetworkProof::Connectivity out;
    joinThroughHosts(graph, out);
    out.throughSwitches = everyPairMeets(graph);
    out.devicesMeet = graph.kind() == NetworkKind::ScaleUp || out.throughSwitches || everyTwoDevicesMeet(graph);
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) out.peersForward = out.peersForward || graph.vertex(v).endDevice;
    out.whole = provePart(graph, -1, [](std::uint32_t) { return true; });
    std::vector<std::uint8_t> busy(graph.vertexCount(), 0);
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) busy[v] = !graph.arcs(v).empty();
    for (const auto& g : graph.groups())
        for (const auto& a : graph.attachments(g)) busy[a.vertex] = 1;
    bool named = false;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        named = named || graph.vertex(v).plane >= 0;
        if (!busy[v]) out.idleSwitches.add([&] { return graph.vertexName(v); });
    }
    if (graph.planes() < 2 || !named) return out;
    for (int plane = 0; plane < graph.planes(); ++plane)
        out.planes.push_back(provePart(graph, plane, [&](std::uint32_t v) { return graph.vertex(v).plane == plane || graph.vertex(v).plane < 0; }));
    return out;
}

} // namespace hw::proof
