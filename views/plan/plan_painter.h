// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/overlays/overlays.h"
#include "views/plan/plan_camera.h"
#include "views/plan/plan_drag.h"
#include "views/plan/plan_layers.h"
#include "views/plan/plan_room.h"
#include "views/plan/rack_facts.h"
#include "views/style/legend.h"

#include <QPainter>

namespace hw::views {

/// What is drawn. Borrowed for the time of a painter.
struct PlanScene {
    const Figures& figures;
    const std::vector<EntityRef>& selection;
    const Figures* before = nullptr; ///< while something is dragged: as it was
};

/// A tap-off as the plan draws it, on the screen; empty where there is no room for it.
[[nodiscard]] QRectF tapRect(const Figures& figures, const PlanCamera& camera, const PlanLayerFacts::Tap& tap);

/// Draws one frame of the floor plan, from the floor up: on a widget, or on paper. Made again for each frame; any thread.
class PlanPainter {
public:
    PlanPainter(QPainter& painter, const PlanCamera& camera, const PlanScene& scene, const RackFacts& facts, const OverlayValues& values);

    /// Everything of the design itself, with the layers that are on.
    void drawDesign(const UnderlayLines& underlays, const PlanLayers& layers, const PlanLayerFacts& facts);
    void drawTrayNames(); ///< and how full they are, where there is room

    void drawGround();                                  ///< grid, buildings, halls, hot aisles
    void drawUnderlays(const UnderlayLines& underlays); ///< drawings under the rooms
    void drawRoomNames();
    void drawStructures(); ///< walls, columns, doors, ramps, keep-outs
    void drawTrays();
    void drawWays(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ways); ///< tray sections, and links in them
    void drawFacilities(); ///< transformers, fan walls and whatever else stands without a rack
    void drawRacks();
    void drawBusways();                                ///< over the racks, where the overlay says something of them
    void drawContainment(const PlanLayerFacts& facts); ///< aisles that are closed in
    void drawHeat(const PlanLayerFacts& facts);
    void drawPower(const PlanLayerFacts& facts);
    void drawNetworks();
    void drawClearances(const PlanLayerFacts& facts);
    void drawRowSums(const PlanLayerFacts& facts); ///< weight and heat
    void drawRowTags();
    void drawSelection(EntityRef hover);
    void drawDimensions(); ///< of the halls, and of the gaps around what is selected
    void drawGhost();      ///< where the dragged things stood before
    void drawRulers();
    void drawNorth();                        ///< an arrow at the upper right where north is not up
    QRectF drawLegend(const Legend& legend); ///< at the lower left, within the view; returns where
    [[nodiscard]] static QRectF legendRect(const Legend& legend, QSizeF view);
    void drawReadOut(const PlanDrag& drag);

    [[nodiscard]] static QString tagText(const Figures& figures, RowId row);
    [[nodiscard]] static QRectF tagRect(const PlanCamera& camera, const Figures& figures, RowId row);

private:
    void drawGrid();
    void drawHotAisles();
    void drawRackLabel(RackId rack, const QRectF& rect, const QColor& fill);
    void outline(EntityRef entity, const QPen& pen);
    void dimension(QPointF a, QPointF b, const QString& text);
    void gapsAround(const Box& box, const Box& hall, RowId except);
    [[nodiscard]] bool visible(const QRectF& rect) const { return rect.intersects(m_area); }

    QPainter& m_painter;
    const PlanCamera& m_camera;
    const PlanScene m_scene;
    const Figures& m_figures;
    const Snapshot& m_snapshot;
    const RackFacts& m_facts;
    const ValueField *m_values, *m_deviceValues, *m_trayValues; ///< of racks, devices, trays; null: there are none
    QRectF m_area;
};

/// Seen from above; empty for what has no place.
[[nodiscard]] Box planBox(const Figures& figures, EntityRef entity);

} // namespace hw::views
