// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that lays out docks, menus and the tool bar.
#include "app/window/central_area.h"
#include "app/window/drafts.h"
#include "app/window/main_window.h"
#include "core/operations/overlays/overlays.h"
#include "views/air/air_panel.h"
#include "views/bridge/network_filter.h"
#include "views/feeders/feeders_panel.h"
#include "views/interconnects/interconnect_view.h"
#include "views/panels/bom_panel.h"
#include "views/panels/budgets_panel.h"
#include "views/panels/catalog_panel.h"
#include "views/panels/cost_panel.h"
#include "views/panels/findings_panel.h"
#include "views/panels/headroom_panel.h"
#include "views/panels/history_panel.h"
#include "views/panels/impact_panel.h"
#include "views/panels/inspector_panel.h"
#include "views/panels/proof_panel.h"
#include "views/panels/properties.h"
#include "views/panels/tree_panel.h"
#include "views/plan/plan_view.h"
#include "views/simulation/simulation_panel.h"
#include "views/start/start_page.h"
#include "views/style/fit.h"
#include "views/style/icons.h"
#include "views/tables/tables_panel.h"
#include "views/twin/twin_view.h"
#include "views/year/year_panel.h"

#include <QChildEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

namespace hw::app {
namespace {

constexpr const char* kArrange[] = {
    "edit.alignLeft", "edit.alignCenterX", "edit.alignRight",  nullptr, "edit.alignTop", "edit.alignCenterY", "edit.alignBottom",
    nullptr,          "edit.distributeX",  "edit.distributeY", nullptr, "edit.mirrorX",  "edit.mirrorY",      nullptr,
    "edit.rotate",    "edit.rotateBack"};

/// What acts on things that the start page covers.
bool needsViews(const char* command)
{
    const QString id = command;
    return !id.startsWith("file.") && !id.startsWith("help.") && id != "edit.find" && id != "edit.preferences" && id != "design.size" &&
           id != "design.explore" && id != "view.dark";
}

} // namespace

void MainWindow::makePanels()
{
    auto& bridge = m_session.bridge();
    m_scenario = new views::SimulationPanel(m_simulation);
    connect(&m_simulation, &views::SimulationSession::requestOffered, this, [this] { raisePanel("scenario"); });
    auto* bom = new views::BomPanel(bridge);
    connect(bom, &views::BomPanel::exportRequested, this, [this] { action("export.bom")->trigger(); });
    connect(m_central->interconnects(), &views::InterconnectView::exportRequested, this, [this] { action("export.interconnects")->trigger(); });
    auto* tree = new views::TreePanel(bridge);
    connect(m_central->networks(), &views::NetworkFilter::changed, tree, [this, tree] { tree->setHiddenNetworks(m_central->networks()->hidden()); });
    dock("tree", tree, Qt::LeftDockWidgetArea);
    auto* catalog = new views::CatalogPanel(bridge);
    connect(&m_session, &Session::libraryLoaded, catalog, [this, catalog] { catalog->setCatalog(m_session.library().catalog); });
    dock("catalog", catalog, Qt::LeftDockWidgetArea);
    auto* inspector = new views::InspectorPanel(bridge);
    connect(inspector, &views::InspectorPanel::impactRequested, this, [this] { showImpact(m_session.bridge().selection()); });
    dock("inspector", inspector, Qt::RightDockWidgetArea);
    dock("budgets", new views::BudgetsPanel(bridge), Qt::BottomDockWidgetArea);
    dock("findings", new views::FindingsPanel(bridge), Qt::BottomDockWidgetArea);
    dock("proof", new views::ProofPanel(bridge), Qt::BottomDockWidgetArea);
    auto* impact = new views::ImpactPanel(bridge);
    connect(impact, &views::ImpactPanel::simulateRequested, this, &MainWindow::simulateAfter);
    dock("impact", impact, Qt::BottomDockWidgetArea);
    dock("scenario", m_scenario, Qt::BottomDockWidgetArea);
    auto* air = m_air = new views::AirPanel(bridge);
    connect(impact, &views::ImpactPanel::airRequested, this, [this](HallId hall, const std::vector<DeviceId>& failed) {
        raisePanel("air");
        m_air->simulateFailure(hall, failed);
    });
    if (auto* twin = m_central->twin()) {
        connect(air, &views::AirPanel::airChanged, twin, &views::TwinView::setAir);
        connect(twin, &views::TwinView::sliceDragged, air, &views::AirPanel::setSliceAt);
    }
    dock("air", air, Qt::BottomDockWidgetArea);
    dock("bom", bom, Qt::BottomDockWidgetArea);
    dock("cost", new views::CostPanel(bridge), Qt::BottomDockWidgetArea);
    dock("year", new views::YearPanel(bridge), Qt::BottomDockWidgetArea);
    dock("feeders", new views::FeedersPanel(bridge), Qt::BottomDockWidgetArea);
    dock("headroom", new views::HeadroomPanel(bridge), Qt::BottomDockWidgetArea);
    m_tables = new views::TablesPanel(bridge);
    connect(m_tables, &views::TablesPanel::exportRequested, this, [this] { action("export.table")->trigger(); });
    dock("tables", m_tables, Qt::BottomDockWidgetArea);
    dock("history", new views::HistoryPanel(bridge), Qt::BottomDockWidgetArea);
    for (const char* pane : {"twin", "plan", "elevation", "fabric", "power", "cooling", "interconnects"}) m_central->setTitle(pane, titleOf(pane));
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDocumentMode(true);
}

/// A panel has one name: that of its entry in the menu.
QString MainWindow::titleOf(const QString& panel) const
{
    const QByteArray id = "view." + panel.toUtf8();
    const auto found = std::ranges::find_if(m_commands, [&](const auto& command) { return command->face().id == id; });
    return found == m_commands.end() ? panel : (*found)->face().title.remove('&');
}

void MainWindow::dock(const QString& name, QWidget* widget, Qt::DockWidgetArea area)
{
    auto* box = new QDockWidget(titleOf(name));
    box->setObjectName("dock." + name);
    addDockWidget(area, box);                       // empty: whatever is in it would be styled anew
    box->setWidget(new views::FittingArea(widget)); // a panel scrolls where its dock is small; it never widens the window
    m_docks[name] = box;
    m_panels[name] = widget;
    connect(box, &QDockWidget::visibilityChanged, this, &MainWindow::refreshActions);
    if (area != Qt::BottomDockWidgetArea) return;
    box->setTitleBarWidget(new QWidget); // the tab is its title
}

/// Tabs of panels say their whole names; where there are too many, they scroll.
void MainWindow::childEvent(QChildEvent* event)
{
    QMainWindow::childEvent(event);
    if (startShown() && event->type() == QEvent::ChildPolished && event->child() != m_start) m_start->raise(); // tab bars of docks come late
    auto* tabs = event->type() == QEvent::ChildPolished ? qobject_cast<QTabBar*>(event->child()) : nullptr;
    if (!tabs) return;
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(true);
    tabs->setExpanding(false);
}

void MainWindow::resetLayout()
{
    for (const auto& [name, box] : m_docks) {
        box->setFloating(false);
        box->setVisible(m_live.on() || !isLivePanel(name));
    }
    addDockWidget(Qt::LeftDockWidgetArea, m_docks["tree"]);
    addDockWidget(Qt::RightDockWidgetArea, m_docks["inspector"]);
    addDockWidget(Qt::BottomDockWidgetArea, m_docks["budgets"]);
    for (const char* name :
         {"findings", "proof",   "impact",     "scenario", "air",     "bom",  "cost",      "year",        "feeders", "headroom", "tables",
          "history",  "asbuilt", "deviations", "alarms",   "tickets", "jobs", "isolation", "predictions", "charts",  "capacity", "bindings"})
        tabifyDockWidget(m_docks["budgets"], m_docks[name]);
    m_docks["budgets"]->raise();
    tabifyDockWidget(m_docks["tree"], m_docks["catalog"]);
    m_docks["catalog"]->hide(); // until somebody adds
    m_docks["asbuilt"]->hide(); // until somebody looks at the built hall
    const int side = std::min(views::space(72), width() / 5), below = std::min(views::space(72), height() * 3 / 10);
    resizeDocks({m_docks["tree"], m_docks["inspector"]}, {side, side + views::space(8)}, Qt::Horizontal);
    resizeDocks({m_docks["budgets"]}, {below}, Qt::Vertical);
    for (const char* pane : {"twin", "plan"}) m_central->pane(pane)->show();
    m_central->pane("elevation")->hide();
    m_central->resetSizes();
}

QAction* MainWindow::action(const QString& id) const
{
    const auto found = m_actions.find(id);
    return found == m_actions.end() ? nullptr : found->second;
}

void MainWindow::makeMenus()
{
    for (const auto& command : m_commands) {
        const Command::Face face = command->face();
        auto* action = new QAction(face.icon.isEmpty() ? QIcon() : views::icon(face.icon), face.title, this);
        action->setObjectName(face.id);
        action->setShortcuts(QList{face.shortcut} + face.alternatives);
        action->setCheckable(face.checkable);
        if (face.checkable) action->setIconVisibleInMenu(false); // there its place is the tick's
        connect(action, &QAction::triggered, this, [this, c = command.get()] {
            c->run(*this);
            refreshActions();
        });
        addAction(action);
        m_actions[face.id] = action;
    }
    const auto fill = [this](QMenu* menu, std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (id)
                menu->addAction(action(id));
            else
                menu->addSeparator();
        }
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    fill(file, {"file.start", nullptr, "file.new", "file.newSite", "file.newDrawing", "file.open"});
    QMenu* recent = file->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    fill(file, {"file.save", "file.saveAs", nullptr, "file.import", "file.importFolder", "file.importNetbox"});
    fill(file->addMenu(views::icon("export"), tr("&Export")),
         {"export.bom", "export.table", "export.cables", "export.labels", "export.pull-schedule", "export.work-order", "export.report",
          "export.report-air", "export.handover", "export.text", nullptr, "export.plan", "export.fabric", "export.power", "export.cooling",
          "export.interconnects", "export.picture", nullptr, "export.other"});
    fill(file, {"file.print", nullptr, "file.quit"});
    fill(menuBar()->addMenu(tr("&Edit")), {"edit.undo",
                                           "edit.redo",
                                           nullptr,
                                           "edit.clipboardCut",
                                           "edit.clipboardCopy",
                                           "edit.clipboardPaste",
                                           nullptr,
                                           "edit.add",
                                           "edit.copy",
                                           "edit.array",
                                           "edit.connect",
                                           "edit.disconnect",
                                           "edit.rename",
                                           "edit.values",
                                           "edit.retype",
                                           "edit.remove",
                                           nullptr,
                                           "edit.find",
                                           "edit.zoomSelection",
                                           "edit.showCables",
                                           "edit.showInRack",
                                           "edit.showInTable",
                                           "edit.selectByFilter",
                                           "edit.selectSimilar",
                                           "edit.selectParent",
                                           "edit.selectNothing",
                                           nullptr,
                                           "edit.preferences"});
    QMenu* arrange = menuBar()->addMenu(tr("&Arrange"));
    for (const char* id : kArrange) {
        if (id)
            arrange->addAction(action(id));
        else
            arrange->addSeparator();
    }
    QMenu* draw = menuBar()->addMenu(tr("D&raw"));
    fill(draw, {"draw.building", "draw.hall", nullptr, "draw.wall", "draw.column", "draw.door", "draw.keepOut"});
    m_central->setDrawActions(draw->actions());
    connect(m_central->plan(), &views::PlanView::toolChanged, this, &MainWindow::refreshActions);
    QMenu* view = menuBar()->addMenu(tr("&View"));
    fill(view, {"view.twin",     "view.plan",     "view.fabric",  "view.power",     "view.cooling", "view.interconnects", "view.elevation",
                nullptr,         "view.tree",     "view.catalog", "view.inspector", "view.budgets", "view.findings",      "view.proof",
                "view.impact",   "view.scenario", "view.air",     "view.bom",       "view.cost",    "view.year",          "view.feeders",
                "view.headroom", "view.tables",   "view.history", "view.asbuilt",   nullptr});
    auto* colors = view->addMenu(views::icon("layers"), tr("&Colors"));
    colors->addActions(overlayActions());
    view->addMenu(views::icon("plan"), tr("&Plan layers"))->addActions(m_central->planLayers());
    for (QAction* layer : m_central->planLayers()) m_actions[layer->objectName()] = layer;
    fill(view, {nullptr, "view.zoomAll", "view.dark", "view.reset"});
    fill(menuBar()->addMenu(tr("&Design")),
         {"design.parameters", "design.layout", "design.settings", "design.prices",  "design.phase",      nullptr,        "design.tier3",
          "design.tier4",      "design.impact", "design.simulate", "design.whatIf",  "design.air",        nullptr,        "design.size",
          "design.explore",    "design.demand", "design.compare",  "design.asbuilt", "design.acceptance", "design.netbox"});
    fill(menuBar()->addMenu(tr("&Live")),
         {"live.connect",   "live.recording",   "live.disconnect", nullptr,         "live.rules",      "live.simulated", "live.locate",  nullptr,
          "live.now",       "live.pause",       "live.compare",    nullptr,         "view.deviations", "view.alarms",    "view.tickets", "view.jobs",
          "view.isolation", "view.predictions", "view.charts",     "view.capacity", "view.bindings"});
    fill(menuBar()->addMenu(tr("&Help")), {"help.guide", "help.docs", "help.shortcuts", nullptr, "help.about"});
}

QList<QAction*> MainWindow::overlayActions() const
{
    QList<QAction*> actions;
    for (const auto list : {liveOverlays(), allOverlays()}) // those of what is measured are seen only while there is something
        for (const Overlay& overlay : list)
            if (overlay.in(OverlayView::Plan)) actions << action("overlay." + QString::fromUtf8(overlay.name.data(), qsizetype(overlay.name.size())));
    return actions;
}

/// What can be done with the selection, opened from any view by the right mouse button or the menu key.
void MainWindow::openMenu(QPoint globalPosition)
{
    refreshActions();
    const auto& bridge = m_session.bridge();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName("entityMenu");
    const auto add = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids)
            if (!id)
                menu->addSeparator();
            else if (action(id)->isEnabled())
                menu->addAction(action(id));
    };
    if (const EntityRef entity = bridge.selected()) {
        const auto more = bridge.selection().size() - 1;
        menu->addAction(views::kindName(*bridge.figures()->snapshot, entity) + "  " + bridge.nameOf(entity) +
                        (more > 0 ? tr("  and %1 more").arg(more) : QString()))
            ->setEnabled(false);
        menu->addSeparator();
        add({"edit.zoomSelection", "edit.showCables",     "edit.showInRack", "edit.showInTable",
             "edit.selectSimilar", "edit.selectParent",   nullptr,           "design.impact",
             "design.whatIf",      "live.locate",         nullptr,           "edit.clipboardCut",
             "edit.clipboardCopy", "edit.clipboardPaste", nullptr,           "edit.add",
             "edit.copy",          "edit.array",          "edit.connect",    "edit.disconnect",
             "edit.retype",        "edit.rename",         "edit.values",     "edit.copyName",
             "edit.remove"});
        auto* arrange = new QMenu(tr("Arrange"), menu);
        for (const char* id : kArrange)
            if (id && action(id)->isEnabled()) arrange->addAction(action(id));
        if (!arrange->isEmpty()) menu->insertMenu(action("edit.rename")->isEnabled() ? action("edit.rename") : nullptr, arrange);
    } else {
        add({"view.zoomAll", nullptr, "edit.clipboardPaste", "edit.add", nullptr});
        menu->addActions(overlayActions());
        add({nullptr, "design.parameters", "design.settings"});
    }
    menu->popup(globalPosition);
}

void MainWindow::fillRecent(QMenu* menu)
{
    menu->clear();
    for (const Draft& draft : abandonedDrafts())
        menu->addAction(tr("%1 (not saved, %2)").arg(draft.title, QLocale().toString(draft.changed, QLocale::ShortFormat)), this, [this, draft] {
            if (mayLeave()) m_session.openDraft(draft.path);
        });
    if (!menu->isEmpty()) menu->addSeparator();
    for (const QString& path : Session::recentFiles())
        menu->addAction(QFileInfo(path).fileName() + "   " + QFileInfo(path).absolutePath(), this, [this, path] {
            if (mayLeave()) m_session.open(path);
        });
    if (menu->isEmpty()) menu->addAction(tr("No recent projects"))->setEnabled(false);
}

void MainWindow::makeToolBar()
{
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName("toolbar");
    bar->setMovable(false);
    bar->setIconSize({views::space(5), views::space(5)});
    const auto add = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids) {
            if (id)
                bar->addAction(action(id));
            else
                bar->addSeparator();
        }
    };
    add({"file.new", "file.open", "file.save", nullptr, "edit.undo", "edit.redo", nullptr, "design.parameters", "design.simulate", nullptr});
    auto* overlay = new QToolButton;
    overlay->setIcon(views::icon("layers"));
    overlay->setText(tr("Colors"));
    overlay->setToolTip(tr("Color overlay for racks in the twin and the plan"));
    overlay->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    overlay->setPopupMode(QToolButton::InstantPopup);
    overlay->addActions(overlayActions());
    bar->addWidget(overlay);
    auto* networks = new QToolButton;
    networks->setIcon(views::icon("network"));
    networks->setText(tr("Networks"));
    networks->setToolTip(tr("Networks to show"));
    networks->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    networks->setPopupMode(QToolButton::InstantPopup);
    networks->setMenu(new QMenu(networks));
    connect(networks->menu(), &QMenu::aboutToShow, this, [this, networks] { m_central->networks()->fill(*networks->menu()); });
    bar->addWidget(networks);
    add({"live.connect", nullptr, "view.twin", "view.plan", "view.fabric", "view.power", "view.cooling", "view.elevation", "view.zoomAll"});
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    add({"edit.find", "view.dark"});
    for (const char* id : {"design.parameters", "design.simulate", "edit.find"})
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action(id)))) button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
}

void MainWindow::refreshActions()
{
    if (m_refreshing) return;
    m_refreshing = true;
    for (const auto& command : m_commands) {
        const Command::Face face = command->face();
        QAction* a = action(face.id);
        a->setEnabled(command->enabled(*this) && !(startShown() && needsViews(face.id)));
        const QString title = command->title(*this);
        a->setText(title);
        if (face.checkable) a->setChecked(command->checked(*this));
        const QString keys = face.shortcut.toString(QKeySequence::NativeText);
        a->setToolTip(QString(title).remove('&') + (keys.isEmpty() ? QString() : "  (" + keys + ")"));
    }
    m_refreshing = false;
}

} // namespace hw::app
