// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"

#include <QPointF>

namespace hw::views {

/// "Move row-07  x +0.60 m, y −1.20 m": a step of the history that says how far it went.
[[nodiscard]] QString moveName(const QString& what, QPoint mm);

/// Moving rows and racks: one transaction from press to release, snapped, shown live by every view.
class PlanDrag {
public:
    explicit PlanDrag(DocumentBridge& bridge) : m_bridge(bridge) {}

    void setStep(int step_mm) { m_step = step_mm; }
    [[nodiscard]] int step() const { return m_step; }
    /// Starts moving `entities`; false when they cannot move or another gesture is in progress.
    bool begin(std::vector<EntityRef> entities);
    /// Moves so that the total since `begin` is `mm`, rounded to whole steps.
    void moveTo(QPointF mm, int step_mm);
    void moveBy(QPoint mm); ///< nudge
    void commit();
    void cancel();
    [[nodiscard]] bool active() const { return m_active; }
    [[nodiscard]] QPoint moved() const { return m_moved; } ///< mm so far
    [[nodiscard]] const std::vector<EntityRef>& entities() const { return m_entities; }
    /// Of the selection, what a drag moves: rows, racks, halls, free devices; nothing twice.
    [[nodiscard]] static std::vector<EntityRef> movable(const Snapshot& snapshot, const std::vector<EntityRef>& selection);

private:
    DocumentBridge& m_bridge;
    std::vector<EntityRef> m_entities;
    QString m_name;
    QPoint m_moved;
    int m_step = 100;
    bool m_active = false;
};

} // namespace hw::views
