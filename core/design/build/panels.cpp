// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/build/panels.h"

#include "core/derived/topology/rack_units.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace hw {

namespace {

/// One cord with all its links.
struct Cord {
    CableId cable;
    std::vector<LinkId> links;
    RackId lower, upper;
};

/// A panel that is being filled.
struct Open {
    DeviceId panel;
    std::int32_t next = 0, end = 0;
};

class Leader {
public:
    Leader(Snapshot& s, const ProjectParts& parts, const PanelRouting& what)
        : m_s(s), m_parts(parts), m_what(what), m_builder(s), m_units(unitsOfRacks(s, parts))
    {
    }

    Result<RoutedOverPanels> run()
    {
        if (auto fine = check(); !fine) return tl::unexpected(fine.error());
        m_positions = m_parts.device(m_what.panel).panel.positions;
        m_each = m_what.trunk ? m_parts.cable(*m_what.trunk).positions * m_parts.device(m_what.panel).panel.perRear : 1;
        using Group = std::pair<std::uint32_t, std::uint32_t>;
        std::map<Group, std::vector<Cord>> groups;
        for (const Cord& cord : cords()) groups[{placeOf(cord.lower), placeOf(cord.upper)}].push_back(cord);
        for (const auto& [group, members] : groups)
            if (auto led = lead(group.first, group.second, members); !led) return tl::unexpected(led.error());
        return m_done;
    }

private:
    Result<void> check() const
    {
        const auto& panel = m_parts.device(m_what.panel).panel;
        const std::string& slug = m_parts[m_what.panel].slug;
        if (panel.positions < 1) return fail(ErrorCode::Refused, slug, i18n("not a patch panel"), i18n("choose a part with a 'panel' section"));
        if (!m_what.trunk && !panel.rear.empty() && panel.rear != panel.connector)
            return fail(ErrorCode::Refused, slug, i18n("has {} at the rear and {} at the front", panel.rear, panel.connector),
                        i18n("specify the trunk that terminates at its rear"));
        if (!m_what.trunk) return {};
        const auto& trunk = m_parts.cable(*m_what.trunk);
        const std::string& cable = m_parts[*m_what.trunk].slug;
        if (trunk.positions < 2) return fail(ErrorCode::Refused, cable, i18n("not a trunk"), i18n("choose a cable with 'positions'"));
        if (trunk.connector != panel.behind())
            return fail(ErrorCode::Refused, cable, i18n("has {}, but panel {} takes {}", trunk.connector, slug, panel.behind()),
                        i18n("choose parts with the same connector"));
        const int takes = panel.positions / panel.perRear;
        if (trunk.positions > takes)
            return fail(ErrorCode::Refused, cable, i18n("has {} connectors, but panel {} takes {}", trunk.positions, slug, takes),
                        i18n("choose a larger panel"));
        if (trunk.fibers > 0 && trunk.fibers % panel.perRear != 0)
            return fail(ErrorCode::Refused, cable,
                        i18n("{} fibers per connector cannot be divided evenly: {} splits each connector into {}", trunk.fibers, slug, panel.perRear),
                        i18n("choose a matching trunk or panel"));
        return {};
    }

    /// What is known of a cord before it is clear whether it can be led.
    struct Ends {
        Cord cord;
        std::set<std::uint32_t> lowerCages, upperCages, lowerPlaces;
        std::set<RackId> upperRacks;
        /// A straight cord, or a breakout: its legs below share the panels, its legs above a rack.
        [[nodiscard]] bool led(std::size_t links) const
        {
            return links == cord.links.size() && std::min(lowerCages.size(), upperCages.size()) == 1 && lowerPlaces.size() == 1 &&
                   upperRacks.size() == 1;
        }
    };

    [[nodiscard]] std::uint32_t placeOf(RackId rack) const { return m_what.byRow ? m_s.racks.row[rack].value : rack.value; }

    /// The cords of the links that can be led, in the order of their ends.
    std::vector<Cord> cords()
    {
        std::map<CableId, Ends> byCable;
        std::set<LinkId> led;
        m_s.runs.forEach([&](RunId run) { led.insert(m_s.runs.link[run]); });
        for (const LinkId link : m_what.links) {
            const auto cable = m_s.links.cable[link];
            const PortId from = m_s.links.from[link], to = m_s.links.to[link];
            const auto a = m_s.devices.rack[m_s.ports.device[from]], b = m_s.devices.rack[m_s.ports.device[to]];
            if (!cable || !a || !b || led.contains(link) || m_s.ports.medium[from] != Medium::Data) {
                ++m_done.left;
                continue;
            }
            auto& ends = byCable[*cable];
            if (ends.cord.links.empty()) ends.cord.cable = *cable, ends.cord.lower = *a, ends.cord.upper = *b;
            ends.cord.links.push_back(link);
            ends.lowerCages.insert(m_s.ports.cage[from].value);
            ends.upperCages.insert(m_s.ports.cage[to].value);
            ends.lowerPlaces.insert(placeOf(*a));
            ends.upperRacks.insert(*b);
        }
        std::map<CableId, std::size_t> total; // a cord is led with all its links or not at all
        m_s.links.forEach([&](LinkId link) {
            if (const auto cable = m_s.links.cable[link]; cable && byCable.contains(*cable)) ++total[*cable];
        });
        std::vector<Cord> all;
        for (auto& [cable, ends] : byCable) {
            if (ends.led(total[cable]))
                all.push_back(std::move(ends.cord));
            else
                m_done.left += ends.cord.links.size();
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const Cord& a, const Cord& b) { return std::tie(a.lower, a.upper, a.cable) < std::tie(b.lower, b.upper, b.cable); });
        return all;
    }

    /// The next position of a panel at one side of a group, on a trunk's first of several that lie together.
    Result<std::pair<DeviceId, std::int32_t>> position(bool lower, std::uint32_t group, std::span<const Cord> members, std::int32_t count)
    {
        auto& open = m_open[{lower, group}];
        if (open.next + count > open.end) {
            auto made = makePanel(lower, group, members);
            if (!made) return tl::unexpected(made.error());
            open = {*made, 0, m_positions};
        }
        const std::int32_t first = open.next;
        open.next += count;
        return std::pair(open.panel, first);
    }

    /// Where a panel may stand: in the rack that was asked for, else in those of the links' own devices, and then elsewhere in their row.
    [[nodiscard]] std::vector<RackId> racksFor(bool lower, std::uint32_t group, std::span<const Cord> members) const
    {
        if (const auto asked = lower ? m_what.lowerRack : m_what.upperRack) return {*asked};
        std::vector<RackId> racks;
        const auto put = [&](RackId rack) {
            if (std::find(racks.begin(), racks.end(), rack) == racks.end()) racks.push_back(rack);
        };
        for (const Cord& cord : members) put(lower ? cord.lower : cord.upper);
        if (m_what.byRow)
            m_s.racks.forEach([&](RackId rack) {
                if (m_s.racks.row[rack].value == group) put(rack);
            });
        return racks;
    }

    Result<DeviceId> makePanel(bool lower, std::uint32_t group, std::span<const Cord> members)
    {
        const std::vector<RackId> racks = racksFor(lower, group, members);
        const DeviceSpec& spec = m_parts.device(m_what.panel);
        for (const RackId rack : racks) {
            const int u = m_units[rack.value].highestFor(spec, Face::Front);
            if (u == 0) continue;
            m_units[rack.value].put(mountedAt(spec, Face::Front, u));
            NewDevice row;
            row.name = freshName(m_s.racks.name[rack], u);
            const std::size_t number = m_made[{lower, group}]++;
            if (!m_what.key.empty()) row.key = fmt::format("{}/{}={}/{}", m_what.key, lower ? "lower" : "upper", groupKey(group), number);
            row.tier = tier();
            row.type = m_what.panel;
            row.role = DeviceRole::Support;
            row.rack = rack;
            row.u = std::int16_t(u);
            row.index = m_nextIndex++;
            ++m_done.panels;
            return m_builder.device(std::move(row));
        }
        const int units = (spec.halfUnits + 1) / 2;
        return fail(ErrorCode::Refused, m_s.racks.name[racks.front()],
                    racks.size() > 1 ? i18n("no room for a {} U panel in this rack or the other racks at this end", units)
                                     : i18n("no room for a {} U panel", units),
                    i18n("specify a rack with enough space, or free up space"));
    }

    [[nodiscard]] std::string groupKey(std::uint32_t group) const
    {
        const std::string& key = m_what.byRow ? m_s.rows.key[RowId(group)] : m_s.racks.key[RackId(group)];
        return key.empty() ? std::to_string(group) : key;
    }

    std::string freshName(const std::string& rack, int u)
    {
        if (m_names.empty()) m_s.devices.forEach([&](DeviceId id) { m_names.insert(m_s.devices.name[id]); });
        std::string name = fmt::format("panel-{}-u{:02}", rack, u);
        for (int more = 2; !m_names.insert(name).second; ++more) name = fmt::format("panel-{}-u{:02}-{}", rack, u, more);
        return name;
    }

    TierId tier()
    {
        if (m_tier) return *m_tier;
        m_s.tiers.forEach([&](TierId id) {
            if (m_s.tiers.name[id] == "patch-panel") m_tier = id;
        });
        if (!m_tier)
            m_tier = m_builder.tier({.key = m_what.key.empty() ? std::string() : "patch-panel",
                                     .name = "patch-panel",
                                     .label = std::string(TextId("Patch panels").id),
                                     .kind = TierKind::Other});
        m_s.devices.forEach([&](DeviceId id) {
            if (m_s.devices.tier[id] == *m_tier) m_nextIndex = std::max(m_nextIndex, m_s.devices.index[id] + 1);
        });
        return *m_tier;
    }

    void addRun(LinkId link, std::int32_t number, std::pair<DeviceId, std::int32_t> at, CableId cable)
    {
        const RunId run = m_s.runs.insert();
        m_s.runs.link.set(run, link);
        m_s.runs.number.set(run, number);
        m_s.runs.panel.set(run, at.first);
        m_s.runs.position.set(run, at.second);
        m_s.runs.cable.set(run, cable);
    }

    Result<void> lead(std::uint32_t lower, std::uint32_t upper, std::span<const Cord> members)
    {
        for (std::size_t first = 0; first < members.size(); first += std::size_t(m_each)) {
            const auto part = members.subspan(first, std::min<std::size_t>(std::size_t(m_each), members.size() - first));
            Maybe<CableId> trunk;
            std::pair<DeviceId, std::int32_t> a{}, b{};
            if (m_what.trunk) {
                const auto at = position(true, lower, members, m_each);
                if (!at) return tl::unexpected(at.error());
                a = *at;
                trunk = m_builder.cable(Medium::Data);
                m_s.cables.type.set(*trunk, Maybe<PartTypeId>(*m_what.trunk));
                ++m_done.trunks;
                m_done.spare += std::size_t(m_each) - part.size();
            }
            const auto at = position(false, upper, members, m_each);
            if (!at) return tl::unexpected(at.error());
            b = *at;
            for (const Cord& cord : part) {
                const CableId last = m_builder.cable(Medium::Data);
                for (const LinkId link : cord.links) {
                    if (trunk) addRun(link, 1, a, *trunk);
                    addRun(link, trunk ? 2 : 1, b, last);
                }
                if (m_s.cables.length[cord.cable].count() > 0) m_s.cables.length.set(cord.cable, Millimeters(0)); // that was of the whole way
                ++a.second, ++b.second;
                m_done.links += cord.links.size();
            }
        }
        return {};
    }

    Snapshot& m_s;
    const ProjectParts& m_parts;
    const PanelRouting& m_what;
    DesignBuilder m_builder;
    std::vector<RackUnits> m_units; ///< by rack
    RoutedOverPanels m_done;
    int m_positions = 0, m_each = 1;
    std::map<std::pair<bool, std::uint32_t>, Open> m_open;
    std::map<std::pair<bool, std::uint32_t>, std::size_t> m_made;
    std::set<std::string> m_names;
    std::optional<TierId> m_tier;
    std::int32_t m_nextIndex = 0;
};

DroppedRuns dropRuns(Snapshot& s, const std::set<LinkId>& links)
{
    DroppedRuns dropped;
    if (links.empty()) return dropped;
    std::set<CableId> loose;
    for (const RunId run : s.runs.ids()) {
        if (!links.contains(s.runs.link[run])) continue;
        loose.insert(s.runs.cable[run]);
        s.runs.erase(run);
        ++dropped.runs;
    }
    s.runs.forEach([&](RunId run) { loose.erase(s.runs.cable[run]); });
    s.links.forEach([&](LinkId link) {
        if (const auto cable = s.links.cable[link]) loose.erase(*cable);
    });
    std::erase_if(loose, [&](CableId cable) { return !s.cables.contains(cable); });
    for (const WaypointId point : s.waypoints.ids())
        if (loose.contains(s.waypoints.cable[point])) s.waypoints.erase(point), ++dropped.waypoints;
    for (const CableId cable : loose) s.cables.erase(cable);
    dropped.cables = loose.size();
    return dropped;
}

} // namespace

Result<RoutedOverPanels> leadOverPanels(Snapshot& snapshot, const ProjectParts& parts, const PanelRouting& what)
{
    return Leader(snapshot, parts, what).run();
}

DroppedRuns dropBrokenRuns(Snapshot& s)
{
    std::set<LinkId> broken;
    s.runs.forEach([&](RunId run) {
        if (!s.links.contains(s.runs.link[run]) || !s.devices.contains(s.runs.panel[run]) || !s.cables.contains(s.runs.cable[run]))
            broken.insert(s.runs.link[run]);
    });
    return dropRuns(s, broken);
}

DroppedRuns dropRunsOf(Snapshot& s, LinkId link) { return s.runs.empty() ? DroppedRuns() : dropRuns(s, {link}); }

void eraseLooseCables(Snapshot& s)
{
    std::vector<char> used(s.cables.nextId(), 0);
    s.links.forEach([&](LinkId id) {
        if (const auto cable = s.links.cable[id]) used[(*cable).value] = 1;
    });
    s.runs.forEach([&](RunId id) { used[s.runs.cable[id].value] = 1; });
    for (const CableId id : s.cables.ids())
        if (!used[id.value]) s.cables.erase(id);
}

} // namespace hw
