// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/build/panels.h"
#include "core/design/edit/edits_create.h"

namespace hw::edit {

/// Leads links over patch panels: those of a rule, or all, between two places.
struct PanelEdit {
    std::string rule{};                    ///< key of the link rule; empty: any
    std::optional<EntityRef> from{}, to{}; ///< racks or rows of the lower and the upper ends; none: any
    std::string panel{}, trunk{}, cord{};  ///< slugs of the project or the catalog; trunk empty: one panel, no trunk. cord: a type to have beside
    std::optional<RackId> fromRack{}, toRack{}; ///< where the panels are to stand
    bool byRack = false;                        ///< panels are shared by the links between two racks, else between two rows
};
/// Refused: nothing to lead, parts that do not fit each other, and racks without room.
[[nodiscard]] Result<RoutedOverPanels> leadOver(Transaction& transaction, Lookup& lookup, const PartSource& source, const PanelEdit& edit);

/// Takes all links of a rule off their panels; the panels stay. Returns how many. Refused: an unknown rule, or none of its links over a panel.
[[nodiscard]] Result<std::size_t> connectDirectly(Transaction& transaction, const std::string& rule);

/// Leads a cable through trays, in the order from its lower end up; none: the shortest way again. `together`: with it all cables between
/// the same two racks. Returns how many. Refused: cables within a rack or without one at either end, more than 100 trays.
[[nodiscard]] Result<std::size_t> leadThrough(Transaction& transaction, CableId cable, std::span<const TrayId> trays, bool together);

} // namespace hw::edit
