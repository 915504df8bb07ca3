// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/simulation/simulation_session.h"

#include <algorithm>

namespace hw::views {

namespace {

constexpr int kTickMs = 40;
constexpr std::size_t kMostHottest = 200;

} // namespace

void rankHottest(sim::FlowResult& result, std::size_t most)
{
    std::vector<std::uint32_t> used;
    for (std::uint32_t l = 0; l < result.loadGbps.size(); ++l)
        if (result.loadGbps[l] > 0) used.push_back(l);
    std::vector<std::uint32_t> flows(result.loadGbps.size(), 0);
    for (const auto l : result.flowLinks)
        if (l < flows.size()) ++flows[l];
    const auto middle = used.begin() + std::ptrdiff_t(std::min(most, used.size()));
    const auto heat = [&](std::uint32_t l) { return std::tuple(-result.utilisation(l), -std::int64_t(flows[l]), l); };
    std::partial_sort(used.begin(), middle, used.end(), [&](std::uint32_t a, std::uint32_t b) { return heat(a) < heat(b); });
    result.hottest.clear();
    for (auto it = used.begin(); it != middle; ++it) result.hottest.push_back({*it, result.utilisation(*it), flows[*it]});
}

SimulationSession::SimulationSession(DocumentBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &SimulationSession::onTick);
}

bool SimulationSession::busy() const { return m_bridge.jobs().busy("simulation"); }
void SimulationSession::cancel() { m_bridge.jobs().cancelSlot("simulation"); }
bool SimulationSession::stale() const { return m_answer && m_asked && m_asked->revision != m_bridge.snapshot()->revision; }
bool SimulationSession::drawn() const { return m_answer && m_asked && m_answer->design.snapshot == m_asked; }
const sim::Playback* SimulationSession::playback() const { return m_answer && m_answer->playback ? m_answer->playback.get() : nullptr; }

void SimulationSession::run(sim::ScenarioRequest request)
{
    const auto figures = m_bridge.figures();
    if (!figures) return;
    const sim::ScenarioDesign design{figures->snapshot, figures->parts};
    const QString name = QString::fromStdString(request.name);
    m_bridge.jobs().start<Result<sim::ScenarioAnswer>>(
        "simulation", tr("Simulating: %1").arg(name),
        [request = std::move(request), design](const Progress& progress) { return sim::runRequest(request, design, {}, progress); },
        [this, asked = figures->snapshot](Result<sim::ScenarioAnswer> answer) {
            if (answer) adopt(std::move(*answer), asked);
            else if (answer.error().code != ErrorCode::Cancelled) m_bridge.report(answer.error());
        });
}

void SimulationSession::adopt(sim::ScenarioAnswer answer, const SnapshotPtr& asked)
{
    play(false);
    m_answer = std::make_shared<const sim::ScenarioAnswer>(std::move(answer));
    m_asked = m_answer->design.snapshot ? asked : nullptr;
    m_position = 0;
    m_frame = std::size_t(-1);
    if (m_store) {
        if (const auto stored = m_store->add(m_answer->document); !stored) m_bridge.report(stored.error());
        refreshKept();
    }
    if (drawn() && playback()) showFrame(0);
    else m_bridge.setFlows(drawn() ? m_answer->flows : nullptr);
    emit answerChanged();
    emit positionChanged();
}

void SimulationSession::clear()
{
    play(false);
    m_answer = nullptr;
    m_asked = nullptr;
    m_bridge.setFlows(nullptr);
    emit answerChanged();
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
    } else m_timer.stop();
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

/// Loads are kept as differences from frame to frame: going back starts over.
void SimulationSession::showFrame(std::size_t frame)
{
    const sim::Playback& play_ = *playback();
    if (frame == m_frame || frame >= play_.frames.size()) return;
    std::size_t from = m_frame == std::size_t(-1) || frame < m_frame ? 0 : m_frame + 1;
    if (from == 0) m_loads.assign(play_.capacityGbps.size(), 0.0f);
    for (; from <= frame; ++from)
        for (const auto& [link, gbps] : play_.frames[from].loadGbps)
            if (link < m_loads.size()) m_loads[link] = gbps;
    m_frame = frame;
    if (!drawn()) return;
    auto shown = m_answer->flows ? std::make_shared<sim::FlowResult>(*m_answer->flows) : std::make_shared<sim::FlowResult>();
    shown->revision = m_asked->revision;
    shown->scenarioName = play_.frames[frame].label.empty() ? play_.title : play_.frames[frame].label;
    shown->loadGbps = m_loads;
    shown->capacityGbps = play_.capacityGbps;
    for (const auto link : play_.frames[frame].dead)
        if (link < shown->capacityGbps.size()) shown->capacityGbps[link] = 0;
    rankHottest(*shown, kMostHottest);
    m_bridge.setFlows(std::move(shown));
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
    if (!m_store) return fail(ErrorCode::Usage, "results", "nothing is kept yet", "save the project first");
    return m_store->load(number);
}

void SimulationSession::show(sim::Json document)
{
    play(false);
    m_answer = std::make_shared<const sim::ScenarioAnswer>(sim::ScenarioAnswer{std::move(document), nullptr, nullptr, {}});
    m_asked = nullptr;
    m_bridge.setFlows(nullptr);
    emit answerChanged();
}

void SimulationSession::removeKept(int number)
{
    if (!m_store) return;
    if (const auto done = m_store->remove(number); !done) m_bridge.report(done.error());
    refreshKept();
}

} // namespace hw::views
