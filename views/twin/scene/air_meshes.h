// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/twin/air.h"
#include "views/twin/scene/mesh.h"

namespace hw::views::twin {

/// Colors of a scale from end to end in distinct bands, as a texture of one line: RGBA.
[[nodiscard]] std::vector<std::uint8_t> bandTexture(const ValueField& scale, bool dark);

// Meshes of the air in meters on the campus, made on any thread. `corner`: that of the room.

/// A plane through the hall; textured by values on the scale.
[[nodiscard]] Mesh sliceMesh(const sim::air::Slice& slice, const ValueField& scale, const std::array<double, 3>& corner);
/// Streamlines in the colors of the scale; `places` of the mesh: seconds on the way, by vertex.
[[nodiscard]] LineMesh pathLines(const std::vector<sim::air::AirPath>& paths, std::span<const float> values, const ValueField& scale,
                                 const std::array<double, 3>& corner, bool dark);
/// The surface on which the air has a value, shaded by its direction.
[[nodiscard]] Mesh surfaceMesh(const sim::air::SurfaceCells& cells, double level, Rgba color, const std::array<double, 3>& corner);

} // namespace hw::views::twin
