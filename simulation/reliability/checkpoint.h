// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "simulation/formulas/collectives.h"
#include "simulation/reliability/faults.h"

#include <span>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// Bytes of one saved state: parameters times bytes for each (14: bf16 weights, fp32 master and two Adam moments; 16 with
/// fp32 gradients), or a dump of every GPU.
[[nodiscard]] double stateBytes(double parameters, double bytesPerParameter = 14);
[[nodiscard]] double dumpBytes(double gpus, double bytesPerGpu);
/// Shortest time to write: hosts over their frontend ports, or the storage, whichever is slower (0: no limit).
[[nodiscard]] double drainS(double bytes, double hosts, double hostBytesPerS, double storageBytesPerS = 0);
/// Readers fetch `bytes` together, each at `readerBytesPerS`, then hand it to all replicas by a pipelined broadcast (MegaScale, NSDI 2024).
[[nodiscard]] double restoreS(double bytes, int readers, double readerBytesPerS, int replicas, double bytesPerReader, AlphaBeta way);

/// Share of time that saving takes: δ / τ.
[[nodiscard]] double saveShare(double saveS, double intervalS);

/// What a job does about faults: saves for δ every τ of work, and after a fault needs R until it works again from the last save.
struct CheckpointPlan {
    double mtbfS = 0;       ///< M
    double saveS = 100;     ///< δ, training stands
    double recoveryS = 600; ///< R
};

/// First order: δ / τ + (τ / 2 + R) / M (J. Young, CACM 1974).
[[nodiscard]] double wasteFirstOrder(const CheckpointPlan& plan, double intervalS);
/// Its best interval: √(2 δ M).
[[nodiscard]] double optimumIntervalS(const CheckpointPlan& plan);
/// Exact for faults as a Poisson process, also during saving and recovery: τ / (M e^{R/M} (e^{(τ+δ)/M} - 1))
/// (J. Daly, "A higher order estimate of the optimum checkpoint interval", 2006).
[[nodiscard]] double goodputExact(const CheckpointPlan& plan, double intervalS);
/// The interval with the best exact goodput.
[[nodiscard]] double optimumIntervalExactS(const CheckpointPlan& plan);

/// How good an interval is, by the percentage points of goodput that it loses against the optimum √(2 δ M).
enum class IntervalVerdict { Suits, Costly, Fails };
struct VerdictLimits {
    double suitsUpTo = 0.02; ///< lost goodput
    double failsFrom = 0.10;
};
struct IntervalAdvice {
    double intervalS = 0;
    double goodput = 0, bestGoodput = 0;
    IntervalVerdict verdict = IntervalVerdict::Suits;
};
[[nodiscard]] IntervalAdvice adviseInterval(const CheckpointPlan& plan, double intervalS, VerdictLimits limits = {});
[[nodiscard]] const char* name(IntervalVerdict verdict);

/// The largest job that `intervalS` suits and the smallest that it fails, GPUs, with δ and R of `plan`.
struct IntervalReach {
    double suitsUpToGpus = 0, failsFromGpus = 0;
};
[[nodiscard]] IntervalReach intervalReach(const FaultLog& log, const CheckpointPlan& plan, double intervalS, VerdictLimits limits = {});

/// The plain statement: up to which job the interval range suits, and that (or from where) it fails.
[[nodiscard]] Text intervalStatement(const FaultLog& log, const CheckpointPlan& plan, double shortestS, double longestS, VerdictLimits limits = {});

} // namespace reliability
} // namespace hw::sim
