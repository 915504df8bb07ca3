// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/edits_create.h"
#include "core/edit/lookup.h"

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

/// `remove` of what nobody asked for by itself: nothing is refused.
RowCount takeOut(Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities);

/// The same for a design that is looked at and not kept: nothing remembers what the template would have made.
void leaveOut(Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities);

/// Half units of a rack that are taken.
class RackUnits {
public:
    RackUnits(const Snapshot& snapshot, const ProjectParts& parts, Lookup& lookup, RackId rack, std::optional<DeviceId> but = {});
    /// The lowest unit with so many free half units, which it then has; 0: there is none.
    [[nodiscard]] int place(int halfUnits);
    /// Whether a device finds room at a unit.
    [[nodiscard]] bool free(int u, int halfUnits) const;
    [[nodiscard]] int height() const { return int(m_taken.size() / 2); }
    void occupy(int u, int halfUnits);

private:
    std::vector<bool> m_taken;
};

} // namespace hw::edit
