// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/closed_form.h"

#include <span>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

/// A training run that somebody measured and published: resources/workloads/published.yaml.
struct PublishedRun {
    enum class Measure : std::uint8_t {
        IterationS,
        HardwareTflops, ///< a second and GPU, with what is computed twice
        ModelTflops,    ///< without
        TokensPerS      ///< of one GPU
    };
    std::string slug, series, title, source;
    char confidence = 'A';
    bool calibration = false; ///< the compute model was fitted to it
    std::string outside;      ///< why the model is not expected to predict it; empty: it is
    TrainingJob job;
    PlainHosts hosts;
    Measure measure = Measure::IterationS;
    double published = 0;
};
[[nodiscard]] const char* name(PublishedRun::Measure measure);

/// What the model says to it. `error`: predicted throughput over the published one, less 1.
struct PublishedPrediction {
    double predicted = 0; ///< in the run's measure
    double error = 0;
    Iteration iteration;
};
[[nodiscard]] PublishedPrediction predict(const PublishedRun& run, const ComputeCalibration& calibration = {});

/// Over the runs that the model was not fitted to and is expected to predict.
struct PredictionQuality {
    int runs = 0;
    double meanError = 0, worstError = 0; ///< absolute
};
[[nodiscard]] PredictionQuality qualityOf(std::span<const PublishedRun> runs, const ComputeCalibration& calibration = {});

/// A kind of training run: dense or a mixture of experts, at 16 bits or narrower. Its published runs that the model predicts.
struct ValidatedRange {
    bool mixture = false;
    Precision precision = Precision::Bf16;
    PredictionQuality quality;
    double leastParameters = 0, mostParameters = 0;
    std::vector<std::string> accelerators;
    enum class Outside : std::uint8_t { No, NoRuns, Parameters, Accelerator } outside = Outside::No; ///< where the job is, against these
    [[nodiscard]] bool inside() const { return outside == Outside::No; }
};
/// That of a job's kind, from runs and the errors of their predictions. Accelerators that compute alike (peaks, memory rate, processors)
/// count as one; a job with a stated efficiency does not use the compute model and is inside.
[[nodiscard]] ValidatedRange validatedRange(const TrainingJob& job, std::span<const PublishedRun> runs, std::span<const double> errors);

} // namespace training
} // namespace hw::sim
