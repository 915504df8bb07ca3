// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/operations/prediction/hazard.h"

#include <optional>
#include <string>
#include <vector>

namespace hw::prediction {

/// A host and how likely it fails within the horizon.
struct Likely {
    DeviceId host{};
    std::string name;
    double probability = 0, ratio = 1; ///< ratio: to the base rate
    Counts counts{};                   ///< excess
    std::int64_t sinceMs = 0;          ///< of the first sign; 0: none
    bool predicted = false;
    std::optional<bool> failed{}; ///< of an emulated history: whether it fails within the horizon
};

/// Active and backup servers with accelerators, in the order of the design.
[[nodiscard]] std::vector<DeviceId> gpuHosts(const Figures& design);
/// The most likely first; equal ones in the order given.
void rank(std::vector<Likely>& hosts);
/// Signs of a host, the heaviest first: "3 XID errors, 12 link flaps".
[[nodiscard]] Text signsText(const Likely& host, const HazardModel& model);

/// How good predictions were on a history whose failures are known.
struct Quality {
    double faults = 0, right = 0, missed = 0, falseAlarms = 0;
    double warningH = 0; ///< mean, between prediction and failure
    [[nodiscard]] double recall() const { return faults > 0 ? right / faults : 0; }
    [[nodiscard]] double precision() const { return right + falseAlarms > 0 ? right / (right + falseAlarms) : 1; }
};

struct Prediction {
    HazardModel model;
    std::int64_t fromMs = 0, toMs = 0; ///< of the history; 0: none
    std::vector<Likely> hosts;         ///< ranked
    std::optional<Quality> quality{};
};
/// "12 hosts predicted to fail (30 % or more)", and precision and recall where they are known.
[[nodiscard]] std::vector<Text> summaryOf(const Prediction& prediction);
/// hallwright.prediction/1. `most`: hosts without a sign are left out, and so are those beyond; 0: all.
[[nodiscard]] std::string predictionJson(const Prediction& prediction, std::size_t most);
[[nodiscard]] std::string predictionCsv(const Prediction& prediction, std::size_t most);
[[nodiscard]] std::string predictionText(const Prediction& prediction, std::size_t most);

} // namespace hw::prediction
