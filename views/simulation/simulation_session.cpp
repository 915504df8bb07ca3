// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/simulation_session.h"

#include "simulation/batch/slurm_sweep.h"
#include "simulation/fabric/hottest_links.h"
#include "views/simulation/what_if.h"

#include <algorithm>

namespace hw::views {

namespace {

constexpr int kFrameMs = 40;

} // namespace

SimulationSession::SimulationSession(DocumentBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    m_timer.setInterval(kFrameMs);
    connect(&m_timer, &QTimer::timeout, this, &SimulationSession::onTick);
    connect(&bridge, &DocumentBridge::documentChanged, this, &SimulationSession::onDocument);
    connect(&bridge, &DocumentBridge::phaseChanged, this, &SimulationSession::restand);
}

bool SimulationSession::busy() const { return m_bridge.jobs().busy("simulation"); }
void SimulationSession::cancel() { m_bridge.jobs().cancelSlot("simulation"); }
bool SimulationSession::drawn() const { return m_answer && m_asked && m_answer->design.snapshot == m_asked && m_standing != AnswerState::Other; }
const sim::Playback* SimulationSession::playback() const { return m_answer && m_answer->playback ? m_answer->playback.get() : nullptr; }
std::size_t SimulationSession::frame() const { return m_frame == kPeaks && playback() ? playback()->frames.size() - 1 : m_frame; }

void SimulationSession::run(sim::ScenarioRequest request, std::optional<sim::SlurmPoints> slurm)
{
    const auto figures = m_bridge.figures();
    if (!figures) return;
    const sim::ScenarioDesign design{figures->snapshot, figures->parts};
    const QString name = QString::fromStdString(request.name);
    m_bridge.jobs().start<Result<sim::ScenarioAnswer>>(
        "simulation", slurm ? tr("Simulating on Slurm: %1").arg(name) : tr("Simulating: %1").arg(name),
        [request = std::move(request), design, slurm = std::move(slurm)](const Progress& progress) {
            return slurm ? sim::runOnSlurm(request, design, *slurm, progress) : sim::runRequest(request, design, {}, progress);
        },
        [this, asked = figures->snapshot](Result<sim::ScenarioAnswer> answer) {
            if (answer)
                adopt(std::move(*answer), asked);
            else if (answer.error().code != ErrorCode::Canceled)
                m_bridge.report(answer.error());
        });
}

void SimulationSession::adopt(sim::ScenarioAnswer answer, const SnapshotPtr& asked)
{
    play(false);
    m_answer = std::make_shared<const sim::ScenarioAnswer>(std::move(answer));
    m_asked = m_answer->document.contains("workload") ? asked : nullptr;
    m_content = m_asked ? designFingerprint(*m_asked) : 0;
    m_sameDocument = true; // opening another project cancels what is being worked out
    m_standing = standingNow();
    m_position = 0;
    m_frame = m_loadsFrame = kNoFrame;
    if (m_store) {
        if (const auto stored = m_store->add(m_answer->document); !stored) m_bridge.report(stored.error());
        refreshKept();
    }
    reshow();
    emit answerChanged();
    emit positionChanged();
    emit loadsShown(m_bridge.flows() != nullptr);
}

void SimulationSession::reshow()
{
    if (drawn() && playback() && !playback()->frames.empty())
        setPosition(m_position); // bars alone move no loads
    else if (drawn() && m_answer->flows)
        m_bridge.setFlows(m_answer->flows, mark(m_answer->flows->scenarioName, false));
    else
        m_bridge.setFlows(nullptr);
}

void SimulationSession::clear()
{
    play(false);
    m_answer = nullptr;
    m_asked = nullptr;
    m_standing = AnswerState::Free;
    m_bridge.setFlows(nullptr);
    emit answerChanged();
    emit loadsShown(false);
}

AnswerState SimulationSession::standingNow() const
{
    if (!m_answer || !m_answer->document.contains("workload")) return AnswerState::Free;
    if (!m_asked) { // kept beside the open project
        const auto& design = m_answer->document.value("design", sim::Json::object());
        const bool same = design.contains("content") ? design.value("content", std::string()) == fingerprintText(m_prints.of(m_bridge.snapshot()))
                                                     : design.value("revision", std::uint64_t(0)) == m_bridge.snapshot()->revision;
        return same ? AnswerState::Current : AnswerState::Earlier;
    }
    const SnapshotPtr shown = m_bridge.figures() ? m_bridge.shown() : m_bridge.snapshot();
    if (m_asked == shown || m_content == m_prints.of(shown)) return AnswerState::Current;
    return m_sameDocument ? AnswerState::Earlier : AnswerState::Other;
}

void SimulationSession::onDocument(const ChangeEvent& event)
{
    if (event.origin == ChangeOrigin::Load) {
        play(false);
        cancel();
        m_sameDocument = false;
        m_frame = m_loadsFrame = kNoFrame;
        emit loadsShown(false);
        const auto again = [this] { // when the bridge has the new design: it may be the same one
            reshow();
            if (m_bridge.flows()) emit loadsShown(true);
        };
        QMetaObject::invokeMethod(this, again, Qt::QueuedConnection);
    }
    restand();
}

void SimulationSession::restand()
{
    const AnswerState now = standingNow();
    if (now == m_standing) return;
    m_standing = now;
    FlowsMark said = m_bridge.flowsMark();
    said.stale = stale();
    m_bridge.markFlows(std::move(said));
    emit standingChanged();
}

QString SimulationSession::whose() const
{
    if (!m_answer || !m_answer->document.contains("design")) return {};
    const auto& design = m_answer->document["design"];
    return tr("“%1”, revision %2").arg(QString::fromStdString(design.value("name", std::string()))).arg(design.value("revision", 0));
}

QString SimulationSession::standingText() const
{
    switch (m_standing) {
    case AnswerState::Free:
    case AnswerState::Current: return {};
    case AnswerState::Earlier: return tr("Outdated: computed for revision %1. Run again.").arg(m_answer->document["design"].value("revision", 0));
    case AnswerState::Other: return tr("Computed for another design, %1. Run again for this one.").arg(whose());
    }
    return {};
}

FlowsMark SimulationSession::mark(const std::string& label, bool peak) const { return {QString::fromStdString(label), stale(), peak}; }

bool SimulationSession::canAskWhatIfFails(EntityRef entity) const { return m_bridge.figures() && failureOf(*m_bridge.figures(), entity).has_value(); }

bool SimulationSession::askWhatIfFails(EntityRef entity)
{
    if (!m_bridge.figures()) return false;
    const auto request = failureOf(*m_bridge.figures(), entity);
    if (request)
        emit requestOffered(*request);
    else
        m_bridge.report(request.error());
    return request.has_value();
}

void SimulationSession::askAfterLoss(const std::vector<std::string>& failed, const sim::ScenarioRequest* present)
{
    emit requestOffered(requestAfterLoss(failed, present));
}

void SimulationSession::pin()
{
    m_pinned = m_answer;
    emit answerChanged();
}

void SimulationSession::unpin()
{
    m_pinned = nullptr;
    emit answerChanged();
}

void SimulationSession::play(bool on)
{
    if (on == playing() || (on && !playback())) return;
    if (on) {
        if (m_position >= playback()->endS) setPosition(0);
        m_clock.start();
        m_timer.start();
        if (drawn()) emit loadsShown(true);
    } else
        m_timer.stop();
    emit playingChanged();
}

void SimulationSession::onTick()
{
    const sim::Playback* play_ = playback();
    if (!play_) return play(false);
    setPosition(m_position + double(m_clock.restart()) / 1000.0 * play_->endS / m_secondsForAll);
    if (m_position >= play_->endS) play(false);
}

void SimulationSession::setPosition(double seconds)
{
    const sim::Playback* play_ = playback();
    if (!play_) return;
    m_position = std::clamp(seconds, 0.0, play_->endS);
    const auto after = std::ranges::upper_bound(play_->frames, m_position, {}, &sim::Playback::Frame::timeS);
    if (after != play_->frames.begin()) showFrame(std::size_t(after - play_->frames.begin()) - 1);
    emit positionChanged();
}

/// The loads of a frame. They are kept as differences from frame to frame: going back starts over.
void SimulationSession::bringLoads(std::size_t frame)
{
    const sim::Playback& play_ = *playback();
    const bool anew = m_loadsFrame == kNoFrame || frame < m_loadsFrame;
    if (anew) m_loads.assign(play_.capacityGbps.size(), 0.0f);
    for (std::size_t from = anew ? 0 : m_loadsFrame + 1; from <= frame; ++from)
        for (const auto& [link, gbps] : play_.frames[from].loadGbps)
            if (link < m_loads.size()) m_loads[link] = gbps;
    m_loadsFrame = frame;
}

void SimulationSession::showFrame(std::size_t frame)
{
    const sim::Playback& play_ = *playback();
    if (frame >= play_.frames.size() || (frame == m_frame && m_bridge.flows()) ||
        (m_frame == kPeaks && frame + 1 == play_.frames.size() && m_bridge.flows()))
        return;
    bringLoads(frame);
    const bool over = frame + 1 == play_.frames.size() && frame > 0 && std::ranges::none_of(m_loads, [](float load) { return load > 0; });
    m_frame = over ? kPeaks : frame;
    if (!drawn()) return;
    if (over) return showPeaks();
    const auto& now = play_.frames[frame];
    showLoads(m_loads, now.dead, now.label.empty() ? play_.title : now.label, now.flows, false);
}

/// At the end of a time line nothing moves any more: what every link had to carry at most, so that it can be looked at.
void SimulationSession::showPeaks()
{
    const sim::Playback& play_ = *playback();
    std::vector<float> now(play_.capacityGbps.size(), 0.0f), most = now;
    for (const auto& frame : play_.frames)
        for (const auto& [link, gbps] : frame.loadGbps)
            if (link < most.size()) most[link] = std::max(most[link], gbps);
    showLoads(most, {}, play_.title, true, true);
}

void SimulationSession::showLoads(const std::vector<float>& loads, const std::vector<std::uint32_t>& dead, const Text& title, bool withFlows,
                                  bool peak)
{
    const std::string label = words(title);
    m_frames.reset(m_answer->playback, m_answer->flows, m_asked->revision);
    m_bridge.setFlows(m_frames.make({loads, dead, label, withFlows}), mark(label, peak));
}

void SimulationSession::setProject(const QString& path)
{
    const std::filesystem::path wanted = path.isEmpty() ? std::filesystem::path() : std::filesystem::path(path.toStdString() + ".results");
    if (m_store ? m_store->folder() == wanted : wanted.empty()) return;
    m_store.reset();
    if (!path.isEmpty()) m_store.emplace(std::filesystem::path(path.toStdString()));
    refreshKept();
}

void SimulationSession::refreshKept()
{
    m_kept = m_store ? m_store->list() : std::vector<sim::ResultStore::Entry>();
    emit keptChanged();
}

Result<sim::Json> SimulationSession::keptAnswer(int number) const
{
    if (!m_store) return fail(ErrorCode::Usage, "results", i18n("nothing saved yet"), i18n("save the project first"));
    return m_store->load(number);
}

void SimulationSession::show(sim::Json document)
{
    play(false);
    m_answer = std::make_shared<const sim::ScenarioAnswer>(sim::ScenarioAnswer{std::move(document), nullptr, nullptr, {}});
    m_asked = nullptr;
    m_standing = standingNow();
    m_bridge.setFlows(nullptr);
    emit answerChanged();
    emit loadsShown(false);
}

void SimulationSession::removeKept(int number)
{
    if (!m_store) return;
    if (const auto done = m_store->remove(number); !done) m_bridge.report(done.error());
    refreshKept();
}

} // namespace hw::views
