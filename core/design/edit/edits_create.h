// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits.h"

#include <functional>
#include <map>
#include <span>

namespace hw::edit {

// Edits that make and take away. Errors are Refused and say what to do; the transaction is to be dropped then. `parts` and
// `lookup` are of the state that the transaction's working copy has when the function is called.

/// Finds a part type of the catalog that the project does not have yet; null: none of this slug. May be empty.
using PartSource = std::function<const Part*(const std::string& slug)>;

/// Rows that an edit made or took away, by table.
struct RowCount {
    std::array<std::uint32_t, Snapshot::kTables> rows{};
    [[nodiscard]] std::size_t of(EntityKind kind) const;
    /// "1 rack, 4 devices, 36 ports": entities only, from the outside in.
    [[nodiscard]] Text text() const;
};

/// Removes things with all that they hold and what cannot stand without them: racks go with a row, devices with a rack,
/// ports, links and cables with a device. What merely mentions them forgets them. Removed rows of the template are
/// remembered, so that a regeneration leaves them out. Refused: part types in use, ports that the template gives.
[[nodiscard]] Result<RowCount> remove(Transaction& transaction, Lookup& lookup, std::span<const EntityRef> entities);
/// What `remove` would take along.
[[nodiscard]] Result<RowCount> wouldRemove(const Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities);

[[nodiscard]] bool canCopy(EntityKind kind);
struct CopyOptions {
    int count = 1;
    std::optional<EntityRef> into;                ///< what shall hold the copies; none: what holds the original
    std::string name{};                           ///< of the first; empty: the original's, counted on
    std::optional<std::int64_t> dx_mm{}, dy_mm{}; ///< from one to the next, in the frame of what holds them; default: beside each other
};
struct Copied {
    std::vector<EntityRef> copies;
    RowCount made;
};
/// Copies a thing with all that it holds: names are fresh, keys empty, links and cables inside it come along, those that
/// leave it do not. Devices in racks go to the lowest free units.
[[nodiscard]] Result<Copied> copy(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, EntityRef entity, const CopyOptions& options);

/// What a new thing is to be; `fields` are columns as `setField` takes them.
struct NewThing {
    EntityKind kind = EntityKind::None;
    std::string name{};              ///< empty: made up, as "rack-1"
    std::optional<EntityRef> into{}; ///< what shall hold it
    std::string type{};              ///< slug, of racks, trays and devices; of the project or the catalog
    std::string tier{};              ///< of devices; empty: that of the devices of this type
    std::optional<std::int64_t> u{}; ///< of devices in racks; none: the lowest free
    std::string interface {
    };             ///< of ports: the socket of the device's type
    int split = 1; ///< of ports: that the socket is broken out into
    int count = 1; ///< this many, side by side
    std::map<std::string, std::optional<std::string>> fields{};
};
/// Makes rows with all that they need: a device has its ports, a part type comes along from the catalog.
[[nodiscard]] Result<std::vector<EntityRef>> add(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, const PartSource& source,
                                                 const NewThing& thing);
/// A part type of one's own from its definition (YAML, see resources/catalog/README.md); JSON is YAML too.
[[nodiscard]] Result<PartTypeId> addPartType(Transaction& transaction, Lookup& lookup, const std::string& definition);
/// A part type of the catalog, of any kind: cables and transceivers that the wiring may choose from.
[[nodiscard]] Result<PartTypeId> takePartType(Transaction& transaction, Lookup& lookup, const PartSource& source, const std::string& slug);
/// The project's part type of this slug, taken over from the catalog where it has none yet.
[[nodiscard]] Result<PartTypeId> usePartType(Transaction& transaction, Lookup& lookup, const PartSource& source, const std::string& slug,
                                             PartKind kind);

/// Makes a rack, tray or device one of another type. A device's ports are matched by the names of their interfaces;
/// with `force` links of ports that the new type lacks, or has at another rate, are removed, else refused.
[[nodiscard]] Result<RowCount> retype(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, const PartSource& source, EntityRef entity,
                                      const std::string& slug, bool force);

/// Turns a row about its origin, or a free-standing device on its place, counter-clockwise; a multiple of 90°.
[[nodiscard]] Result<void> rotate(Transaction& transaction, EntityRef entity, std::int64_t by_deg);
/// New outer sizes of a building or hall, in mm; what is not given stays. A tray has its length alone: its end moves.
struct NewSize {
    std::optional<std::int64_t> x{}, y{}, z{}, length{};
};
[[nodiscard]] Result<void> resize(Transaction& transaction, EntityRef entity, const NewSize& size);

/// The parts of a working copy: `known` where it has all of them, else read again.
[[nodiscard]] Result<std::shared_ptr<const ProjectParts>> partsWith(const Snapshot& snapshot, const ProjectParts& known, PartTypeId type);

/// Stands a device freely in a hall; its place stays where it had one.
[[nodiscard]] Result<void> placeInHall(Transaction& transaction, DeviceId device, HallId hall);
/// Hangs a device over a row, with which it moves from then on.
[[nodiscard]] Result<void> placeOverRow(Transaction& transaction, DeviceId device, RowId row);

} // namespace hw::edit
