// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/bridge/document_bridge.h"
#include "views/values/overlay_source.h"

#include <QSplitter>

namespace hw::views {
class ElevationView;
class FabricView;
class InterconnectView;
class NetworkFilter;
class OneLineView;
class PlanView;
class TwinView;
} // namespace hw::views

class QAction;
class QTabWidget;
class QToolButton;

namespace hw::app {

class Pane;

/// The middle of the window: the twin above the plan or, on tabs of their own, the fabric, the power chain, the cooling and the map of interconnects;
/// and the rack elevation beside them on demand.
class CentralArea : public QSplitter {
    Q_OBJECT
public:
    explicit CentralArea(views::DocumentBridge& bridge, QWidget* parent = nullptr);
    [[nodiscard]] views::TwinView* twin() const { return m_twin; } ///< null where there is no OpenGL
    [[nodiscard]] views::PlanView* plan() const { return m_plan; }
    [[nodiscard]] views::ElevationView* elevation() const { return m_elevation; }
    [[nodiscard]] views::FabricView* fabric() const { return m_fabric; }
    [[nodiscard]] views::OneLineView* power() const { return m_power; }
    [[nodiscard]] views::OneLineView* cooling() const { return m_cooling; }
    [[nodiscard]] views::InterconnectView* interconnects() const { return m_interconnects; }
    [[nodiscard]] views::NetworkFilter* networks() const { return m_networks; } ///< which networks all views show
    [[nodiscard]] QWidget* pane(const QString& name) const; ///< "twin", "plan", "elevation", "fabric", "power", "cooling", "interconnects"; else null
    void setTitle(const QString& name, const QString& title); ///< of a pane
    void setShown(const QString& name, bool shown); ///< a pane by its name; fabric, power, cooling and interconnects take turns with twin and plan
    [[nodiscard]] views::OverlaySource& overlay() const { return m_overlay; }        ///< what colors all views
    void setDrawActions(const QList<QAction*>& actions);                             ///< of the plan's Draw button
    [[nodiscard]] const QList<QAction*>& planLayers() const { return m_planLayers; } ///< what the plan draws; each on or off
    void setDark(bool dark);
    void zoomToAll();
    void resetSizes();
    [[nodiscard]] QImage picture(const QString& pane) const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    Pane* makeTwinPane();
    Pane* makePlanPane();
    void onFigures(const views::ChangesPtr& changes);
    void onHover(EntityRef entity);
    void onNetworks();
    void arrange();
    [[nodiscard]] static bool hasTab(const QString& pane); ///< of its own
    void onLoadsMarked();
    [[nodiscard]] QString describe(EntityRef entity) const;

    views::DocumentBridge& m_bridge;
    views::OverlaySource& m_overlay;
    views::TwinView* m_twin = nullptr;
    views::PlanView* m_plan;
    views::ElevationView* m_elevation;
    views::FabricView* m_fabric;
    views::OneLineView *m_power, *m_cooling;
    views::InterconnectView* m_interconnects;
    views::NetworkFilter* m_networks;
    QSplitter* m_column;
    QList<QAction*> m_planLayers;
    QToolButton* m_draw = nullptr;
    bool m_arranges = true; ///< until somebody moves the handle between twin and plan
    QTabWidget* m_tabs;
    Pane *m_twinPane = nullptr, *m_planPane = nullptr, *m_elevationPane = nullptr;
};

} // namespace hw::app
