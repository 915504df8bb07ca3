// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

class ProjectParts;

/// The name that the user knows it by: the stored one; a port is "tor-…:swp3s1", a link "from – to",
/// a cable "cable-000123". Ids past the tables give an empty string.
[[nodiscard]] std::string entityName(const Snapshot& snapshot, const ProjectParts& parts, EntityRef entity);
[[nodiscard]] std::string portName(const Snapshot& snapshot, const ProjectParts& parts, PortId port);
/// The row that holds an entity, by the parents that its table declares; none for what stands by itself.
[[nodiscard]] EntityRef holderOf(const Snapshot& snapshot, EntityRef entity);
/// Building / hall / row / rack / device … from the outside in, ending with the entity.
[[nodiscard]] std::vector<EntityRef> ancestry(const Snapshot& snapshot, EntityRef entity);
/// Exact name, then a unique key; nothing when unknown. Ports as "device:port".
[[nodiscard]] std::optional<EntityRef> findEntity(const Snapshot& snapshot, const ProjectParts& parts, std::string_view name);
/// Entities whose name or key contains every word of `words` (any case), best matches first.
[[nodiscard]] std::vector<EntityRef> searchEntities(const Snapshot& snapshot, std::string_view words, std::size_t limit);

} // namespace hw
