// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/operations/prediction/ranking.h"

#include <cstdint>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// An emulated history of hosts: faults by cause as in the Llama 3 log, of which a share is announced by signs, among signs that mean
/// nothing. Shares nothing with the hazard model but the base rate. All rates of signs are assumed, see the source.
struct PredictionCase {
    int hosts = 375, days = 180;
    double announcedShare = 0.7;    ///< of the faults of hardware
    double leadDays = 3;            ///< mean time of signs before such a fault (exponential)
    double benignPerHostYear = 0.5; ///< bursts of signs without a fault: work on cables, applications
    std::uint64_t seed = 1;
    bool tops = false; ///< fill PredictionTrial::tops
};

struct PredictionTrial {
    prediction::Quality quality; ///< a predicted host is drained: its fault does not happen
    /// At the end, of each host.
    struct Host {
        prediction::Counts counts{};
        double signDays = 0; ///< since the first sign that is left; 0: none
        double faultInDays = 0;
    };
    std::vector<Host> hosts;
    /// How many of the first hosts of the ranking fail within the horizon, mean of one day a week, without drains.
    struct Top {
        int hosts = 0;
        double precision = 0, atRandom = 0;
        double limit = 0; ///< if hosts whose fault has signs by then came first and the others were drawn
    };
    std::vector<Top> tops;
};

/// Predicts at the end of every day. A prediction is right when the host would fail within the horizon. Errors: Canceled.
[[nodiscard]] Result<PredictionTrial> tryPrediction(const PredictionCase& c, const prediction::HazardModel& model, const Progress& progress = {});

/// An emulated history of the GPU hosts of a design, ranked at its end, with precision and recall. Errors: Canceled.
[[nodiscard]] Result<prediction::Prediction> emulatedPrediction(const Figures& design, int days, std::uint64_t seed, const Progress& progress = {});

} // namespace reliability
} // namespace hw::sim
