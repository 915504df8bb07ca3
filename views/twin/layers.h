// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hw::views {

/// What of the 3D twin can be shown and hidden.
enum class TwinLayer : std::uint8_t { Racks, Devices, Trays, Bundles, Cables, Shell, Labels };
inline constexpr std::size_t kTwinLayers = 7;

enum class TwinPreset : std::uint8_t { Home, Top, Front };

/// A camera that looks at `focus` (meters on the campus: x east, y north, z up). Azimuth 0 stands south
/// of the focus and looks north, 90 stands east; elevation 90 looks straight down.
struct TwinCamera {
    double azimuth = -30, elevation = 35, distance = 100; ///< degrees, degrees, meters
    std::array<double, 3> focus{0, 0, 0};
    double cut = 0; ///< share of the distance within which nothing is drawn: looks through what stands in the way
    friend bool operator==(const TwinCamera&, const TwinCamera&) = default;
};

/// What the last frame cost and held, for the status line, tests and benchmarks.
struct TwinStatistics {
    std::size_t frames = 0;                                      ///< 3D frames drawn so far
    std::size_t racks = 0, devices = 0, bundles = 0, cables = 0; ///< shown in the last frame
    std::size_t meshes = 0, lineSets = 0, recolors = 0;          ///< handed to the GL so far: with their geometry; only colors
    double buildMs = 0;                                          ///< arrays and upload of the last setFigures
    double frameMs = 0;                                          ///< last 3D frame, until the GL was done
    std::size_t airSlice = 0, airPaths = 0, airSurface = 0;      ///< of the air: quadrilaterals, streamlines, triangles
    bool reducedResolution = false;                              ///< the last frame was drawn at half resolution because the camera moved
};

} // namespace hw::views
