// SPDX-License-Identifier: GPL-3.0-or-later
// N9: what takes all switches of a network card at once, or backup hosts together with those that they stand in for.
#include "core/derived/figures/failure_domains.h"
#include "core/derived/proof/reach.h"
#include "core/derived/rules/power_view.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace hw::rules {

namespace {

/// The switches that one network card of a server depends on, and how many cards depend on the same ones.
struct Uplinks {
    std::vector<DeviceId> switches; ///< ascending
    DeviceId host;                  ///< of one of the cards; one that stands elsewhere than the switches, if there is one
    std::int64_t cards = 0;
};

/// Of all cards that depend on two switches or more, those that differ in where.
std::vector<Uplinks> uplinksOf(const RuleInput& input)
{
    const auto& ends = input.figures.get<NicLinksNode>();
    std::map<std::vector<DeviceId>, std::size_t> places;
    std::vector<Uplinks> out;
    std::vector<DeviceId> switches;
    std::size_t last = 0;
    for (std::size_t i = 0, next; i < ends.size(); i = next) {
        switches.clear();
        for (next = i; next < ends.size() && ends[next].card == ends[i].card; ++next)
            if (switches.empty() || switches.back() != ends[next].upper) switches.push_back(ends[next].upper);
        if (switches.size() < 2) continue;
        if (last >= out.size() || out[last].switches != switches) {
            const auto [place, fresh] = places.try_emplace(switches, out.size());
            if (fresh) out.push_back({switches, ends[i].host(), 0});
            last = place->second;
        }
        ++out[last].cards;
        const DeviceId host = ends[i].host();
        const auto& racks = input.snapshot().devices.rack;
        if (racks[out[last].host] == racks[switches.front()] && !(racks[host] == racks[switches.front()])) out[last].host = host;
    }
    return out;
}

/// Which elements of the power chain leave a device dark, each tried once.
class Fatal {
public:
    explicit Fatal(const PowerView& v) : m_v(v), m_survey(v.chain.network) {}

    /// Elements that leave every one of the devices without power; empty at once where one of them always survives.
    std::vector<DeviceId> to(const std::vector<DeviceId>& devices)
    {
        std::vector<DeviceId> common;
        for (const DeviceId d : devices)
            if (!m_v.worst().darkens(d)) return common;
        for (const DeviceId e : m_v.upstream(devices.front()))
            if (std::ranges::all_of(devices, [&](DeviceId d) { return std::ranges::binary_search(dark(e), d.value); })) common.push_back(e);
        return common;
    }
    const std::vector<power::Index>& dark(DeviceId element)
    {
        const auto [found, fresh] = m_dark.try_emplace(element.value);
        if (fresh) found->second = m_survey.lose({&element.value, 1}).dark;
        return found->second;
    }

private:
    const PowerView& m_v;
    power::Survey m_survey;
    std::unordered_map<std::uint32_t, std::vector<power::Index>> m_dark;
};

/// The coolant unit that all devices depend on and nothing else; none where one has another or none.
Maybe<DeviceId> coolantOf(const MediumGraph& coolant, const std::vector<DeviceId>& devices)
{
    Maybe<DeviceId> unit;
    for (const DeviceId d : devices) {
        Maybe<DeviceId> own;
        for (const auto& arc : coolant.arcs(d)) {
            if (!arc.up) continue;
            if (own && *own != arc.to) return {};
            own = arc.to;
        }
        if (!own || (unit && *unit != *own)) return {};
        unit = own;
    }
    return unit;
}

Maybe<RackId> rackOfAll(const Snapshot& s, const std::vector<DeviceId>& devices)
{
    const auto rack = s.devices.rack[devices.front()];
    const bool same = std::ranges::all_of(devices, [&](DeviceId d) { return s.devices.rack[d] == rack; });
    return same ? rack : Maybe<RackId>();
}

/// Every element that takes cards with it, with how many.
class CooledLoads {
public:
    void add(EntityRef element, const Uplinks& uplinks)
    {
        auto& [cards, first] = m_taken[element];
        if (!first) first = &uplinks;
        cards += uplinks.cards;
    }
    void tell(const PowerView& v, Groups& groups) const
    {
        for (const auto& [element, taken] : m_taken) {
            const auto& [cards, first] = taken;
            const std::string like = element.kind == EntityKind::Rack
                                         ? "rack|" + v.input.subject(ref(v.s.rows.hall[v.s.racks.row[RackId(element.id)]]))
                                         : v.like(DeviceId(element.id));
            groups.add("nic|" + like, element, Severity::Error, double(cards), [&] {
                std::vector<std::string> names;
                for (const DeviceId d : first->switches) names.push_back(v.name(d));
                return i18np(cards, "loss of {1} takes out {2}, all switches of {0:L} NIC (of {3})",
                             "loss of {1} takes out {2}, all switches of {0:L} NICs (for example, those of {3})", v.input.name(element),
                             listedNames(names), v.name(first->host));
            });
        }
    }

private:
    std::map<EntityRef, std::pair<std::int64_t, const Uplinks*>> m_taken;
};

void sharedSwitches(const PowerView& v, Fatal& fatal, Groups& groups)
{
    const auto& coolant = v.input.figures.get<MediumNode<Medium::Coolant>>();
    const auto all = uplinksOf(v.input);
    CooledLoads takers;
    for (const Uplinks& uplinks : all) {
        const auto rack = rackOfAll(v.s, uplinks.switches);
        if (rack && !(v.s.devices.rack[uplinks.host] == rack)) takers.add(ref(*rack), uplinks); // else its hosts go with it
        if (!std::ranges::all_of(uplinks.switches, [&](DeviceId d) { return v.singleFed(d); }))
            for (const DeviceId e : fatal.to(uplinks.switches)) takers.add(ref(e), uplinks);
        if (const auto unit = coolantOf(coolant, uplinks.switches)) takers.add(ref(*unit), uplinks);
    }
    takers.tell(v, groups);
}

/// Hosts of one segment: those that work, and those that stand in for them.
struct Segment {
    std::vector<DeviceId> active, backup;
};

void backupsTogether(const PowerView& v, Fatal& fatal, Groups& groups)
{
    std::map<std::pair<int, int>, Segment> segments;
    v.s.devices.forEach([&](DeviceId d) {
        if (v.kind(d) != TierKind::Server) return;
        const DeviceRole role = v.s.devices.role[d];
        if (role == DeviceRole::Support) return;
        Segment& segment = segments[{v.s.devices.pod[d], v.s.devices.segment[d]}];
        (role == DeviceRole::Backup ? segment.backup : segment.active).push_back(d);
    });
    const auto report = [&](const Segment& segment, EntityRef element, std::int64_t hosts) {
        groups.add("backup|" + (element.kind == EntityKind::Rack ? v.input.subject(ref(v.s.rows.hall[v.s.racks.row[RackId(element.id)]]))
                                                                 : v.like(DeviceId(element.id))),
                   element, Severity::Warning, double(hosts), [&] {
                       return i18np(hosts, "loss of {1} takes out {0:L} host and all {2:L} of its backup hosts, for example {3}",
                                    "loss of {1} takes out {0:L} hosts and all {2:L} of their backup hosts, for example {3}", v.input.name(element),
                                    segment.backup.size(), v.name(segment.backup.front()));
                   });
    };
    for (const auto& [place, segment] : segments) {
        if (segment.backup.empty()) continue;
        if (const auto rack = rackOfAll(v.s, segment.backup)) {
            const auto beside = std::ranges::count_if(segment.active, [&](DeviceId d) { return v.s.devices.rack[d] == rack; });
            if (beside > 0) report(segment, ref(*rack), beside);
        }
        for (const DeviceId e : fatal.to(segment.backup)) {
            const auto& dark = fatal.dark(e);
            const auto lost = std::ranges::count_if(segment.active, [&](DeviceId d) { return std::ranges::binary_search(dark, d.value); });
            if (lost > 0) report(segment, ref(e), lost);
        }
    }
}

/// What the proof of a network names: switches and cables whose loss alone parts NICs of it. Many designs mean it so, with one port a NIC.
std::vector<Finding> singlePoints(const RuleInput& input)
{
    std::vector<Finding> out;
    for (const NetworkReach& reach : input.figures.get<ReachNode>()) {
        if (reach.singleSwitches.empty() && reach.singleCables.empty()) continue;
        std::vector<Text> parts;
        const auto say = [&](const NamedSet& set, Text counted) {
            if (!set.empty()) parts.push_back(i18n("{} (such as {})", std::move(counted), set.names.front()));
        };
        say(reach.singleSwitches, i18np(reach.singleSwitches.count, "{:L} switch", "{:L} switches"));
        say(reach.singleCables, i18np(reach.singleCables.count, "{:L} cable", "{:L} cables"));
        Finding f{.severity = Severity::Info, .entities = {ref(reach.network)}};
        f.message =
            i18n("single points of failure of {}, each of which disconnects NICs: {}", input.name(ref(reach.network)), listed(std::move(parts)));
        f.id = findingId("N9", {"single", input.subject(ref(reach.network))}) +
               groupMark({fmt::format("{}|{}", reach.singleSwitches.count, reach.singleCables.count)});
        out.push_back(std::move(f));
    }
    return out;
}

} // namespace

std::vector<Finding> sharedFate(const RuleInput& input)
{
    const PowerView v(input);
    Fatal fatal(v);
    Groups groups(input, "N9");
    sharedSwitches(v, fatal, groups);
    backupsTogether(v, fatal, groups);
    return together(together(together(groups.findings(), traysOfCards(input)), panelsOfCards(input)), singlePoints(input));
}

} // namespace hw::rules
