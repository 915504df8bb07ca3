// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/central_area.h"

#include "app/window/pane.h"
#include "views/bridge/network_filter.h"
#include "views/fabric/fabric_view.h"
#include "views/interconnects/interconnect_view.h"
#include "views/plan/elevation_view.h"
#include "views/plan/plan_view.h"
#include "views/plan/rack_facts.h"
#include "views/power/one_line_view.h"
#include "views/style/format.h"
#include "views/style/icons.h"
#include "views/style/theme.h"
#include "views/twin/twin_view.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QTabWidget>
#include <QToolButton>

namespace hw::app {
namespace {

QToolButton* tool(const QString& icon, const QString& tip, bool checkable = false)
{
    auto* button = new QToolButton;
    button->setIcon(views::icon(icon));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(checkable);
    button->setChecked(checkable);
    return button;
}

} // namespace

CentralArea::CentralArea(views::DocumentBridge& bridge, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent), m_bridge(bridge), m_overlay(views::OverlaySource::of(bridge)), m_plan(new views::PlanView(bridge)),
      m_elevation(new views::ElevationView(bridge)), m_fabric(new views::FabricView(bridge)), m_power(new views::OneLineView(bridge)),
      m_cooling(new views::OneLineView(bridge, Medium::Coolant)), m_interconnects(new views::InterconnectView(bridge)),
      m_networks(new views::NetworkFilter(bridge, this)), m_column(new QSplitter(Qt::Vertical)), m_tabs(new QTabWidget)
{
    m_twinPane = makeTwinPane();
    m_planPane = makePlanPane();
    m_elevationPane = new Pane("rack", m_elevation);
    auto* close = tool("close", tr("Close rack elevation"));
    connect(close, &QToolButton::clicked, m_elevationPane, &QWidget::hide);
    auto* rear = tool("split", tr("Show rear"));
    rear->setObjectName("elevationRear");
    rear->setCheckable(true);
    connect(rear, &QToolButton::toggled, m_elevation, &views::ElevationView::setRear);
    m_elevationPane->addTool(rear);
    m_elevationPane->addTool(close);
    m_elevationPane->hide();
    m_column->addWidget(m_twinPane);
    m_column->addWidget(m_planPane);
    m_column->setChildrenCollapsible(false);
    connect(m_column, &QSplitter::splitterMoved, this, [this] { m_arranges = false; });
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_column, views::icon("hall"), tr("Halls"));
    m_tabs->addTab(m_fabric, views::icon("network"), QString());
    m_tabs->addTab(m_power, views::icon("power"), QString());
    m_tabs->addTab(m_cooling, views::icon("cooling"), QString());
    m_tabs->addTab(m_interconnects, views::icon("link"), QString());
    addWidget(m_tabs);
    connect(m_networks, &views::NetworkFilter::changed, this, &CentralArea::onNetworks);
    addWidget(m_elevationPane);
    setStretchFactor(0, 1);
    setStretchFactor(1, 0);
    setChildrenCollapsible(false);
    resetSizes();
    connect(&bridge, &views::DocumentBridge::placesReplaced, this, [this] {
        if (m_twin) m_twin->goHomeWithNext();
        arrange();
    });
    connect(&bridge, &views::DocumentBridge::figuresChanged, this,
            [this](const FiguresPtr&, const views::ChangesPtr& changes) { onFigures(changes); });
    connect(&bridge, &views::DocumentBridge::selectionChanged, this, [this] {
        if (m_twin) m_twin->setSelection(m_bridge.selected());
    });
    connect(&bridge, &views::DocumentBridge::cablesShownChanged, this, [this] {
        if (m_twin) m_twin->setCablesShown(m_bridge.cablesShown());
    });
    connect(&bridge, &views::DocumentBridge::simulationChanged, this, [this] {
        if (m_twin) m_twin->setLoads(m_bridge.flows());
        onLoadsMarked();
    });
    connect(&bridge, &views::DocumentBridge::simulationMarked, this, &CentralArea::onLoadsMarked);
    connect(&bridge, &views::DocumentBridge::zoomRequested, this, [this](EntityRef entity) {
        if (m_twin) m_twin->zoomTo(entity);
        const bool halls = m_tabs->currentWidget() == m_column; // beside the fabric it would only take room
        const auto& figures = m_bridge.figures();
        const bool inRack = entity.kind == EntityKind::Device && figures && figures->snapshot->devices.rack[DeviceId(entity.id)].has_value();
        if (halls && (entity.kind == EntityKind::Rack || inRack)) m_elevationPane->show();
    });
    connect(m_plan, &views::PlanView::hovered, this, &CentralArea::onHover);
    connect(&m_overlay, &views::OverlaySource::changed, this, [this] {
        if (m_twin) m_twin->setOverlay(m_overlay.values());
    });
}

Pane* CentralArea::makeTwinPane()
{
    if (!views::TwinView::available()) {
        auto* label = new QLabel(tr("The 3D twin requires OpenGL, which is not available on this display."));
        label->setAlignment(Qt::AlignCenter);
        return new Pane("cube", label);
    }
    m_twin = new views::TwinView;
    m_twin->setDark(views::theme().dark());
    auto* pane = new Pane("cube", m_twin);
    connect(m_twin, &views::TwinView::picked, &m_bridge, [this](EntityRef entity) { m_bridge.select(entity); });
    connect(m_twin, &views::TwinView::activated, &m_bridge, [this](EntityRef entity) { m_bridge.zoomTo(entity); });
    connect(m_twin, &views::TwinView::hovered, this, &CentralArea::onHover);
    connect(m_twin, &views::TwinView::menuRequested, &m_bridge, &views::DocumentBridge::openMenu);
    const auto layer = [&](views::TwinLayer which, const QString& icon, const QString& tip) {
        auto* button = tool(icon, tip, true);
        connect(button, &QToolButton::toggled, this, [this, which](bool on) { m_twin->setLayerVisible(which, on); });
        pane->addTool(button);
    };
    layer(views::TwinLayer::Racks, "rack", tr("Racks"));
    layer(views::TwinLayer::Trays, "layers", tr("Trays"));
    layer(views::TwinLayer::Bundles, "flow", tr("Cable bundles"));
    layer(views::TwinLayer::Cables, "link", tr("Individual cables"));
    layer(views::TwinLayer::Shell, "hall", tr("Building shell"));
    auto* home = tool("fit", tr("Zoom to all"));
    connect(home, &QToolButton::clicked, this, [this] { m_twin->setView(views::TwinPreset::Home); });
    pane->addTool(home);
    return pane;
}

Pane* CentralArea::makePlanPane()
{
    auto* pane = new Pane("plan", m_plan);
    auto* snap = new QComboBox;
    snap->addItem(tr("Snap 100 mm"), 100);
    snap->addItem(tr("Snap 600 mm tile"), 600);
    snap->addItem(tr("No snap"), 1);
    snap->setAccessibleName(tr("Snap step"));
    snap->setFocusPolicy(Qt::TabFocus);
    connect(snap, &QComboBox::currentIndexChanged, this, [this, snap] { m_plan->setSnap(snap->currentData().toInt()); });
    pane->addTool(snap);
    auto* layers = tool("layers", tr("Plan layers"));
    layers->setObjectName("planLayers");
    layers->setPopupMode(QToolButton::InstantPopup);
    for (const auto& [layer, title] : {std::pair(views::PlanLayer::Power, tr("Power: busways, tap-offs, feeds")),
                                       {views::PlanLayer::Network, tr("Networks in trays")},
                                       {views::PlanLayer::Trays, tr("Trays")},
                                       {views::PlanLayer::Weights, tr("Weights")},
                                       {views::PlanLayer::Heat, tr("Heat load by row")},
                                       {views::PlanLayer::Clearances, tr("Clearance in front of racks")}}) {
        auto* action = new QAction(title, this);
        action->setObjectName(QString("plan.") + views::kPlanLayerNames[std::size_t(layer)]);
        action->setCheckable(true);
        action->setChecked(m_plan->layers().has(layer));
        connect(action, &QAction::toggled, m_plan, [this, layer = layer](bool on) { m_plan->setLayer(layer, on); });
        connect(m_plan, &views::PlanView::layersChanged, action, [this, layer = layer, action] { action->setChecked(m_plan->layers().has(layer)); });
        m_planLayers << action;
    }
    layers->addActions(m_planLayers);
    pane->addTool(layers);
    m_draw = tool("pencil", tr("Draw rooms, walls, columns, doors and keep-out areas"));
    m_draw->setObjectName("planDraw");
    m_draw->setText(tr("Draw"));
    m_draw->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_draw->setPopupMode(QToolButton::InstantPopup);
    pane->addTool(m_draw);
    auto* elevation = tool("rack", tr("Show front elevation of the selected rack"));
    connect(elevation, &QToolButton::clicked, this, [this] { m_elevationPane->setVisible(!m_elevationPane->isVisible()); });
    pane->addTool(elevation);
    auto* fit = tool("fit", tr("Zoom to all"));
    connect(fit, &QToolButton::clicked, m_plan, &views::PlanView::zoomToAll);
    pane->addTool(fit);
    return pane;
}

void CentralArea::setDrawActions(const QList<QAction*>& actions) { m_draw->addActions(actions); }

QWidget* CentralArea::pane(const QString& name) const
{
    if (name == "twin") return m_twinPane;
    if (name == "plan") return m_planPane;
    if (name == "fabric") return m_fabric;
    if (name == "power") return m_power;
    if (name == "cooling") return m_cooling;
    if (name == "interconnects") return m_interconnects;
    return name == "elevation" ? m_elevationPane : nullptr;
}

bool CentralArea::hasTab(const QString& name) { return name == "fabric" || name == "power" || name == "cooling" || name == "interconnects"; }

void CentralArea::setTitle(const QString& name, const QString& title)
{
    QWidget* widget = pane(name);
    if (hasTab(name))
        m_tabs->setTabText(m_tabs->indexOf(widget), title);
    else if (auto* box = qobject_cast<Pane*>(widget))
        box->setTitle(title);
}

void CentralArea::setShown(const QString& name, bool shown)
{
    if (hasTab(name)) return m_tabs->setCurrentWidget(shown ? pane(name) : m_column);
    if (shown && name != "elevation") m_tabs->setCurrentWidget(m_column);
    if (QWidget* widget = pane(name)) widget->setVisible(shown);
}

void CentralArea::onLoadsMarked()
{
    const auto& mark = m_bridge.flowsMark();
    if (m_twin) m_twin->setLoadsMark(mark.peak ? tr("%1 (peak)").arg(mark.whose) : mark.whose, mark.stale);
}

void CentralArea::onNetworks()
{
    m_plan->setHiddenNetworks(m_networks->hidden());
    if (m_twin && m_bridge.figures())
        m_bridge.figures()->snapshot->networks.forEach([&](NetworkId id) { m_twin->setNetworkVisible(id, m_networks->shown(id)); });
}

void CentralArea::onFigures(const views::ChangesPtr& changes)
{
    if (m_twin) m_twin->setFigures(m_bridge.figures(), changes);
}

void CentralArea::setDark(bool dark)
{
    if (m_twin) m_twin->setDark(dark);
}

void CentralArea::zoomToAll()
{
    m_plan->zoomToAll();
    m_fabric->fit();
    m_power->fit();
    m_cooling->fit();
    if (m_twin) m_twin->setView(views::TwinPreset::Home);
}

void CentralArea::resetSizes()
{
    m_tabs->setCurrentWidget(m_column);
    setSizes({1000, 270});
    m_arranges = true;
    arrange();
}

/// Twin above plan, or beside it where the site's shape makes the plan larger so; both get half of the room.
void CentralArea::arrange()
{
    if (!m_arranges) return;
    const QRectF site = m_plan->siteBounds();
    const QSizeF room = m_column->size();
    bool beside = m_column->orientation() == Qt::Horizontal;
    if (site.width() > 0 && site.height() > 0) {
        constexpr double kAround = 84; // rulers, names and legend
        const auto scale = [&](double width, double height) {
            return std::min((width - kAround) / site.width(), (height - kAround) / site.height());
        };
        const double sideways = scale(room.width() / 2, room.height()), below = scale(room.width(), room.height() / 2);
        beside = sideways > below * (beside ? 0.95 : 1.15); // it does not jump to and fro
    }
    m_column->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
    m_column->setSizes({1000, 1000});
}

void CentralArea::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    arrange();
}

QImage CentralArea::picture(const QString& name) const
{
    if (name == "twin" && m_twin) return m_twin->grabImage();
    if (hasTab(name)) return pane(name)->grab().toImage();
    QWidget* widget = name == "elevation" ? static_cast<QWidget*>(m_elevation) : m_plan;
    return widget->grab().toImage();
}

void CentralArea::onHover(EntityRef entity)
{
    const QString text = describe(entity);
    const bool inRow = entity.kind == EntityKind::Rack || entity.kind == EntityKind::Row;
    m_planPane->setNote(text + (inRow ? "  ·  " + tr("drag to move the row, Ctrl+drag to move one rack") : QString()));
    m_twinPane->setNote(text);
}

QString CentralArea::describe(EntityRef entity) const
{
    if (!m_bridge.figures() || !entity) return {};
    const Figures& f = *m_bridge.figures();
    const QString value = m_overlay.plain() ? QString() : m_overlay.textOf(entity);
    const QString name = m_bridge.nameOf(entity) + (value.isEmpty() ? QString() : "  ·  " + value);
    const PowerBasis basis = powerBasisOf(*f.snapshot);
    switch (entity.kind) {
    case EntityKind::Rack: {
        const RackId id(entity.id);
        return tr("%1  ·  %2 of %3  ·  %4")
            .arg(name, views::power(f.power->rack(id).at(basis)), views::power(views::rackLimit(f, id)),
                 views::text(i18np(std::int64_t(m_bridge.index().devicesOfRack[id.value].size()), "{:L} device", "{:L} devices")));
    }
    case EntityKind::Row: {
        const RowId id(entity.id);
        return tr("%1  ·  %2  ·  %3")
            .arg(name, views::power(f.power->row(id).at(basis)),
                 views::text(i18np(std::int64_t(m_bridge.index().racksOfRow[id.value].size()), "{:L} rack", "{:L} racks")));
    }
    case EntityKind::Device: return tr("%1  ·  %2").arg(name, views::power(f.power->device(DeviceId(entity.id)).at(basis)));
    default: return name;
    }
}

} // namespace hw::app
