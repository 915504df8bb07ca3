// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/snapshot.h"

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

[[nodiscard]] inline Maybe<BuildingId> buildingOf(const Snapshot& s, DeviceId device)
{
    const auto hall = hallOf(s, device);
    return hall ? Maybe<BuildingId>(s.halls.building[*hall]) : Maybe<BuildingId>();
}

} // namespace hw
