// SPDX-License-Identifier: GPL-3.0-or-later
// Cut, copy and paste of objects, within a project and between two, also of two windows.
#include "app/window/commands/command.h"

#include "core/design/edit/clip.h"
#include "core/design/edit/lookup.h"
#include "views/plan/plan_view.h"
#include "views/style/format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>

namespace hw::app {
namespace {

constexpr const char* kMime = "application/x-hallwright-objects";

bool canTake(const Workspace& w)
{
    const auto& figures = w.bridge().figures();
    const auto& selection = w.bridge().selection();
    return figures && !selection.empty() && !w.bridge().previewing() &&
           std::ranges::all_of(selection, [&](EntityRef e) { return edit::canClip(*figures->snapshot, e); });
}

QString namesOf(const views::DocumentBridge& bridge)
{
    QStringList names;
    for (const EntityRef e : bridge.selection()) names << bridge.nameOf(e);
    return names.join('\n');
}

/// Puts the selection on the clipboard; a worker collects it, for it may be a hall.
void take(Workspace& w, std::function<void()> then = {})
{
    auto& bridge = w.bridge();
    const auto n = std::int64_t(bridge.selection().size());
    bridge.jobs().start<Result<std::string>>(
        "clipboard", QCoreApplication::translate("Command", "Copying"),
        [design = bridge.snapshot(), things = bridge.selection()](const Progress&) -> Result<std::string> {
            return edit::clipOf(design, things).and_then([](const edit::Clip& clip) { return edit::clipBytes(clip); });
        },
        [&w, n, names = namesOf(bridge), then = std::move(then)](const Result<std::string>& bytes) {
            if (!bytes) return w.bridge().report(bytes.error());
            auto* data = new QMimeData;
            data->setData(kMime, QByteArray::fromStdString(*bytes));
            data->setText(names);
            QGuiApplication::clipboard()->setMimeData(data);
            if (then) return then();
            w.say(views::text(i18np(n, "Copied {:L} object", "Copied {:L} objects")));
        });
}

class CopyObjects final : public Command {
    Face face() const override { return {"edit.clipboardCopy", tr("&Copy"), {}, QKeySequence::Copy}; }
    bool enabled(const Workspace& w) const override { return canTake(w); }
    void run(Workspace& w) override { take(w); }
};

class CutObjects final : public Command {
    Face face() const override { return {"edit.clipboardCut", tr("Cu&t"), {}, QKeySequence::Cut}; }
    bool enabled(const Workspace& w) const override { return canTake(w); }
    void run(Workspace& w) override
    {
        take(w, [&w, things = w.bridge().selection()] {
            const QString name = views::text(i18np(std::int64_t(things.size()), "Cut {:L} object", "Cut {:L} objects"));
            (void)w.bridge().edit(name, [&](Transaction& t) -> Result<void> {
                edit::Lookup lookup(t.preview());
                const auto removed = edit::remove(t, lookup, things);
                return removed ? Result<void>() : tl::unexpected(removed.error());
            });
        });
    }
};

class PasteObjects final : public Command {
    Face face() const override { return {"edit.clipboardPaste", tr("&Paste"), {}, QKeySequence::Paste}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr && !w.bridge().previewing(); }
    void run(Workspace& w) override
    {
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        const std::string bytes = data && data->hasFormat(kMime) ? data->data(kMime).toStdString() : std::string();
        if (bytes.empty()) return w.say(tr("No objects on the clipboard"), true);
        w.bridge().editInWorker<edit::Copied>(
            tr("Paste"),
            [bytes, target = targetOf(w)](Transaction& t, const Progress&) -> Result<edit::Copied> {
                const auto clip = edit::readClip(bytes);
                if (!clip) return tl::unexpected(clip.error());
                edit::Lookup lookup(t.preview());
                return edit::paste(t, lookup, *clip, target);
            },
            [&w](const Result<edit::Copied>& done) {
                if (!done) return w.bridge().report(done.error());
                w.bridge().select(done->copies);
                w.say(tr("Pasted %1").arg(views::text(done->made.text())));
            });
    }
    /// Under the cursor where it is over the plan; else where the objects stood, in what is selected.
    static edit::PasteTarget targetOf(Workspace& w)
    {
        edit::PasteTarget target;
        if (w.bridge().selected()) target.otherwise = w.bridge().selected();
        const auto at = w.shown("plan") ? w.plan()->cursor() : std::nullopt;
        if (!at) return target;
        const QPointF mm = w.plan()->camera().toWorld(*at);
        target.at = edit::PlanPoint{std::llround(mm.x() / 10) * 10, std::llround(mm.y() / 10) * 10};
        if (const EntityRef under = w.plan()->entityAt(*at)) target.into = under;
        return target;
    }
};

} // namespace

void addClipboardCommands(Commands& commands)
{
    commands.push_back(std::make_unique<CutObjects>());
    commands.push_back(std::make_unique<CopyObjects>());
    commands.push_back(std::make_unique<PasteObjects>());
}

} // namespace hw::app
