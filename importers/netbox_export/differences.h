// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/files/plain_table.h"
#include "core/foundation/model/document.h"
#include "core/output/exchange/formats.h"
#include "importers/netbox_export/netbox_export.h"

namespace hw::netbox {

enum class DifferenceKind : std::uint8_t { DesignOnly, NetboxOnly, Differs, Conflict };

/// One value, or one object, that the design and NetBox do not agree on.
struct Difference {
    DifferenceKind kind = DifferenceKind::Differs;
    std::size_t table = 0;
    std::string name;           ///< of the object
    std::string field;          ///< "position", "custom_fields.hall_x_mm"; empty for whole objects
    std::string design, netbox; ///< as people read them
    std::size_t item = 0;       ///< of the inventory; not of what is in NetBox alone
    int id = 0;                 ///< in NetBox; 0: not there
    nlohmann::json value;       ///< that NetBox has
    bool toNetbox = false;      ///< the design's side can be taken: it is written to NetBox
    bool toDesign = false;      ///< NetBox's side can be taken: the design is changed
};

/// Places, racks, power, devices and cables; in the order of NetBox's tables, then of the design. Types and roles are of everybody and follow.
[[nodiscard]] std::vector<Difference> differencesOf(const Session& session);
/// hallwright.netbox-diff/1
[[nodiscard]] nlohmann::ordered_json differencesJson(const Session& session, std::span<const Difference> rows);
[[nodiscard]] std::string differencesText(std::span<const Difference> rows);
/// The same rows for a file, one each.
[[nodiscard]] PlainTable differencesTable(std::span<const Difference> rows);

/// "3,7-9", "all": numbers of rows from 1, as they are listed. `able`: whether a row can be taken; all takes those alone. Errors: Usage (no such
/// row), Refused (a row whose side cannot be taken).
[[nodiscard]] Result<std::set<std::size_t>> chosenRows(std::string_view text, std::span<const Difference> rows, bool Difference::*able);

/// The chosen rows as NetBox has them, into the design: all of them or none. Errors: Refused, naming the row.
[[nodiscard]] Result<void> takeFromNetbox(Transaction& transaction, const Session& session, std::span<const Difference> rows,
                                          const std::set<std::size_t>& chosen);
/// The same as a plan: what would change in `base`, the design that was compared. Nothing has changed yet.
[[nodiscard]] Result<exchange::ImportPlan> planFromNetbox(const Session& session, std::span<const Difference> rows,
                                                          const std::set<std::size_t>& chosen, const SnapshotPtr& base);
/// What the chosen rows of the design need to be written: themselves, and the types and places that they need.
[[nodiscard]] Wanted wantedBy(const Session& session, std::span<const Difference> rows, const std::set<std::size_t>& chosen);
/// The chosen rows as the design has them, to NetBox, with the types and places that they need.
[[nodiscard]] Result<void> takeFromDesign(Session& session, std::span<const Difference> rows, const std::set<std::size_t>& chosen,
                                          const Target& target, const std::filesystem::path& project, const Progress& progress);

} // namespace hw::netbox

namespace hw {
HW_WORDS(netbox::DifferenceKind, "only-design", "only-netbox", "differs", "conflict")
} // namespace hw
