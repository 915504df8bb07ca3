// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/recorded_prediction.h"

#include "core/operations/prediction/history.h"
#include "importers/telemetry/sources.h"

#include <chrono>
#include <thread>

namespace hw::telemetry {

Result<RecordedPrediction> predictionOf(const FiguresPtr& figures, const std::vector<std::string>& recordings, const Progress& progress)
{
    RecordedPrediction out;
    out.prediction.model = prediction::HazardModel::of(*figures->snapshot);
    prediction::History history(figures, out.prediction.model);
    for (const std::string& file : recordings) {
        auto source = openRecording(file, 0, {});
        if (!source) return tl::unexpected(source.error());
        const auto end = (*source)->end();
        if (const auto started = (*source)->start(history); !started) return tl::unexpected(started.error());
        while (!progress.stopRequested() && !(*source)->ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        (*source)->stop();
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "predict", i18n("stopped"), i18n("no result"));
        if (end->damage) return tl::unexpected(*end->damage);
        if (!end->cut.empty()) out.notes.push_back(end->cut);
    }
    const auto coverage = history.coverage();
    if (coverage.ofSigns == 0)
        out.notes.push_back(i18n("none of the {:L} channels contains signs of failure of GPU hosts; see docs/prediction.md", coverage.channels));
    out.prediction.fromMs = coverage.fromMs, out.prediction.toMs = coverage.toMs;
    out.prediction.hosts = history.ranked();
    return out;
}

} // namespace hw::telemetry
