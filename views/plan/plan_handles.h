// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan/plan_camera.h"

#include "views/bridge/document_bridge.h"
#include "views/plan/plan_draw.h"

#include <optional>
#include <vector>

namespace hw::views {

/// Handles of what is selected alone in the plan: corners and edges of a building, a rectangular room, a column or keep-out area, ends of a
/// wall, door or tray. A drag reshapes it, snapped to ends, middles and corners of other things and to the grid; numbers typed while dragging
/// set the size ("12 x 8", "40 ft"); ends of trays that meet stay together. One undo step each.
class PlanHandles {
public:
    PlanHandles(DocumentBridge& bridge, const PlanDraw& draw) : m_bridge(bridge), m_draw(draw) {}

    struct Handle {
        QPointF at;         ///< campus mm
        int dx = 0, dy = 0; ///< which sides of the rectangle it moves: -1 low, 1 high
        int end = 0;        ///< which end of a line: 1 or 2
    };
    [[nodiscard]] std::vector<Handle> handles() const;
    /// Those that are shown: none of things so small on the screen that nothing would be left to move them by.
    [[nodiscard]] std::vector<Handle> handles(const PlanCamera& camera) const;
    [[nodiscard]] std::optional<Handle> at(QPointF screen, const PlanCamera& camera) const;

    bool begin(const Handle& handle);
    /// To where the cursor is, in campus mm; `free` without snapping (Alt).
    void moveTo(QPointF world, const PlanCamera& camera, int step_mm, bool free);
    /// True when the key was for the drag: digits, units, Return, Backspace, Escape.
    bool key(int key, const QString& text);
    void commit();
    void cancel();
    [[nodiscard]] bool active() const { return m_active; }
    void paint(QPainter& painter, const PlanCamera& camera) const;

private:
    /// What is reshaped, in campus mm: a rectangle, or a line.
    struct Outline {
        EntityRef entity;
        bool line = false;
        QPointF a, b; ///< low and high corner, or the ends
        QPointF origin;
    };
    [[nodiscard]] std::optional<Outline> outlineOf(const Snapshot& snapshot, EntityRef entity) const;
    [[nodiscard]] Outline dragged(QPointF to) const;
    [[nodiscard]] Outline typed(Outline outline) const;
    void apply();

    DocumentBridge& m_bridge;
    const PlanDraw& m_draw;
    bool m_active = false;
    Handle m_handle;
    Outline m_from, m_now;
    std::vector<std::pair<Outline, int>> m_joined; ///< trays that end where the handle is, and with which end
    QString m_typed;
};

} // namespace hw::views
