// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/live/live_session.h"

#include "core/derived/cooling/chain.h"
#include "core/operations/overlays/live_fields.h"
#include "views/style/format.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace hw::views {

namespace {

constexpr int kTickMs = 66; // 15 a second
constexpr std::size_t kMostTotals = 24 * 3600;

/// What makers of overlays hold measured values against: made here, so that the window does not wait for it.
void prepareExpectations(const Figures& figures)
{
    (void)powerChain(figures, powerBasisOf(*figures.snapshot));
    (void)figures.get<CoolingChainNode>();
}

} // namespace

LiveSession::LiveSession(DocumentBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge), m_past(bridge)
{
    m_timer.setInterval(kTickMs);
    connect(&m_timer, &QTimer::timeout, this, &LiveSession::tick);
    connect(&bridge, &DocumentBridge::figuresChanged, this, &LiveSession::onFigures);
    connect(&bridge, &DocumentBridge::documentChanged, this, [this](const ChangeEvent& event) {
        if (event.origin == ChangeOrigin::Load) close(); // what was followed is another hall
    });
    connect(&bridge.jobs(), &Jobs::changed, this, [this] {
        if (m_state != State::Connecting || m_bridge.jobs().busy("live.open")) return;
        m_state = State::Off; // stopped by the user
        emit stateChanged();
    });
    const auto again = [this] { // the past is read only as far as it is looked at
        if (m_mode != Mode::Live && m_shown) seek();
    };
    connect(&bridge, &DocumentBridge::selectionChanged, this, again);
    connect(&OverlaySource::of(bridge), &OverlaySource::changed, this, [this, again] {
        if (OverlaySource::of(m_bridge).name() != m_seekedOverlay) again();
    });
}

LiveSession::~LiveSession()
{
    blockSignals(true); // whoever heard them is going, too
    m_timer.stop();
    m_bridge.jobs().cancelSlot("live.open");
    if (m_feed) m_feed->stop();
}

void LiveSession::open(const QString& name, Open open)
{
    close();
    const auto figures = m_bridge.figures();
    if (!figures) return;
    m_name = name;
    m_inbox = std::make_shared<Inbox>();
    const Feed::Callbacks heard{[inbox = m_inbox](const monitoring::Event& event) {
                                    const std::scoped_lock lock(inbox->guard);
                                    inbox->events.push_back(event);
                                },
                                [inbox = m_inbox] {
                                    const std::scoped_lock lock(inbox->guard);
                                    inbox->bound = true;
                                }};
    m_state = State::Connecting;
    m_bridge.jobs().start<Result<std::shared_ptr<Feed>>>(
        "live.open", tr("Connecting to %1").arg(name),
        [open = std::move(open), figures, heard](const Progress&) {
            prepareExpectations(*figures);
            return open(figures, heard);
        },
        [this, inbox = m_inbox](Result<std::shared_ptr<Feed>> feed) {
            if (inbox != m_inbox || m_state != State::Connecting) return; // another one meanwhile; it stops as it goes
            if (feed) return adopt(std::move(*feed));
            m_state = State::Off;
            if (feed.error().code != ErrorCode::Canceled) m_bridge.report(feed.error());
            emit stateChanged();
        });
    emit stateChanged();
}

void LiveSession::adopt(std::shared_ptr<Feed> feed)
{
    m_feed = std::move(feed);
    m_past.follow(m_feed);
    m_state = State::On;
    m_mode = Mode::Live;
    m_counted.start();
    m_timer.start();
    if (m_bridge.figures()) m_feed->design(m_bridge.figures()); // it may have been edited since
    emit stateChanged();
    tick();
}

/// Stopping waits for threads: a worker does.
void LiveSession::release()
{
    if (!m_feed) return;
    m_bridge.jobs().start<int>(
        "live.stop", {},
        [feed = std::exchange(m_feed, nullptr)](const Progress&) {
            feed->stop();
            return 0;
        },
        [](int) {});
}

void LiveSession::close()
{
    if (m_state == State::Off) return;
    m_timer.stop();
    m_bridge.jobs().cancelSlot("live.open");
    m_past.follow(nullptr);
    release();
    m_state = State::Off;
    m_mode = Mode::Live;
    m_newest = m_shown = m_against = nullptr;
    m_ring.clear();
    m_log.clear();
    m_total = {};
    m_counts = {};
    m_troubles.clear();
    m_simulatedBy.clear();
    m_index = m_olderIndex = nullptr;
    m_comparedMs.reset();
    m_wantedMs = m_seekingMs = 0;
    m_rate = 0;
    OverlaySource::of(m_bridge).setLive(nullptr);
    emit stateChanged();
    emit compareChanged();
    emit eventsChanged();
    emit boundChanged();
    emit shownChanged();
    emit timeChanged();
}

std::function<std::vector<bindings::ChannelText>()> LiveSession::channelsLater() const
{
    return [feed = m_feed] { return feed ? feed->channels() : std::vector<bindings::ChannelText>(); };
}

void LiveSession::answer(monitoring::Answer answer)
{
    if (m_feed) m_feed->answer(answer);
}

void LiveSession::simulated(const QString& by, std::vector<float> gbps, impact::LoadsAfter after)
{
    if (!m_feed) return;
    m_simulatedBy = by;
    m_feed->simulated(std::move(gbps), std::move(after));
    emit statusChanged();
}

std::int64_t LiveSession::oldestMs() const
{
    const std::int64_t kept = m_feed ? m_feed->oldestMs() : 0, ring = m_ring.oldestMs();
    return kept > 0 && ring > 0 ? std::min(kept, ring) : std::max(kept, ring);
}

std::int64_t LiveSession::wantedMs() const { return m_mode == Mode::Live ? newestMs() : m_wantedMs; }

void LiveSession::tick()
{
    if (!m_feed) return;
    takeInbox();
    takeFrame();
    if (m_mode == Mode::Playing) moveOn();
    takeCounts();
    if (m_state == State::On && m_feed->ended()) {
        m_state = State::Ended;
        emit stateChanged();
    }
}

void LiveSession::takeInbox()
{
    std::vector<monitoring::Event> events;
    bool bound = false;
    {
        const std::scoped_lock lock(m_inbox->guard);
        events.swap(m_inbox->events);
        bound = std::exchange(m_inbox->bound, false);
    }
    for (const monitoring::Event& event : events) {
        m_log.add(event);
        if (event.kind != monitoring::Event::Kind::Trouble) continue;
        const monitoring::Trouble& trouble = event.trouble;
        if (trouble.over)
            m_bridge.report({ErrorCode::Fault, trouble.place, trouble.what, {}});
        else
            m_bridge.report({ErrorCode::Fault, trouble.place, i18n("internal error: {}", trouble.what), i18n("please report it with the log")});
    }
    if (!events.empty()) emit eventsChanged();
    if (bound) emit boundChanged();
}

void LiveSession::takeFrame()
{
    monitoring::FramePtr frame = m_feed->frame();
    if (!frame || frame == m_newest) return;
    m_newest = std::move(frame);
    if (m_ring.push(m_newest)) noteTotal(*m_newest);
    if (m_mode == Mode::Live) show(m_newest);
    emit timeChanged();
}

void LiveSession::takeCounts()
{
    constexpr int kEveryMs = 1000;
    if (m_counted.elapsed() < kEveryMs && m_counts.received > 0) return;
    const auto counts = m_feed->counts();
    const double seconds = std::max(0.001, double(m_counted.restart()) / 1000);
    if (counts.received >= m_counts.received) m_rate = double(counts.received - m_counts.received) / seconds;
    m_counts = counts;
    m_troubles = m_feed->troubles();
    emit statusChanged();
}

/// What all racks draw together, for the time bar.
void LiveSession::noteTotal(const monitoring::Frame& frame)
{
    if (!m_bridge.figures()) return;
    const Measured power = measuredOf(*m_bridge.figures()->snapshot, *indexOf(frame.bound), frame, bindings::Measure::ActivePower, Together::Sum);
    double sum = 0;
    bool any = false;
    for (const float rack : power.racks)
        if (known(rack)) sum += double(rack), any = true;
    if (!any) return;
    m_total.timesMs.push_back(frame.atMs);
    m_total.values.push_back(sum / 1000);
    if (m_total.timesMs.size() <= kMostTotals) return;
    m_total.timesMs.erase(m_total.timesMs.begin(), m_total.timesMs.begin() + kMostTotals / 10);
    m_total.values.erase(m_total.values.begin(), m_total.values.begin() + kMostTotals / 10);
}

LiveIndexPtr LiveSession::indexOf(const bindings::BoundPtr& bound)
{
    if (m_index && m_index->bound() == bound) return m_index;
    if (m_olderIndex && m_olderIndex->bound() == bound) return m_olderIndex;
    m_olderIndex = std::move(m_index);
    m_index = LiveIndex::of(bound);
    return m_index;
}

void LiveSession::onFigures()
{
    if (m_feed && m_bridge.figures() && !m_bridge.previewing()) m_feed->design(m_bridge.figures());
}

void LiveSession::show(monitoring::FramePtr frame)
{
    m_shown = std::move(frame);
    publish();
    emit shownChanged();
}

Text LiveSession::sourceText() const
{
    const auto moment = [this](std::int64_t ms) { return momentText(ms, newestMs()).toStdString(); };
    const std::string at = moment(m_shown->atMs);
    if (m_against) return i18n("measured, {} vs {}", at, moment(m_against->atMs));
    return m_mode == Mode::Live ? i18n("measured, {}", at) : i18n("not live: measured, {}", at);
}

void LiveSession::publish()
{
    if (!m_shown || !m_shown->bound) return;
    auto values = std::make_shared<LiveValues>();
    values->frame = m_shown;
    values->index = indexOf(m_shown->bound);
    if (m_against && m_against->bound) {
        values->against = m_against;
        values->againstIndex = indexOf(m_against->bound);
    }
    values->source = sourceText();
    OverlaySource::of(m_bridge).setLive(std::move(values));
}

void LiveSession::goLive()
{
    if (!m_newest || m_mode == Mode::Live) return;
    m_bridge.jobs().cancelSlot("live.past");
    m_seekingMs = 0;
    m_mode = Mode::Live;
    show(m_newest);
    emit timeChanged();
}

void LiveSession::pause()
{
    if (!m_newest || m_mode == Mode::Still) return;
    m_wantedMs = wantedMs();
    m_mode = Mode::Still;
    publish(); // it says so
    emit shownChanged();
    emit timeChanged();
}

void LiveSession::scrub(std::int64_t timeMs)
{
    if (!m_newest) return;
    if (m_mode == Mode::Live) m_mode = Mode::Still;
    m_wantedMs = std::clamp(timeMs, std::min(oldestMs(), newestMs()), newestMs());
    m_playedMs = double(m_wantedMs);
    seek();
    emit timeChanged();
}

void LiveSession::play(double speed)
{
    if (!m_newest) return;
    m_wantedMs = wantedMs();
    m_playedMs = double(m_wantedMs);
    m_mode = Mode::Playing;
    m_speed = speed;
    m_clock.start();
    emit timeChanged();
}

void LiveSession::moveOn()
{
    m_playedMs += double(m_clock.restart()) * m_speed;
    if (m_playedMs >= double(newestMs())) return goLive();
    m_wantedMs = std::int64_t(m_playedMs);
    seek();
    emit timeChanged();
}

Wanted LiveSession::wanted() const
{
    const auto measures = measuresOf(OverlaySource::of(m_bridge).name());
    return {{measures.begin(), measures.end()}, m_bridge.selected()};
}

/// Brings what stands at the wanted moment: at once where it is in memory, else one reading after the other, always the newest wish.
void LiveSession::seek()
{
    if (m_mode == Mode::Live) return;
    const std::int64_t at = m_wantedMs;
    if (auto frame = m_ring.at(at)) {
        if (frame != m_shown) show(std::move(frame));
        return;
    }
    if (m_seekingMs != 0) return; // when it is there, the newest wish follows
    m_seekingMs = at;
    m_seekedOverlay = OverlaySource::of(m_bridge).name();
    m_seekedEntity = m_bridge.selected();
    const bool asked = m_past.moment("live.past", m_newest, wanted(), at, m_log, [this, at](monitoring::FramePtr frame) {
        m_seekingMs = 0;
        if (m_mode == Mode::Live || !frame) return;
        show(std::move(frame));
        const bool other = m_seekedOverlay != OverlaySource::of(m_bridge).name() || !(m_seekedEntity == m_bridge.selected());
        if (m_wantedMs != at || other) seek();
    });
    if (!asked) m_seekingMs = 0;
}

void LiveSession::compare(std::optional<std::int64_t> withMs)
{
    m_bridge.jobs().cancelSlot("live.compared");
    m_comparedMs = withMs;
    m_against = nullptr;
    if (withMs) m_against = m_ring.at(*withMs);
    if (withMs && !m_against)
        (void)m_past.moment("live.compared", m_newest, wanted(), *withMs, m_log, [this](monitoring::FramePtr frame) {
            if (!m_comparedMs || !frame) return;
            m_against = std::move(frame);
            publish();
            emit shownChanged();
        });
    publish();
    emit compareChanged();
    emit shownChanged();
}

void LiveSession::readSeries(const QString& slot, std::vector<bindings::Point> points, std::int64_t fromMs, std::int64_t toMs,
                             std::function<void(std::vector<PointSeries>)> done)
{
    std::vector<PointSeries> series;
    for (const bindings::Point& point : points) series.push_back(m_ring.series(point, fromMs, toMs));
    const std::int64_t ring = m_ring.oldestMs();
    if (ring > 0 && ring <= fromMs) return done(std::move(series));
    m_past.series(slot, m_newest, std::move(points), fromMs, toMs, std::move(series), std::move(done));
}

} // namespace hw::views
