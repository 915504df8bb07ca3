// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan/plan_camera.h"
#include "views/plan/plan_drag.h"
#include "views/plan/plan_draw.h"
#include "views/plan/plan_handles.h"
#include "views/plan/plan_layers.h"
#include "views/plan/plan_room.h"
#include "views/plan/rack_facts.h"
#include "views/style/legend.h"
#include "views/values/overlay_source.h"

#include <QWidget>

namespace hw::views {

/// The floor plan: halls, rows, racks and trays from above, to scale at any zoom. Selects, and moves
/// rows and racks by dragging or with the arrow keys.
///
/// Mouse: a click selects (far out the row, near by the rack; the tag at a row's head is always the
/// row), shift adds, a drag on a row moves the row, with control the rack alone, dragging elsewhere draws a rubber band, middle
/// or right drag pans, a drag on a handle reshapes what is selected, a right click opens the menu of what is there, the wheel zooms to the cursor, a
/// double click zooms everything there. Keys: arrows nudge by the snap step (Shift: one 600 mm floor tile, Alt: 10 mm), Escape gives up a move, + and
/// - zoom, Home shows all, F the selection.
class PlanView : public QWidget {
    Q_OBJECT
public:
    explicit PlanView(DocumentBridge& bridge, QWidget* parent = nullptr);

    void setSnap(int step_mm) { m_drag.setStep(step_mm); }
    /// Draws with a tool until Escape, a right click or another tool.
    void setTool(DrawTool tool);
    [[nodiscard]] const PlanDraw& draw() const { return m_draw; }
    [[nodiscard]] const PlanHandles& handles() const { return m_handles; }
    void setLayer(PlanLayer layer, bool on);
    [[nodiscard]] const PlanLayers& layers() const { return m_layers; }
    [[nodiscard]] QRectF legendRect() const; ///< where the legend stands; empty without one
    /// Fades the racks and trays of these networks; trays take the color of what else they carry.
    void setHiddenNetworks(std::set<std::uint32_t> networks);
    void zoomToAll();
    void zoomTo(EntityRef entity);
    [[nodiscard]] EntityRef entityAt(QPointF position) const;
    [[nodiscard]] std::optional<QPointF> cursor() const { return m_cursor; } ///< of the mouse over the plan
    [[nodiscard]] QRectF screenRect(EntityRef entity) const;                 ///< empty for what has no place in the plan
    [[nodiscard]] QRectF tagRect(RowId row) const;                           ///< the handle at the head of a row
    [[nodiscard]] const PlanCamera& camera() const { return m_camera; }
    [[nodiscard]] QRectF siteBounds() const; ///< buildings and halls, mm; null before there are figures
    [[nodiscard]] QSize sizeHint() const override { return {800, 320}; }

signals:
    void layersChanged();
    void toolChanged();
    void hovered(hw::EntityRef entity);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Gesture { None, Press, Pan, Move, Band, Draw, Reshape };
    void onFigures();
    void updateLayers();
    void pressLeft(QMouseEvent* event);
    void finishBand();
    void setHover(EntityRef entity);
    void beginMove(bool racksAlone);
    void findWays();
    [[nodiscard]] Legend legend() const;
    [[nodiscard]] Box boxOf(EntityRef entity) const;
    [[nodiscard]] EntityRef structureAt(QPointF position) const;
    [[nodiscard]] EntityRef outlineAt(QPointF position) const;
    void hoverDrawing(QPointF position, Qt::KeyboardModifiers modifiers);

    DocumentBridge& m_bridge;
    PlanCamera m_camera;
    PlanDrag m_drag;
    PlanDraw m_draw;
    PlanHandles m_handles;
    RackFacts m_facts;
    UnderlayLines m_underlays;
    OverlaySource& m_overlay;
    Gesture m_gesture = Gesture::None;
    EntityRef m_hover;
    QPointF m_pressedAt, m_lastAt;
    std::optional<QPointF> m_cursor;
    QRectF m_band;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_ways; ///< tray sections with the cables to be shown, and how many
    PlanLayers m_layers;
    PlanLayerFacts m_layerFacts;
    bool m_fitted = false;
};

} // namespace hw::views
