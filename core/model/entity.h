// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/snapshot.h"

namespace hw {

enum class EntityKind : std::uint8_t { None, Network, Building, Hall, Row, Rack, Tray, Tier, Device, Cage, Port, Link, Cable, PartType };

/// Any row of the design: what selection, findings, search and picking speak of.
struct EntityRef {
    EntityKind kind = EntityKind::None;
    std::uint32_t id = 0;
    friend constexpr auto operator<=>(EntityRef, EntityRef) = default;
    explicit operator bool() const { return kind != EntityKind::None; }
};

inline EntityRef ref(NetworkId i) { return {EntityKind::Network, i.value}; }
inline EntityRef ref(BuildingId i) { return {EntityKind::Building, i.value}; }
inline EntityRef ref(HallId i) { return {EntityKind::Hall, i.value}; }
inline EntityRef ref(RowId i) { return {EntityKind::Row, i.value}; }
inline EntityRef ref(RackId i) { return {EntityKind::Rack, i.value}; }
inline EntityRef ref(TrayId i) { return {EntityKind::Tray, i.value}; }
inline EntityRef ref(TierId i) { return {EntityKind::Tier, i.value}; }
inline EntityRef ref(DeviceId i) { return {EntityKind::Device, i.value}; }
inline EntityRef ref(CageId i) { return {EntityKind::Cage, i.value}; }
inline EntityRef ref(PortId i) { return {EntityKind::Port, i.value}; }
inline EntityRef ref(LinkId i) { return {EntityKind::Link, i.value}; }
inline EntityRef ref(CableId i) { return {EntityKind::Cable, i.value}; }
inline EntityRef ref(PartTypeId i) { return {EntityKind::PartType, i.value}; }

class ProjectParts;

/// The name that the user knows it by: the stored one; a port is "tor-…:swp3s1", a link "from – to",
/// a cable "cable-000123". Ids past the tables give an empty string.
[[nodiscard]] std::string entityName(const Snapshot& snapshot, const ProjectParts& parts, EntityRef entity);
[[nodiscard]] std::string portName(const Snapshot& snapshot, const ProjectParts& parts, PortId port);
/// Building / hall / row / rack / device … from the outside in, ending with the entity.
[[nodiscard]] std::vector<EntityRef> ancestry(const Snapshot& snapshot, EntityRef entity);
/// Exact name, then a unique key; nothing when unknown. Ports as "device:port".
[[nodiscard]] std::optional<EntityRef> findEntity(const Snapshot& snapshot, const ProjectParts& parts, std::string_view name);
/// Entities whose name or key contains every word of `words` (any case), best matches first.
[[nodiscard]] std::vector<EntityRef> searchEntities(const Snapshot& snapshot, std::string_view words, std::size_t limit);

} // namespace hw
