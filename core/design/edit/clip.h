// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits_arrange.h"
#include "core/design/edit/edits_create.h"

namespace hw::edit {

/// Things taken out of a design with all that they hold: a small design of its own, which a clipboard can carry to another one. What holds them
/// is in it as well, but empty, so that it says where they stood.
struct Clip {
    SnapshotPtr design;
    std::vector<EntityRef> things;
};

/// Rows, racks, free-standing devices, devices in racks, trays, structures, halls and buildings. What stands in another thing of the list comes
/// with it. Errors: Refused for other kinds.
[[nodiscard]] Result<Clip> clipOf(const SnapshotPtr& design, std::span<const EntityRef> entities);
/// Things that `clipOf` takes.
[[nodiscard]] bool canClip(const Snapshot& snapshot, EntityRef entity);

/// As bytes, and back; for another process. Errors: Unreadable for what is none.
[[nodiscard]] Result<std::string> clipBytes(const Clip& clip);
[[nodiscard]] Result<Clip> readClip(std::string_view bytes);

struct PasteTarget {
    std::optional<PlanPoint> at{};        ///< campus mm: the middle of what is pasted
    std::optional<EntityRef> into{};      ///< what holds it, or is in what holds it
    std::optional<EntityRef> otherwise{}; ///< the same, where there is neither `into` nor a room at `at`
};
/// Pastes things as near to a place as they have room, their arrangement kept: never over what stands there, and inside the room that holds
/// them. Types, tiers and networks that the design lacks come along. Devices go to the lowest free units of a rack. Refused without a holder or
/// room.
[[nodiscard]] Result<Copied> paste(Transaction& transaction, Lookup& lookup, const Clip& clip, const PasteTarget& target);

} // namespace hw::edit
