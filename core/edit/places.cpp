// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/places.h"

#include "core/edit/edits_create.h"

#include <algorithm>

namespace hw::edit {

/// From one copy to the next where nobody says: a width beside it, with the gap that its kind has.
Shift besideOf(const Snapshot& s, const ProjectParts& parts, EntityRef e)
{
    constexpr std::int64_t kBuildingGap = 20'000, kHallGap = 1'000, kRowPitch = 3'000, kTrayPitch = 600, kDeviceGap = 200;
    switch (e.kind) {
    case EntityKind::Building: return {s.buildings.sizeX[BuildingId(e.id)].count() + kBuildingGap, 0};
    case EntityKind::Hall: return {s.halls.sizeX[HallId(e.id)].count() + kHallGap, 0};
    case EntityKind::Row: return s.rows.angle[RowId(e.id)] % 180 == 0 ? Shift{0, kRowPitch} : Shift{kRowPitch, 0};
    case EntityKind::Rack: return {parts.rack(s.racks.type[RackId(e.id)]).width.value.count(), 0};
    case EntityKind::Tray: return {0, kTrayPitch};
    case EntityKind::Device: return {parts.device(s.devices.type[DeviceId(e.id)]).width.value.count() + kDeviceGap, 0};
    case EntityKind::Structure: return {0, kTrayPitch};
    default: return {}; // it stands nowhere by itself
    }
}

RackUnits::RackUnits(const Snapshot& s, const ProjectParts& parts, Lookup& lookup, RackId rack, std::optional<DeviceId> but)
    : m_taken(2 * std::size_t(std::max(0, parts.rack(s.racks.type[rack]).heightU)))
{
    lookup.referring(&Devices::rack, rack.value, [&](std::uint32_t row) {
        const DeviceId id(row);
        if (s.devices.u[id] > 0 && id != but) occupy(s.devices.u[id], parts.device(s.devices.type[id]).halfUnits);
    });
}

bool RackUnits::free(int u, int halfUnits) const
{
    const std::size_t from = 2 * std::size_t(u - 1), to = from + std::size_t(std::max(1, halfUnits));
    return u > 0 && to <= m_taken.size() &&
           std::none_of(m_taken.begin() + std::ptrdiff_t(from), m_taken.begin() + std::ptrdiff_t(to), [](bool b) { return b; });
}

int RackUnits::place(int halfUnits)
{
    for (int u = 1; u <= height(); ++u)
        if (free(u, halfUnits)) {
            occupy(u, halfUnits);
            return u;
        }
    return 0;
}

void RackUnits::occupy(int u, int halfUnits)
{
    const std::size_t from = 2 * std::size_t(std::max(1, u) - 1);
    for (std::size_t i = from; i < std::min(m_taken.size(), from + std::size_t(std::max(1, halfUnits))); ++i) m_taken[i] = true;
}

Result<int> freeUnit(const Snapshot& s, const ProjectParts& parts, Lookup& lookup, RackId rack, PartTypeId type)
{
    const int height = parts.device(type).halfUnits;
    if (height == 0) return 0;
    if (const int u = RackUnits(s, parts, lookup, rack).place(height)) return u;
    return fail(ErrorCode::Refused, s.racks.name[rack], i18n("has no room for another {}", parts[type].slug), i18n("choose another rack"));
}

} // namespace hw::edit
