// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"

namespace hw::app {
namespace {

QString named(const QString& verb, const std::string& name) { return name.empty() ? verb : verb + ": " + QString::fromStdString(name); }

class Undo final : public Command {
    Face face() const override { return {"edit.undo", tr("&Undo"), "undo", QKeySequence::Undo}; }
    bool enabled(const Workspace& w) const override { return w.bridge().document().canUndo() && !w.bridge().previewing(); }
    QString title(const Workspace& w) const override { return named(tr("&Undo"), w.bridge().document().undoName()); }
    void run(Workspace& w) override { w.bridge().undo(); }
};

class Redo final : public Command {
    Face face() const override { return {"edit.redo", tr("&Redo"), "redo", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)}; }
    bool enabled(const Workspace& w) const override { return w.bridge().document().canRedo() && !w.bridge().previewing(); }
    QString title(const Workspace& w) const override { return named(tr("&Redo"), w.bridge().document().redoName()); }
    void run(Workspace& w) override { w.bridge().redo(); }
};

class Find final : public Command {
    Face face() const override { return {"edit.find", tr("&Find …"), "find", QKeySequence::Find}; }
    void run(Workspace& w) override { w.openFind(); }
};

class ZoomToSelection final : public Command {
    Face face() const override { return {"edit.zoomSelection", tr("&Zoom to selection"), "fit", QKeySequence(Qt::CTRL | Qt::Key_E)}; }
    bool enabled(const Workspace& w) const override { return bool(w.bridge().selected()); }
    void run(Workspace& w) override { w.bridge().zoomTo(w.bridge().selected()); }
};

class SelectParent final : public Command {
    Face face() const override { return {"edit.selectParent", tr("Select what &holds it"), "layers", QKeySequence(Qt::ALT | Qt::Key_Up)}; }
    bool enabled(const Workspace& w) const override { return bool(w.bridge().selected()); }
    void run(Workspace& w) override
    {
        const auto chain = ancestry(*w.bridge().figures()->snapshot, w.bridge().selected());
        if (chain.size() > 1) w.bridge().select(chain[chain.size() - 2]);
    }
};

class SelectNothing final : public Command {
    Face face() const override { return {"edit.selectNothing", tr("Select &nothing"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)}; }
    void run(Workspace& w) override { w.bridge().select(EntityRef{}); }
};

} // namespace

void addEditCommands(Commands& commands)
{
    commands.push_back(std::make_unique<Undo>());
    commands.push_back(std::make_unique<Redo>());
    commands.push_back(std::make_unique<Find>());
    commands.push_back(std::make_unique<ZoomToSelection>());
    commands.push_back(std::make_unique<SelectParent>());
    commands.push_back(std::make_unique<SelectNothing>());
}

} // namespace hw::app
