// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/window/central_area.h"
#include "app/window/drafts.h"
#include "core/foundation/base/log.h"
#include "core/foundation/base/spelling.h"
#include "core/foundation/model/setting_values.h"
#include "core/output/exchange/bom_total.h"
#include "views/fabric/fabric_view.h"
#include "views/live/live_status.h"
#include "views/panels/find_palette.h"
#include "views/panels/findings_panel.h"
#include "views/panels/impact_panel.h"
#include "views/panels/inspector_panel.h"
#include "views/panels/message_bar.h"
#include "views/panels/status_strip.h"
#include "views/plan/elevation_view.h"
#include "views/plan/plan_view.h"
#include "views/simulation/scenario_setup.h"
#include "views/simulation/simulation_panel.h"
#include "views/start/start_page.h"
#include "views/style/fit.h"
#include "views/style/style_later.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDataStream>
#include <QDockWidget>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>

namespace hw::app {

namespace {

/// A kept layout, with panels by the names that they have in this version.
QByteArray respelled(QByteArray layout, const QMainWindow& window)
{
    const auto kept = [](const QString& name) {
        QByteArray bytes;
        QDataStream stream(&bytes, QIODevice::WriteOnly);
        stream << name;
        return bytes;
    };
    for (const QDockWidget* dock : window.findChildren<const QDockWidget*>())
        if (const auto other = otherSpelling(dock->objectName().toStdString()); !other.empty())
            layout.replace(kept(QString::fromUtf8(other.data(), qsizetype(other.size()))), kept(dock->objectName()));
    return layout;
}

} // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_central(nullptr), m_simulation(m_session.bridge()), m_live(m_session.bridge())
{
    setDockNestingEnabled(true);
    setAcceptDrops(true);
    views::fitToScreen(*this, {1600, 1000});
    addFileCommands(m_commands);
    addEditCommands(m_commands);
    addCreateCommands(m_commands);
    addArrangeCommands(m_commands);
    addClipboardCommands(m_commands);
    addExportCommands(m_commands);
    addViewCommands(m_commands);
    addDesignCommands(m_commands);
    addLiveCommands(m_commands);
    addHelpCommands(m_commands);
    {
        const views::StyleLater later;
        m_central = new CentralArea(m_session.bridge());
        makePanels();
        makeAsBuilt();
        makeLive();
        makeMenus();
        makeToolBar();
        m_status = new views::StatusStrip(m_session.bridge());
    }
    statusBar()->addPermanentWidget(m_liveStatus);
    statusBar()->addPermanentWidget(m_status);
    statusBar()->setSizeGripEnabled(false);
    m_find = new views::FindPalette(m_session.bridge(), this);
    connect(m_find, &views::FindPalette::objectChosen, this, [this](EntityRef entity) {
        showStart(false);
        m_session.bridge().zoomTo(entity);
    });
    makeStart();
    m_messages = new views::MessageBar(this);
    connectSession();
    resetLayout();
    const QSettings settings;
    views::setUnits({settings.value("units/feet").toBool(), settings.value("units/fahrenheit").toBool(), settings.value("units/btu").toBool()});
    m_currency = settings.value("units/currency").toString();
    refreshCurrency();
    if (settings.contains("window/state")) {
        restoreGeometry(settings.value("window/geometry").toByteArray());
        if (!isMaximized() && !isFullScreen()) views::fitToScreen(*this, size()); // it may have been a larger screen
        restoreState(respelled(settings.value("window/state").toByteArray(), *this));
    }
    for (const auto& [name, box] : m_docks) // of what was followed when the layout was kept
        if (isLivePanel(name)) box->hide();
    onLiveState(); // nothing is followed yet
    refreshActions();
    refreshTitle();
}

/// Panels refer to the session, which goes before QMainWindow would delete them.
MainWindow::~MainWindow()
{
    m_refreshing = true;
    for (const auto& [name, box] : m_docks) {
        box->disconnect(this);
        delete box;
    }
    delete takeCentralWidget();
    delete std::exchange(m_start, nullptr);
    delete m_find;
    delete m_liveStatus;
    delete m_status;
}

void MainWindow::connectSession()
{
    auto& bridge = m_session.bridge();
    connect(&m_session, &Session::stateChanged, this, &MainWindow::refreshTitle);
    connect(&m_session, &Session::stateChanged, this, &MainWindow::refreshActions);
    connect(&m_session, &Session::libraryLoaded, this, &MainWindow::refreshActions);
    connect(&m_session, &Session::opened, this, [this] {
        const Snapshot& s = *m_session.bridge().snapshot();
        logging::info(logging::Id::WindowShows, "revision {} with {} devices and {} links", s.revision, s.devices.size(), s.links.size());
    });
    connect(&m_session, &Session::stateChanged, this, [this] { m_simulation.setProject(m_session.path()); });
    connect(&m_simulation, &views::SimulationSession::loadsShown, this, &MainWindow::showLoads);
    connect(&m_session, &Session::failed, this, [this](const QString& text) { say(text, true); });
    connect(&m_session, &Session::openFailed, this, &MainWindow::offerReadOnly);
    connect(&m_session, &Session::saved, this, [this](const QString& path) { say(tr("Saved %1").arg(QFileInfo(path).fileName()), false); });
    connect(&m_session, &Session::recovered, this, &MainWindow::offerRecovery);
    connect(&bridge, &views::DocumentBridge::problem, this, [this](const QString& text) {
        logging::warn(logging::Id::CommandFailed, "{}", text.toStdString());
        sayProblem(text);
    });
    connect(&bridge, &views::DocumentBridge::figuresChanged, this, [this] {
        if (!m_session.bridge().previewing()) refreshActions();
    });
    connect(&bridge, &views::DocumentBridge::documentChanged, this, &MainWindow::refreshCurrency); // before anything shows a sum
    connect(&bridge, &views::DocumentBridge::selectionChanged, this, &MainWindow::refreshActions);
    connect(&bridge, &views::DocumentBridge::previewChanged, this, [this, was = false]() mutable {
        if (std::exchange(was, m_session.bridge().previewing()) != m_session.bridge().previewing()) refreshActions();
    });
    connect(&bridge, &views::DocumentBridge::menuRequested, this, &MainWindow::openMenu);
    connect(&bridge, &views::DocumentBridge::cablesShownChanged, this, &MainWindow::refreshActions);
    connect(&bridge.jobs(), &views::Jobs::faulted, this,
            [this](const QString& job, const QString& what) { say(tr("%1 failed: %2").arg(job, what), true); });
    connect(m_status, &views::StatusStrip::findingsRequested, this, [this] { raisePanel("findings"); });
}

void MainWindow::start(const QString& file, std::optional<views::LiveRequest> live)
{
    if (live)
        connect(
            &m_session, &Session::opened, this, [this, request = *live] { follow(request); }, Qt::SingleShotConnection);
    if (file.isEmpty()) showStart(true);
    m_session.loadLibrary();
    if (!file.isEmpty()) m_session.open(file);
}

void MainWindow::startSample()
{
    connect(&m_session, &Session::libraryLoaded, this, &MainWindow::openSample, Qt::SingleShotConnection);
    m_session.loadLibrary();
}

void MainWindow::openSample()
{
    const Template* sample = m_session.library().find("hpn");
    if (!sample || !mayLeave()) return;
    connect(&m_session, &Session::opened, this, &MainWindow::runSampleIteration, Qt::SingleShotConnection);
    m_session.startDesign(*sample, {}, nullptr, Session::KeepDraft::OnceEdited);
}

/// The sample shows at once what the tool is for: a training iteration over the pod.
void MainWindow::runSampleIteration()
{
    if (m_session.durability() != Session::Durability::NoFile) return; // meanwhile something else was opened
    if (!m_scenario->setup()->choose("gpt3-iteration")) return;
    m_scenario->showPage("timeline");
    raisePanel("scenario");
    m_scenario->setup()->run();
}

void MainWindow::say(const QString& text, bool problem) { m_messages->say(text, problem); }

void MainWindow::setTheme(views::ThemeKind kind)
{
    views::applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), kind);
    m_central->setDark(kind == views::ThemeKind::Dark);
    QSettings().setValue("theme", kind == views::ThemeKind::Dark ? "dark" : "light");
    for (QWidget* widget : findChildren<QWidget*>()) widget->update();
    refreshActions();
}

void MainWindow::setUnits(const UnitPreference& preference)
{
    if (preference == views::units()) return;
    views::setUnits(preference);
    QSettings settings;
    settings.setValue("units/feet", preference.feet);
    settings.setValue("units/fahrenheit", preference.fahrenheit);
    settings.setValue("units/btu", preference.btu);
    auto& bridge = m_session.bridge();
    if (bridge.figures()) emit bridge.figuresChanged(bridge.figures(), std::make_shared<const ChangeSet>()); // the same, in other words
    for (QWidget* widget : findChildren<QWidget*>()) widget->update();
}

void MainWindow::setCurrency(const QString& code)
{
    m_currency = code;
    QSettings().setValue("units/currency", code);
    refreshCurrency();
    auto& bridge = m_session.bridge();
    if (!bridge.figures()) return;
    emit bridge.figuresChanged(bridge.figures(), std::make_shared<const ChangeSet>()); // the same, in another currency
    if (const auto shown = views::displayCurrency(); shown && !shown->known())
        say(tr("Sums stay in the currency of the project: it has no exchange rate for %1. Add one in the project settings.").arg(code), true);
}

/// With the exchange rates of the open project.
void MainWindow::refreshCurrency()
{
    if (m_currency.isEmpty()) return views::setDisplayCurrency(nullptr);
    auto shown = std::make_shared<views::DisplayCurrency>();
    const Snapshot& s = *m_session.bridge().snapshot();
    shown->code = m_currency.toStdString();
    const std::string project = settingOf(s, "project.currency");
    s.settings.forEach([&](SettingId id) {
        const std::string& key = s.settings.key[id];
        if (!key.starts_with("currency.") || !key.ends_with(".rate")) return;
        const std::string code = key.substr(9, 3); // no text
        if (const auto rate = ExchangeRate::of(s, code); rate.rate > 0) shown->rates[code] = rate.rate;
    });
    shown->rates[project] = 1;
    if (shown->code != project && shown->known()) shown->rate = views::text(words(rateText(ExchangeRate::of(s, shown->code), shown->code, project)));
    views::setDisplayCurrency(std::move(shown));
}

std::string MainWindow::overlay() const { return m_central->overlay().name(); }

void MainWindow::setOverlay(const std::string& overlay)
{
    m_central->overlay().choose(overlay);
    refreshActions();
}

/// Loads of a run or of Play show in all views without further clicks; without them the views go back to what they showed.
void MainWindow::showLoads(bool on)
{
    m_central->fabric()->showLoads(on);
    if (on && overlay() != "load") {
        m_overlayBefore = overlay();
        setOverlay("load");
    } else if (!on && overlay() == "load" && m_overlayBefore) {
        setOverlay(*std::exchange(m_overlayBefore, std::nullopt));
    }
}

QWidget* MainWindow::panel(const QString& name) const
{
    const auto found = m_panels.find(name);
    return found == m_panels.end() ? m_central->pane(name) : found->second;
}

bool MainWindow::shown(const QString& name) const
{
    if (const QWidget* pane = m_central->pane(name)) return pane->isVisibleTo(m_central);
    const auto found = m_docks.find(name);
    return found != m_docks.end() && !found->second->isHidden() && !found->second->visibleRegion().isEmpty();
}

void MainWindow::setShown(const QString& name, bool shown)
{
    if (m_central->pane(name))
        m_central->setShown(name, shown);
    else if (shown)
        raisePanel(name);
    else if (const auto found = m_docks.find(name); found != m_docks.end())
        found->second->hide();
    refreshActions();
}

void MainWindow::raisePanel(const QString& name)
{
    const auto found = m_docks.find(name);
    if (found == m_docks.end()) return;
    found->second->show();
    found->second->raise();
    panel(name)->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::zoomToAll() { m_central->zoomToAll(); }

void MainWindow::beginRename()
{
    raisePanel("inspector");
    if (auto* inspector = qobject_cast<views::InspectorPanel*>(panel("inspector"))) inspector->beginRename();
}

void MainWindow::editValues()
{
    raisePanel("inspector");
    if (auto* inspector = qobject_cast<views::InspectorPanel*>(panel("inspector"))) inspector->editValues();
}

void MainWindow::showTier(int tier)
{
    raisePanel("findings");
    if (auto* findings = qobject_cast<views::FindingsPanel*>(panel("findings"))) findings->showTier(tier);
}

void MainWindow::showImpact(const std::vector<EntityRef>& entities)
{
    raisePanel("impact");
    if (auto* panel = qobject_cast<views::ImpactPanel*>(m_panels["impact"])) panel->ask(entities);
}

void MainWindow::tryFailure(EntityRef entity)
{
    if (m_simulation.askWhatIfFails(entity)) runOffered();
}

/// Runs what was just filled into the form; the result is in front, whatever was.
void MainWindow::runOffered()
{
    raisePanel("scenario");
    m_scenario->showPage("answer");
    m_scenario->setup()->run();
}

void MainWindow::simulateAfter(const std::vector<std::string>& failed)
{
    const auto present = m_scenario->setup()->request();
    m_simulation.askAfterLoss(failed, present ? &*present : nullptr);
    runOffered();
}

bool MainWindow::canTryFailure(EntityRef entity) const { return m_simulation.canAskWhatIfFails(entity); }

std::vector<QAction*> MainWindow::allActions() const
{
    std::vector<QAction*> all;
    for (const auto& command : m_commands) all.push_back(action(command->face().id));
    return all;
}

void MainWindow::runScenario() { m_scenario->setup()->run(); }
views::FabricView* MainWindow::fabric() { return m_central->fabric(); }
views::OneLineView* MainWindow::power() { return m_central->power(); }
views::OneLineView* MainWindow::cooling() { return m_central->cooling(); }
views::PlanView* MainWindow::plan() { return m_central->plan(); }
const views::PlanView* MainWindow::plan() const { return m_central->plan(); }
QImage MainWindow::picture(const QString& pane) { return m_central->picture(pane); }

void MainWindow::refreshTitle()
{
    setWindowTitle(QString("%1[*] — Hallwright").arg(m_session.title()));
    setWindowModified(m_session.modified());
    using enum Session::Durability;
    switch (m_session.durability()) {
    case NoFile: m_status->setDurability(m_session.readOnlyPath().isEmpty() ? tr("not saved") : tr("read-only"), !m_session.modified()); break;
    case Kept: m_status->setDurability(tr("not saved to a file; draft preserved"), true); break;
    case Writing: m_status->setDurability(tr("writing …"), true); break;
    case Journaled: m_status->setDurability(tr("changes stored in the journal"), true); break;
    case Saved: m_status->setDurability(tr("saved"), true); break;
    case Failed: m_status->setDurability(tr("not saved to disk"), false); break;
    }
}

void MainWindow::offerRecovery(const QString& text)
{
    m_messages->say(text, true, {{tr("Keep changes"), {}}, {tr("Revert to last save"), [this] { m_session.goBackToSaved(); }}});
}

/// Errors begin with what they are about; where that is an object, it can be shown.
void MainWindow::sayProblem(const QString& text)
{
    const auto& figures = m_session.bridge().figures();
    const std::string about = text.section(": ", 0, 0).toStdString();
    const auto at = figures && text.contains(": ") ? findEntity(*figures->snapshot, *figures->parts, about) : std::nullopt;
    if (!at) return say(text, true);
    m_messages->say(text, true,
                    {{tr("Show"),
                      [this, e = *at] {
                          showStart(false);
                          m_session.bridge().zoomTo(e);
                      }}},
                    views::MessageBar::Stays::ForAWhile);
}

void MainWindow::offerReadOnly(const QString& path, const QString& text, bool readable)
{
    if (!m_session.bridge().figures()) showStart(true); // nothing else is open
    if (!readable) return say(text, true);
    m_messages->say(text, true, {{tr("Open read-only"), [this, path] {
                                      if (mayLeave()) m_session.openReadOnly(path);
                                  }}});
}

bool MainWindow::mayLeave()
{
    if (!m_session.modified()) return true;
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"), tr("“%1” has unsaved changes.").arg(m_session.title()), QMessageBox::NoButton,
                    this);
    QPushButton* save = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.addButton(tr("&Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(save);
    box.exec();
    if (box.clickedButton() == static_cast<QAbstractButton*>(discard)) {
        m_session.discardChanges();
        return true;
    }
    if (box.clickedButton() != static_cast<QAbstractButton*>(save)) return false;
    action("file.save")->trigger();
    m_savingToLeave = m_session.bridge().jobs().busy("save");
    return !m_session.path().isEmpty() && !m_savingToLeave; // an open file is flushed by closing it; a new one must be written first
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!mayLeave()) {
        if (std::exchange(m_savingToLeave, false)) connect(&m_session, &Session::saved, this, &QWidget::close, Qt::SingleShotConnection);
        return event->ignore();
    }
    QSettings settings;
    settings.setValue("window/geometry", saveGeometry());
    settings.setValue("window/state", saveState());
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().toLocalFile().endsWith(".hall")) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (mayLeave()) m_session.open(event->mimeData()->urls().front().toLocalFile());
}

} // namespace hw::app
