// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/dxf/drawing.h"

#include <functional>
#include <string_view>

namespace hw::importers::dxf {

/// A real length that the user states of the drawing.
struct KnownLength {
    std::string what; ///< "width", "depth", a layer's name, or empty where two points are given
    Spot a, b;        ///< the two points, in the drawing's units
    double millimeters = 0;
};
/// "x1,y1,x2,y2=12.0 m", "width=120 m", "A-WALL=120 m". Errors: Refused.
[[nodiscard]] Result<KnownLength> parseKnownLength(std::string_view text);

/// How many millimeters a unit of the drawing is, and what was found out about it.
struct Scale {
    double millimeters = 1;
    std::string unit; ///< mm, cm, m, in, ft …
    std::vector<Text> facts, doubts;
};
struct ScaleQuestion {
    int insUnits = 0;
    std::string units; ///< stated by the user; empty: none
    std::optional<KnownLength> known;
    std::function<double(const KnownLength&)> measure; ///< in the drawing's units; 0: there is nothing of that name
    std::string file;
};
/// Errors: Refused where no unit is said, or a known length is more than 1 % off.
[[nodiscard]] Result<Scale> findScale(const ScaleQuestion& question);

} // namespace hw::importers::dxf
