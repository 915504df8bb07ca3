// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/proof/sections.h"

#include <algorithm>
#include <optional>

namespace hw::proof {

namespace {

using Wiring = NetworkProof::Wiring;

std::string portName(const Snapshot& s, PortId port)
{
    return s.devices.name[s.ports.device[port]] + " port " + std::to_string(s.cages.number[s.ports.cage[port]] + 1) +
           (s.cages.split[s.ports.cage[port]] > 1 ? "/" + std::to_string(s.ports.lane[port] + 1) : "");
}

std::string linkName(const Snapshot& s, const LinkEnds& link) { return portName(s, link.from) + " - " + portName(s, link.to); }

void checkPorts(const Graph& graph, Wiring& out)
{
    const Snapshot& s = graph.snapshot();
    std::vector<std::uint8_t> used(s.ports.nextId(), 0);
    for (const auto& link : graph.links()) {
        for (const PortId port : {link.from, link.to})
            if (++used[port.value] == 2) out.portsUsedTwice.add([&] { return portName(s, port); });
        if (!(s.ports.network[link.from] == s.ports.network[link.to])) out.portsOfOtherNetworks.add([&] { return linkName(s, link); });
        if (s.ports.rate[link.from] != s.ports.rate[link.to]) out.ratesThatDiffer.add([&] { return linkName(s, link); });
        if (graph.vertexOf(s.ports.device[link.from]) == kNone && graph.vertexOf(s.ports.device[link.to]) == kNone)
            out.endToEnd.add([&] { return linkName(s, link); });
    }
    for (const PortId port : graph.nicPorts())
        if (!used[port.value]) out.uncabledPorts.add([&] { return portName(s, port); });
}

/// Links that share an assembly must hang together by cages that they share: a breakout or a trunk.
void checkAssembly(const Graph& graph, std::span<const LinkEnds> links, Wiring& out)
{
    const Snapshot& s = graph.snapshot();
    const auto cage = [&](PortId port) { return s.ports.cage[port]; };
    std::vector<CageId> held{cage(links[0].from), cage(links[0].to)};
    std::vector<std::uint8_t> joined(links.size(), 0);
    joined[0] = 1;
    for (bool grew = true; grew;) {
        grew = false;
        for (std::size_t i = 1; i < links.size(); ++i) {
            const auto touches = [&](CageId c) { return c == cage(links[i].from) || c == cage(links[i].to); };
            if (joined[i] || std::ranges::none_of(held, touches)) continue;
            held.push_back(cage(links[i].from));
            held.push_back(cage(links[i].to));
            joined[i] = grew = true;
        }
    }
    for (std::size_t i = 1; i < links.size(); ++i)
        if (!joined[i]) out.cablesUsedTwice.add([&] { return linkName(s, links[i]); });
}

void checkCables(const Graph& graph, Wiring& out)
{
    const Snapshot& s = graph.snapshot();
    std::vector<std::uint32_t> uses(s.cables.nextId(), 0);
    for (const auto& link : graph.links()) {
        const auto cable = s.links.cable[link.link];
        if (cable)
            ++uses[(*cable).value];
        else
            out.linksWithoutCable.add([&] { return linkName(s, link); });
    }
    std::vector<std::pair<CableId, LinkEnds>> shared;
    for (const auto& link : graph.links())
        if (const auto cable = s.links.cable[link.link]; cable && uses[(*cable).value] > 1) shared.emplace_back(*cable, link);
    std::ranges::stable_sort(shared, {}, [](const auto& entry) { return entry.first; });
    std::vector<LinkEnds> links;
    for (std::size_t i = 0; i < shared.size(); ++i) {
        links.push_back(shared[i].second);
        if (i + 1 < shared.size() && shared[i + 1].first == shared[i].first) continue;
        checkAssembly(graph, links, out);
        links.clear();
    }
}

/// Planes may meet in switches that belong to none, at the lowest such tier; a cable between switches of
/// two planes crosses them.
void checkPlanes(const Graph& graph, Wiring& out)
{
    if (graph.planes() < 2) return;
    std::optional<std::int16_t> meetLevel;
    for (std::uint32_t v = 0; v < graph.vertexCount(); ++v) {
        const auto& own = graph.vertex(v);
        std::optional<std::int16_t> seen;
        for (const auto& arc : graph.arcs(v)) {
            const auto& other = graph.vertex(arc.to);
            if (own.plane >= 0 && other.plane >= 0 && own.plane != other.plane && v < arc.to)
                out.planesCrossed.add([&] { return graph.vertexName(v) + " - " + graph.vertexName(arc.to); }, arc.cables);
            if (own.plane >= 0 || other.plane < 0) continue;
            if (seen && *seen != other.plane && (!meetLevel || own.level < *meetLevel)) {
                meetLevel = own.level;
                out.planesMeetAt = graph.tierName(own.tier);
            }
            seen = other.plane;
        }
    }
    out.planesDisjoint = out.planesCrossed.empty() && out.planesMeetAt.empty();
    for (const auto& g : graph.groups()) {
        const auto attachments = graph.attachments(g);
        const auto plane = [&](const Graph::Attachment& a) { return graph.vertex(a.vertex).plane; };
        std::int64_t cables = 0;
        for (const auto& a : attachments) cables += a.own ? 0 : a.cables;
        if (cables < 2 || plane(attachments[0]) < 0 ||
            !std::ranges::all_of(attachments, [&](const auto& a) { return plane(a) == plane(attachments[0]); }))
            continue;
        for (const auto nic : graph.nics(g)) out.nicsOnOnePlane.add([&] { return graph.nicName(nic); });
    }
}

} // namespace

NetworkProof::Wiring proveWiring(const Graph& graph)
{
    Wiring out;
    checkPorts(graph, out);
    checkCables(graph, out);
    checkPlanes(graph, out);
    return out;
}

} // namespace hw::proof
