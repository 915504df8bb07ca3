// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/bindings/point.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What is reported of a hall: deviations, alarms, events, and its state at a moment.
namespace hw::monitoring {

enum class DeviationKind : std::uint8_t {
    OverBudget, ///< a rack, feed or busway carries more than planned, or than its limit
    PhaseImbalance,
    LowFlow,        ///< under what the heat needs
    HighSupply,     ///< warmer than the class of what it cools
    LowLinkLoad,    ///< below its simulated load
    Idle,           ///< that should not be
    LowPerformance, ///< the article's four symptoms
    PacketLoss,
    WrongSetting,
    NoConnection,
    BadSensor, ///< stuck, jumping, outside what can be, or against its neighbors
};

/// What is measured against what was planned.
struct Deviation {
    DeviationKind kind = DeviationKind::OverBudget;
    EntityRef entity;
    std::string element;
    bindings::Measure measure = bindings::Measure::ActivePower;
    double measured = 0, expected = 0; ///< in the measure's unit; expected: planned, simulated, or the limit
    double share = 0;                  ///< how far beyond what is allowed, by which they are ranked: (measured - expected) / expected
    std::int64_t sinceMs = 0;
    Text what; ///< "draws 46.2 kW, planned are 40.0 kW"
    Text risk; ///< what it puts at risk, empty: nothing known
    friend bool operator==(const Deviation&, const Deviation&) = default;
};

enum class AlarmKind : std::uint8_t { Threshold, RateOfChange, MissingData, Flapping, Cause, Condition }; ///< Condition: of a detector

/// What a point reads beside what the design's own study of the same loss predicts for it.
struct Compared {
    EntityRef entity;
    bindings::Measure measure = bindings::Measure::ActivePower;
    std::string element;
    double measured = 0, planned = 0, predicted = 0; ///< in the measure's unit; planned: with nothing lost
    friend bool operator==(const Compared&, const Compared&) = default;
};

struct Alarm {
    std::string id; ///< stays the same over a replay: kind, cause and time
    AlarmKind kind = AlarmKind::Threshold;
    EntityRef cause;                 ///< kNone where it is not known
    std::vector<EntityRef> together; ///< what only together costs this: units of a loop, causes beside it; `cause` the first; empty: it alone
    std::string element;             ///< part of the cause that is no entity: "gpu3", "pump2"
    std::vector<std::string> alike;  ///< names of what would explain a cause's symptoms as well: what is measured does not tell them apart
    std::vector<EntityRef> symptoms;
    std::int64_t sinceMs = 0, clearedMs = 0; ///< clearedMs 0: stands
    bool acknowledged = false;
    std::int64_t shelvedUntilMs = 0;
    Text what;
    std::uint32_t gpusLost = 0, gpusDegraded = 0, redundancyLost = 0; ///< of that cause, by core/derived/impact
    double rideThroughS = -1;                                         ///< of all that costs this together; -1: nothing warms up
    std::int64_t rideThroughEndsMs = 0;                               ///< when the first battery is empty, or coolant or air at its limit
    std::vector<Compared> compared;                                   ///< of AlarmKind::Cause: what changed most, at most 40
    friend bool operator==(const Alarm&, const Alarm&) = default;
};

/// Seconds of its ride-through that are left then; 0 when it is over, nothing where nothing warms up.
[[nodiscard]] std::optional<double> rideThroughLeftS(const Alarm& alarm, std::int64_t atMs);

/// What life showed of a point so far: of power, heat and flow.
struct Life {
    bindings::PointNo point = bindings::kNoPoint;
    std::uint32_t samples = 0;
    float mean = 0, peak = 0, p99 = 0; ///< p99: 99 of 100 samples are at most this, to within a tenth
    friend bool operator==(const Life&, const Life&) = default;
};

/// A fault of the program while it follows a hall: reported by what follows, never by the watch itself.
struct Trouble {
    std::string place; ///< the part of the program: "judge", "bindings", "history", "recording"
    Text what;
    bool over = false;       ///< that part works again
    bool judgedAnew = false; ///< deviations and alarms that were reported before no longer stand: what still holds is reported again
    friend bool operator==(const Trouble&, const Trouble&) = default;
};

/// What the watch says, in the order in which it happened; a replay gives the same.
struct Event {
    enum class Kind : std::uint8_t { Deviation, DeviationEnds, Alarm, AlarmChanges, AlarmEnds, Gap, Trouble } kind = Kind::Deviation;
    std::int64_t atMs = 0;
    Deviation deviation;
    bool explained = false; ///< of DeviationEnds: it still holds, and an alarm tells of it from here on
    Alarm alarm;
    bindings::Gap gap;
    monitoring::Trouble trouble;
};

/// The last minutes of loads, flows and temperatures, every five seconds: what an incident report draws.
struct Recent {
    static constexpr std::int64_t kStepMs = 5000;
    static constexpr std::size_t kMost = 360; ///< moments: half an hour
    std::vector<bindings::PointNo> points;    ///< ascending
    std::vector<std::int64_t> timesMs;
    std::vector<std::shared_ptr<const std::vector<float>>> values; ///< by moment, then as `points`; NaN: nothing
};

/// The state of the hall at a moment, for views. Immutable.
struct Frame {
    std::int64_t atMs = 0;
    FiguresPtr design;
    bindings::BoundPtr bound;
    std::vector<float> values;                     ///< by PointNo, NaN: nothing (yet, or no longer)
    std::vector<std::int64_t> times;               ///< by PointNo, of the value
    std::vector<Deviation> deviations;             ///< that stand, worst first
    std::vector<Alarm> alarms;                     ///< that stand, newest first
    std::shared_ptr<const std::vector<Life>> life; ///< by point, ascending; made again every ten seconds; null: nothing yet
    std::shared_ptr<const Recent> recent;          ///< null: nothing yet
};
using FramePtr = std::shared_ptr<const Frame>;

/// What a person says of an alarm.
struct Answer {
    enum class Kind : std::uint8_t { Acknowledge, Shelve, Unshelve } kind = Kind::Acknowledge;
    std::string alarm;
    std::int64_t untilMs = 0; ///< of Shelve
    std::string author;
};

/// Channels whose clock jumped: they are dated by arrival until it is right again.
struct ClockShift {
    std::size_t channels = 0;
    std::int64_t byMs = 0; ///< of the first of them; ahead: more than 0
    std::string channel;
};

} // namespace hw::monitoring

namespace hw {
HW_WORDS(monitoring::DeviationKind, "over-budget", "phase-imbalance", "low-flow", "high-supply", "low-link-load", "idle", "low-performance",
         "packet-loss", "wrong-setting", "no-connection", "bad-sensor")
HW_WORDS(monitoring::AlarmKind, "threshold", "rate-of-change", "missing-data", "flapping", "cause", "condition")
} // namespace hw
