// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of rooms with all that is placed in them, in mm, and its sheets.
#pragma once

#include "core/derived/figures/figures.h"
#include "core/derived/geometry/frame.h"
#include "importers/drawings/layers.h"

namespace hw::drawings {

/// What is drawn, and where.
struct Scene {
    const Figures& figures;
    const Snapshot& s;
    const Layers& layers;
    DxfFile& file;
    std::vector<HallId> halls;
    bool campus = true; ///< everything, with what is between the rooms
    At origin{};        ///< of the campus, that the drawing has at 0, 0
    [[nodiscard]] At at(double x, double y) const { return {x - origin.x, y - origin.y}; }
    [[nodiscard]] At at(const Point& p) const { return at(p.x, p.y); }
    [[nodiscard]] bool shows(HallId hall) const { return std::ranges::find(halls, hall) != halls.end(); }
    [[nodiscard]] bool shows(Maybe<HallId> hall) const { return hall ? shows(*hall) : campus; }
};

/// Blocks of racks are called so, of other equipment without "RACK-"; the slug of the type follows.
inline constexpr std::string_view kEquipmentBlock = "EQPM-", kRackBlock = "EQPM-RACK-";

void drawPlan(Scene& scene);
void drawDimensions(Scene& scene); ///< of rooms, rows and aisles
/// An angle at which a text can be read from below or from the right, degrees.
[[nodiscard]] double readableAngle(double degrees);
/// The height at which a text is no longer than `room`, at most `most`.
[[nodiscard]] double fittingHeight(std::string_view text, double room, double most);
[[nodiscard]] std::string kilowatts(Milliwatts power); ///< "41.2"

} // namespace hw::drawings
