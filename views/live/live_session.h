// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer> // before core's headers: moc cannot read <compare> as the very first one
#include <QObject>
#include <QTimer>

#include "views/bridge/document_bridge.h"
#include "views/live/feed.h"
#include "views/live/past_reader.h"
#include "views/values/overlay_source.h"

#include <mutex>
#include <optional>

namespace hw::views {

/// The hall that the window follows, and the moment of it that all views show: now, a moment of the past, or the past as it goes by.
/// Takes the follower's newest frame at most fifteen times a second; reads the past on workers. Lives on the GUI thread.
class LiveSession : public QObject {
    Q_OBJECT
public:
    enum class State { Off, Connecting, On, Ended };
    enum class Mode { Live, Still, Playing }; ///< Still, Playing: a moment of the past
    /// Makes what is followed, on a worker; it may take its time.
    using Open = std::function<Result<std::shared_ptr<Feed>>(const FiguresPtr& design, const Feed::Callbacks& heard)>;

    explicit LiveSession(DocumentBridge& bridge, QObject* parent = nullptr);
    ~LiveSession() override; ///< stops what is followed and waits for it

    void open(const QString& name, Open open); ///< ends what was followed before
    void close();
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool on() const { return m_state == State::On || m_state == State::Ended; } ///< there is something to see
    [[nodiscard]] const QString& name() const { return m_name; }

    [[nodiscard]] Mode mode() const { return m_mode; }
    [[nodiscard]] double speed() const { return m_speed; } ///< of Playing
    [[nodiscard]] std::int64_t newestMs() const { return m_newest ? m_newest->atMs : 0; }
    [[nodiscard]] std::int64_t oldestMs() const; ///< from where on there is something to show; 0: nothing
    [[nodiscard]] std::int64_t wantedMs() const; ///< where the time bar stands; what is shown may be a moment behind it
    [[nodiscard]] const monitoring::FramePtr& newest() const { return m_newest; }
    [[nodiscard]] const monitoring::FramePtr& shown() const { return m_shown; }
    void goLive();
    void pause();
    void scrub(std::int64_t timeMs);
    void play(double speed); ///< from where it stands; at the newest moment it goes on live
    /// All colors become the change since that moment; none: they are values again.
    void compare(std::optional<std::int64_t> withMs);
    [[nodiscard]] std::optional<std::int64_t> comparedMs() const { return m_comparedMs; }

    [[nodiscard]] const EventLog& log() const { return m_log; }
    [[nodiscard]] const following::Counts& counts() const { return m_counts; }
    [[nodiscard]] double samplesPerSecond() const { return m_rate; }
    [[nodiscard]] const std::vector<Text>& troubles() const { return m_troubles; }
    [[nodiscard]] std::function<std::vector<bindings::ChannelText>()> channelsLater() const; ///< for a worker: there may be very many
    [[nodiscard]] std::shared_ptr<const jobs::JobTelemetry> jobTelemetry() const { return m_feed ? m_feed->jobs() : nullptr; }
    /// Measured power of all racks together, one value a second: kW.
    [[nodiscard]] const PointSeries& total() const { return m_total; }
    void answer(monitoring::Answer answer); ///< to an alarm
    /// Links are held against what a scenario says, see monitoring::Monitor; none: no longer.
    void simulated(const QString& by, std::vector<float> gbps, impact::LoadsAfter after);
    [[nodiscard]] const QString& simulatedBy() const { return m_simulatedBy; } ///< the name of the scenario; empty: none
    /// Series of the points, in their order, between two moments; from memory at once, else from the history by a worker. A newer question
    /// of the same `slot` replaces an older one.
    void readSeries(const QString& slot, std::vector<bindings::Point> points, std::int64_t fromMs, std::int64_t toMs,
                    std::function<void(std::vector<PointSeries>)> done);
    /// Looks at what has come, as the timer does.
    void tick();

signals:
    void stateChanged();
    void shownChanged();  ///< the moment that is shown, or its values
    void timeChanged();   ///< where the time bar stands and how far it reaches
    void eventsChanged(); ///< the log
    void boundChanged();
    void statusChanged(); ///< counts, troubles: about once a second
    void compareChanged();

private:
    struct Inbox {
        std::mutex guard;
        std::vector<monitoring::Event> events;
        bool bound = false;
    };
    void adopt(std::shared_ptr<Feed> feed);
    void release();
    void takeFrame();
    void takeInbox();
    void takeCounts();
    void onFigures();
    void moveOn(); ///< of Playing
    void seek();
    void show(monitoring::FramePtr frame);
    void publish();
    void noteTotal(const monitoring::Frame& frame);
    [[nodiscard]] LiveIndexPtr indexOf(const bindings::BoundPtr& bound);
    [[nodiscard]] Text sourceText() const;
    [[nodiscard]] Wanted wanted() const;

    DocumentBridge& m_bridge;
    std::shared_ptr<Feed> m_feed;
    std::shared_ptr<Inbox> m_inbox;
    State m_state = State::Off;
    Mode m_mode = Mode::Live;
    QString m_name, m_simulatedBy;
    QTimer m_timer;
    QElapsedTimer m_clock, m_counted;
    double m_speed = 1, m_rate = 0, m_playedMs = 0;
    monitoring::FramePtr m_newest, m_shown, m_against;
    FrameRing m_ring;
    EventLog m_log;
    PointSeries m_total;
    following::Counts m_counts;
    std::vector<Text> m_troubles;
    LiveIndexPtr m_index, m_olderIndex;
    PastReader m_past;
    std::int64_t m_wantedMs = 0, m_seekingMs = 0; ///< seeking 0: nothing is being read
    std::optional<std::int64_t> m_comparedMs;
    std::string m_seekedOverlay;
    EntityRef m_seekedEntity;
};

/// "14:03:22", with the date where it is not that of `nowMs`.
[[nodiscard]] QString momentText(std::int64_t timeMs, std::int64_t nowMs);
/// "Active power", "Temperature · gpu3".
[[nodiscard]] QString pointText(const bindings::Point& point);
/// The points that are measured of an entity, in the order of measures.
[[nodiscard]] std::vector<bindings::Point> pointsOf(const bindings::Bound& bound, EntityRef entity);
/// "46.2 kW", "31.5 °C", "94 %".
[[nodiscard]] QString measureText(bindings::Measure measure, double value);

} // namespace hw::views
