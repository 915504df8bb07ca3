// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// How a program scales over machines (Amdahl): of one machine's time, the share that runs in parallel.
struct ScalingCurve {
    std::string name;
    double parallelShare = 1;
};
/// "perfect", and curves of the shape of strong-scaling molecular dynamics (assumed shares): "lammps" 0.9995, "gromacs" 0.998.
[[nodiscard]] const std::vector<ScalingCurve>& scalingCurves();
[[nodiscard]] double speedup(double parallelShare, double machines);

/// A type of instance. Its spot price moves by itself, all machines of the type together.
struct InstanceType {
    std::string name;
    double onDemandPerH = 0, spotPerH = 0; ///< one machine; spotPerH: the price to which the walk returns
    double speed = 1;                      ///< of one machine
};

/// A job on spot instances. The logarithm of the price walks: d ln p = k (ln m - ln p) dt + s dW, steps of `stepH`; or prices as recorded, from a
/// random start and round again. A price above the bid takes all machines after the minimum holding time; single machines are also reclaimed at a
/// constant rate. Either stops the whole job: it goes on from its last checkpoint.
struct SpotCase {
    double workH = 100; ///< on one machine of speed 1
    int machines = 32;
    double parallelShare = 1;
    double bid = 1;                 ///< of the on-demand price
    double volatility = 0.2;        ///< s, of one hour
    double reversion = 0.1;         ///< k, 1/h
    std::vector<double> pricesPerH; ///< recorded, one a step; empty: the walk
    double stepH = 1.0 / 12;
    double holdingH = 0;          ///< a machine is kept at least so long after it was started
    double reclaimedPerH = 0.001; ///< of one machine
    double checkpointEveryH = 1, checkpointH = 0.02, restartH = 0.1;
    double capUsd = 0;      ///< the job ends before a step that would cost more in all; 0: none
    double longestH = 5000; ///< a draw ends
    int draws = 1000;
    std::uint64_t seed = 1;
};

struct Percentiles {
    double mean = 0, p5 = 0, p50 = 0, p95 = 0;
};
struct SpotResult {
    double finishedShare = 0;                       ///< of the draws; the others reached the cap or the end
    Percentiles costUsd, finishH;                   ///< of all draws; of those that finished
    std::vector<double> costDeciles, finishDeciles; ///< at 10, 20, … 90 % of these; empty: none finished
    double interruptions = 0, lostH = 0;            ///< means: times that all machines stopped; hours of work done again
    double onDemandH = 0, onDemandUsd = 0;          ///< the same job without interruptions
};
/// Errors: Canceled.
[[nodiscard]] Result<SpotResult> simulateSpot(const InstanceType& type, const SpotCase& c, const Progress& progress = {});

} // namespace reliability
} // namespace hw::sim
