// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan/plan_camera.h"

#include "views/bridge/document_bridge.h"

#include <QLineF>
#include <QString>

#include <optional>
#include <utility>

class QPainter;

namespace hw::views {

enum class DrawTool : std::uint8_t { None, Building, Hall, Wall, Column, Door, KeepOut };

/// Drawing buildings, rooms and structures in the plan: from one point to another, snapped to ends, middles and corners of what is there,
/// to angles of 15° and to the grid. Numbers typed while drawing set the size: "30 x 20", "12.5 m", "40 ft". One undo step each.
class PlanDraw {
public:
    explicit PlanDraw(DocumentBridge& bridge) : m_bridge(bridge) {}

    void setTool(DrawTool tool);
    [[nodiscard]] DrawTool tool() const { return m_tool; }
    [[nodiscard]] bool drawing() const { return m_from.has_value(); } ///< its first point is set

    /// Where the cursor would put a point, in campus mm: `free` without angles and grid (Alt).
    void hover(QPointF world, const PlanCamera& camera, int step_mm, bool free);
    void press();   ///< the first point, or the second
    void release(); ///< after a drag: the second
    /// True when the key was for the drawing: digits, units, Return, Backspace, Escape.
    bool key(int key, const QString& text);
    void cancel();

    void paint(QPainter& painter, const PlanCamera& camera) const;
    /// An end, middle or corner within reach, of anything but `except`, in campus mm.
    [[nodiscard]] std::optional<QPointF> anchorNear(QPointF world, double reach, EntityRef except = {}) const;
    /// What is drawn at the moment, in campus mm.
    [[nodiscard]] std::optional<std::pair<QPointF, QPointF>> shape() const;
    /// What was drawn last, once: to be selected when its figures are there.
    [[nodiscard]] EntityRef made() const { return m_made; }
    [[nodiscard]] EntityRef takeMade() { return std::exchange(m_made, EntityRef{}); }
    [[nodiscard]] const QString& typed() const { return m_typed; }

private:
    [[nodiscard]] bool rectangle() const { return m_tool != DrawTool::Wall && m_tool != DrawTool::Door; }
    [[nodiscard]] QPointF second() const; ///< with what was typed
    void finish();
    [[nodiscard]] Result<EntityRef> make(Transaction& transaction, QPointF a, QPointF b) const;

    DocumentBridge& m_bridge;
    DrawTool m_tool = DrawTool::None;
    std::optional<QPointF> m_from;
    QPointF m_at;
    bool m_anchored = false; ///< the cursor holds on to something
    QString m_typed;
    EntityRef m_made;
};

/// A size as it is typed while drawing: one length, or two with x, *, × or a comma between them; a number without a unit is meters.
[[nodiscard]] std::optional<std::pair<double, std::optional<double>>> readSize(const QString& typed);

} // namespace hw::views
