// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session.h"
#include "core/output/exchange/formats.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <QWidget>

class QAction;

namespace hw::views {
class FabricView;
class LiveSession;
class OneLineView;
class PlanView;
class AirPanel;
class TablesPanel;
struct LiveRequest;
} // namespace hw::views

namespace hw::app {

class DocumentationDialog;

/// What was captured of the built hall: files of a format that observes.
struct Capture {
    const exchange::Importer* importer = nullptr; ///< of a registry that lives as long as the program
    std::vector<exchange::ImportSource> sources{};
};

/// What commands may ask of the window, whatever it looks like.
class Workspace {
public:
    virtual ~Workspace() = default;
    [[nodiscard]] virtual Session& session() = 0;
    [[nodiscard]] virtual const Session& session() const = 0;
    [[nodiscard]] views::DocumentBridge& bridge() { return session().bridge(); }
    [[nodiscard]] const views::DocumentBridge& bridge() const { return session().bridge(); }
    [[nodiscard]] virtual QWidget* dialogParent() = 0;
    virtual void say(const QString& text, bool problem = false) = 0;

    [[nodiscard]] virtual views::ThemeKind themeKind() const = 0;
    virtual void setTheme(views::ThemeKind kind) = 0;
    [[nodiscard]] virtual QString currency() const = 0;          ///< in which sums are shown; empty: as in the project
    virtual void setCurrency(const QString& code) = 0;           ///< kept for the next start
    virtual void setUnits(const UnitPreference& preference) = 0; ///< kept for the next start
    [[nodiscard]] virtual std::string overlay() const = 0;       ///< a name of core/operations/overlays/overlays.h
    virtual void setOverlay(const std::string& overlay) = 0;
    /// Panels and panes by name: "tree", "inspector", "catalog", "budgets", "findings", "proof", "impact", "scenario", "air", "bom", "headroom",
    /// "tables", "history", "asbuilt", "deviations", "alarms", "jobs", "isolation", "bindings", "charts", "capacity", "twin", "plan", "elevation",
    /// "fabric", "power", "cooling", "interconnects".
    [[nodiscard]] virtual bool shown(const QString& panel) const = 0;
    virtual void setShown(const QString& panel, bool shown) = 0;
    virtual void raisePanel(const QString& panel) = 0;
    virtual void resetLayout() = 0;
    virtual void zoomToAll() = 0;
    [[nodiscard]] virtual bool startShown() const = 0; ///< the start page covers the views
    virtual void showStart(bool shown) = 0;
    virtual void openFind() = 0;
    virtual DocumentationDialog* showDocumentation() = 0;                ///< opens it, or brings it to the front
    virtual void showGuide() = 0;                                        ///< the page of the guide for what has the focus
    virtual void beginRename() = 0;                                      ///< of what is selected, in the inspector
    virtual void editValues() = 0;                                       ///< of what is selected, in the inspector
    virtual void tryFailure(EntityRef entity) = 0;                       ///< simulates its loss and shows the result
    virtual void showImpact(const std::vector<EntityRef>& entities) = 0; ///< what is lost when they fail together
    virtual void showTier(int tier) = 0;                                 ///< the check for Tier III or IV, in the findings
    [[nodiscard]] virtual bool canTryFailure(EntityRef entity) const = 0;
    [[nodiscard]] virtual std::vector<QAction*> allActions() const = 0; ///< of all commands, in the order of the menus
    virtual void runScenario() = 0;
    [[nodiscard]] virtual QImage picture(const QString& pane) = 0; ///< of "twin", "plan", "elevation", "fabric", "power", "cooling" as shown
    [[nodiscard]] virtual views::FabricView* fabric() = 0;
    [[nodiscard]] virtual views::OneLineView* power() = 0;
    [[nodiscard]] virtual views::OneLineView* cooling() = 0;
    [[nodiscard]] virtual views::PlanView* plan() = 0;
    [[nodiscard]] virtual const views::PlanView* plan() const = 0;
    [[nodiscard]] virtual views::TablesPanel* tables() = 0;
    [[nodiscard]] virtual const views::AirPanel* air() const = 0;
    [[nodiscard]] virtual views::LiveSession& live() = 0; ///< the hall that is followed
    [[nodiscard]] virtual const views::LiveSession& live() const = 0;
    virtual void follow(const views::LiveRequest& request) = 0;
    virtual void judgeByScenario(bool on) = 0;                            ///< compares link loads with the scenario of the simulator; false: ends it
    virtual void locateFault(const std::vector<EntityRef>& entities) = 0; ///< causes of their poor performance
    virtual void compareAsBuilt(Capture capture) = 0;                     ///< shows how what was captured differs from the design; nothing is kept
    virtual void showKept() = 0;                                          ///< the same of what the project keeps
    /// Opens the rules that bind channels; with a rule begun for a channel, if one is named.
    virtual void editBindingRules(const QString& channel = {}, const QString& unit = {}) = 0;
    /// Asks what to do with unsaved changes; false = the user wants to stay.
    [[nodiscard]] virtual bool mayLeave() = 0;
    virtual void quit() = 0;
};

} // namespace hw::app
