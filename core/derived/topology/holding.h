// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/design_index.h"
#include "core/foundation/catalog/entity.h"

namespace hw {

/// The row of a kind that an entity is or is held by, by the parents that the tables declare: the device of a port, the hall of a rack, of a
/// link those of its lower port. None where there is no such row above it.
[[nodiscard]] EntityRef heldBy(const Snapshot& snapshot, EntityRef entity, EntityKind kind);
[[nodiscard]] Maybe<DeviceId> deviceOf(const Snapshot& snapshot, EntityRef entity);
/// The cable of a link, or the cable itself.
[[nodiscard]] Maybe<CableId> cableOf(const Snapshot& snapshot, EntityRef entity);

/// What stands in a site, building, hall, row or rack, and what hangs over it; ascending. A device holds itself, all else none.
[[nodiscard]] std::vector<DeviceId> devicesIn(const Snapshot& snapshot, const DesignIndex& index, EntityRef place);
/// The trays of a building, hall or row, ascending.
[[nodiscard]] std::vector<TrayId> traysIn(const Snapshot& snapshot, EntityRef place);

/// The links that end in an entity or in what stands in it, and those that a link or cable is; each once, ascending. Of networks, tiers and
/// part types none: they hold nothing.
[[nodiscard]] std::vector<LinkId> linksAt(const Snapshot& snapshot, const DesignIndex& index, EntityRef entity);

} // namespace hw
