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
        ModelTflops     ///< without
    };
    std::string slug, series, title, source;
    char confidence = 'A';
    bool calibration = false; ///< the compute model was fitted to it
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

/// Over the runs that the model was not fitted to.
struct PredictionQuality {
    int runs = 0;
    double meanError = 0, worstError = 0; ///< absolute
};
[[nodiscard]] PredictionQuality qualityOf(std::span<const PublishedRun> runs, const ComputeCalibration& calibration = {});

} // namespace training
} // namespace hw::sim
