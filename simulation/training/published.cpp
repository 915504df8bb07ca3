// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/published.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace training {

const char* name(PublishedRun::Measure m)
{
    switch (m) {
    case PublishedRun::Measure::IterationS: return "iteration_s";
    case PublishedRun::Measure::HardwareTflops: return "hardware_tflops_per_gpu";
    case PublishedRun::Measure::ModelTflops: return "tflops_per_gpu";
    }
    return "";
}

PublishedPrediction predict(const PublishedRun& run, const ComputeCalibration& calibration)
{
    TrainingJob job = run.job;
    job.calibration = calibration;
    PublishedPrediction p;
    p.iteration = estimateIteration(job, run.hosts);
    p.iteration.segments.clear();
    switch (run.measure) {
    case PublishedRun::Measure::IterationS: p.predicted = p.iteration.iterationS; break;
    case PublishedRun::Measure::HardwareTflops: p.predicted = p.iteration.hardwareFlopsPerGpu / 1e12; break;
    case PublishedRun::Measure::ModelTflops: p.predicted = p.iteration.flopsPerGpu / 1e12; break;
    }
    p.error = (run.measure == PublishedRun::Measure::IterationS ? run.published / p.predicted : p.predicted / run.published) - 1;
    return p;
}

PredictionQuality qualityOf(std::span<const PublishedRun> runs, const ComputeCalibration& calibration)
{
    PredictionQuality q;
    for (const PublishedRun& run : runs) {
        if (run.calibration) continue;
        const double error = std::abs(predict(run, calibration).error);
        ++q.runs, q.meanError += error, q.worstError = std::max(q.worstError, error);
    }
    if (q.runs > 0) q.meanError /= q.runs;
    return q;
}

} // namespace training
} // namespace hw::sim
