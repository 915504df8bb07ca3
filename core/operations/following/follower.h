// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "core/operations/following/judge.h"
#include "core/operations/history/store.h"
#include "core/operations/monitoring/incident/alarm_responses.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hw::following {

/// How long the project wants values kept (settings `telemetry.samples_days`, `telemetry.minutes_days`).
[[nodiscard]] history::Retention retentionOf(const Snapshot& snapshot);

struct Options {
    std::optional<std::filesystem::path> store; ///< none: nothing is kept
    history::Retention retention;
    std::unique_ptr<bindings::Recorder> recorder;         ///< none: nothing is written down
    std::function<void(const monitoring::Event&)> event;  ///< called by the follower's thread
    std::function<void(std::size_t channels)> boundAgain; ///< called by the follower's thread after bindings were made again
    std::size_t queue = 1'000'000;                        ///< samples that may wait; then sources wait
    Binder binder = liveBinder();
    JudgeMaker judge = watchJudge;
};

/// Counted since start. Where there is a store, received = stored + lost + duplicate + waiting, and after `stop` nothing waits.
/// Out-of-order samples and those that are no numbers are kept, and counted in `stored` too.
struct Counts {
    std::uint64_t received = 0, stored = 0, lost = 0, duplicate = 0, waiting = 0, outOfOrder = 0, notNumbers = 0;
    std::int64_t judgedMs = 0; ///< the last moment that was judged, since 1970
    std::size_t channels = 0, bound = 0, unbound = 0, ambiguous = 0, conflicting = 0, setAside = 0, gaps = 0;
    std::size_t faults = 0; ///< of the program, each told as an event (monitoring::Trouble) and worked around
    friend bool operator==(const Counts&, const Counts&) = default;
};

/// Follows the built hall: sources fill its queue, its thread numbers channels, binds them (core/operations/bindings), keeps
/// (core/operations/history), records and judges (core/operations/monitoring) what arrives, in one order. The window and the command line, live and
/// replay, use the same. What arrives is dated by the clock of this machine, or by `clock` once a replay has called it; every whole second of that
/// time is judged before what arrived after it, and bindings change there only. So a replay of a recording gives the same events at any speed. An
/// exception in the judge, the binder, the store, the recorder or a callback ends nothing: it becomes an event, a judge is made again from the
/// design, the bindings and the last values, and the rest goes on.
class Follower : public bindings::Intake, public monitoring::AlarmResponseSink {
public:
    Follower(FiguresPtr design, Options options);
    ~Follower() override;

    /// Once. Fails where the rule sets of the design cannot be read, the store cannot be opened or a source cannot start; then nothing runs.
    Result<void> start(std::vector<std::unique_ptr<bindings::Source>> sources);
    /// Sources first, then what still waits is worked off. Fails where store or recording is not whole, or there were faults of the program.
    Result<void> stop();
    [[nodiscard]] bool ended() const; ///< all sources ended and all is worked off
    void design(FiguresPtr design);   ///< after an edit: bindings and expectations follow
    /// What links should carry, by directed link, see monitoring::Monitor.
    void simulated(std::vector<float> gbps, impact::LoadsAfter after = {});
    void answer(const monitoring::Answer& answer);

    [[nodiscard]] monitoring::FramePtr frame() const; ///< the newest, a few a second; any thread
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] std::vector<bindings::ChannelText> channels() const;
    [[nodiscard]] std::shared_ptr<const history::Store> history() const; ///< null: none is kept
    [[nodiscard]] std::vector<Text> troubles() const;                    ///< of sources and store, at the moment

    bindings::ChannelNo channel(const bindings::ChannelText& text) override;
    void take(std::span<const bindings::Sample> samples) override;
    void gap(const bindings::Gap& gap) override;
    void clock(std::int64_t atMs) override;
    void answered(std::int64_t atMs, const monitoring::Answer& answer) override; ///< of a replay: its clock has said when

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace hw::following
