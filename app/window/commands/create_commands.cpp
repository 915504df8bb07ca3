// SPDX-License-Identifier: GPL-3.0-or-later
// Making and taking away, on what is selected: for the Edit menu and the menu of tree, plan, twin, elevation and fabric.
#include "app/window/commands/command.h"

#include "app/window/dialogs/array_dialog.h"
#include "app/window/dialogs/connect_ports_dialog.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/fields.h"
#include "core/design/edit/lookup.h"
#include "views/plan/plan_view.h"

#include <QInputDialog>

#include <set>

namespace hw::app {
namespace {

class AddHere final : public Command {
    Face face() const override { return {"edit.add", tr("&Add …"), {}, QKeySequence(Qt::Key_Insert)}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        w.setShown("catalog", true);
        w.raisePanel("catalog");
    }
};

class EditValues final : public Command {
    Face face() const override { return {"edit.values", tr("Edit &properties"), {}, QKeySequence(Qt::Key_F4)}; }
    bool enabled(const Workspace& w) const override { return !edit::fieldsOf(w.bridge().selected().kind).empty(); }
    void run(Workspace& w) override { w.editValues(); }
};

class Remove final : public Command {
    Face face() const override { return {"edit.remove", tr("&Delete"), {}, QKeySequence::Delete}; }
    bool enabled(const Workspace& w) const override { return bool(w.bridge().selected()) && !w.bridge().previewing(); }
    void run(Workspace& w) override
    {
        auto& bridge = w.bridge();
        const std::vector<EntityRef> entities = bridge.selection();
        const QString what = entities.size() > 1 ? tr("%1 objects").arg(entities.size()) : bridge.nameOf(entities.front());
        edit::RowCount gone;
        const auto done = bridge.edit(tr("Delete %1").arg(what), [&](Transaction& t) -> Result<void> {
            edit::Lookup lookup(t.preview());
            const auto removed = edit::remove(t, lookup, entities);
            if (!removed) return tl::unexpected(removed.error());
            gone = *removed;
            return {};
        });
        if (done) w.say(tr("Deleted %1").arg(QString::fromStdString(words(gone.text()))));
    }
};

class Copy final : public Command {
    Face face() const override { return {"edit.copy", tr("D&uplicate"), {}, QKeySequence(Qt::CTRL | Qt::Key_D)}; }
    bool enabled(const Workspace& w) const override { return edit::canCopy(w.bridge().selected().kind) && !w.bridge().previewing(); }
    void run(Workspace& w) override
    {
        auto& bridge = w.bridge();
        const EntityRef original = bridge.selected();
        edit::RowCount made;
        const auto done = bridge.edit(tr("Duplicate %1").arg(bridge.nameOf(original)), [&](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            if (!parts) return tl::unexpected(parts.error());
            edit::Lookup lookup(t.preview());
            const auto copied = edit::copy(t, **parts, lookup, original, {});
            if (!copied) return tl::unexpected(copied.error());
            made = copied->made;
            return {};
        });
        if (done) w.say(tr("Created %1").arg(QString::fromStdString(words(made.text()))));
    }
};

class Retype final : public Command {
    Face face() const override { return {"edit.retype", tr("Change &type …"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return kindOf(w.bridge().selected()).has_value() && !w.bridge().previewing(); }
    void run(Workspace& w) override
    {
        auto& bridge = w.bridge();
        const EntityRef entity = bridge.selected();
        const auto catalog = w.session().library().catalog;
        bool ok = false;
        const QString slug = QInputDialog::getItem(w.dialogParent(), tr("Change type"), tr("New type of %1").arg(bridge.nameOf(entity)),
                                                   slugs(*bridge.snapshot(), catalog.get(), *kindOf(entity)), 0, false, &ok);
        if (!ok) return;
        edit::RowCount gone; // links that its ports do not take are taken out, as by Remove: said, and undone with it
        const auto done = bridge.edit(tr("Change type of %1 to %2").arg(bridge.nameOf(entity), slug), [&](Transaction& t) -> Result<void> {
            const auto parts = ProjectParts::of(t->partTypes);
            if (!parts) return tl::unexpected(parts.error());
            edit::Lookup lookup(t.preview());
            const edit::PartSource source = [&](const std::string& wanted) { return catalog ? catalog->find(wanted) : nullptr; };
            const auto made = edit::retype(t, **parts, lookup, source, entity, slug.toStdString(), true);
            if (!made) return tl::unexpected(made.error());
            gone = *made;
            return {};
        });
        if (done && gone.of(EntityKind::Link) > 0) w.say(tr("Deleted %1").arg(QString::fromStdString(words(gone.text()))));
    }
    static std::optional<PartKind> kindOf(EntityRef entity)
    {
        if (entity.kind == EntityKind::Rack) return PartKind::Rack;
        if (entity.kind == EntityKind::Tray) return PartKind::Tray;
        if (entity.kind == EntityKind::Device) return PartKind::Device;
        return std::nullopt;
    }
    static QStringList slugs(const Snapshot& s, const Catalog* catalog, PartKind kind)
    {
        std::set<std::string> all;
        s.partTypes.forEach([&](PartTypeId id) {
            if (s.partTypes.kind[id] == kind) all.insert(s.partTypes.slug[id]);
        });
        if (catalog)
            for (const auto& [slug, part] : catalog->parts(kind)) all.insert(slug);
        QStringList result;
        for (const auto& slug : all) result << QString::fromStdString(slug);
        return result;
    }
};

class ArrayOfCopies final : public Command {
    Face face() const override { return {"edit.array", tr("A&rray …"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)}; }
    bool enabled(const Workspace& w) const override { return ArrayDialog::allowed(w.bridge()); }
    void run(Workspace& w) override { ArrayDialog(w.bridge(), w.dialogParent()).exec(); }
};

class ConnectPorts final : public Command {
    Face face() const override { return {"edit.connect", tr("Connect &ports …"), "link", QKeySequence(Qt::CTRL | Qt::Key_L)}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr && !w.bridge().previewing(); }
    void run(Workspace& w) override { ConnectPortsDialog(w.bridge(), w.dialogParent()).exec(); }
};

/// Draws in the plan with one tool, until Escape.
class DrawInPlan final : public Command {
public:
    DrawInPlan(const char* id, const char* title, views::DrawTool tool, QKeySequence shortcut)
        : m_id(id), m_title(title), m_tool(tool), m_shortcut(std::move(shortcut))
    {
    }
    Face face() const override { return {m_id, tr(m_title), {}, m_shortcut, true}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr && !w.bridge().previewing(); }
    bool checked(const Workspace& w) const override { return w.plan()->draw().tool() == m_tool; }
    void run(Workspace& w) override
    {
        const bool on = !checked(w);
        if (on && !w.shown("plan")) w.setShown("plan", true);
        w.plan()->setTool(on ? m_tool : views::DrawTool::None);
        if (on) w.say(tr("Press at the first point and drag, or click two points; type a size such as 30 x 20 or 12.5 m; Esc ends drawing"));
    }

private:
    const char *m_id, *m_title;
    views::DrawTool m_tool;
    QKeySequence m_shortcut;
};

/// Takes out the links of the selected ports, links and cables.
class DisconnectPorts final : public Command {
    Face face() const override { return {"edit.disconnect", tr("Disconnec&t"), {}, {}}; }
    bool enabled(const Workspace& w) const override { return !w.bridge().previewing() && !linksOf(w.bridge()).empty(); }
    void run(Workspace& w) override
    {
        auto& bridge = w.bridge();
        const auto links = linksOf(bridge);
        const auto n = std::int64_t(links.size());
        const QString name = QString::fromStdString(words(i18np(n, "Disconnect {:L} link", "Disconnect {:L} links")));
        const auto done = bridge.edit(name, [&](Transaction& t) -> Result<void> {
            for (const LinkId link : links)
                if (const auto taken = edit::disconnect(t, link); !taken) return taken;
            return {};
        });
        if (done) w.say(QString::fromStdString(words(i18np(n, "Disconnected {:L} link", "Disconnected {:L} links"))));
    }
    static std::set<LinkId> linksOf(const views::DocumentBridge& bridge)
    {
        std::set<LinkId> links;
        for (const EntityRef entity : bridge.selection()) {
            if (entity.kind != EntityKind::Port && entity.kind != EntityKind::Link && entity.kind != EntityKind::Cable) return {};
            for (const LinkId link : bridge.linksOf(entity)) links.insert(link);
        }
        return links;
    }
};

} // namespace

void addCreateCommands(Commands& commands)
{
    commands.push_back(std::make_unique<AddHere>());
    commands.push_back(std::make_unique<EditValues>());
    commands.push_back(std::make_unique<Copy>());
    commands.push_back(std::make_unique<ArrayOfCopies>());
    commands.push_back(std::make_unique<ConnectPorts>());
    commands.push_back(std::make_unique<DisconnectPorts>());
    const auto draw = [&](auto... arguments) { commands.push_back(std::make_unique<DrawInPlan>(arguments...)); };
    using views::DrawTool;
    draw("draw.building", QT_TRANSLATE_NOOP("Command", "Draw &building"), DrawTool::Building, QKeySequence());
    draw("draw.hall", QT_TRANSLATE_NOOP("Command", "Draw &room"), DrawTool::Hall, QKeySequence());
    draw("draw.wall", QT_TRANSLATE_NOOP("Command", "Draw &walls"), DrawTool::Wall, QKeySequence());
    draw("draw.column", QT_TRANSLATE_NOOP("Command", "Draw &column"), DrawTool::Column, QKeySequence());
    draw("draw.door", QT_TRANSLATE_NOOP("Command", "Draw &door"), DrawTool::Door, QKeySequence());
    draw("draw.keepOut", QT_TRANSLATE_NOOP("Command", "Draw &keep-out area"), DrawTool::KeepOut, QKeySequence());
    commands.push_back(std::make_unique<Retype>());
    commands.push_back(std::make_unique<Remove>());
}

} // namespace hw::app
