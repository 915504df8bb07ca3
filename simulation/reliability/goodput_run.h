// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/random.h"
#include "simulation/reliability/goodput.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// One run of the job of a GoodputCase, event by event; the inside of simulateGoodput(). Used by one thread.
/// It ends at a moment from which everything starts again (after a recovery), so that runs can be pooled without bias.
class GoodputRun {
public:
    GoodputRun(const GoodputCase& job, std::uint64_t seed, std::uint64_t stream, double timelineS);

    /// Until so many faults, and to the end of the time line; false when stopped before.
    bool run(std::uint64_t faults, std::stop_token stop);

    struct Tally {
        std::array<double, kJobTimes> seconds{};
        std::uint64_t stoppingFaults = 0, toleratedFaults = 0, predictedFaults = 0, falseAlarms = 0, saves = 0;
        [[nodiscard]] double totalS() const;
    };
    [[nodiscard]] Tally tally() const;
    [[nodiscard]] std::vector<JobSpan> timeline() const;

private:
    struct Span {
        JobSpan span;
        double workAtStart = 0;
    };
    struct Save {
        double workS = 0, durableAtS = 0;
    };

    bool pass(JobTime kind, double duration); ///< false: a stopping fault came first, the clock stands there
    bool trainUntilSave();
    bool save();
    bool planned();
    void skipWholeIntervals();
    void settle();
    void recover();
    void waitForHost();
    [[nodiscard]] bool hostFree() const;
    void takeHost();
    void note(JobTime kind, double duration);
    void markLost();
    [[nodiscard]] double drawUntilAlarm() { return m_random.exponential(1 / m_alarmRate); }

    const GoodputCase m_job;
    const double m_tauS, m_timelineS;
    const double m_stopRate, m_alarmRate, m_toleratedRate; ///< 1/s
    Random m_random;
    double m_clockS = 0, m_stopAtS = 0;            ///< wall clock; of the next stopping fault
    double m_workToAlarmS = 0, m_workToStallS = 0; ///< work left until the next prediction, tolerated fault
    double m_workS = 0, m_durableS = 0;            ///< work done (falls back at a fault); work that is safe
    std::optional<Save> m_draining;                ///< saved, not durable yet
    std::vector<double> m_hostBackAtS;             ///< of each backup host
    Tally m_tally;
    std::vector<Span> m_spans;
};

} // namespace reliability
} // namespace hw::sim
