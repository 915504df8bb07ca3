// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/repair_planner.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <tuple>

namespace hw::asbuilt {

RepairPlanner::RepairPlanner(const Figures& figures)
    : m_f(figures), m_s(*figures.snapshot), m_parts(*figures.parts), m_labels(*figures.snapshot), m_nics(*figures.parts)
{
}

Maybe<PortId> RepairPlanner::plannedPeer(PortId port) const { return m_f.get<IndexNode>().peerOf(m_s, port); }

std::string RepairPlanner::nameOf(PortId port) const { return entityName(m_s, m_parts, ref(port)); }
std::string RepairPlanner::nameOf(const SeenEnd& end) const
{
    if (end.port) return nameOf(*end.port);
    const std::string device = end.device ? m_s.devices.name[*end.device] : end.deviceName;
    return end.portName.empty() ? device : device + ":" + end.portName;
}
std::string RepairPlanner::nameOf(LinkId link) const { return nameOf(m_s.links.from[link]) + " – " + nameOf(m_s.links.to[link]); }

std::optional<RepairPlanner::Plug> RepairPlanner::wrongPlug(LinkId planned, const SeenLink& seen) const
{
    for (const auto& [near, far] :
         {std::pair(m_s.links.from[planned], m_s.links.to[planned]), std::pair(m_s.links.to[planned], m_s.links.from[planned])}) {
        if (seen.from.port && *seen.from.port == near) return Plug{&seen.to, &seen.from, far, near};
        if (seen.to.port && *seen.to.port == near) return Plug{&seen.from, &seen.to, far, near};
    }
    return std::nullopt;
}

bool RepairPlanner::isOnePlug(PortId a, PortId b) const
{
    const auto& index = m_f.get<IndexNode>();
    const auto first = index.linkOf(a), second = index.linkOf(b);
    return first && second && m_s.links.cable[*first] && m_s.links.cable[*first] == m_s.links.cable[*second];
}

bool RepairPlanner::isShared(PortId port) const
{
    const auto& index = m_f.get<IndexNode>();
    const auto link = index.linkOf(port);
    const auto cable = link ? m_s.links.cable[*link] : Maybe<CableId>();
    if (!cable) return false;
    return std::ranges::any_of(index.portsOfDevice[m_s.ports.device[port].value], [&](PortId other) {
        return other != port && m_s.ports.cage[other] == m_s.ports.cage[port] && isOnePlug(port, other);
    });
}

/// Whether the plug that is in the wrong place, or the one that belongs there, serves links that are right.
bool RepairPlanner::stays(const Plug& plug) const
{
    return (plug.wrong->port && m_kept.contains(m_s.ports.cage[*plug.wrong->port])) || m_kept.contains(m_s.ports.cage[plug.belongs]);
}

int RepairPlanner::distance(LinkId planned, const SeenLink& seen) const
{
    const auto plug = wrongPlug(planned, seen);
    if (!plug || !plug->wrong->device) return 5;
    if (stays(*plug)) return 7;
    if (const auto moved = m_moved.find(m_s.ports.cage[plug->belongs]);
        plug->wrong->port && moved != m_moved.end() && moved->second == m_s.ports.cage[*plug->wrong->port])
        return 0; // for all its links at once
    const DeviceId is = *plug->wrong->device, belongs = m_s.ports.device[plug->belongs];
    if (plug->wrong->port && m_s.ports.cage[*plug->wrong->port] == m_s.ports.cage[plug->belongs])
        return isOnePlug(*plug->wrong->port, plug->belongs) ? 6 : 0;
    if (is == belongs) return 1;
    if (m_s.devices.rack[is] && m_s.devices.rack[is] == m_s.devices.rack[belongs]) return 2;
    if (rowOf(m_s, is) && rowOf(m_s, is) == rowOf(m_s, belongs)) return 3;
    return hallOf(m_s, is) && hallOf(m_s, is) == hallOf(m_s, belongs) ? 4 : 5;
}

RepairPlanner::Lane RepairPlanner::laneOf(const SeenEnd& end, NetworkId network) const
{
    if (!end.device) return {};
    const bool server = m_s.tiers.kind[m_s.devices.tier[*end.device]] != TierKind::Switch;
    if (!server) return {m_s.devices.rail[*end.device], m_s.devices.plane[*end.device]};
    if (!end.port) return {};
    Lane lane;
    if (const auto peer = plannedPeer(*end.port)) {
        lane.rail = m_s.devices.rail[m_s.ports.device[*peer]];
        lane.plane = m_s.devices.plane[m_s.ports.device[*peer]];
    }
    const NicPort nic = m_nics.of(m_s, *end.port);
    if (lane.rail < 0 && nic.rail <= m_s.networks.rails[network]) lane.rail = nic.rail - 1;
    if (lane.plane < 0 && nic.plane <= m_s.networks.planes[network]) lane.plane = nic.plane - 1;
    return lane;
}

std::optional<Kind> RepairPlanner::crossing(const SeenLink& seen) const
{
    const auto& port = seen.from.port ? seen.from.port : seen.to.port;
    if (!port || !m_s.ports.network[*port]) return std::nullopt;
    const NetworkId network = *m_s.ports.network[*port];
    const Lane a = laneOf(seen.from, network), b = laneOf(seen.to, network);
    const auto differ = [](int x, int y) { return x >= 0 && y >= 0 && x != y; };
    if (m_s.networks.rails[network] > 1 && differ(a.rail, b.rail)) return Kind::WrongRail;
    if (m_s.networks.planes[network] > 1 && differ(a.plane, b.plane)) return Kind::WrongPlane;
    return std::nullopt;
}

std::string RepairPlanner::label(LinkId link, PortId near, PortId far) const
{
    const auto cable = m_s.links.cable[link];
    if (!cable) return {};
    const auto plug = [&](PortId port) { return CablePlug{m_s.ports.device[port], portName(m_s, m_parts, port)}; };
    return m_labels.of(*cable, plug(near), plug(far));
}

WorkStep RepairPlanner::stepAt(WorkStep::Do what, LinkId link, PortId near, PortId far) const
{
    WorkStep step;
    step.what = what;
    step.device = m_s.ports.device[near], step.to = m_s.ports.device[far];
    step.deviceName = m_s.devices.name[*step.device], step.toDevice = m_s.devices.name[*step.to];
    step.port = portName(m_s, m_parts, near), step.toPort = portName(m_s, m_parts, far);
    step.label = label(link, near, far);
    return step;
}

void RepairPlanner::work(Difference& d) const
{
    const auto deviceName = [&](const SeenEnd& end) { return end.device ? m_s.devices.name[*end.device] : end.deviceName; };
    const auto portText = [&](const SeenEnd& end) { return end.port ? portName(m_s, m_parts, *end.port) : end.portName; };
    const bool speed = d.kind == Kind::WrongSpeed, lanes = d.kind == Kind::DegradedLanes;
    for (std::size_t i = 0; i < d.links.size(); ++i) {
        const LinkId link = d.links[i];
        const PortId from = m_s.links.from[link], to = m_s.links.to[link];
        const auto plug = i < d.seen.size() && !speed && !lanes ? wrongPlug(link, d.seen[i]) : std::nullopt;
        if (plug && stays(*plug)) { // another leg is in the socket: that is what has to change
            const SeenEnd &near = *plug->right, &far = *plug->wrong;
            d.work.push_back(
                {WorkStep::Do::Unplug, near.device, deviceName(near), portText(near), deviceName(far), portText(far), far.device, d.seen[i].label});
            d.work.push_back(stepAt(WorkStep::Do::Connect, link, plug->shared, plug->belongs));
            continue;
        }
        if (plug) {
            WorkStep step = stepAt(WorkStep::Do::Move, link, plug->belongs, plug->shared);
            step.toDevice = step.deviceName, step.toPort = step.port, step.to = step.device;
            step.device = plug->wrong->device;
            step.deviceName = deviceName(*plug->wrong), step.port = portText(*plug->wrong);
            d.work.push_back(std::move(step));
            continue;
        }
        const auto what = speed ? WorkStep::Do::SetSpeed : lanes ? WorkStep::Do::Reseat : WorkStep::Do::Connect;
        d.work.push_back(stepAt(what, link, from, to));
        d.work.push_back(stepAt(what, link, to, from));
    }
    for (std::size_t i = d.links.size(); i < d.seen.size(); ++i)
        for (const auto& [near, far] : {std::pair(&d.seen[i].from, &d.seen[i].to), std::pair(&d.seen[i].to, &d.seen[i].from)})
            d.work.push_back({WorkStep::Do::Unplug, near->device, deviceName(*near), portText(*near), deviceName(*far), portText(*far), far->device,
                              d.seen[i].label});
    mergeSteps(d);
}

/// What several links of one connector ask for is done once.
void RepairPlanner::mergeSteps(Difference& d) const
{
    const auto connectorOf = [&](const Maybe<DeviceId>& device, const std::string& port) -> std::pair<std::string, std::uint32_t> {
        if (device)
            for (const PortId id : m_f.get<IndexNode>().portsOfDevice[(*device).value])
                if (portName(m_s, m_parts, id) == port) return {{}, isShared(id) ? m_s.ports.cage[id].value : ~id.value};
        return {port, 0};
    };
    std::set<std::tuple<WorkStep::Do, std::string, std::pair<std::string, std::uint32_t>, std::pair<std::string, std::uint32_t>>> done;
    std::erase_if(d.work, [&](const WorkStep& step) {
        const auto at = connectorOf(step.device, step.port);
        const bool moves = step.what == WorkStep::Do::Move;
        if (step.what == WorkStep::Do::SetSpeed || (!moves && (!at.first.empty() || at.second >= 0x80000000u))) return false;
        return !done.emplace(step.what, step.deviceName, at, moves ? connectorOf(step.to, step.toPort) : std::pair<std::string, std::uint32_t>())
                    .second;
    });
}

Text RepairPlanner::movedText(const Difference& d) const
{
    const auto plug = wrongPlug(d.links.front(), d.seen.front());
    if (!plug) return verbatim(nameOf(d.links.front()));
    const std::string near = nameOf(plug->shared), is = nameOf(*plug->wrong), belongs = nameOf(plug->belongs);
    if (d.kind == Kind::UnknownDevice) return i18n("{} is connected to {}, which is not in the design; planned: {}", near, is, belongs);
    const auto network = m_s.ports.network[plug->shared];
    const Lane a = network ? laneOf(d.seen.front().from, *network) : Lane(), b = network ? laneOf(d.seen.front().to, *network) : Lane();
    if (d.kind == Kind::WrongRail)
        return i18n("{} is connected to {}, which connects rail {} and rail {}; planned: {}", near, is, a.rail + 1, b.rail + 1, belongs);
    if (d.kind == Kind::WrongPlane)
        return i18n("{} is connected to {}, which connects plane {} and plane {}; planned: {}", near, is, a.plane + 1, b.plane + 1, belongs);
    return i18n("{} is connected to {}; planned: {}", near, is, belongs);
}

Text RepairPlanner::said(const Difference& d) const
{
    std::vector<Text> links;
    for (const LinkId id : d.links) links.push_back(verbatim(nameOf(id)));
    switch (d.kind) {
    case Kind::Swapped: {
        const auto crossed = crossing(d.seen.front());
        if (d.links.size() == 2 && crossed)
            return *crossed == Kind::WrongRail ? i18n("the connections of {} and {} are swapped across rails", links[0], links[1])
                                               : i18n("the connections of {} and {} are swapped across planes", links[0], links[1]);
        if (d.links.size() == 2) return i18n("the connections of {} and {} are swapped", links[0], links[1]);
        std::set<std::pair<bool, std::uint32_t>> cables; // legs of a breakout cable are one
        for (const LinkId id : d.links) {
            const auto cable = m_s.links.cable[id];
            cables.emplace(cable.has_value(), cable ? (*cable).value : id.value);
        }
        return i18np(std::int64_t(cables.size()), "the connections of {} cable are swapped: {}", "the connections of {} cables are swapped: {}",
                     listed(std::move(links)));
    }
    case Kind::Missing: return i18n("{} is missing", listed(std::move(links)));
    case Kind::Extra: return i18n("{} – {} is not planned", nameOf(d.seen.front().from), nameOf(d.seen.front().to));
    case Kind::WrongSpeed: return i18n("{} runs at {} Gb/s; planned: {}", listed(std::move(links)), d.seenGbps, d.wantedGbps);
    case Kind::DegradedLanes:
        return i18n("{} runs on {} of {} lanes, at {} of {} Gb/s", listed(std::move(links)), d.seenLanes, d.wantedLanes, d.seenGbps, d.wantedGbps);
    case Kind::UnknownDevice:
    case Kind::WrongRail:
    case Kind::WrongPlane:
    case Kind::WrongPort: break;
    }
    if (d.links.empty()) return i18n("{} – {}: one of them is not in the design", nameOf(d.seen.front().from), nameOf(d.seen.front().to));
    return d.links.size() == 1 ? movedText(d) : i18n("{} (and {} more of the same cable)", movedText(d), std::int64_t(d.links.size() - 1));
}

void RepairPlanner::describe(Difference& d) const
{
    std::vector<std::string> names;
    for (const LinkId id : d.links) names.push_back(nameOf(m_s.links.from[id]));
    if (d.links.empty()) names = {nameOf(d.seen.front().from), nameOf(d.seen.front().to)};
    std::ranges::sort(names);
    d.id = "as-built@" + std::string(wordOf(d.kind));
    for (std::size_t i = 0; i < names.size(); ++i) d.id += (i ? "|" : ":") + names[i];
    std::ranges::replace(d.id, ' ', '_');
    d.message = said(d);
}

} // namespace hw::asbuilt
