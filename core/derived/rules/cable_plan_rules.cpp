// SPDX-License-Identifier: GPL-3.0-or-later
// N14: delay of links. K5: cable entries of racks. K8: service loops. D2: names by pattern.
#include "core/derived/rules/cable_plan_rules.h"

#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/label.h"
#include "core/foundation/model/setting_values.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::rules {

std::vector<Finding> linkDelays(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double perMeter = input.threshold(kNsPerMeter), most = input.threshold(kDelaySkew);
    struct Pair {
        std::int64_t shortest = 0, longest = 0;
        LinkId near, far;
        std::size_t links = 0;
    };
    std::map<std::pair<TierId, TierId>, Pair> pairs;
    s.links.forEach([&](LinkId id) {
        const PortId from = s.links.from[id];
        if (s.ports.medium[from] != Medium::Data) return;
        const std::int64_t mm = input.figures.cabling->channelMm(s, id);
        if (mm <= 0) return;
        Pair& p = pairs[{s.devices.tier[s.ports.device[from]], s.devices.tier[s.ports.device[s.links.to[id]]]}];
        if (p.links == 0 || mm < p.shortest) p.shortest = mm, p.near = id;
        if (p.links == 0 || mm > p.longest) p.longest = mm, p.far = id;
        ++p.links;
    });
    std::vector<Finding> out;
    for (const auto& [tiers, p] : pairs) {
        const double skew = double(p.longest - p.shortest) / 1000 * perMeter;
        if (skew <= most) continue;
        out.push_back({.severity = Severity::Info,
                       .message = i18n("{} – {}: delays of {:.0f} to {:.0f} ns ({} to {} at {:g} ns/m), difference {:.0f} ns, recommended maximum "
                                       "{:.0f} ns; place the tiers closer together",
                                       labelText(s.tiers, tiers.first), labelText(s.tiers, tiers.second), double(p.shortest) / 1000 * perMeter,
                                       double(p.longest) / 1000 * perMeter, lengthText(p.shortest), lengthText(p.longest), perMeter, skew, most),
                       .entities = {ref(p.far), ref(p.near)},
                       .id = findingId("N14", {s.tiers.key[tiers.first], s.tiers.key[tiers.second]})});
    }
    return out;
}

namespace {

/// Racks at the ends of a data cable that leaves a rack; none for what stays within one, or is part of another assembly.
std::vector<RackId> racksOf(const RuleInput& input, CableId id)
{
    const Snapshot& s = input.snapshot();
    const Cabling& cabling = *input.figures.cabling;
    const Cabling::Cable& cable = cabling[id];
    if (cable.partOf || !cable.type || cable.lengthMm <= 0 || cabling.linksOf(id).empty()) return {};
    if (s.ports.medium[s.links.from[cabling.linksOf(id).front()]] != Medium::Data) return {};
    const auto [a, b] = cabling.endsOf(id);
    const auto rackA = s.devices.rack[a], rackB = s.devices.rack[b];
    std::vector<RackId> racks;
    if (rackA == rackB) return racks;
    for (const auto rack : {rackA, rackB})
        if (rack) racks.push_back(*rack);
    return racks;
}

} // namespace

std::vector<Finding> rackEntries(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double entryUm2 = input.threshold(kEntryArea) * 1e8, full = input.threshold(kEntryFill) / 100; // 1 cm² is 1e8 µm²
    if (entryUm2 <= 0 || full <= 0) return {};
    std::vector<std::int64_t> areas(s.racks.nextId(), 0);
    std::vector<std::size_t> cables(s.racks.nextId(), 0);
    s.cables.forEach([&](CableId id) {
        for (const RackId rack : racksOf(input, id)) {
            areas[rack.value] += crossSectionUm2(input.parts().cable(*(*input.figures.cabling)[id].type));
            ++cables[rack.value];
        }
    });
    Groups groups(input, "K5");
    s.racks.forEach([&](RackId rack) {
        const double share = double(areas[rack.value]) / entryUm2;
        if (share <= full) return;
        groups.add(input.subject(ref(s.rows.hall[s.racks.row[rack]])), ref(rack), Severity::Warning, share, [&] {
            return i18np(cables[rack.value],
                         "{1}: {0:L} data cable fills its cable entries to {2:.0f} % of {3:.0f} cm², maximum {4:.0f} %; widen the entries",
                         "{1}: {0:L} data cables fill its cable entries to {2:.0f} % of {3:.0f} cm², maximum {4:.0f} %; widen the entries",
                         input.name(ref(rack)), 100 * share, entryUm2 / 1e8, 100 * full);
        });
    });
    return groups.findings();
}

std::vector<Finding> serviceLoops(const RuleInput& input)
{
    const double loop = Cabling::serviceLoopOf(input.snapshot());
    if (loop <= 0) return {};
    const Snapshot& s = input.snapshot();
    const Cabling& cabling = *input.figures.cabling;
    Groups groups(input, "K8");
    s.cables.forEach([&](CableId id) {
        const auto racks = racksOf(input, id);
        const Cabling::Cable& cable = cabling[id];
        if (racks.empty() || cable.noRoute || cable.routeMm <= 0) return;
        const double needed = loop * double(racks.size()), spare = double(cable.lengthMm - cable.routeMm);
        if (spare >= needed) return;
        groups.add(s.partTypes.slug[*cable.type], ref(id), Severity::Warning, needed - spare, [&] {
            return i18n("{}: {} for a route of {}, spare {} of {} for service loops; choose the next stocked length", input.name(ref(id)),
                        lengthText(cable.lengthMm), lengthText(cable.routeMm), lengthText(std::int64_t(spare)), lengthText(std::int64_t(needed)));
        });
    });
    return groups.findings();
}

bool fitsPattern(std::string_view name, std::string_view pattern)
{
    // Where the last star began, and what of the name it has taken so far.
    std::size_t n = 0, p = 0, star = std::string_view::npos, taken = 0;
    const auto fits = [](char c, char wanted) {
        const bool digit = c >= '0' && c <= '9', letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return wanted == '#' ? digit : wanted == '@' ? letter : c == wanted;
    };
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*')
            star = p++, taken = n;
        else if (p < pattern.size() && fits(name[n], pattern[p]))
            ++n, ++p;
        else if (star != std::string_view::npos)
            p = star + 1, n = ++taken;
        else
            return false;
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::vector<Finding> namePatterns(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const std::string racks = settingOf(s, "project.rack_names"), devices = settingOf(s, "project.device_names");
    Groups groups(input, "D2");
    if (!racks.empty())
        s.racks.forEach([&](RackId id) {
            if (fitsPattern(s.racks.name[id], racks)) return;
            groups.add("racks", ref(id), Severity::Warning, 0, [&] {
                return i18n("rack {} does not match the pattern {}; rename it or change project.rack_names", input.name(ref(id)), racks);
            });
        });
    if (!devices.empty())
        s.devices.forEach([&](DeviceId id) {
            if (fitsPattern(s.devices.name[id], devices)) return;
            groups.add("devices", ref(id), Severity::Warning, 0, [&] {
                return i18n("device {} does not match the pattern {}; rename it or change project.device_names", input.name(ref(id)), devices);
            });
        });
    return groups.findings();
}

} // namespace hw::rules
