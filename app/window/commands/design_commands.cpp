// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/acceptance_dialog.h"
#include "app/window/dialogs/compare_dialog.h"
#include "app/window/dialogs/demand_dialog.h"
#include "app/window/dialogs/explore_dialog.h"
#include "app/window/dialogs/layout_dialog.h"
#include "app/window/dialogs/netbox_compare_dialog.h"
#include "app/window/dialogs/parameters_dialog.h"
#include "app/window/dialogs/phase_dialog.h"
#include "app/window/dialogs/prices_dialog.h"
#include "app/window/dialogs/settings_dialog.h"
#include "app/window/dialogs/size_dialog.h"
#include "core/design/sizing/into_hall.h"

#include <QPointer>

namespace hw::app {
namespace {

class ChangeParameters final : public Command {
    Face face() const override { return {"design.parameters", tr("Template &parameters …"), "settings", QKeySequence(Qt::CTRL | Qt::Key_T)}; }
    bool enabled(const Workspace& w) const override { return w.session().hasLibrary() && w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        auto dialog = ParametersDialog::forOpenDesign(w.session(), w.dialogParent());
        if (!dialog) return w.bridge().report(dialog.error());
        (*dialog)->setAttribute(Qt::WA_DeleteOnClose);
        (*dialog)->open();
    }
};

class RunScenario final : public Command {
    Face face() const override { return {"design.simulate", tr("&Simulate"), "play", QKeySequence(Qt::Key_F5)}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        w.raisePanel("scenario");
        w.runScenario();
    }
};

class SimulateAir final : public Command {
    Face face() const override { return {"design.air", tr("Simulate air &of a hall"), "cooling", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override { w.raisePanel("air"); }
};

class AssignPhase final : public Command {
    Face face() const override { return {"design.phase", tr("Assign p&hase …"), "layers", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr && !w.bridge().previewing(); }
    void run(Workspace& w) override
    {
        auto* dialog = new PhaseDialog(w.bridge(), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
};

class CheckTier final : public Command {
public:
    CheckTier(const char* id, const char* title, int tier) : m_id(id), m_title(title), m_tier(tier) {}
    Face face() const override { return {m_id, tr(m_title), "ok", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override { w.showTier(m_tier); }

private:
    const char *m_id, *m_title;
    int m_tier;
};

class JudgeAcceptance final : public Command {
    Face face() const override { return {"design.acceptance", tr("&Acceptance gates …"), "ok", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        auto* dialog = new AcceptanceDialog(w.bridge(), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
};

class SizeFabric final : public Command {
    Face face() const override { return {"design.size", tr("Si&ze a fabric …"), "network", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N)}; }
    bool enabled(const Workspace& w) const override { return w.session().hasLibrary(); }
    void run(Workspace& w) override
    {
        auto* dialog = new SizeDialog(w.session(), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        QObject::connect(dialog, &SizeDialog::createRequested, dialog, [dialog, &w](const QString& name, const ParameterValues& values) {
            const Template* design = w.session().library().find(name.toStdString());
            if (!design || !w.mayLeave()) return;
            w.session().startDesign(*design, values);
            dialog->accept();
        });
        QObject::connect(dialog, &SizeDialog::placementRequested, dialog,
                         [dialog, &w](const QString& hall, const sizing::SizedDesign& design, const sizing::SizeLimits& limits) {
                             if (hall.isEmpty() ? putIntoNewHall(w, design, limits) : putIntoHall(w, hall, design, limits)) dialog->accept();
                         });
        dialog->open();
    }

private:
    /// The layout of a sized design, ready to start.
    static void openLayout(Workspace& w, const QString& hall, const sizing::SizedDesign& design)
    {
        auto* layout = new LayoutDialog(w.session(), w.dialogParent());
        layout->setAttribute(Qt::WA_DeleteOnClose);
        (void)layout->propose(hall, design.templateName, design.parameters);
        layout->open();
    }

    static bool putIntoHall(Workspace& w, const QString& name, const sizing::SizedDesign& design, const sizing::SizeLimits& limits)
    {
        const auto hall = fitting::hallFor(*w.bridge().snapshot(), name.toStdString());
        if (!hall) {
            w.bridge().report(hall.error());
            return false;
        }
        if (sizing::limitsHall(*w.bridge().snapshot(), *hall, limits, design.pue)) {
            const auto limited = w.bridge().edit(tr("Power limit of %1").arg(name), [&](Transaction& t) -> Result<void> {
                sizing::limitHall(*t, *hall, limits, design.pue);
                return {};
            });
            if (!limited) return false;
        }
        openLayout(w, name, design);
        return true;
    }

    static bool putIntoNewHall(Workspace& w, const sizing::SizedDesign& design, const sizing::SizeLimits& limits)
    {
        auto site = sizing::siteWithHall(limits, design.pue);
        if (!site) {
            w.bridge().report(site.error());
            return false;
        }
        if (!w.mayLeave()) return false;
        const QString hall = QString::fromStdString((*site)->halls.name[(*site)->halls.ids().front()]);
        QObject::connect(
            &w.session(), &Session::opened, w.dialogParent(),
            [&w, hall, design] {
                const Snapshot& s = *w.bridge().snapshot();
                if (s.halls.size() == 1 && s.devices.size() == 0) openLayout(w, hall, design); // else something else was opened meanwhile
            },
            Qt::SingleShotConnection);
        w.session().startWith(std::move(*site));
        w.setShown("plan", true);
        return true;
    }
};

/// Dialogs about the open design.
template <class Dialog>
class About final : public Command {
public:
    About(const char* id, const char* title, const char* icon) : m_id(id), m_title(title), m_icon(icon) {}

private:
    Face face() const override { return {m_id, tr(m_title), m_icon, {}}; }
    bool enabled(const Workspace& w) const override { return w.session().hasLibrary() && w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        auto* dialog = new Dialog(w.session(), w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
    const char *m_id, *m_title, *m_icon;
};

/// Stays beside the window, which shows what its rows are about.
class CompareNetbox final : public Command {
    Face face() const override { return {"design.netbox", tr("Compare with &NetBox …"), "link", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        if (!m_dialog) {
            m_dialog = new NetboxCompareDialog(w.session(), w.dialogParent());
            m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        }
        m_dialog->show();
        m_dialog->raise();
        m_dialog->activateWindow();
    }
    QPointer<NetboxCompareDialog> m_dialog;
};

/// Stays beside the window, which shows the design that was opened last.
class ExploreDesigns final : public Command {
    Face face() const override { return {"design.explore", tr("E&xplore designs …"), "network", {}}; }
    bool enabled(const Workspace& w) const override { return w.session().hasLibrary(); }
    void run(Workspace& w) override
    {
        if (!m_dialog) {
            m_dialog = new ExploreDialog(w.session(), w.dialogParent());
            m_dialog->setAttribute(Qt::WA_DeleteOnClose);
            QObject::connect(m_dialog, &ExploreDialog::openRequested, m_dialog, [&w](const QString& name, const ParameterValues& values) {
                const Template* design = w.session().library().find(name.toStdString());
                if (design && w.mayLeave()) w.session().startDesign(*design, values);
            });
        }
        m_dialog->show();
        m_dialog->raise();
        m_dialog->activateWindow();
    }
    QPointer<ExploreDialog> m_dialog;
};

} // namespace

void addDesignCommands(Commands& commands)
{
    commands.push_back(std::make_unique<ChangeParameters>());
    commands.push_back(std::make_unique<About<LayoutDialog>>("design.layout", QT_TRANSLATE_NOOP("Command", "&Lay out in existing hall …"), "rack"));
    commands.push_back(
        std::make_unique<About<SettingsDialog>>("design.settings", QT_TRANSLATE_NOOP("Command", "Site and project se&ttings …"), "settings"));
    commands.push_back(std::make_unique<About<PricesDialog>>("design.prices", QT_TRANSLATE_NOOP("Command", "P&rices …"), "table"));
    commands.push_back(std::make_unique<RunScenario>());
    commands.push_back(std::make_unique<SimulateAir>());
    commands.push_back(std::make_unique<AssignPhase>());
    commands.push_back(std::make_unique<CheckTier>("design.tier3", QT_TRANSLATE_NOOP("Command", "Tier III chec&k"), 3));
    commands.push_back(std::make_unique<CheckTier>("design.tier4", QT_TRANSLATE_NOOP("Command", "Tier I&V check"), 4));
    commands.push_back(std::make_unique<JudgeAcceptance>());
    commands.push_back(std::make_unique<SizeFabric>());
    commands.push_back(std::make_unique<ExploreDesigns>());
    commands.push_back(std::make_unique<About<DemandDialog>>("design.demand", QT_TRANSLATE_NOOP("Command", "Capacity &forecast …"), "gauge"));
    commands.push_back(std::make_unique<About<CompareDialog>>("design.compare", QT_TRANSLATE_NOOP("Command", "&Compare with …"), "split"));
    commands.push_back(std::make_unique<CompareNetbox>());
}

} // namespace hw::app
