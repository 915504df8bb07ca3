// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/commands/command.h"
#include "views/live/connect_dialog.h"
#include "views/live/live_session.h"

#include <QFileDialog>
#include <QFileInfo>

#include <algorithm>

namespace hw::app {
namespace {

using views::LiveRequest;
using views::LiveSession;

class Connect final : public Command {
    Face face() const override { return {"live.connect", tr("&Connect …"), "pulse", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        auto* dialog = new views::ConnectDialog(w.dialogParent());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        constexpr std::int64_t kDayMs = 24LL * 3600 * 1000;
        const auto kept = following::retentionOf(*w.bridge().snapshot());
        dialog->setRetention(int(kept.rawMs / kDayMs), int(kept.minutesMs / kDayMs));
        QObject::connect(dialog, &QDialog::accepted, dialog, [dialog, &w] { w.follow(dialog->request()); });
        dialog->open();
    }
};

class OpenRecording final : public Command {
    Face face() const override { return {"live.recording", tr("Open &recording …"), "history", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override
    {
        const QString file = QFileDialog::getOpenFileName(w.dialogParent(), tr("Open recording"), QFileInfo(w.session().path()).path(),
                                                          tr("Recordings (*.jsonl *.jsonl.zst *.csv *.prom *.txt);;All files (*)"));
        if (file.isEmpty()) return;
        LiveRequest request;
        request.kind = LiveRequest::Kind::Recording;
        request.url = file.toStdString();
        w.follow(request);
    }
};

class EditRules final : public Command {
    Face face() const override { return {"live.rules", tr("Binding &rules …"), "link", {}}; }
    bool enabled(const Workspace& w) const override { return w.bridge().figures() != nullptr; }
    void run(Workspace& w) override { w.editBindingRules(); }
};

class Disconnect final : public Command {
    Face face() const override { return {"live.disconnect", tr("&Disconnect"), "stop", {}}; }
    bool enabled(const Workspace& w) const override { return w.live().state() != LiveSession::State::Off; }
    void run(Workspace& w) override { w.live().close(); }
};

class GoLive final : public Command {
    Face face() const override { return {"live.now", tr("Return to &live"), "ok", QKeySequence(Qt::CTRL | Qt::Key_End)}; }
    bool enabled(const Workspace& w) const override { return w.live().on() && w.live().mode() != LiveSession::Mode::Live; }
    void run(Workspace& w) override { w.live().goLive(); }
};

class Pause final : public Command {
    Face face() const override { return {"live.pause", tr("&Pause playback here"), "pause", {}}; }
    bool enabled(const Workspace& w) const override { return w.live().on() && w.live().mode() != LiveSession::Mode::Still; }
    void run(Workspace& w) override { w.live().pause(); }
};

class Compare final : public Command {
    Face face() const override { return {"live.compare", tr("C&ompare with this moment"), "split", {}, true}; }
    bool enabled(const Workspace& w) const override { return w.live().on(); }
    bool checked(const Workspace& w) const override { return w.live().comparedMs().has_value(); }
    void run(Workspace& w) override { w.live().compare(checked(w) ? std::nullopt : std::optional(w.live().wantedMs())); }
};

class CompareWithScenario final : public Command {
    Face face() const override { return {"live.simulated", tr("&Compare link load with scenario"), "gauge", {}, true}; }
    bool enabled(const Workspace& w) const override { return w.live().on(); }
    bool checked(const Workspace& w) const override { return !w.live().simulatedBy().isEmpty(); }
    void run(Workspace& w) override { w.judgeByScenario(!checked(w)); }
};

class LocateFault final : public Command {
    Face face() const override { return {"live.locate", tr("Locate &fault"), "find", {}}; }
    bool enabled(const Workspace& w) const override
    {
        return w.live().on() && std::ranges::any_of(w.bridge().selection(), [](EntityRef e) {
                   return e.kind == EntityKind::Device || e.kind == EntityKind::Port || e.kind == EntityKind::Link || e.kind == EntityKind::Cable ||
                          e.kind == EntityKind::Rack || e.kind == EntityKind::Row;
               });
    }
    void run(Workspace& w) override { w.locateFault(w.bridge().selection()); }
};

} // namespace

void addLiveCommands(Commands& commands)
{
    commands.push_back(std::make_unique<Connect>());
    commands.push_back(std::make_unique<OpenRecording>());
    commands.push_back(std::make_unique<EditRules>());
    commands.push_back(std::make_unique<Disconnect>());
    commands.push_back(std::make_unique<GoLive>());
    commands.push_back(std::make_unique<Pause>());
    commands.push_back(std::make_unique<Compare>());
    commands.push_back(std::make_unique<CompareWithScenario>());
    commands.push_back(std::make_unique<LocateFault>());
}

} // namespace hw::app
