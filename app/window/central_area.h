// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"
#include "views/plan/overlay.h"

#include <QSplitter>

namespace hw::views {
class ElevationView;
class PlanView;
class TwinView;
}

namespace hw::app {

class Pane;

/// The middle of the window: the twin above the plan, and the rack elevation beside them on demand.
class CentralArea : public QSplitter {
    Q_OBJECT
public:
    explicit CentralArea(views::DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] views::TwinView* twin() const { return m_twin; } ///< null where there is no OpenGL
    [[nodiscard]] views::PlanView* plan() const { return m_plan; }
    [[nodiscard]] views::ElevationView* elevation() const { return m_elevation; }
    [[nodiscard]] QWidget* pane(const QString& name) const; ///< "twin", "plan", "elevation"; null for others
    void setOverlay(views::Overlay overlay);
    void setDark(bool dark);
    void zoomToAll();
    void resetSizes();
    [[nodiscard]] QImage picture(const QString& pane) const;

private:
    Pane* makeTwinPane();
    Pane* makePlanPane();
    void onFigures(const views::ChangesPtr& changes);
    void onHover(EntityRef entity);
    [[nodiscard]] QString describe(EntityRef entity) const;

    views::DocumentBridge& m_bridge;
    views::TwinView* m_twin = nullptr;
    views::PlanView* m_plan;
    views::ElevationView* m_elevation;
    QSplitter* m_column;
    Pane *m_twinPane = nullptr, *m_planPane = nullptr, *m_elevationPane = nullptr;
};

} // namespace hw::app
