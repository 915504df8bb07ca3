// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/parameters_dialog.h"

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

} // namespace

void addDesignCommands(Commands& commands)
{
    commands.push_back(std::make_unique<ChangeParameters>());
    commands.push_back(std::make_unique<RunScenario>());
}

} // namespace hw::app
