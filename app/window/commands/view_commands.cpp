// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "core/operations/overlays/overlays.h"
#include "views/live/live_session.h"
#include "views/style/format.h"
#include "views/style/sentence.h"

namespace hw::app {
namespace {

class SwitchTheme final : public Command {
    Face face() const override { return {"view.dark", tr("&Dark theme"), "moon", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), true}; }
    bool checked(const Workspace& w) const override { return w.themeKind() == views::ThemeKind::Dark; }
    void run(Workspace& w) override { w.setTheme(checked(w) ? views::ThemeKind::Light : views::ThemeKind::Dark); }
};

class ZoomToAll final : public Command {
    Face face() const override { return {"view.zoomAll", tr("Zoom to &all"), "fit", QKeySequence(Qt::CTRL | Qt::Key_0)}; }
    void run(Workspace& w) override { w.zoomToAll(); }
};

class ResetLayout final : public Command {
    Face face() const override { return {"view.reset", tr("&Reset layout"), {}, {}}; }
    void run(Workspace& w) override { w.resetLayout(); }
};

/// Shows or hides one panel or pane.
class ShowPanel final : public Command {
public:
    ShowPanel(const char* id, const char* panel, const char* title, const char* icon, QKeySequence shortcut)
        : m_id(id), m_panel(panel), m_title(title), m_icon(icon), m_shortcut(std::move(shortcut))
    {
    }
    Face face() const override { return {m_id, tr(m_title), m_icon, m_shortcut, true}; }
    bool checked(const Workspace& w) const override { return w.shown(m_panel); }
    void run(Workspace& w) override { w.setShown(m_panel, !w.shown(m_panel)); }

private:
    const char *m_id, *m_panel, *m_title, *m_icon;
    QKeySequence m_shortcut;
};

/// One that says something only while a hall is followed.
class ShowLivePanel final : public Command {
public:
    ShowLivePanel(const char* id, const char* panel, const char* title, const char* icon) : m_id(id), m_panel(panel), m_title(title), m_icon(icon) {}
    Face face() const override { return {m_id, tr(m_title), m_icon, {}, true}; }
    bool enabled(const Workspace& w) const override { return w.live().on(); }
    bool checked(const Workspace& w) const override { return w.shown(m_panel); }
    void run(Workspace& w) override { w.setShown(m_panel, !w.shown(m_panel)); }

private:
    const char *m_id, *m_panel, *m_title, *m_icon;
};

/// Chooses what the colors mean: one command for each overlay of plan and twin.
class ChooseOverlay final : public Command {
public:
    ChooseOverlay(const Overlay& overlay, QKeySequence shortcut)
        : m_id("overlay." + std::string(overlay.name)), m_name(overlay.name), m_title(overlay.title), m_shortcut(std::move(shortcut)),
          m_live(overlay.needs == OverlayNeeds::Live)
    {
    }
    Face face() const override
    {
        return {m_id.c_str(), tr("Color by %1").arg("&" + views::inSentence(views::text(m_title))), "layers", m_shortcut, true};
    }
    bool enabled(const Workspace& w) const override { return !m_live || w.live().on(); }
    bool checked(const Workspace& w) const override { return w.overlay() == m_name; }
    void run(Workspace& w) override { w.setOverlay(m_name); }

private:
    std::string m_id, m_name;
    TextId m_title;
    QKeySequence m_shortcut;
    bool m_live;
};

} // namespace

void addViewCommands(Commands& commands)
{
    const auto panel = [&](auto... arguments) { commands.push_back(std::make_unique<ShowPanel>(arguments...)); };
    panel("view.twin", "twin", QT_TRANSLATE_NOOP("Command", "&3D twin"), "cube", QKeySequence(Qt::ALT | Qt::Key_1));
    panel("view.plan", "plan", QT_TRANSLATE_NOOP("Command", "&Plan"), "plan", QKeySequence(Qt::ALT | Qt::Key_2));
    panel("view.fabric", "fabric", QT_TRANSLATE_NOOP("Command", "&Fabric"), "network", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F));
    panel("view.power", "power", QT_TRANSLATE_NOOP("Command", "Po&wer chain"), "power", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
    panel("view.cooling", "cooling", QT_TRANSLATE_NOOP("Command", "Cooling &loops"), "cooling", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L));
    panel("view.interconnects", "interconnects", QT_TRANSLATE_NOOP("Command", "I&nterconnects"), "link", QKeySequence());
    panel("view.elevation", "elevation", QT_TRANSLATE_NOOP("Command", "Rack &elevation"), "rack", QKeySequence(Qt::ALT | Qt::Key_3));
    panel("view.tree", "tree", QT_TRANSLATE_NOOP("Command", "Project &tree"), "tree", QKeySequence(Qt::ALT | Qt::Key_4));
    panel("view.inspector", "inspector", QT_TRANSLATE_NOOP("Command", "&Inspector"), "info", QKeySequence(Qt::ALT | Qt::Key_5));
    panel("view.budgets", "budgets", QT_TRANSLATE_NOOP("Command", "&Budgets"), "gauge", QKeySequence(Qt::ALT | Qt::Key_6));
    panel("view.findings", "findings", QT_TRANSLATE_NOOP("Command", "&Findings"), "warning", QKeySequence(Qt::ALT | Qt::Key_7));
    panel("view.proof", "proof", QT_TRANSLATE_NOOP("Command", "&Verification"), "ok", QKeySequence());
    panel("view.impact", "impact", QT_TRANSLATE_NOOP("Command", "&Failure impact"), "warning", QKeySequence());
    panel("view.scenario", "scenario", QT_TRANSLATE_NOOP("Command", "&Simulation"), "flow", QKeySequence(Qt::ALT | Qt::Key_8));
    panel("view.air", "air", QT_TRANSLATE_NOOP("Command", "&Air of a hall"), "cooling", QKeySequence());
    panel("view.bom", "bom", QT_TRANSLATE_NOOP("Command", "Bill of &materials"), "table", QKeySequence(Qt::ALT | Qt::Key_9));
    panel("view.cost", "cost", QT_TRANSLATE_NOOP("Command", "&Cost per GPU-hour"), "gauge", QKeySequence());
    panel("view.year", "year", QT_TRANSLATE_NOOP("Command", "Energy over a &year"), "gauge", QKeySequence());
    panel("view.feeders", "feeders", QT_TRANSLATE_NOOP("Command", "Feeders and &grid"), "power", QKeySequence());
    panel("view.headroom", "headroom", QT_TRANSLATE_NOOP("Command", "&Headroom"), "gauge", QKeySequence());
    panel("view.tables", "tables", QT_TRANSLATE_NOOP("Command", "&Tables"), "table", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_J));
    panel("view.history", "history", QT_TRANSLATE_NOOP("Command", "&History"), "history", QKeySequence(Qt::ALT | Qt::Key_0));
    panel("view.asbuilt", "asbuilt", QT_TRANSLATE_NOOP("Command", "As-&built"), "link", QKeySequence());
    panel("view.catalog", "catalog", QT_TRANSLATE_NOOP("Command", "&Catalog"), "layers", QKeySequence());
    int key = Qt::Key_1;
    for (const Overlay& overlay : allOverlays())
        if (overlay.in(OverlayView::Plan)) {
            commands.push_back(std::make_unique<ChooseOverlay>(overlay, key <= Qt::Key_9 ? QKeySequence(Qt::CTRL | Qt::Key(key)) : QKeySequence()));
            ++key;
        }
    for (const Overlay& overlay : liveOverlays()) commands.push_back(std::make_unique<ChooseOverlay>(overlay, QKeySequence()));
    const auto live = [&](auto... arguments) { commands.push_back(std::make_unique<ShowLivePanel>(arguments...)); };
    live("view.deviations", "deviations", QT_TRANSLATE_NOOP("Command", "&Deviations"), "warning");
    live("view.alarms", "alarms", QT_TRANSLATE_NOOP("Command", "&Alarms"), "error");
    live("view.tickets", "tickets", QT_TRANSLATE_NOOP("Command", "&Tickets"), "table");
    panel("view.jobs", "jobs", QT_TRANSLATE_NOOP("Command", "Training &jobs"), "flow", QKeySequence());                   // logs need no live source
    panel("view.isolation", "isolation", QT_TRANSLATE_NOOP("Command", "&Nodes to isolate"), "stop", QKeySequence());      // nor does acceptance
    panel("view.predictions", "predictions", QT_TRANSLATE_NOOP("Command", "Fa&ult prediction"), "pulse", QKeySequence()); // recordings, or emulated
    live("view.charts", "charts", QT_TRANSLATE_NOOP("Command", "C&harts"), "pulse");
    live("view.capacity", "capacity", QT_TRANSLATE_NOOP("Command", "Ca&pacity"), "gauge");
    live("view.bindings", "bindings", QT_TRANSLATE_NOOP("Command", "&Bindings"), "link");
    commands.push_back(std::make_unique<ZoomToAll>());
    commands.push_back(std::make_unique<SwitchTheme>());
    commands.push_back(std::make_unique<ResetLayout>());
}

} // namespace hw::app
