// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

/// The row that a device stands in or hangs over.
[[nodiscard]] inline Maybe<RowId> rowOf(const Snapshot& s, DeviceId device)
{
    const auto rack = s.devices.rack[device];
    return rack ? Maybe<RowId>(s.racks.row[*rack]) : s.devices.row[device];
}

/// The room that a device stands in.
[[nodiscard]] inline Maybe<HallId> hallOf(const Snapshot& s, DeviceId device)
{
    const auto row = rowOf(s, device);
    return row ? Maybe<HallId>(s.rows.hall[*row]) : s.devices.hall[device];
}

/// The building that a thing stands in; nothing for what is not placed.
[[nodiscard]] inline Maybe<BuildingId> buildingOf(const Snapshot& s, Maybe<HallId> hall)
{
    return hall ? Maybe<BuildingId>(s.halls.building[*hall]) : Maybe<BuildingId>();
}
[[nodiscard]] inline Maybe<BuildingId> buildingOf(const Snapshot& s, DeviceId device) { return buildingOf(s, hallOf(s, device)); }
[[nodiscard]] inline Maybe<BuildingId> buildingOf(const Snapshot& s, RackId rack)
{
    return buildingOf(s, Maybe<HallId>(s.rows.hall[s.racks.row[rack]]));
}
[[nodiscard]] inline Maybe<BuildingId> buildingOf(const Snapshot& s, TrayId tray)
{
    const auto row = s.trays.row[tray];
    return buildingOf(s, row ? Maybe<HallId>(s.rows.hall[*row]) : s.trays.hall[tray]);
}

} // namespace hw
