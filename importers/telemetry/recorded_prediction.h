// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/operations/prediction/ranking.h"

#include <string>
#include <vector>

namespace hw::telemetry {

struct RecordedPrediction {
    prediction::Prediction prediction;
    std::vector<Text> notes; ///< a recording that is cut short; no channels of signs
};

/// GPU hosts ranked by the signs in recordings of several days, in chronological order. Errors: those of the recordings, Canceled.
[[nodiscard]] Result<RecordedPrediction> predictionOf(const FiguresPtr& figures, const std::vector<std::string>& recordings,
                                                      const Progress& progress = {});

} // namespace hw::telemetry
