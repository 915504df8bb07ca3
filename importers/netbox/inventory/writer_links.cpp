// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/link_sides.h"
#include "importers/netbox/inventory/design_writer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

std::optional<PortId> DesignWriter::endOf(PortAt at, int lane)
{
    if (at.kind == PortKind::Feed)
        return at.port < m_feeds.size() && m_feeds[at.port] ? portAt(m_feeds[at.port]->id, m_feeds[at.port]->cage, 0) : std::nullopt;
    const Port& port = m.of(at.kind)[at.port];
    const Written& written = m_written[port.ofDevice];
    const auto socket = written.id && written.part ? m_parts.socket(at) : std::nullopt;
    if (!socket) return std::nullopt;
    if (socket->sub >= 0)
        if (const auto cage = written.cages.find(socket->cage); cage != written.cages.end()) lane += cage->second.laneOf(socket->sub);
    return portAt(*written.id, socket->cage, lane);
}

CableId DesignWriter::cableOf(std::size_t cable, Medium medium)
{
    if (const auto known = m_cables.find(cable); known != m_cables.end()) return known->second;
    const std::string trunk = trunkOf(m.cables[cable]);
    if (const auto known = m_trunks.find(trunk); !trunk.empty() && known != m_trunks.end())
        return m_cables.emplace(cable, known->second).first->second;
    const CableId id = m_build.cable(medium);
    if (const auto& meters = m.cables[cable].meters)
        m_s.cables.length.set(id, Millimeters(std::int32_t(std::lround(std::min(*meters, 100'000.0) * 1000))));
    if (!trunk.empty()) m_trunks.emplace(trunk, id);
    return m_cables.emplace(cable, id).first->second;
}

std::string DesignWriter::trunkOf(const Cable& cable)
{
    const auto isRear = [](const std::vector<CableEnd>& side) { return side.size() == 1 && side.front().kind == PortKind::Rear; };
    const auto slash = cable.name.rfind('/');
    if (slash == std::string::npos || !isRear(cable.sides[0]) || !isRear(cable.sides[1])) return {};
    const std::string trunk = cable.name.substr(0, slash);
    const bool counted = slash + 1 < cable.name.size() && cable.name.find_first_not_of("0123456789", slash + 1) == std::string::npos;
    return counted && (cable.bundle.empty() || cable.bundle == trunk) ? trunk : std::string();
}

void DesignWriter::addLinks()
{
    for (const WholeLink& link : m_wiring.links) {
        const auto a = endOf(link.a, link.laneA), b = endOf(link.b, link.laneB);
        const std::string& where = m.cables[link.cables.front()].where;
        if (!a || !b) {
            ++m_unmade, m_unmadeWhere = where;
            continue;
        }
        if (m_s.ports.medium[*a] != m_s.ports.medium[*b] || m_s.ports.device[*a] == m_s.ports.device[*b]) {
            m.leave(where, i18n("cable {} connects ports of different kinds, or a device to itself: skipped", m.cables[link.cables.front()].name));
            continue;
        }
        if (isUsed(*a) || isUsed(*b)) {
            const auto known = m_used.find(*a);
            const bool same = known != m_used.end() && (m_s.links.from[known->second] == *b || m_s.links.to[known->second] == *b);
            if (same)
                ++m_linksThere;
            else
                m.leave(where, i18n("cable {} ends at a port that has another use in the design: skipped", m.cables[link.cables.front()].name));
            continue;
        }
        addLink(link, *a, *b);
    }
}

void DesignWriter::addLink(const WholeLink& link, PortId a, PortId b)
{
    const Medium medium = m_s.ports.medium[a];
    bool turned = false;
    if (medium == Medium::Data) {
        const LowerEnd lowest = lowerEnd(m_s, a, b);
        turned = lowest == LowerEnd::To || (lowest == LowerEnd::Neither && b < a);
    } else {
        if ((m_s.ports.role[a] == PortRole::Up) == (m_s.ports.role[b] == PortRole::Up))
            return m.leave(m.cables[link.cables.front()].where,
                           i18n("cable {} connects two outlets or two inlets: skipped", m.cables[link.cables.front()].name));
        turned = m_s.ports.role[a] != PortRole::Up;
    }
    if (medium == Medium::Data && m_s.ports.rate[a] != m_s.ports.rate[b]) ++m_rates, m_rateWhere = m.cables[link.cables.front()].where;
    auto cables = link.cables;
    auto panels = link.panels;
    if (turned) std::swap(a, b), std::ranges::reverse(cables), std::ranges::reverse(panels);
    const auto isBackup = [&](PortId port) { return m_s.devices.role[m_s.ports.device[port]] == DeviceRole::Backup; };
    for (const auto& [own, other] : {std::pair(a, b), std::pair(b, a)})
        if (medium == Medium::Data && !m_s.ports.network[own] && m_s.ports.network[other]) m_s.ports.network.set(own, m_s.ports.network[other]);
    std::vector<std::pair<DeviceId, std::int32_t>> crossed;
    for (const Crossing& crossing : panels) {
        const Written& panel = m_written[m.of(PortKind::Front)[crossing.front].ofDevice];
        const auto* spec = panel.part ? &std::get<DeviceSpec>(panel.part->spec) : nullptr;
        const std::int32_t position = m_parts.position(crossing.front);
        if (!panel.id || !spec || position >= spec->panel.positions) {
            crossed.clear(), cables = {cables.front()}; // no panel of the design: the link is direct
            ++m_direct;
            break;
        }
        crossed.emplace_back(*panel.id, position);
    }
    const CableId first = cableOf(cables.front(), medium);
    const LinkId id = m_build.link({.from = a,
                                    .to = b,
                                    .cable = first,
                                    .role = isBackup(a) || isBackup(b) ? LinkRole::Backup : LinkRole::Active,
                                    .overridden = m_s.cables.length[first].count() > 0 ? std::uint8_t(overridden::kLength) : std::uint8_t(0)});
    for (std::size_t n = 0; n < crossed.size(); ++n) {
        const RunId run = m_s.runs.insert();
        m_s.runs.link.set(run, id), m_s.runs.number.set(run, std::int32_t(n + 1));
        m_s.runs.panel.set(run, crossed[n].first), m_s.runs.position.set(run, crossed[n].second);
        m_s.runs.cable.set(run, cableOf(cables[n + 1], medium));
    }
    use(id);
    ++(medium == Medium::Data ? m_dataLinks : m_powerLinks);
    m_followed += !crossed.empty();
}

} // namespace hw::importers::netbox_in
