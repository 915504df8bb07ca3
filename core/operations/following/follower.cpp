// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/following/follower.h"

#include "core/foundation/base/fence.h"
#include "core/foundation/base/log.h"
#include "core/foundation/model/setting_values.h"
#include "core/operations/bindings/rules.h"
#include "core/operations/following/sequence.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

namespace hw::following {

namespace {

constexpr auto kFrameEvery = std::chrono::milliseconds(250); ///< and no more than a tenth of the time goes into frames
constexpr auto kAfterFault = std::chrono::milliseconds(100);

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
    void step();
    void makeFrame();
    void lookAtStore();
    Result<void> open();

    Options options;
    FiguresPtr design;
    Queue queue;
    std::vector<std::unique_ptr<bindings::Source>> sources;
    std::shared_ptr<history::Store> store;
    std::unique_ptr<Sequence> sequence;
    std::thread thread;
    std::chrono::steady_clock::time_point nextFrame{};
    std::uint64_t storeFaults = 0; ///< that were reported
    mutable std::mutex frameGuard;
    monitoring::FramePtr frame;
};

Result<void> Follower::State::open()
{
    if (options.store) {
        auto opened = history::Store::open(*options.store, options.retention);
        if (!opened) {
            logging::error(logging::Id::HistoryRefused, "{}", opened.error().text());
            return tl::unexpected(opened.error());
        }
        store = std::move(*opened);
        const auto kept = store->figures();
        logging::info(logging::Id::HistoryOpened, "{}: {} samples, {} bytes; samples are kept for {} h, minutes for {} h", options.store->string(),
                      kept.samples, kept.bytes, options.retention.rawMs / 3'600'000, options.retention.minutesMs / 3'600'000);
    }
    sequence = std::make_unique<Sequence>(
        Sequence::Parts{options.judge, options.binder, store, std::move(options.recorder), options.event, options.boundAgain}, design);
    makeFrame();
    return {};
}

void Follower::State::makeFrame()
{
    const auto start = std::chrono::steady_clock::now();
    if (start < nextFrame) return;
    auto made = sequence->frame();
    if (store) lookAtStore();
    const auto end = std::chrono::steady_clock::now();
    nextFrame = end + std::max<std::chrono::steady_clock::duration>(kFrameEvery, 9 * (end - start));
    if (!made) return; // the judge has failed: the last one stays
    const std::lock_guard lock(frameGuard);
    frame = std::move(made);
}

/// The threads of the store have no other way to tell.
void Follower::State::lookAtStore()
{
    const auto figures = store->figures();
    if (figures.faults <= storeFaults) return;
    storeFaults = figures.faults;
    sequence->failed("history", i18n("{}; writing is retried", figures.fault));
}

void Follower::State::step()
{
    if (auto item = queue.pop()) {
        const auto fault = faultIn([&] { sequence->work(std::move(*item)); });
        queue.done();
        if (fault) sequence->failed("follower", verbatim(*fault));
    }
    makeFrame();
}

/// Nothing that happens in here ends it but `close`.
void Follower::State::run()
{
    while (!queue.drained())
        if (const auto fault = faultIn([this] { step(); })) {
            logging::error(logging::Id::FollowerFault, "the follower goes on after: {}", *fault);
            std::this_thread::sleep_for(kAfterFault);
        }
    nextFrame = {};
    if (const auto fault = faultIn([this] { makeFrame(); })) logging::error(logging::Id::FollowerFault, "no last frame: {}", *fault);
}

Follower::Follower(FiguresPtr design, Options options) : m_state(std::make_unique<State>(std::move(design), std::move(options))) {}
Follower::~Follower() { (void)stop(); }

Result<void> Follower::start(std::vector<std::unique_ptr<bindings::Source>> sources)
{
    const Snapshot& s = *m_state->design->snapshot;
    if (const auto rules = bindings::ruleSetsOf(s); !rules) return tl::unexpected(rules.error()); // nothing would be bound
    if (auto opened = m_state->open(); !opened) return opened;
    logging::info(logging::Id::FollowingStarted, "design \"{}\" revision {}, {} sources, history {}", s.setting("project.name", ""), s.revision,
                  sources.size(), m_state->options.store ? m_state->options.store->string() : "none");
    m_state->thread = std::thread([state = m_state.get()] { state->run(); });
    for (auto& source : sources) {
        if (auto started = source->start(*this); !started) {
            logging::error(logging::Id::SourceRefused, "{}", started.error().text());
            (void)stop();
            return started;
        }
        logging::info(logging::Id::SourceStarted, "{}{}", source->name(),
                      source->trouble().empty() ? std::string() : ": " + words(source->trouble()));
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
    if (m_state->store && stored) m_state->lookAtStore();
    const Counts n = counts();
    logging::info(logging::Id::FollowingEnded,
                  "{} received, {} stored, {} lost, {} duplicate, {} late, {} no numbers; {} channels: {} bound, {} unbound, {} ambiguous, {} with a "
                  "unit in conflict, {} ignored; {} gaps, {} faults",
                  n.received, n.stored, n.lost, n.duplicate, n.outOfOrder, n.notNumbers, n.channels, n.bound, n.unbound, n.ambiguous, n.conflicting,
                  n.setAside, n.gaps, n.faults);
    auto sound = m_state->sequence->sound();
    for (const auto& ended : {recorded, stored, sound})
        if (!ended) {
            logging::error(logging::Id::FollowingNotEnded, "{}", ended.error().text());
            return ended;
        }
    return {};
}

bool Follower::ended() const
{
    return std::ranges::all_of(m_state->sources, [](const auto& source) { return source->ended(); }) && m_state->queue.idle();
}

void Follower::design(FiguresPtr design) { m_state->queue.design(std::move(design)); }
void Follower::simulated(std::vector<float> gbps, impact::LoadsAfter after) { m_state->queue.simulated(std::move(gbps), std::move(after)); }
void Follower::answer(const monitoring::Answer& answer) { m_state->queue.answer(answer); }

monitoring::FramePtr Follower::frame() const
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
    counts.lost += kept.lost;
    counts.duplicate += kept.duplicate;
    counts.waiting = counts.received - std::min(counts.received, counts.stored + counts.lost + counts.duplicate);
    return counts;
}

std::vector<bindings::ChannelText> Follower::channels() const
{
    return m_state->sequence ? m_state->sequence->channels() : std::vector<bindings::ChannelText>();
}

std::shared_ptr<const history::Store> Follower::history() const { return m_state->store; }

std::vector<Text> Follower::troubles() const
{
    std::vector<Text> troubles;
    for (const auto& source : m_state->sources)
        if (Text trouble = source->trouble(); !trouble.empty()) troubles.push_back(i18n("{}: {}", source->name(), trouble));
    if (m_state->store)
        if (Text trouble = m_state->store->figures().trouble; !trouble.empty()) troubles.push_back(std::move(trouble));
    if (m_state->sequence) std::ranges::move(m_state->sequence->troubles(), std::back_inserter(troubles));
    return troubles;
}

bindings::ChannelNo Follower::channel(const bindings::ChannelText& text) { return m_state->queue.channel(text); }
void Follower::take(std::span<const bindings::Sample> samples) { m_state->queue.take(samples); }
void Follower::gap(const bindings::Gap& gap) { m_state->queue.gap(gap); }
void Follower::answered(std::int64_t /*atMs*/, const monitoring::Answer& answer) { m_state->queue.answer(answer); }
void Follower::clock(std::int64_t atMs) { m_state->queue.clock(atMs); }

} // namespace hw::following
