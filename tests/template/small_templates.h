// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/figures/link_sides.h"
#include "core/derived/rules/check.h"
#include "core/design/template/spec.h"
#include "core/design/template/template.h"
#include "tests/catalog/shipped.h"

#include <QtGlobal>

#include <map>
#include <set>

/// Templates in a few lines, and what every design made from one must keep.
namespace hw::test {

inline Result<SnapshotPtr> made(const std::string& yaml, const std::map<std::string, std::string>& given = {})
{
    const auto parsed = Template::parse(yaml, "t.yaml");
    if (!parsed) return tl::unexpected(parsed.error());
    const auto values = parsed->complete(given);
    if (!values) return tl::unexpected(values.error());
    return instantiate(*parsed, *values, catalog());
}

inline SnapshotPtr need(const std::string& yaml, const std::map<std::string, std::string>& given = {})
{
    auto result = made(yaml, given);
    if (!result) qFatal("%s", result.error().text().c_str());
    return *result;
}

inline std::string errorOf(const std::string& yaml, const std::map<std::string, std::string>& given = {})
{
    const auto result = made(yaml, given);
    return result ? std::string("no error") : result.error().text();
}

inline bool says(const std::string& text, const std::string& phrase) { return text.find(phrase) != std::string::npos; }

/// Places for everything, so that no test waits for a layout.
inline const std::string kPlaces = "buildings:\n  b: {name: b, size: [9000, 9000, 4000]}\n"
                                   "halls:\n  h: {in: b, name: h, size: [9000, 9000, 4000]}\n"
                                   "rows:\n  r: {in: h, name: r}\n"
                                   "racks:\n  k: {in: r, name: k, type: rack-48u-600x1200}\n";

/// Two tiers of 51.2T switches, `lower` ports up against `upper` switches.
inline std::string twoTiers(int leaves, int uplinks, int spines, const std::string& rule)
{
    return "template: t\nvalues: {leaves: " + std::to_string(leaves) + ", uplinks: " + std::to_string(uplinks) +
           ", spines: " + std::to_string(spines) + "}\n" + "networks:\n  net: {label: Net}\n" + kPlaces +
           "tiers:\n"
           "  leaf: {network: net, level: 1, each: {leaf: leaves}, name: \"leaf{leaf}\", type: switch-51t-128x400g, rack: k, ports: {up: {cages: "
           "uplinks}}}\n"
           "  spine: {network: net, level: 2, each: {spine: spines}, name: \"spine{spine}\", type: switch-51t-128x400g, rack: k, ports: {down: "
           "{cages: 128}}}\n"
           "links:\n  up: {from: leaf.up, to: spine.down, " +
           rule + "}\n";
}

inline std::map<std::pair<std::uint32_t, std::uint32_t>, int> linksOfPairs(const Snapshot& s)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> pairs;
    s.links.forEach([&](LinkId id) { ++pairs[{s.ports.device[s.links.from[id]].value, s.ports.device[s.links.to[id]].value}]; });
    return pairs;
}

/// A ring, a mesh or a chain: `n` switches, 16 ports each, and one rule.
inline std::string peers(int n, const std::string& rule)
{
    return "template: t\nvalues: {n: " + std::to_string(n) + "}\nnetworks:\n  net: {label: Net}\n" + kPlaces +
           "tiers:\n  node: {network: net, level: 1, each: {x: n}, name: \"s{x}\", type: switch-51t-128x400g, rack: k, ports: {peer: {cages: 16}}}\n"
           "links:\n  mesh: {from: node.peer, to: node.peer, " +
           rule + "}\n";
}

/// Links between switches by their coordinates (pod, segment), the lower pair first.
using Place = std::pair<int, int>;
inline std::map<std::pair<Place, Place>, int> linksOfPlaces(const Snapshot& s)
{
    std::map<std::pair<Place, Place>, int> result;
    const auto place = [&](PortId p) { return Place(s.devices.pod[s.ports.device[p]], s.devices.segment[s.ports.device[p]]); };
    s.links.forEach([&](LinkId id) {
        const PortId a = s.links.from[id], b = s.links.to[id];
        if (s.ports.role[a] == PortRole::Peer) ++result[std::minmax(place(a), place(b))];
    });
    return result;
}

inline SnapshotPtr example(const char* name, const std::map<std::string, std::string>& given)
{
    const auto design = Template::load(std::string(HW_RESOURCES "/../docs/examples/") + name + ".yaml");
    if (!design) qFatal("%s", design.error().text().c_str());
    const auto values = design->complete(given);
    auto made = values ? instantiate(*design, *values, catalog()) : Result<SnapshotPtr>(tl::unexpected(values.error()));
    if (!made) qFatal("%s", made.error().text().c_str());
    return *made;
}

/// Errors that the rules find in a design.
inline std::string findings(const SnapshotPtr& s)
{
    const auto figures = computeFigures(s);
    if (!figures) return figures.error().text();
    const auto checked = check(**figures);
    if (!checked) return checked.error().text();
    std::string text;
    for (const auto& finding : checked->findings)
        if (finding.severity == Severity::Error && !finding.waived) text += finding.rule + " " + words(finding.message) + "\n";
    return text;
}

/// What every generated design must keep; empty when it does.
inline std::string fault(const Snapshot& s)
{
    std::vector<int> uses(s.ports.nextId(), 0);
    std::string found;
    const auto say = [&](const std::string& text) {
        if (found.empty()) found = text;
    };
    s.links.forEach([&](LinkId id) {
        const PortId a = s.links.from[id], b = s.links.to[id];
        if (++uses[a.value] > 1 || ++uses[b.value] > 1) say("a port is used twice");
        if (s.ports.rate[a] != s.ports.rate[b]) say("rates differ");
        if (s.ports.medium[a] != s.ports.medium[b]) say("media differ");
        if (!(s.ports.network[a] == s.ports.network[b])) say("a link joins two networks");
        if (!s.links.cable[id]) say("a link has no cable");
        const auto network = s.ports.network[a];
        const int pa = s.devices.plane[s.ports.device[a]], pb = s.devices.plane[s.ports.device[b]];
        if (network && s.networks.planes[*network] > 1 && pa >= 0 && pb >= 0 && pa != pb) say("a link joins two planes");
    });
    std::map<std::uint32_t, std::shared_ptr<const DeviceSpec>> specs;
    s.partTypes.forEach([&](PartTypeId id) {
        const auto* part = catalog().find(s.partTypes.slug[id]);
        if (const auto* device = part ? std::get_if<DeviceSpec>(&part->spec) : nullptr) specs[id.value] = std::make_shared<DeviceSpec>(*device);
    });
    std::set<std::pair<std::uint32_t, int>> sockets;
    std::vector<std::int64_t> gbps(s.cages.nextId(), 0), chip(s.devices.nextId(), 0);
    s.ports.forEach([&](PortId id) {
        gbps[s.ports.cage[id].value] += s.ports.rate[id].count();
        if (s.ports.lane[id] >= s.cages.split[s.ports.cage[id]]) say("a lane past its cage");
    });
    s.cages.forEach([&](CageId id) {
        const DeviceId device = s.cages.device[id];
        if (!sockets.insert({device.value, s.cages.number[id]}).second) say("a cage stands there twice");
        const auto& interfaces = specs[s.devices.type[device].value]->interfaces;
        if (gbps[id.value] == 0) return; // power
        if (s.cages.number[id] >= interfaces.size()) return say("a cage that the device does not have");
        const auto& interface = interfaces[s.cages.number[id]];
        if (gbps[id.value] > interface.rate.count()) say("ports faster than their cage");
        if (s.cages.split[id] > 1 && std::find(interface.splits.begin(), interface.splits.end(), int(s.cages.split[id])) == interface.splits.end())
            say("a split that the device has not");
        if (!interface.management) chip[device.value] += gbps[id.value];
    });
    std::set<std::string> names;
    s.devices.forEach([&](DeviceId id) {
        const auto most = specs[s.devices.type[id].value]->switching.value.count();
        if (most > 0 && chip[id.value] > most) say("more than the chip switches");
        if (!names.insert(s.devices.name[id]).second) say("two devices called " + s.devices.name[id]);
    });
    // Numbers run from 0 within device, role, network and medium.
    std::map<std::tuple<std::uint32_t, PortRole, std::uint32_t, Medium>, std::set<int>> numbers;
    s.ports.forEach([&](PortId id) {
        const auto network = s.ports.network[id];
        if (!numbers[{s.ports.device[id].value, s.ports.role[id], network ? (*network).value : 0xFFFFFFFFu, s.ports.medium[id]}]
                 .insert(s.ports.number[id])
                 .second)
            say("a port number stands there twice");
    });
    for (const auto& [key, set] : numbers)
        if (*set.begin() != 0 || *set.rbegin() != int(set.size()) - 1) say("port numbers have gaps");
    return found;
}

} // namespace hw::test
