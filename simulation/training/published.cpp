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
    case PublishedRun::Measure::TokensPerS: return "tokens_per_s_per_gpu";
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
    case PublishedRun::Measure::TokensPerS: p.predicted = p.iteration.tokensPerS / double(job.cut.gpus()); break;
    }
    p.error = (run.measure == PublishedRun::Measure::IterationS ? run.published / p.predicted : p.predicted / run.published) - 1;
    return p;
}

PredictionQuality qualityOf(std::span<const PublishedRun> runs, const ComputeCalibration& calibration)
{
    PredictionQuality q;
    for (const PublishedRun& run : runs) {
        if (run.calibration || !run.outside.empty()) continue;
        const double error = std::abs(predict(run, calibration).error);
        ++q.runs, q.meanError += error, q.worstError = std::max(q.worstError, error);
    }
    if (q.runs > 0) q.meanError /= q.runs;
    return q;
}

namespace {

bool computeAlike(const TrainingJob& a, const TrainingJob& b)
{
    return a.peakFlops() == b.peakFlops() && a.accelerator.memoryBytesPerS == b.accelerator.memoryBytesPerS &&
           a.accelerator.processors == b.accelerator.processors && a.accelerator.sustained == b.accelerator.sustained;
}

} // namespace

ValidatedRange validatedRange(const TrainingJob& job, std::span<const PublishedRun> runs, std::span<const double> errors)
{
    ValidatedRange range;
    range.mixture = job.model.mixture();
    range.precision = job.precision == Precision::Fp16 ? Precision::Bf16 : job.precision;
    PredictionQuality& q = range.quality;
    bool sameAccelerator = false;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const PublishedRun& run = runs[i];
        if (run.calibration || !run.outside.empty() || run.job.model.mixture() != range.mixture || run.job.precision != range.precision) continue;
        const double parameters = countParameters(run.job.model).total();
        range.leastParameters = q.runs == 0 ? parameters : std::min(range.leastParameters, parameters);
        range.mostParameters = std::max(range.mostParameters, parameters);
        sameAccelerator = sameAccelerator || computeAlike(job, run.job);
        if (std::ranges::find(range.accelerators, run.job.accelerator.name) == range.accelerators.end())
            range.accelerators.push_back(run.job.accelerator.name);
        const double error = std::abs(errors[i]);
        ++q.runs, q.meanError += error, q.worstError = std::max(q.worstError, error);
    }
    if (q.runs > 0) q.meanError /= q.runs;
    const double parameters = countParameters(job.model).total();
    if (job.accelerator.efficiency > 0) return range;
    if (q.runs == 0)
        range.outside = ValidatedRange::Outside::NoRuns;
    else if (!sameAccelerator)
        range.outside = ValidatedRange::Outside::Accelerator;
    else if (parameters < 0.95 * range.leastParameters || parameters > 1.05 * range.mostParameters)
        range.outside = ValidatedRange::Outside::Parameters;
    return range;
}

} // namespace training
} // namespace hw::sim
