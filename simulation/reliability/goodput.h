// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "simulation/reliability/faults.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// What follows a fault that stops the job, in this order; a further fault starts it again. The sum is the recovery time R of the closed form.
struct RecoveryTimes {
    double detectS = 120;  ///< collective time-out: ranks wait for the lost one (HPN: after 2 min the job is lost)
    double restartS = 420; ///< reschedule, start processes, load images and data
    double initS = 5;      ///< process groups; groupInitS() gives it for a number of ranks
    double restoreS = 55;  ///< read the last save, hand it on; restoreS() of checkpoint.h
    [[nodiscard]] double totalS() const { return detectS + restartS + initS + restoreS; }
};

/// A long job under faults. All rates are constant; the job is one whole: one fault stops all GPUs.
struct GoodputCase {
    double mtbfS = 0;      ///< M of the whole job
    double intervalS = 0;  ///< τ, work between saves; 0: √(2 δ / λ), λ the rate of stopping faults
    bool twoStage = false; ///< save to host memory (training stands), then drain to storage while it trains
    double saveS = 100;    ///< δ: how long training stands for a save; of a two-stage save its first stage
    double drainS = 0;     ///< two-stage: until the save is durable; a save waits for the drain of the one before
    RecoveryTimes recovery;
    double toleratedShare = 0;   ///< of faults that the job rides out (a link of a dual ToR, a short flap) …
    double toleratedStallS = 10; ///< … after standing so long, nothing lost
    double recall = 0;           ///< of the other faults, the share that is predicted: the host is drained in time
    double precision = 1;        ///< of the predictions, the share that is right; the others are drained for nothing
    double plannedS = 120;       ///< save, swap the host, rejoin; the work until then is kept
    int backupHosts = -1;        ///< each stopping or predicted fault takes one; -1: there is always one
    double hostRepairS = 86400;  ///< until a host is a backup again

    [[nodiscard]] double effectiveIntervalS() const;
    [[nodiscard]] double toleratedPerS() const { return toleratedShare / mtbfS; }
    [[nodiscard]] double predictedPerS() const { return (1 - toleratedShare) * recall / mtbfS; }
    [[nodiscard]] double falseAlarmsPerS() const { return precision > 0 ? predictedPerS() * (1 - precision) / precision : 0; }
    [[nodiscard]] double stoppingPerS() const { return (1 - toleratedShare) * (1 - recall) / mtbfS; }
};

/// Exact by renewal at saves (derivation in the source), but for: predictions together with a drain (first order there), and
/// the wait for a backup host, which is left out. Without predictions, tolerated faults and drain it is goodputExact().
[[nodiscard]] double goodputClosed(const GoodputCase& c);

/// What the wall clock of the job goes to.
enum class JobTime : std::uint8_t { Effective, Lost, Saving, Stalled, Detecting, WaitingForHost, Repairing, Planned };
inline constexpr std::size_t kJobTimes = 8;
[[nodiscard]] const char* name(JobTime kind);

struct JobSpan {
    double fromS = 0, toS = 0;
    JobTime kind = JobTime::Effective;
};

struct MonteCarloSettings {
    std::uint64_t failures = 100'000; ///< stopping faults to see in all (any faults where none stops the job)
    std::uint64_t seed = 1;
    int threads = 0;      ///< 0: as many as the machine has; the result does not depend on it
    double timelineS = 0; ///< above 0: watch one more run up to this time
};

struct GoodputResult {
    double goodput = 0;       ///< effective share of the wall clock
    double standardError = 0; ///< of it, from the spread between runs
    double closedForm = 0;
    double intervalS = 0; ///< used
    double simulatedS = 0;
    std::uint64_t stoppingFaults = 0, toleratedFaults = 0, predictedFaults = 0, falseAlarms = 0, saves = 0;
    std::array<double, kJobTimes> share{}; ///< of the wall clock, by JobTime
    std::vector<JobSpan> timeline;         ///< of the watched run, from 0 to timelineS without a gap
    [[nodiscard]] double of(JobTime kind) const { return share[std::size_t(kind)]; }
};

/// Simulates event by event in 256 runs, each with its own random stream. Tolerated and predicted faults arise while training;
/// stopping ones at any time but while waiting for a host. Errors: Refused for values that make no sense, Canceled.
[[nodiscard]] Result<GoodputResult> simulateGoodput(const GoodputCase& c, const MonteCarloSettings& settings, const Progress& progress = {});

} // namespace reliability
} // namespace hw::sim
