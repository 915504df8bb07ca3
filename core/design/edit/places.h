// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/rack_units.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/lookup.h"

namespace hw::edit {

// Parts of edits that place things, for the files of this folder.

struct Shift {
    std::int64_t x = 0, y = 0; ///< mm
};

/// Moves a row of any table that has places, in the frame that they are stored in.
[[nodiscard]] Result<void> shiftPlace(Transaction& transaction, EntityRef entity, Shift by);
/// From one thing to the next where nobody says how far: a width, with the gap that its kind has.
[[nodiscard]] Shift besideOf(const Snapshot& snapshot, const ProjectParts& parts, EntityRef entity);
/// Rules for names, but not whether something else has it.
[[nodiscard]] Result<void> checkName(std::string_view name);
/// Any other text that a person gives: one line of at most 200 bytes. `where`: the column or setting.
[[nodiscard]] Result<void> checkPlainText(const std::string& where, std::string_view text);

/// `remove` of what nobody asked for by itself: nothing is refused.
RowCount takeOut(Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities);

/// The same for a design that is looked at and not kept: nothing remembers what the template would have made.
void leaveOut(Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities);

/// What stands in a rack, but for one device.
[[nodiscard]] RackUnits unitsOf(const Snapshot& snapshot, const ProjectParts& parts, Lookup& lookup, RackId rack, std::optional<DeviceId> but = {});
/// The lowest unit of a rack where a device finds room; 0 for equipment without height.
[[nodiscard]] Result<int> freeUnit(const Snapshot& snapshot, const ProjectParts& parts, Lookup& lookup, RackId rack, DeviceId device);

} // namespace hw::edit
