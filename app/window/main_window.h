// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/commands/command.h"
#include "views/live/live_request.h"
#include "views/live/live_session.h"
#include "views/simulation/simulation_session.h"

#include <QMainWindow>

class QDockWidget;
class QMenu;

#include <map>

namespace hw::views {
class FindPalette;
class JobWatch;
class LiveStatus;
class MessageBar;
class PhaseBar;
struct PaletteEntry;
class StartPage;
class SimulationPanel;
class StatusStrip;
class TablesPanel;
class TimeBar;
} // namespace hw::views

namespace hw::app {

class CentralArea;

/// Puts panels, views and commands together; everything else lives in them.
class MainWindow : public QMainWindow, public Workspace {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] CentralArea* central() const { return m_central; }
    [[nodiscard]] QAction* action(const QString& id) const; ///< of a command, by its id
    [[nodiscard]] QList<QAction*> overlayActions() const;   ///< what colors may mean, in the order of menus
    [[nodiscard]] views::FindPalette* palette() const { return m_find; }
    [[nodiscard]] views::SimulationPanel* simulation() const { return m_scenario; }
    [[nodiscard]] views::SimulationSession& simulationSession() { return m_simulation; }
    [[nodiscard]] views::MessageBar* messages() const { return m_messages; }
    [[nodiscard]] QWidget* panel(const QString& name) const; ///< the widget inside the dock
    [[nodiscard]] views::JobWatch* jobWatch() const { return m_jobWatch; }
    [[nodiscard]] views::PhaseBar* phaseBar() const { return m_phaseBar; }
    [[nodiscard]] views::TimeBar* timeBar() const { return m_timeBar; }
    [[nodiscard]] views::StartPage* startPage() const { return m_start; }
    void writeIncident(const monitoring::Alarm& alarm, const QString& file); ///< on a worker; what is wrong is reported
    /// Opens the file, or the start page when there is none; then follows what is asked for, if anything.
    void start(const QString& file, std::optional<views::LiveRequest> live = {});
    void startSample(); ///< reads the library, then opens the sample pod with a training iteration

    Session& session() override { return m_session; }
    const Session& session() const override { return m_session; }
    QWidget* dialogParent() override { return this; }
    void say(const QString& text, bool problem) override;
    views::ThemeKind themeKind() const override { return views::theme().kind; }
    void setTheme(views::ThemeKind kind) override;
    void setUnits(const UnitPreference& preference) override;
    QString currency() const override { return m_currency; }
    void setCurrency(const QString& code) override;
    std::string overlay() const override;
    void setOverlay(const std::string& overlay) override;
    bool shown(const QString& panel) const override;
    void setShown(const QString& panel, bool shown) override;
    void raisePanel(const QString& panel) override;
    void resetLayout() override;
    void zoomToAll() override;
    bool startShown() const override;
    void showStart(bool shown) override;
    void openFind() override;
    DocumentationDialog* showDocumentation() override;
    void showGuide() override;
    void beginRename() override;
    void editValues() override;
    void tryFailure(EntityRef entity) override;
    void showTier(int tier) override;
    void showImpact(const std::vector<EntityRef>& entities) override;
    bool canTryFailure(EntityRef entity) const override;
    std::vector<QAction*> allActions() const override;
    void runScenario() override;
    QImage picture(const QString& pane) override;
    views::FabricView* fabric() override;
    views::OneLineView* power() override;
    views::OneLineView* cooling() override;
    views::PlanView* plan() override;
    const views::PlanView* plan() const override;
    views::TablesPanel* tables() override { return m_tables; }
    const views::AirPanel* air() const override { return m_air; }
    views::LiveSession& live() override { return m_live; }
    const views::LiveSession& live() const override { return m_live; }
    void follow(const views::LiveRequest& request) override;
    void judgeByScenario(bool on) override;
    void locateFault(const std::vector<EntityRef>& entities) override;
    void compareAsBuilt(Capture capture) override;
    void showKept() override;
    void editBindingRules(const QString& channel = {}, const QString& unit = {}) override;
    bool mayLeave() override;
    void quit() override { close(); }

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makePanels();
    void makeLive();
    void makeAsBuilt();
    void keepCapture();
    void onLiveState();
    void exportIncident(const QString& alarm); ///< asks for a file
    [[nodiscard]] static bool isLivePanel(const QString& name);
    void dock(const QString& name, QWidget* widget, Qt::DockWidgetArea area);
    [[nodiscard]] QString titleOf(const QString& panel) const;
    void makeMenus();
    void makeToolBar();
    void connectSession();
    void makeStart();
    void fillStart();
    void placeStart();
    void openSample();
    void addPartTypes(std::vector<views::PaletteEntry>& entries);
    void addSettings(std::vector<views::PaletteEntry>& entries);
    void addRules(std::vector<views::PaletteEntry>& entries);
    void addHelp(std::vector<views::PaletteEntry>& entries);
    [[nodiscard]] std::string focusedPlace() const;
    void simulateAfter(const std::vector<std::string>& failed);
    void runSampleIteration();
    void runOffered();
    void showLoads(bool on);
    void refreshActions();
    void refreshTitle();
    void refreshCurrency();
    void fillRecent(QMenu* menu);
    void openMenu(QPoint globalPosition);
    void offerRecovery(const QString& text);
    void sayProblem(const QString& text);
    void offerReadOnly(const QString& path, const QString& text, bool readable);

    Session m_session;
    Commands m_commands;
    std::map<QString, QAction*> m_actions;
    std::map<QString, QDockWidget*> m_docks;
    std::map<QString, QWidget*> m_panels; ///< what is in the docks
    CentralArea* m_central;
    views::SimulationSession m_simulation;
    views::LiveSession m_live;
    views::JobWatch* m_jobWatch = nullptr;
    views::TimeBar* m_timeBar = nullptr;
    views::PhaseBar* m_phaseBar = nullptr;
    views::LiveStatus* m_liveStatus = nullptr;
    views::SimulationPanel* m_scenario = nullptr;
    views::StatusStrip* m_status = nullptr;
    views::TablesPanel* m_tables = nullptr;
    views::AirPanel* m_air = nullptr;
    views::FindPalette* m_find = nullptr;
    views::MessageBar* m_messages = nullptr;
    views::StartPage* m_start = nullptr;
    std::optional<std::string> m_overlayBefore; ///< of showLoads()
    Capture m_capture;                          ///< that is compared with the design
    QString m_currency;                         ///< in which sums are shown
    QString m_judgeBy;                          ///< scenario that was asked for with what is followed
    QStringList m_cameWithLive;                 ///< panels that were hidden before
    bool m_liveShown = false;                   ///< its panels are there
    bool m_refreshing = false, m_savingToLeave = false;
};

} // namespace hw::app
