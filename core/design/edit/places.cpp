// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/places.h"

#include "core/design/edit/edits_create.h"

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
    default: return {}; // it is not placed by itself
    }
}

RackUnits unitsOf(const Snapshot& s, const ProjectParts& parts, Lookup& lookup, RackId rack, std::optional<DeviceId> but)
{
    RackUnits units(parts.rack(s.racks.type[rack]));
    lookup.referring(&Devices::rack, rack.value, [&](std::uint32_t row) {
        const DeviceId id(row);
        if (s.devices.u[id] > 0 && id != but) units.put(mounted(s, parts, id));
    });
    return units;
}

Result<int> freeUnit(const Snapshot& s, const ProjectParts& parts, Lookup& lookup, RackId rack, DeviceId device)
{
    const PartTypeId type = s.devices.type[device];
    const DeviceSpec& spec = parts.device(type);
    if (spec.halfUnits == 0) return 0;
    if (const int u = unitsOf(s, parts, lookup, rack, device).lowestFor(spec, s.devices.face[device])) return u;
    return fail(ErrorCode::Refused, s.racks.name[rack], i18n("no room for another {}", parts[type].slug), i18n("choose another rack"));
}

} // namespace hw::edit
