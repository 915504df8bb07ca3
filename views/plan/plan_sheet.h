// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan/plan_painter.h"

namespace hw::views {

/// What the colors of a plan say, and what its layers add to them.
[[nodiscard]] Legend planLegend(const Figures& figures, const OverlayValues& values, const RackFacts& facts, const PlanLayers& layers,
                                const PlanLayerFacts& layerFacts);
/// All buildings and halls, mm; null where there are none.
[[nodiscard]] QRectF siteBounds(const Figures& figures);
/// Brings `world` into view, above the legend where that would stand in a hall.
void fitPlan(PlanCamera& camera, const Figures& figures, const QRectF& world, const QRectF& legend);

/// A floor plan on paper: of everything, or of one hall.
struct PlanSheet {
    FiguresPtr figures;
    std::shared_ptr<const OverlayValues> values; ///< null: kinds of racks
    PlanLayers layers{};
    Maybe<HallId> hall{};
    bool trayNames = false; ///< trays say their names and how full they are
};
/// Draws it from (0, 0) to `size`, without rulers and whatever belongs to a screen. Any thread; colors are those of theme().
void paintPlanSheet(QPainter& painter, QSizeF size, const PlanSheet& sheet);

} // namespace hw::views
