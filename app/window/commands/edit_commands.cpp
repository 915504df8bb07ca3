// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "app/window/dialogs/preferences_dialog.h"

#include "core/derived/impact/failing.h"
#include "core/design/edit/edits.h"
#include "core/design/edit/similar.h"
#include "views/style/format.h"
#include "views/tables/tables_panel.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>
#include <set>

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
    Face face() const override
    {
        return {"edit.find", tr("Command &palette …"),
                "find",      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                false,       {QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence::Find}};
    }
    void run(Workspace& w) override { w.openFind(); }
};

class Preferences final : public Command {
    Face face() const override { return {"edit.preferences", tr("Pre&ferences …"), "settings", QKeySequence(Qt::CTRL | Qt::Key_Comma)}; }
    void run(Workspace& w) override
    {
        auto* dialog = new PreferencesDialog(w);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
};

class ZoomToSelection final : public Command {
    Face face() const override { return {"edit.zoomSelection", tr("&Zoom to selection"), "fit", QKeySequence(Qt::CTRL | Qt::Key_E)}; }
    bool enabled(const Workspace& w) const override { return bool(w.bridge().selected()); }
    void run(Workspace& w) override { w.bridge().zoomTo(w.bridge().selected()); }
};

class ShowInTable final : public Command {
    Face face() const override { return {"edit.showInTable", tr("Show in &table"), "table", QKeySequence(Qt::CTRL | Qt::Key_J)}; }
    bool enabled(const Workspace& w) const override { return views::TablesPanel::lists(w.bridge().selected().kind); }
    void run(Workspace& w) override
    {
        w.raisePanel("tables");
        w.tables()->showEntity(w.bridge().selected());
    }
};

class SelectByFilter final : public Command {
    Face face() const override { return {"edit.selectByFilter", tr("Select by f&ilter"), "filter", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        w.raisePanel("tables");
        w.tables()->beginSelecting();
    }
};

class SelectSimilar final : public Command {
    Face face() const override { return {"edit.selectSimilar", tr("Select si&milar"), "filter", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() && w.bridge().selected(); }
    void run(Workspace& w) override
    {
        auto& bridge = w.bridge();
        std::vector<EntityRef> similar = edit::similarTo(*bridge.figures()->snapshot, bridge.selection());
        const auto first = std::ranges::find(similar, bridge.selected()); // the inspector stays where it is
        if (first != similar.end()) std::rotate(similar.begin(), first, first + 1);
        w.say(tr("%1 objects selected").arg(views::count(std::int64_t(similar.size()))));
        bridge.select(std::move(similar));
    }
};

class SelectParent final : public Command {
    Face face() const override { return {"edit.selectParent", tr("Select &parent"), "layers", QKeySequence(Qt::ALT | Qt::Key_Up)}; }
    bool enabled(const Workspace& w) const override { return bool(w.bridge().selected()); }
    void run(Workspace& w) override
    {
        const auto chain = ancestry(*w.bridge().figures()->snapshot, w.bridge().selected());
        if (chain.size() > 1) w.bridge().select(chain[chain.size() - 2]);
    }
};

class SelectNothing final : public Command {
    Face face() const override { return {"edit.selectNothing", tr("Clear &selection"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A)}; }
    void run(Workspace& w) override { w.bridge().select(EntityRef{}); }
};

class Rename final : public Command {
    Face face() const override { return {"edit.rename", tr("Re&name"), {}, QKeySequence(Qt::Key_F2)}; }
    bool enabled(const Workspace& w) const override { return edit::canRename(w.bridge().selected().kind); }
    void run(Workspace& w) override { w.beginRename(); }
};

/// Marks the ways of all cables of the selection in twin and plan, and says how many and how long they are.
class ShowCables final : public Command {
    Face face() const override { return {"edit.showCables", tr("Show &cables"), "link", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), true}; }
    bool enabled(const Workspace& w) const override { return w.bridge().cablesShown() || !w.bridge().linksOf(w.bridge().selected()).empty(); }
    bool checked(const Workspace& w) const override { return w.bridge().cablesShown(); }
    void run(Workspace& w) override
    {
        const bool show = !w.bridge().cablesShown();
        w.bridge().showCables(show);
        if (!show) return;
        if (!w.shown("twin") && !w.shown("plan")) w.setShown("twin", true);
        w.say(cablesText(w.bridge(), w.bridge().selected()));
    }
    static QString cablesText(const views::DocumentBridge& bridge, EntityRef entity)
    {
        const Figures& f = *bridge.figures();
        const Snapshot& s = *f.snapshot;
        std::set<std::uint32_t> cables;
        std::set<std::uint32_t> ends;
        const auto links = bridge.linksOf(entity);
        for (const LinkId link : links) {
            if (const auto cable = s.links.cable[link]) cables.insert((*cable).value);
            for (const PortId port : {s.links.from[link], s.links.to[link]}) ends.insert(s.ports.device[port].value);
        }
        std::int64_t total = 0, longest = 0;
        for (const std::uint32_t cable : cables) {
            const std::int64_t length = (*f.cabling)[CableId(cable)].lengthMm;
            total += length, longest = std::max(longest, length);
        }
        return views::text(i18np(std::int64_t(ends.size()), "{1}: {2} on {3}, total length {4}, longest {5}, between {0:L} device",
                                 "{1}: {2} on {3}, total length {4}, longest {5}, between {0:L} devices", bridge.nameOf(entity).toStdString(),
                                 i18np(std::int64_t(links.size()), "{:L} link", "{:L} links"),
                                 i18np(std::int64_t(cables.size()), "{:L} cable", "{:L} cables"), views::length(total).toStdString(),
                                 views::length(longest).toStdString()));
    }
};

class CopyName final : public Command {
    Face face() const override { return {"edit.copyName", tr("Cop&y name"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return bool(w.bridge().selected()); }
    void run(Workspace& w) override { QGuiApplication::clipboard()->setText(w.bridge().nameOf(w.bridge().selected())); }
};

class ShowInRack final : public Command {
    Face face() const override { return {"edit.showInRack", tr("Show in rac&k"), "rack", {}}; }
    bool enabled(const Workspace& w) const override
    {
        const auto& figures = w.bridge().figures();
        if (!figures) return false;
        return std::ranges::any_of(ancestry(*figures->snapshot, w.bridge().selected()), [](EntityRef e) { return e.kind == EntityKind::Rack; });
    }
    void run(Workspace& w) override { w.setShown("elevation", true); }
};

/// What is lost with the selection, in its panel and as colors.
class ShowImpact final : public Command {
    Face face() const override { return {"design.impact", tr("Failure i&mpact"), "warning", QKeySequence(Qt::CTRL | Qt::Key_I)}; }
    bool enabled(const Workspace& w) const override
    {
        const auto& chosen = w.bridge().selection();
        return w.bridge().figures() && !chosen.empty() && std::ranges::all_of(chosen, [](EntityRef e) { return impact::canFail(e.kind); });
    }
    void run(Workspace& w) override { w.showImpact(w.bridge().selection()); }
};

class ShowFailureImpact final : public Command {
    Face face() const override { return {"design.whatIf", tr("S&imulate failure"), "flow", {}}; }
    bool enabled(const Workspace& w) const override { return w.canTryFailure(w.bridge().selected()); }
    void run(Workspace& w) override { w.tryFailure(w.bridge().selected()); }
};

} // namespace

void addEditCommands(Commands& commands)
{
    commands.push_back(std::make_unique<Undo>());
    commands.push_back(std::make_unique<Redo>());
    commands.push_back(std::make_unique<Find>());
    commands.push_back(std::make_unique<Preferences>());
    commands.push_back(std::make_unique<ZoomToSelection>());
    commands.push_back(std::make_unique<ShowInTable>());
    commands.push_back(std::make_unique<SelectByFilter>());
    commands.push_back(std::make_unique<SelectSimilar>());
    commands.push_back(std::make_unique<SelectParent>());
    commands.push_back(std::make_unique<SelectNothing>());
    commands.push_back(std::make_unique<Rename>());
    commands.push_back(std::make_unique<ShowCables>());
    commands.push_back(std::make_unique<ShowInRack>());
    commands.push_back(std::make_unique<CopyName>());
    commands.push_back(std::make_unique<ShowImpact>());
    commands.push_back(std::make_unique<ShowFailureImpact>());
}

} // namespace hw::app
