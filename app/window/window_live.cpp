// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that follows a hall: its panels, its time bar, and when they are there.
#include "app/window/central_area.h"
#include "app/window/live_feed.h"
#include "app/window/main_window.h"
#include "core/derived/topology/holding.h"
#include "core/operations/overlays/overlays.h"
#include "core/output/incident/incident.h"
#include "simulation/questions/scenario_kind.h"
#include "simulation/questions/steady_loads.h"
#include "simulation/reliability/planned_job.h"
#include "views/live/alarms_panel.h"
#include "views/live/binding_rules_dialog.h"
#include "views/live/bindings_panel.h"
#include "views/live/capacity_panel.h"
#include "views/live/charts_panel.h"
#include "views/live/deviations_panel.h"
#include "views/live/isolation_panel.h"
#include "views/live/job_watch.h"
#include "views/live/jobs_panel.h"
#include "views/live/live_points.h"
#include "views/live/live_status.h"
#include "views/live/prediction_panel.h"
#include "views/live/tickets_panel.h"
#include "views/live/time_bar.h"
#include "views/panels/inspector_panel.h"
#include "views/panels/phase_bar.h"
#include "views/paper/paper.h"
#include "views/simulation/scenario_setup.h"
#include "views/simulation/simulation_panel.h"

#include <QBoxLayout>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace hw::app {

namespace {

constexpr std::array kLivePanels{"deviations", "alarms", "tickets", "jobs", "isolation", "predictions", "charts", "capacity", "bindings"};

QString overlayId(const Overlay& overlay) { return "overlay." + QString::fromUtf8(overlay.name.data(), qsizetype(overlay.name.size())); }

} // namespace

bool MainWindow::isLivePanel(const QString& name)
{
    return std::ranges::any_of(kLivePanels, [&](const char* panel) { return name == panel; });
}

/// Panels of what is measured, and the time bar under the views.
void MainWindow::makeLive()
{
    auto& bridge = m_session.bridge();
    dock("deviations", new views::DeviationsPanel(bridge, m_live), Qt::BottomDockWidgetArea);
    auto* alarms = new views::AlarmsPanel(bridge, m_live);
    connect(alarms, &views::AlarmsPanel::impactRequested, this, &MainWindow::showImpact);
    connect(alarms, &views::AlarmsPanel::reportRequested, this, &MainWindow::exportIncident);
    dock("alarms", alarms, Qt::BottomDockWidgetArea);
    auto* tickets = new views::TicketsPanel(bridge, m_live);
    connect(tickets, &views::TicketsPanel::written, this,
            [this](const QString& file) { say(tr("Saved %1").arg(QFileInfo(file).fileName()), false); });
    connect(tickets, &views::TicketsPanel::locateRequested, this, &MainWindow::locateFault);
    dock("tickets", tickets, Qt::BottomDockWidgetArea);
    m_jobWatch = new views::JobWatch(bridge, m_live, this);
    dock("jobs", new views::JobsPanel(*m_jobWatch), Qt::BottomDockWidgetArea);
    auto* isolation = new views::IsolationPanel(*m_jobWatch);
    connect(isolation, &views::IsolationPanel::written, this,
            [this](const QString& file) { say(tr("Saved %1").arg(QFileInfo(file).fileName()), false); });
    connect(isolation, &views::IsolationPanel::locateRequested, this, &MainWindow::locateFault);
    dock("isolation", isolation, Qt::BottomDockWidgetArea);
    auto* predictions = new views::PredictionPanel(bridge);
    connect(predictions, &views::PredictionPanel::written, this,
            [this](const QString& file) { say(tr("Saved %1").arg(QFileInfo(file).fileName()), false); });
    connect(predictions, &views::PredictionPanel::locateRequested, this, &MainWindow::locateFault);
    connect(predictions, &views::PredictionPanel::goodputRequested, this, [this](double recall, double precision) {
        sim::ScenarioRequest request;
        request.kind = sim::findScenarioKind("design-goodput");
        request.where = request.kind->name;
        request.name = words(i18n("Goodput with measured fault prediction"));
        request.parameters = {{"recall", recall}, {"precision", precision}};
        emit m_simulation.requestOffered(request);
    });
    dock("predictions", predictions, Qt::BottomDockWidgetArea);
    auto* charts = new views::ChartsPanel(bridge, m_live);
    dock("charts", charts, Qt::BottomDockWidgetArea);
    dock("capacity", new views::CapacityPanel(bridge, m_live), Qt::BottomDockWidgetArea);
    auto* bindings = new views::BindingsPanel(bridge, m_live);
    connect(bindings, &views::BindingsPanel::rulesRequested, this, &MainWindow::editBindingRules);
    dock("bindings", bindings, Qt::BottomDockWidgetArea);
    auto* points = new views::LivePoints(bridge, m_live);
    connect(points, &views::LivePoints::chartRequested, this, [this, charts](const bindings::Point& point) {
        charts->add(point);
        raisePanel("charts");
    });
    if (auto* inspector = qobject_cast<views::InspectorPanel*>(panel("inspector"))) inspector->addAbove(points);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_timeBar = new views::TimeBar(m_live);
    m_phaseBar = new views::PhaseBar(bridge);
    column->addWidget(m_phaseBar);
    column->addWidget(m_central, 1);
    column->addWidget(m_timeBar);
    setCentralWidget(middle);
    m_liveStatus = new views::LiveStatus(m_live);
    connect(m_liveStatus, &QToolButton::clicked, this,
            [this] { raisePanel(m_live.newest() && !m_live.newest()->alarms.empty() ? "alarms" : "bindings"); });
    connect(&m_live, &views::LiveSession::stateChanged, this, &MainWindow::onLiveState);
    connect(&m_live, &views::LiveSession::compareChanged, this, &MainWindow::refreshActions);
}

/// Panels of what is measured come when something is followed, and those that came go when it ends. Nothing else is taken away.
void MainWindow::onLiveState()
{
    const bool on = m_live.on();
    m_timeBar->setVisible(on);
    if (on) m_session.bridge().showPhase({}); // what is measured is that of the whole design
    m_phaseBar->setEnabled(!on);
    for (const Overlay& overlay : liveOverlays())
        if (QAction* choose = action(overlayId(overlay))) choose->setVisible(on);
    const bool was = std::exchange(m_liveShown, on);
    for (const char* name : kLivePanels)
        if (on && !was && m_docks[name]->isHidden()) {
            m_docks[name]->show();
            m_cameWithLive << name;
        }
    if (!on)
        for (const QString& name : std::exchange(m_cameWithLive, {})) m_docks[name]->hide();
    if (on && !was) {
        setOverlay("live-power-share");
        m_docks["alarms"]->raise();
        if (const QString scenario = std::exchange(m_judgeBy, {}); !scenario.isEmpty()) {
            const auto chosen = m_scenario->setup()->chooseOrRead(scenario);
            chosen ? judgeByScenario(true) : m_session.bridge().report(chosen.error());
        }
    }
    refreshActions();
}

/// A dialog beside the window: what is bound can be looked at meanwhile.
void MainWindow::editBindingRules(const QString& channel, const QString& unit)
{
    auto* dialog = new views::BindingRulesDialog(m_session.bridge(), m_live, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!channel.isEmpty()) dialog->beginFor(channel.toStdString(), unit.toStdString());
    dialog->show();
}

void MainWindow::follow(const views::LiveRequest& request)
{
    const bool recording = request.kind == views::LiveRequest::Kind::Recording;
    if (request.keep && !recording && m_session.path().isEmpty())
        say(tr("The project is not saved to a file, so no telemetry history is stored."), false);
    const QString name = QString::fromStdString(request.url);
    m_judgeBy = QString::fromStdString(request.scenario);
    m_live.open(recording ? QFileInfo(name).fileName() : name, feedOf(request, m_session.path()));
}

/// Shows in the Jobs panel which dimension explains what is wrong with the equipment.
void MainWindow::locateFault(const std::vector<EntityRef>& entities)
{
    auto& bridge = m_session.bridge();
    if (!bridge.figures() || entities.empty()) return;
    std::vector<EntityRef> equipment;
    for (const EntityRef entity : entities) {
        if (entity.kind == EntityKind::Rack || entity.kind == EntityKind::Row)
            for (const DeviceId device : devicesIn(*bridge.figures()->snapshot, bridge.index(), entity)) equipment.push_back(ref(device));
        else
            equipment.push_back(entity);
    }
    QString title = bridge.nameOf(entities.front());
    if (entities.size() > 1) title = tr("%1 and %2 more").arg(title).arg(entities.size() - 1);
    m_jobWatch->locate(title, std::move(equipment));
    raisePanel("jobs");
}

/// What links should carry, and what a job should take: by the scenario that the simulator is set to.
void MainWindow::judgeByScenario(bool on)
{
    if (!on) {
        m_live.simulated({}, {}, {});
        m_jobWatch->plan({});
        return refreshActions();
    }
    auto& bridge = m_session.bridge();
    const auto request = m_scenario->setup()->request();
    if (!request) return bridge.report(request.error());
    const auto figures = bridge.figures();
    if (!figures) return;
    struct Expected {
        std::shared_ptr<const sim::SteadyLoads> loads;
        std::optional<jobs::JobPlan> job; ///< where the scenario is a training job
    };
    bridge.jobs().start<Result<Expected>>(
        "live.simulated", tr("Simulating expected link loads"),
        [request = *request, figures](const Progress& progress) -> Result<Expected> {
            auto loads = sim::SteadyLoads::of(request, {figures->snapshot, figures->parts}, progress);
            if (!loads) return tl::unexpected(loads.error());
            Expected expected;
            if (auto job = sim::plannedJob(request.name, loads->results(), *figures)) expected.job = std::move(*job);
            expected.loads = std::make_shared<const sim::SteadyLoads>(std::move(*loads));
            return expected;
        },
        [this, name = QString::fromStdString(request->name)](Result<Expected> expected) {
            if (!expected) return m_session.bridge().report(expected.error());
            const auto loads = expected->loads;
            m_live.simulated(name, loads->whole(), [loads](const impact::NetworkLoss& loss) { return loads->after(loss); });
            m_jobWatch->plan(std::move(expected->job), [loads](const impact::NetworkLoss& loss) { return loads->resultsAfter(loss); });
            say(tr("Links are compared with “%1”; links that carry less are listed in Deviations.").arg(name), false);
            refreshActions();
        });
}

/// What happened, as a document: of the alarm, with what the design foretold.
void MainWindow::exportIncident(const QString& alarm)
{
    const auto alarms = m_live.log().alarms();
    const auto found = std::ranges::find(alarms, alarm.toStdString(), &monitoring::Alarm::id);
    if (found == alarms.end() || !m_live.newest()) return;
    const QString file = QFileDialog::getSaveFileName(this, tr("Incident report"), "incident.pdf", tr("PDF (*.pdf);;HTML (*.html)"));
    if (!file.isEmpty()) writeIncident(*found, file);
}

void MainWindow::writeIncident(const monitoring::Alarm& alarm, const QString& file)
{
    m_session.bridge().jobs().start<Result<void>>(
        "live.report", tr("Writing the incident report"),
        [alarm, file, events = m_live.log().events(), frame = m_live.newest()](const Progress& progress) -> Result<void> {
            const auto incident = monitoring::incidentOf(alarm, events, frame);
            const auto document = monitoring::incidentDocument(incident, DesignStamp::of(*frame->design->snapshot));
            const auto bytes = file.endsWith(".html") ? views::makeHtml(document, {}, progress) : views::makePdf(document, {}, progress);
            if (!bytes) return tl::unexpected(bytes.error());
            QSaveFile out(file);
            if (!out.open(QIODevice::WriteOnly) || out.write(*bytes) != bytes->size() || !out.commit())
                return fail(ErrorCode::Unreadable, file.toStdString(), i18n("cannot be written: {}", out.errorString().toStdString()),
                            i18n("choose another location"));
            return {};
        },
        [this, file](Result<void> written) {
            if (!written) return m_session.bridge().report(written.error());
            say(tr("Saved %1").arg(QFileInfo(file).fileName()), false);
        });
}

} // namespace hw::app
