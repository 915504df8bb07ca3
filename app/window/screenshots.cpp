// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/screenshots.h"

#include "app/window/central_area.h"
#include "views/fabric/fabric_canvas.h"
#include "views/fabric/fabric_view.h"
#include "views/panels/message_bar.h"
#include "views/plan/plan_view.h"
#include "views/simulation/simulation_panel.h"

#include <QApplication>
#include <QDir>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScreen>
#include <QTimer>

namespace hw::app {

Screenshots::Screenshots(MainWindow& window, QString folder) : QObject(&window), m_window(window), m_folder(std::move(folder))
{
    QDir().mkpath(m_folder);
    auto& bridge = window.session().bridge();
    connect(&bridge, &views::DocumentBridge::findingsChanged, this, [this, &bridge] {
        if (bridge.findings() && m_steps.empty()) begin();
    });
}

EntityRef Screenshots::firstRackWith(TierKind kind) const
{
    const auto& bridge = m_window.session().bridge();
    const Snapshot& s = *bridge.figures()->snapshot;
    EntityRef found;
    s.devices.forEach([&](DeviceId id) {
        if (!found && s.tiers.kind[s.devices.tier[id]] == kind && s.devices.rack[id]) found = ref(*s.devices.rack[id]);
    });
    return found;
}

void Screenshots::begin()
{
    auto& bridge = m_window.session().bridge();
    auto* window = &m_window;
    window->messages()->hide(); // what this user did last is not for pictures
    const EntityRef rack = firstRackWith(TierKind::Server);
    EntityRef firstSwitch;
    const Snapshot& s = *bridge.figures()->snapshot;
    s.devices.forEach([&](DeviceId id) {
        if (!firstSwitch && s.tiers.kind[s.devices.tier[id]] == TierKind::Switch && s.devices.segment[id] == 2) firstSwitch = ref(id);
    });
    const EntityRef row = rack ? ref(bridge.figures()->snapshot->racks.row[RackId(rack.id)]) : EntityRef{};
    m_steps = {
        {"window.png",
         [=] {
             window->simulationSession().clear();
             window->raisePanel("budgets");
         },
         1500},
        {"rack.png", [=, &bridge] { bridge.zoomTo(rack); }, 1800},
        {"row.png",
         [=, &bridge] {
             window->setShown("elevation", false);
             window->central()->plan()->zoomToAll();
             bridge.select(row);
         },
         500},
        {"drag.png", [=, this] { dragRow(RowId(row.id), 3.0); }, 1500},
        {{}, [this] { letGo(); }, 300},
        {"findings.png",
         [=] {
             window->raisePanel("findings");
             window->setOverlay("findings");
         },
         500},
        {"bom.png",
         [=] {
             window->raisePanel("bom");
             window->setOverlay("power");
         },
         700},
        {{},
         [=] {
             window->zoomToAll();
             window->raisePanel("scenario");
             window->setOverlay("load");
             window->simulation()->showPage("timeline");
             window->runScenario();
         },
         200},
        {"simulation.png",
         [=] {
             window->simulationSession().setPosition(window->simulationSession().playback() ? window->simulationSession().playback()->endS * 0.985
                                                                                            : 0);
         },
         1500},
        {{},
         [=, &bridge] {
             window->setShown("fabric", true);
             window->central()->fabric()->setColor(views::FabricColor::Lane);
             bridge.select(EntityRef{});
         },
         900},
        {{},
         [=, &bridge] {
             bridge.zoomTo(firstSwitch);
             bridge.select(EntityRef{});
             window->central()->fabric()->fit();
         },
         900},
        {"fabric.png", [=, this] { hoverOver(window->central()->fabric()->canvas()); }, 500},
        {"fabric-load.png",
         [=, &bridge] {
             window->central()->fabric()->setMatrixVisible(true);
             window->central()->fabric()->setColor(views::FabricColor::Load);
             bridge.select(EntityRef{});
             window->central()->fabric()->fit();
         },
         1200},
        {{},
         [=] {
             window->central()->fabric()->setMatrixVisible(false);
             window->setShown("fabric", false);
         },
         300},
        {"power.png",
         [=] {
             window->raisePanel("headroom");
             window->setShown("power", true);
         },
         1500},
        {{}, [=] { window->setShown("power", false); }, 300},
        {"light.png",
         [=] {
             window->raisePanel("budgets");
             window->setOverlay("kind");
             window->setTheme(views::ThemeKind::Light);
         },
         1500},
        {"new-design.png", [=] { window->action("file.new")->trigger(); }, 3500},
        {"size.png",
         [=] {
             if (auto* dialog = QApplication::activeModalWidget()) dialog->close();
             window->action("design.size")->trigger();
         },
         3500},
        {"demand.png",
         [=] {
             if (auto* dialog = QApplication::activeModalWidget()) dialog->close();
             window->action("design.demand")->trigger();
         },
         1500},
        {"parameters.png",
         [=] {
             if (auto* dialog = QApplication::activeModalWidget()) dialog->close();
             window->setTheme(views::ThemeKind::Dark);
             window->action("design.parameters")->trigger();
         },
         2500},
        {"find.png",
         [=] {
             if (auto* dialog = QApplication::activeModalWidget()) dialog->close();
             window->openFind();
         },
         300},
    };
    QTimer::singleShot(0, this, &Screenshots::next);
}

void Screenshots::hoverOver(QWidget* widget)
{
    const QPointF at(widget->width() * 0.62, widget->height() * 0.62);
    QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(widget, &event);
}

void Screenshots::dragRow(RowId row, double meters)
{
    views::PlanView* plan = m_window.central()->plan();
    plan->zoomTo(ref(row));
    const QPointF from = plan->screenRect(ref(row)).center(), to = from + QPointF(0, -meters * 1000 * plan->camera().scale);
    const auto send = [&](QEvent::Type type, QPointF at, Qt::MouseButton button) {
        QMouseEvent event(type, at, plan->mapToGlobal(at), button, Qt::LeftButton, {});
        QCoreApplication::sendEvent(plan, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton);
    send(QEvent::MouseMove, to, Qt::NoButton);
}

void Screenshots::letGo()
{
    QKeyEvent escape(QEvent::KeyPress, Qt::Key_Escape, {});
    QCoreApplication::sendEvent(m_window.central()->plan(), &escape);
    m_window.zoomToAll();
}

void Screenshots::next()
{
    if (m_step == m_steps.size()) return QCoreApplication::exit(0);
    auto& jobs = m_window.session().bridge().jobs();
    if (jobs.busy("simulation")) {
        QTimer::singleShot(100, this, &Screenshots::next);
        return;
    }
    const Step step = m_steps[m_step++];
    step.prepare();
    QTimer::singleShot(step.settle_ms, this, [this, step] {
        if (!step.file.isEmpty()) {
            const QRect place(m_window.mapToGlobal(QPoint()), m_window.size());
            m_window.screen()
                ->grabWindow(0, place.x(), place.y(), place.width(), place.height())
                .save(m_folder + "/" + step.file); // dialogs included
        }
        next();
    });
}

} // namespace hw::app
