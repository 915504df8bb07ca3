// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/build/design_builder.h"
#include "core/foundation/catalog/catalog.h"

namespace hw {

/// Links that are to go over patch panels: a panel at either end and trunks between them, or without a trunk type one panel at the upper end.
struct PanelRouting {
    std::vector<LinkId> links;
    PartTypeId panel{};
    Maybe<PartTypeId> trunk;
    Maybe<RackId> lowerRack, upperRack; ///< where panels are to stand; none: in racks of the links' own devices, then in their row
    bool byRow = true;                  ///< panels are shared by the links between two rows; else between two racks
    std::string key{};                  ///< before the keys of what is made; empty: made by hand
};
struct RoutedOverPanels {
    std::size_t links = 0, panels = 0, trunks = 0;
    std::size_t left = 0;  ///< links that stay as they are: no straight cord, not in racks, or over panels already
    std::size_t spare = 0; ///< connectors of the trunks that nothing uses
};
/// Makes panels, trunks, cords and runs. The links of one cord share a position; panels stand in the highest free unit. Errors: Refused, naming
/// what has no room or does not fit; the snapshot is to be dropped then.
[[nodiscard]] Result<RoutedOverPanels> leadOverPanels(Snapshot& snapshot, const ProjectParts& parts, const PanelRouting& what);

/// Rows that went with a link's panels.
struct DroppedRuns {
    std::size_t runs = 0, cables = 0, waypoints = 0;
};
/// Makes links direct again whose panel, cable or link is gone, and removes the cables that nothing uses any more.
DroppedRuns dropBrokenRuns(Snapshot& snapshot);
/// The same for one link that goes, or is to be direct.
DroppedRuns dropRunsOf(Snapshot& snapshot, LinkId link);
/// Removes the cables that no link and no run is on any more.
void eraseLooseCables(Snapshot& snapshot);

} // namespace hw
