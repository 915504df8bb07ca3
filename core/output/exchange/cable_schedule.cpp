// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exchange/cable_schedule.h"

#include "core/derived/cabling/cable_index.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"

#include <fmt/format.h>

namespace hw {

bool isDataLink(const Snapshot& snapshot, LinkId link) { return snapshot.ports.medium[snapshot.links.from[link]] == Medium::Data; }

CableSchedule::CableSchedule(const Figures& figures) : m_figures(figures)
{
    const auto& s = *figures.snapshot;
    m_links.reserve(s.links.size());
    s.links.forEach([&](LinkId id) {
        if (isDataLink(s, id)) m_links.push_back(id);
    });
}

void CableSchedule::readEnd(PortId port, CableRow::End& end) const
{
    const auto& s = *m_figures.snapshot;
    const auto device = s.ports.device[port];
    end.device = s.devices.name[device];
    end.port = portName(s, *m_figures.parts, port);
    end.hall = end.row = end.rack = {};
    end.u = -1;
    if (const auto rack = s.devices.rack[device]) {
        const auto row = s.racks.row[*rack];
        end.rack = s.racks.name[*rack];
        end.row = s.rows.name[row];
        end.hall = s.halls.name[s.rows.hall[row]];
        end.u = s.devices.u[device];
    } else if (const auto hall = hallOf(s, device)) {
        end.hall = s.halls.name[*hall];
        if (const auto row = s.devices.row[device]) end.row = s.rows.name[*row];
    }
}

void CableSchedule::read(LinkId link, CableRow& row) const
{
    const auto& s = *m_figures.snapshot;
    const auto& parts = *m_figures.parts;
    const auto from = s.links.from[link], to = s.links.to[link];
    row.link = link;
    const auto network = s.ports.network[from] ? s.ports.network[from] : s.ports.network[to];
    row.network = network ? std::string_view(s.networks.name[*network]) : std::string_view();
    readEnd(from, row.from);
    readEnd(to, row.to);
    // The lower end that has a coordinate says which rail or plane the link belongs to.
    const auto coordinate = [&](const auto& column) {
        const int lower = column[s.ports.device[from]], upper = column[s.ports.device[to]];
        return lower >= 0 ? lower + 1 : upper >= 0 ? upper + 1 : -1;
    };
    row.rail = coordinate(s.devices.rail);
    row.plane = coordinate(s.devices.plane);
    row.rateGbps = std::min(s.ports.rate[from], s.ports.rate[to]).count();
    row.cable = s.links.cable[link];
    row.medium = row.from.transceiver = row.to.transceiver = {};
    row.lengthMm = 0;
    if (!row.cable) return;
    const auto& cable = (*m_figures.cabling)[*row.cable];
    row.lengthMm = std::int32_t(m_figures.cabling->channelMm(s, link));
    if (cable.type) row.medium = parts.cable(*cable.type).medium;
    const auto module = [&](bool lower) {
        const auto type = m_figures.cabling->moduleAt(link, *row.cable, lower);
        return type ? std::string_view(parts[*type].slug) : std::string_view();
    };
    row.from.transceiver = module(true);
    row.to.transceiver = module(false);
    if (cable.partOf) {
        const auto& index = m_figures.get<CableIndexNode>();
        row.cable = index.bundles[index.bundleOf[(*row.cable).value]].front();
        return;
    }
    // Over panels the cable that most links share stands for all of them.
    std::size_t most = m_figures.cabling->linksOf(*row.cable).size();
    for (const RunId run : m_figures.cabling->runs().of(link))
        if (const auto shared = m_figures.cabling->linksOf(s.runs.cable[run]).size(); shared > most) {
            most = shared;
            row.cable = s.runs.cable[run];
        }
}

std::string CableSchedule::label(const CableRow& row)
{
    return fmt::format("{}:{} > {}:{}", row.from.device, row.from.port, row.to.device, row.to.port);
}

} // namespace hw
