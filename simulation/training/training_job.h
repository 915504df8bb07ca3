// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "simulation/formulas/compute_model.h"
#include "simulation/training/collective_plan.h"
#include "simulation/training/placement.h"
#include "simulation/training/rank_grid.h"

#include <array>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

/// Number format of the matrix work; decides which peak of the accelerator counts.
enum class Precision : std::uint8_t { Fp16, Bf16, Fp8, Fp4 };
inline constexpr int kPrecisions = 4;
inline constexpr Precision kPrecisionList[] = {Precision::Fp16, Precision::Bf16, Precision::Fp8, Precision::Fp4};
[[nodiscard]] const char* name(Precision precision);
/// Of a factor of a product with weights.
[[nodiscard]] double valueBytes(Precision precision);

/// One type of accelerator. Defaults: H800 class, see resources/workloads/accelerators.yaml for sources.
struct Accelerator {
    std::string name = "H800";
    std::array<double, kPrecisions> peakFlops{989.5e12, 989.5e12, 1979e12, 0}; ///< dense, by Precision; 0: cannot
    double memoryBytes = 80e9;
    double memoryBytesPerS = 3.35e12;
    int processors = 132;      ///< streaming multiprocessors and the like
    double sustained = 0.85;   ///< share of the peak's clock that it keeps up under matrix work, against that of an A100
    double efficiency = 0;     ///< above 0: stated by the user, share of the peak that all computing reaches, instead of the compute model
    double scaleUpGbps = 1600; ///< NVLink and the like, one direction of one GPU; 0: none, GPUs of a host meet over PCIe
    double pcieGbps = 0;       ///< between a GPU and its NIC, one direction; 0: never the bottleneck
};

/// Share of communication time that computing can hide, 0 to 1 each. Never more is hidden than there is computing to hide it.
struct Overlap {
    double tensor = 0;
    double context = 1; ///< ring attention works on one block while the next arrives
    double expert = 0;
    double gradient = 0.5; ///< behind the backward pass of the last micro-batch
};

/// How a communicator's collectives run.
struct Algorithms {
    AllReduceAlgorithm gradient = AllReduceAlgorithm::Automatic, tensor = AllReduceAlgorithm::Automatic;
    AllToAllAlgorithm expert = AllToAllAlgorithm::Forwarded;
    bool shardedOptimizer = false; ///< gradients by reduce-scatter, parameters by all-gather (ZeRO-1) instead of all-reduce
    bool shardedGradients = false; ///< with it: a GPU keeps its own part of the gradients alone (ZeRO-2); memory only
};

/// Latencies of one message, s, assumed: inside a scale-up domain; between hosts without the switches of its route; of each of these.
/// Under one switch they come to 10 µs.
struct Latency {
    double insideS = 3e-6, outsideS = 9e-6, hopS = 1e-6;
};

/// A training job: model, cut, way of running. Places and fabric come separately.
struct TrainingJob {
    std::string name = "GPT-3 175B";
    std::string tenant;
    TransformerModel model = gpt3();
    Parallelism cut;
    RankOrder order = kMegatronOrder;
    Placement placement = Placement::Contiguous;
    std::uint64_t placementSeed = 1;
    bool keepInDomains = true; ///< leave GPUs of a scale-up domain idle where a group would reach over two of them
    Precision precision = Precision::Bf16;
    Recompute recompute = Recompute::Selective;
    Accelerator accelerator;
    Overlap overlap;
    Algorithms algorithms;
    Latency latency;
    double libraryFactor = 1; ///< share of the line rate that the collective library reaches, 0 to 1 (assumed; Tencent, "Xingmai 2.0": TCCL +40 %)
    double tokensToTrain = 300e9;
    int communicationProcessors = 0; ///< of the accelerator's processors, taken by communication for the whole iteration
    ComputeCalibration calibration;

    [[nodiscard]] double peakFlops() const { return accelerator.peakFlops[std::size_t(precision)]; }
    /// What is left for computing.
    [[nodiscard]] ComputeUnit computeUnit() const;
};

/// Bytes of one GPU at its fullest (first pipeline stage, or the one with the most layers). Activations: V. Korthikanti et al. 2022,
/// table 2, written out for gated layers, grouped keys and experts; states: bf16 weights and gradients, fp32 master and two Adam moments
/// (2 + 2 + 12 bytes a parameter).
struct MemoryEstimate {
    double statesBytes = 0, activationBytes = 0;
    double layerActivationBytes = 0; ///< of one layer and one micro-batch
    double availableBytes = 0;       ///< of the accelerator
    [[nodiscard]] double totalBytes() const { return statesBytes + activationBytes; }
    [[nodiscard]] bool fits() const { return totalBytes() <= availableBytes; }
};
[[nodiscard]] MemoryEstimate memoryPerGpu(const TrainingJob& job);
/// A job that does not fit: what it needs, what there is, and which changes of this job need less.
[[nodiscard]] Text memoryShortfall(const TrainingJob& job, const MemoryEstimate& memory);

/// What is not forbidden but should be known.
using Warnings = std::vector<Text>;

/// Checks that the job can be cut like this: divisibility, ranges, precision. Warnings: memory, key-value heads.
/// Errors: Refused, the place is the quantity ("parallelism.pipeline"), with numbers and remedy.
[[nodiscard]] Result<Warnings> checkJob(const TrainingJob& job);

/// The job with as many data-parallel replicas as fit on `gpus`. With `samplesPerIteration` > 0 the number of micro-batches
/// follows, so that an iteration has at most that many samples (at least one micro-batch per stage). Errors: Refused when
/// not even one replica fits.
[[nodiscard]] Result<TrainingJob> fitToGpus(TrainingJob job, std::int64_t gpus, std::int64_t samplesPerIteration = 0);

} // namespace training
} // namespace hw::sim
