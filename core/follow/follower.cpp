// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/follow/follower.h"

#include "core/follow/sequence.h"
#include "core/model/setting_values.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace hw::follow {

namespace {

constexpr auto kFrameEvery = std::chrono::milliseconds(250); ///< and no more than a tenth of the time goes into frames

} // namespace

history::Retention retentionOf(const Snapshot& snapshot)
{
    constexpr double day = 24 * 3600 * 1000;
    const double samples = numberSetting(snapshot, "telemetry.samples_days"), minutes = numberSetting(snapshot, "telemetry.minutes_days");
    return {std::int64_t(samples * day), std::int64_t(minutes * day)};
}

struct Follower::State {
    State(FiguresPtr figures, Options given) : options(std::move(given)), design(std::move(figures)), queue(options.queue) {}

    void run();
    void makeFrame();
    Result<void> open();

    Options options;
    FiguresPtr design;
    Queue queue;
    std::vector<std::unique_ptr<live::Source>> sources;
    std::shared_ptr<history::Store> store;
    std::unique_ptr<Sequence> sequence;
    std::thread thread;
    std::chrono::steady_clock::time_point nextFrame{};
    mutable std::mutex frameGuard;
    watch::FramePtr frame;
};

Result<void> Follower::State::open()
{
    if (options.store) {
        auto opened = history::Store::open(*options.store, options.retention);
        if (!opened) return tl::unexpected(opened.error());
        store = std::move(*opened);
    }
    auto judge = options.judge ? std::move(options.judge) : watchJudge();
    sequence = std::make_unique<Sequence>(
        Sequence::Parts{std::move(judge), options.binder, store, std::move(options.recorder), options.event, options.boundAgain}, design);
    makeFrame();
    return {};
}

void Follower::State::makeFrame()
{
    const auto start = std::chrono::steady_clock::now();
    if (start < nextFrame) return;
    auto made = sequence->frame();
    const auto end = std::chrono::steady_clock::now();
    nextFrame = end + std::max<std::chrono::steady_clock::duration>(kFrameEvery, 9 * (end - start));
    const std::lock_guard lock(frameGuard);
    frame = std::move(made);
}

void Follower::State::run()
{
    while (!queue.drained()) {
        if (auto item = queue.pop()) {
            sequence->work(std::move(*item));
            queue.done();
        }
        makeFrame();
    }
    nextFrame = {};
    makeFrame();
}

Follower::Follower(FiguresPtr design, Options options) : m_state(std::make_unique<State>(std::move(design), std::move(options))) {}
Follower::~Follower() { (void)stop(); }

Result<void> Follower::start(std::vector<std::unique_ptr<live::Source>> sources)
{
    if (auto opened = m_state->open(); !opened) return opened;
    m_state->thread = std::thread([state = m_state.get()] { state->run(); });
    for (auto& source : sources) {
        if (auto started = source->start(*this); !started) {
            (void)stop();
            return started;
        }
        m_state->sources.push_back(std::move(source));
    }
    return {};
}

Result<void> Follower::stop()
{
    if (!m_state->thread.joinable()) return {};
    for (auto& source : m_state->sources) source->stop();
    m_state->queue.close();
    m_state->thread.join();
    auto recorded = m_state->sequence->finish();
    auto stored = m_state->store ? m_state->store->flush() : Result<void>();
    return recorded ? stored : recorded;
}

bool Follower::ended() const
{
    return std::ranges::all_of(m_state->sources, [](const auto& source) { return source->ended(); }) && m_state->queue.idle();
}

void Follower::design(FiguresPtr design) { m_state->queue.design(std::move(design)); }
void Follower::simulated(std::vector<float> gbps, impact::LoadsAfter after) { m_state->queue.simulated(std::move(gbps), std::move(after)); }
void Follower::answer(const watch::Answer& answer) { m_state->queue.answer(answer); }

watch::FramePtr Follower::frame() const
{
    const std::lock_guard lock(m_state->frameGuard);
    return m_state->frame;
}

Counts Follower::counts() const
{
    if (!m_state->sequence) return {};
    Counts counts = m_state->sequence->counts();
    if (!m_state->store) return counts;
    const auto kept = m_state->store->figures();
    counts.stored = kept.stored;
    counts.lost = kept.lost;
    counts.duplicate += kept.duplicate;
    counts.waiting = counts.received - std::min(counts.received, counts.stored + counts.lost + counts.duplicate);
    return counts;
}

std::vector<live::ChannelText> Follower::channels() const
{
    return m_state->sequence ? m_state->sequence->channels() : std::vector<live::ChannelText>();
}

std::shared_ptr<const history::Store> Follower::history() const { return m_state->store; }

std::vector<Text> Follower::troubles() const
{
    std::vector<Text> troubles;
    for (const auto& source : m_state->sources)
        if (Text trouble = source->trouble(); !trouble.empty()) troubles.push_back(i18n("{}: {}", source->name(), trouble));
    if (m_state->store)
        if (Text trouble = m_state->store->figures().trouble; !trouble.empty()) troubles.push_back(std::move(trouble));
    if (m_state->sequence)
        if (Text trouble = m_state->sequence->trouble(); !trouble.empty()) troubles.push_back(std::move(trouble));
    return troubles;
}

live::ChannelNo Follower::channel(const live::ChannelText& text) { return m_state->queue.channel(text); }
void Follower::take(std::span<const live::Sample> samples) { m_state->queue.take(samples); }
void Follower::gap(const live::Gap& gap) { m_state->queue.gap(gap); }
void Follower::answered(std::int64_t /*atMs*/, const watch::Answer& answer) { m_state->queue.answer(answer); }
void Follower::clock(std::int64_t atMs) { m_state->queue.clock(atMs); }

} // namespace hw::follow
