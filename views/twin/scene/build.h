// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/twin/scene/facts.h"
#include "views/twin/scene/loads.h"

namespace hw::views::twin {

/// Builders of the scene's meshes: plain functions from facts to arrays, callable on any thread.
/// Those that return a vector give one mesh per building and a last one for what lies between them.

/// The face of a rack that carries its devices' fronts (or rears): lower left corner as one sees it
/// standing before it, the way to the right, and out.
struct FaceFrame {
    Vec3 origin{}, right{}, out{};
    float width = 0, depth = 0;
    /// `x` from the left edge, `z` above the floor, `forward` out of the face.
    [[nodiscard]] Vec3 at(float x, float z, float forward = 0) const;
};
[[nodiscard]] FaceFrame frontOf(const SceneFacts::Rack& rack);
[[nodiscard]] FaceFrame rearOf(const SceneFacts::Rack& rack);

inline constexpr float kMountWidth = 0.4826f; ///< 19 inches (EIA-310)
/// Vertical power strips and the like hang at the rear and take no rack unit.
[[nodiscard]] bool isZeroU(const Figures& figures, DeviceId device);

/// Cells of the texture with device fronts (see widget/front_atlas.h).
enum class FrontKind : std::uint8_t { GpuServer, Server, SwitchTall, SwitchFlat, Storage, Facility, Rear };
inline constexpr std::size_t kFrontKinds = 7;
/// Texture coordinates: left, bottom, right, top.
[[nodiscard]] std::array<float, 4> frontCell(FrontKind kind);
[[nodiscard]] FrontKind frontKindOf(const Figures& figures, DeviceId device);

[[nodiscard]] Mesh buildGround(const SceneFacts& facts, const Palette& palette);
struct ShellMeshes {
    Mesh slab, walls, marks;
}; ///< walls are one-sided, marks are translucent
/// Walls, columns, doors and ramps of a building's rooms.
void addStructures(ShellMeshes& shell, const Figures& figures, BuildingId building, const Palette& palette);
/// Translucent roofs and doors of aisles that are closed in.
void addContainment(ShellMeshes& shell, const Figures& figures, const Aabb& building, const Palette& palette);
/// Of a room that is no rectangle, on the floor, counter-clockwise; else empty.
[[nodiscard]] std::vector<Vec3> roomCorners(const Figures& figures, HallId hall);
[[nodiscard]] ShellMeshes buildShell(const Figures& figures, const SceneFacts& facts, std::size_t building, const Palette& palette);
/// By rack id: the colors of their kinds, or those given.
[[nodiscard]] ThingColors rackColors(const SceneFacts& facts, const Palette& palette, const std::vector<Rgba>* given = nullptr);
/// Racks in the colors of their kinds, or in those given by rack id. Tinted by rack id.
[[nodiscard]] std::vector<Mesh> buildRacks(const Figures& figures, const SceneFacts& facts, const Palette& palette,
                                           const std::vector<Rgba>* given = nullptr);
/// One textured quad per device, on the rack's front.
[[nodiscard]] std::vector<Mesh> buildFronts(const Figures& figures, const SceneFacts& facts);
[[nodiscard]] std::vector<Mesh> buildTrays(const Figures& figures, const SceneFacts& facts, const Palette& palette);

struct CableLook {
    const SceneLoads* loads = nullptr;
    std::vector<bool> networkHidden; ///< by network id; shorter means shown
    bool dark = false;
    const ValueField* trays = nullptr; ///< values that color what runs in trays; null: none
};
[[nodiscard]] Aabb bundleBox(const SceneFacts& facts, std::uint32_t section); ///< empty when no cable runs there
struct BundleMeshes {
    std::vector<Mesh> inTrays, drops;
    std::size_t shown = 0;
};
/// By section: of the bundle that runs there.
[[nodiscard]] std::vector<Rgba> sectionColors(const Figures& figures, const SceneFacts& facts, const CableLook& look);
/// Tinted by section.
[[nodiscard]] BundleMeshes buildBundles(const Figures& figures, const SceneFacts& facts, const CableLook& look);

/// What one sees standing before a rack: posts, the devices' bodies standing out a little.
struct NearMeshes {
    Mesh boxes, fronts;
    std::size_t devices = 0;
};
[[nodiscard]] NearMeshes buildNear(const Figures& figures, const SceneFacts& facts, std::span<const RackId> racks, const Palette& palette);

/// The way of one cable, port to port, or nothing where it has no place.
[[nodiscard]] std::vector<Vec3> cablePath(const Figures& figures, const SceneFacts& facts, CableId cable);
[[nodiscard]] Rgba colorOf(const Figures& figures, CableId cable, const CableLook& look);
[[nodiscard]] LineMesh buildCables(const Figures& figures, const SceneFacts& facts, std::span<const CableId> cables, const CableLook& look,
                                   std::optional<Rgba> color = std::nullopt);

/// Boxes and lines that mark an entity.
struct HighlightMeshes {
    Mesh tint;
    LineMesh lines;
    std::vector<CableId> cables;
};
[[nodiscard]] HighlightMeshes buildHighlight(const Figures& figures, const SceneFacts& facts, EntityRef entity, Rgba color);
/// Single cables that belong to an entity, at most `limit`, evenly taken where there are more.
[[nodiscard]] std::vector<CableId> cablesOf(const Figures& figures, const SceneFacts& facts, EntityRef entity, std::size_t limit);

} // namespace hw::views::twin
