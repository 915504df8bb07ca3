// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/document.h"

namespace hw::edit {

class Lookup;

/// The edits that a person makes by hand, for the window and for scripts alike. Each changes the
/// transaction's working copy completely or not at all; errors are Refused and say what to do.
/// `parts` is of the transaction's snapshot (ProjectParts::of). A `lookup` of its state makes names and references quick
/// to find; without one all rows are looked at.

/// Moves a building on the campus, a hall in its building, and a row, rack, tray or free-standing device
/// in its hall: dx and dy are in the directions of the hall also for racks and trays of a turned row.
/// Refused: a device in a rack, other kinds, and places further than 100 km from their origin.
[[nodiscard]] Result<void> moveEntity(Transaction& transaction, EntityRef entity, std::int64_t dx_mm, std::int64_t dy_mm);

/// Whether things of a kind have a name that `renameEntity` can change.
[[nodiscard]] bool canRename(EntityKind kind);
/// Renames anything that has a name. Refused: empty or longer than 100 characters, line
/// breaks or other control characters, a colon, and a name that something else has.
[[nodiscard]] Result<void> renameEntity(Transaction& transaction, EntityRef entity, std::string_view name, Lookup* lookup = nullptr);

/// Puts a device into a rack with its lowest unit at `u`; the space must be free. U from 1; 0 = zero-U place.
[[nodiscard]] Result<void> placeDevice(Transaction& transaction, const ProjectParts& parts, DeviceId device, RackId rack, int u,
                                       Lookup* lookup = nullptr);

/// Joins two free ports of different devices, for data, power or coolant. Refused: a port in use, other rate, network or
/// medium, and power or coolant that does not go from an outlet (down) to an inlet (up).
/// The link gets a new cable, or that of the other links of a split cage.
[[nodiscard]] Result<LinkId> connect(Transaction& transaction, const ProjectParts& parts, PortId a, PortId b, Lookup* lookup = nullptr);
/// Removes a link; its cable goes with its last link.
[[nodiscard]] Result<void> disconnect(Transaction& transaction, LinkId link, Lookup* lookup = nullptr);

/// Length by hand; 0 = from the route again.
[[nodiscard]] Result<void> setCableLength(Transaction& transaction, CableId cable, std::int64_t length_mm, Lookup* lookup = nullptr);
/// Cable type by hand, a part type of the kind Cable; nothing = chosen by the rules again.
[[nodiscard]] Result<void> setCableType(Transaction& transaction, CableId cable, std::optional<PartTypeId> type, Lookup* lookup = nullptr);

/// Accepts a finding (by its id) with a reason, neither empty; an existing waiver of it is replaced. Date: YYYY-MM-DD.
[[nodiscard]] Result<void> waive(Transaction& transaction, std::string_view finding, std::string_view reason, std::string_view author,
                                 std::string_view date);
[[nodiscard]] Result<void> unwaive(Transaction& transaction, std::string_view finding);

/// Project values. Refused: keys of the template and its parameters (set-parameter changes those) and values that
/// the setting cannot have; an unknown key is a Usage error that names near ones.
[[nodiscard]] Result<void> setSetting(Transaction& transaction, std::string_view key, std::string_view value);
/// Forgets a project value, so that its default holds again. Refused like setSetting; one that is not set stays so.
[[nodiscard]] Result<void> resetSetting(Transaction& transaction, std::string_view key);

/// Power limit of a building (what `site.limit_basis` counts there) or of a rack, in whole watts; 0 = none of its own.
[[nodiscard]] Result<void> setPowerLimit(Transaction& transaction, EntityRef entity, std::int64_t limit_w);

/// `findEntity`, with a Refused error that names the nearest names.
[[nodiscard]] Result<EntityRef> requireEntity(const Snapshot& snapshot, const ProjectParts& parts, std::string_view name, Lookup* lookup = nullptr);

} // namespace hw::edit
