// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace hw {

namespace {

template <class Table, class F>
std::vector<std::int16_t> numbered(const Table& table, F&& f)
{
    std::vector<std::int16_t> result(table.nextId(), 1);
    table.forEach([&](auto id) { result[id.value] = std::int16_t(f(id)); });
    return result;
}

template <class Table>
StageCounts countStages(const Table& table)
{
    StageCounts counts;
    table.forEach([&](auto id) { ++counts.at[std::size_t(table.stage[id])]; });
    return counts;
}

} // namespace

PhaseIndex::PhaseIndex(const Snapshot& s) : m_snapshot(s)
{
    m_buildings = numbered(s.buildings, [&](BuildingId id) { return own(s.buildings.phase[id]); });
    m_halls = numbered(s.halls, [&](HallId id) { return std::max(own(s.halls.phase[id]), of(s.halls.building[id])); });
    m_rows = numbered(s.rows, [&](RowId id) { return std::max(own(s.rows.phase[id]), of(s.rows.hall[id])); });
    m_racks = numbered(s.racks, [&](RackId id) { return std::max(own(s.racks.phase[id]), of(s.racks.row[id])); });
    m_devices = numbered(s.devices, [&](DeviceId id) {
        const auto rack = s.devices.rack[id];
        const auto row = s.devices.row[id];
        const auto hall = s.devices.hall[id];
        return std::max(own(s.devices.phase[id]), rack ? of(*rack) : row ? of(*row) : hall ? of(*hall) : 1);
    });
    std::set<int> numbers{1};
    for (const auto* column : {&m_buildings, &m_halls, &m_rows, &m_racks, &m_devices}) numbers.insert(column->begin(), column->end());
    s.phases.forEach([&](PhaseId id) { numbers.insert(s.phases.number[id]); });
    m_numbers.assign(numbers.begin(), numbers.end());
}

int PhaseIndex::own(Maybe<PhaseId> phase) const { return phase ? std::clamp(m_snapshot.phases.number[*phase], 1, 1000) : 1; }

int PhaseIndex::of(TrayId id) const
{
    const auto row = m_snapshot.trays.row[id];
    const auto hall = m_snapshot.trays.hall[id];
    return row ? of(*row) : hall ? of(*hall) : 1;
}

int PhaseIndex::of(TrayId id, std::span<const LinkId> through) const
{
    int first = of(id);
    for (const LinkId link : through) first = std::min(first, of(link));
    return first;
}

int PhaseIndex::of(LinkId id) const
{
    const auto& s = m_snapshot;
    return std::max(of(s.ports.device[s.links.from[id]]), of(s.ports.device[s.links.to[id]]));
}

std::optional<PhaseId> phaseOfNumber(const Snapshot& s, int number)
{
    std::optional<PhaseId> found;
    s.phases.forEach([&](PhaseId id) {
        if (!found && s.phases.number[id] == number) found = id;
    });
    return found;
}

Text phaseText(const Snapshot& s, int number)
{
    const auto phase = phaseOfNumber(s, number);
    return phase && !s.phases.name[*phase].empty() ? verbatim(s.phases.name[*phase]) : i18n("phase {}", number);
}

std::int64_t StageCounts::total() const { return std::accumulate(at.begin(), at.end(), std::int64_t(0)); }
std::int64_t StageCounts::reached(Stage stage) const { return std::accumulate(at.begin() + std::ptrdiff_t(stage), at.end(), std::int64_t(0)); }

Stages Stages::of(const Snapshot& s) { return {countStages(s.racks), countStages(s.devices), countStages(s.cables)}; }

bool Stages::begun() const { return racks.reached(Stage::Ordered) > 0 || devices.reached(Stage::Ordered) > 0 || cables.reached(Stage::Ordered) > 0; }

Text stageText(Stage stage)
{
    switch (stage) {
    case Stage::Planned: return i18n("planned");
    case Stage::Ordered: return i18n("ordered");
    case Stage::Received: return i18n("received");
    case Stage::Installed: return i18n("installed");
    case Stage::Accepted: return i18n("accepted");
    case Stage::Live: return i18n("live");
    }
    return {};
}

} // namespace hw
