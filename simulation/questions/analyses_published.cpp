// SPDX-License-Identifier: GPL-3.0-or-later
// What the training model says to runs that were measured and published.
#include "simulation/questions/analyses.h"
#include "simulation/questions/model_fields.h"

namespace hw::sim {
inline namespace questions {

namespace {

Json rowJson(const PublishedRun& run, const PublishedPrediction& p)
{
    const Parallelism& c = run.job.cut;
    return {{"run", run.slug},
            {"series", run.series},
            {"gpus", c.gpus()},
            {"accelerator", run.job.accelerator.name},
            {"precision", name(run.job.precision)},
            {"parameters", countParameters(run.job.model).total()},
            {"hidden", run.job.model.hidden},
            {"tensor", c.tensor},
            {"pipeline", c.pipeline},
            {"context", c.context},
            {"data", c.data},
            {"measure", name(run.measure)},
            {"published", run.published},
            {"predicted", p.predicted},
            {"error", p.error},
            {"peak_share", p.iteration.hfu},
            {"mfu", p.iteration.mfu},
            {"compute_peak_share", p.iteration.computeFlopsPerGpu / run.job.peakFlops()},
            {"confidence", std::string(1, run.confidence)}};
}

Json sustainedJson(const WorkloadLibrary& library)
{
    Json all = Json::object();
    for (const auto& entry : library.accelerators) all[entry.slug] = entry.accelerator.sustained;
    return all;
}

Json sourcesJson(const WorkloadLibrary& library)
{
    Json list = Json::array();
    for (const PublishedRun& run : library.published)
        if (list.empty() || list.back()["series"] != run.series)
            list.push_back({{"series", run.series}, {"title", run.title}, {"source", run.source}});
    return list;
}

Result<ScenarioOutcome> runPublished(const Json& p, const Progress& progress)
{
    const auto& library = workloadLibrary();
    if (!library) return tl::unexpected(library.error());
    const std::string series = textOf(p, "series");
    Json fittedTo = Json::array(), predicted = Json::array(), outside = Json::array();
    std::vector<PublishedRun> chosen;
    for (const PublishedRun& run : library->published) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "published-training", i18n("stopped"));
        if (series != "all" && run.series != series && !run.calibration) continue;
        Json row = rowJson(run, predict(run));
        if (!run.outside.empty()) row["reason"] = run.outside;
        (run.calibration ? fittedTo : run.outside.empty() ? predicted : outside).push_back(std::move(row));
        chosen.push_back(run);
    }
    const PredictionQuality q = qualityOf(chosen);
    const ComputeCalibration c;
    return answer(
        {{"predicted_runs", q.runs},
         {"mean_absolute_error", q.meanError},
         {"worst_error", q.worstError},
         {"predicted", predicted},
         {"calibration", fittedTo},
         {"outside_range", outside},
         {"calibrated_constants", {{"matrix_share", c.matrixShare}, {"depth", c.depth}, {"sustained", sustainedJson(*library)}}},
         {"assumed_constants", {{"wave", c.wave}, {"memory_share", c.memoryShare}, {"flash_share", c.flashShare}, {"cast_reads", c.castReads}}},
         {"sources", sourcesJson(*library)}},
        {i18n("error is predicted over published throughput, less 1. The model has three calibrated constants: "
              "matrix_share and depth, fitted to the calibration rows only, and sustained, the share of its peak "
              "clock that each accelerator type sustains. Errors above are those of the other rows, without "
              "outside_range, which the model is not expected to predict."),
         i18n("Hosts without a fabric: closed-form collectives, step-by-step pipeline schedule. peak_share "
              "includes recomputation, mfu does not."),
         i18n("Values not given in a row's source (share of line rate reached by collectives, overlap) are assumed "
              "for its entire series: resources/workloads/published.yaml.")});
}

} // namespace

Analysis publishedAnalysis()
{
    std::vector<std::string> series{"all"};
    if (const auto& library = workloadLibrary())
        for (const PublishedRun& run : library->published)
            if (series.back() != run.series) series.push_back(run.series);
    return {"published-training",
            i18n("Published training runs compared with the training model, with its three calibrated constants and "
                 "the runs outside its range"),
            {text("series", "all", series, i18n("series of runs"))},
            runPublished};
}

} // namespace questions
} // namespace hw::sim
