// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"
#include "simulation/air/hall.h"

#include <span>

namespace hw::sim::air {

// What views show of a solved hall. Nothing is interpolated across a wall, a rack or a leaky screen. Lengths in m from the corner of the room.

enum class Quantity : std::uint8_t {
    Celsius, ///< °C
    Speed,   ///< m/s
    Change,  ///< K, against the same hall before
    Pressure ///< static, Pa against the mean of the hall
};

/// A value for each cell of the grid. `before`: for Change; where it has no air, the change is 0.
[[nodiscard]] std::vector<float> cellValues(const HallAir& air, Quantity quantity, const HallAir* before = nullptr);

/// A plane perpendicular to an axis: one quadrilateral for each cell of air, four corners each in the order of turning.
struct Slice {
    std::vector<float> points; ///< 12 a quadrilateral
    std::vector<float> values; ///< 4 a quadrilateral
};
/// `axis`: 0 to 2 for x, y, z; `at`: in m along it, the ends of the room where it is beyond them.
[[nodiscard]] Slice sliceOf(const Room& room, std::span<const float> values, int axis, double at);

/// Cells of air in which a value is reached, eight corners each as VTK orders those of a voxel.
struct SurfaceCells {
    std::vector<float> points; ///< 24 a cell
    std::vector<float> values; ///< 8 a cell
};
/// `level`: in the unit of the values.
[[nodiscard]] SurfaceCells surfaceCells(const Room& room, std::span<const float> values, double level);

/// The path of the air from an opening until it enters a rack or a unit, or the time is over.
struct AirPath {
    std::vector<std::array<float, 3>> points;
    std::vector<std::uint32_t> cells; ///< by point, of the air that has come there
    std::vector<float> seconds;       ///< by point, since the start
    int from = -1, to = -1;           ///< exchanges; −1: none reached
};
enum class PathStart : std::uint8_t { Units, Racks };
/// About `count` paths that stand for the same flow each, from air units or from the rears of racks. Within a cell the velocity follows from those of
/// its six faces (Pollock 1988), so that no path crosses a wall.
[[nodiscard]] std::vector<AirPath> airPaths(const SolvedRoom& room, PathStart start, std::size_t count, const Progress& progress = {});

/// Temperatures of the air in classes of ASHRAE TC 9.9: recommended 18 to 27 °C, allowable to 32 (A1) and 35 °C (A2).
[[nodiscard]] ValueField celsiusScale();
/// The scale of a quantity, fitted to the values of the cells.
[[nodiscard]] ValueField quantityScale(const HallAir& air, Quantity quantity, std::span<const float> values);

enum class RackQuantity : std::uint8_t { InletMax, InletMean, InletTop, Capture, Change };
inline constexpr std::size_t kRackQuantities = 5;
inline constexpr std::string_view kAirOverlay = "air"; ///< the name of these values
/// Racks by what their inlets draw; temperatures also of what air units supply. `before`: for Change.
[[nodiscard]] std::vector<ValueField> rackFields(const Snapshot& snapshot, const HallAir& air, RackQuantity quantity,
                                                 const HallAir* before = nullptr);

/// The same hall in all that the solver reads: an answer for one is an answer for the other. Names do not count.
[[nodiscard]] bool sameHall(const HallPlan& a, const HallPlan& b);

} // namespace hw::sim::air
