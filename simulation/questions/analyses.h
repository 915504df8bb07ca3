// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/questions/scenario_kind.h"
#include "simulation/reliability/faults.h"
#include "simulation/reliability/prediction_trial.h"

#include <functional>

namespace hw::sim {
inline namespace questions {

/// A question that needs no design: closed forms and small simulations.
struct Analysis {
    std::string name;
    Text summary;
    std::vector<Field> fields;
    /// Gets complete, checked parameters.
    std::function<Result<ScenarioOutcome>(const Json& parameters, const Progress& progress)> run;
};

/// One maker each. Their default cases: goodput S9, checkpoint P7, amdahl P5, collective and training-volume P8, pxn S5, xlink S10,
/// priority S8, hash-dodging S7, port-failover S2.
[[nodiscard]] Analysis amdahlAnalysis();
[[nodiscard]] Analysis collectiveAnalysis();
[[nodiscard]] Analysis forwardingAnalysis();
[[nodiscard]] Analysis xlinkAnalysis();
[[nodiscard]] Analysis trainingAnalysis();
[[nodiscard]] Analysis publishedAnalysis();
[[nodiscard]] Analysis checkpointAnalysis();
[[nodiscard]] Analysis goodputAnalysis();
[[nodiscard]] Analysis goodputTargetAnalysis();
[[nodiscard]] Analysis faultCausesAnalysis();
[[nodiscard]] Analysis blackHoleAnalysis();
[[nodiscard]] Analysis portFailoverAnalysis();
[[nodiscard]] Analysis priorityAnalysis();
[[nodiscard]] Analysis inferenceAnalysis();
[[nodiscard]] Analysis spotAnalysis();
[[nodiscard]] Analysis faultPredictionAnalysis();
[[nodiscard]] Analysis crossSiteAnalysis();

/// Whether recall and precision are given, or measured on an emulated history (fault-prediction, for as many hosts); for kinds that have both.
[[nodiscard]] Field predictionField();
[[nodiscard]] bool isPredictionMeasured(const Json& parameters);
/// The measured ones; Errors: Canceled.
[[nodiscard]] Result<prediction::Quality> measuredPrediction(double gpus, double gpusPerHost, const FaultLog& log, prediction::HazardModel model,
                                                             const Progress& progress);
[[nodiscard]] Text measuredPredictionNote();
/// Precision and recall as listed in results.
[[nodiscard]] Json predictionJson(const prediction::Quality& quality);

/// The fault log that checkpoint, goodput and design-goodput share: a number of faults, or a table of causes. What it says, and for a job
/// of so many GPUs its causes with shares, MTBF and rates (null where it has no table).
[[nodiscard]] Field faultLogField();
[[nodiscard]] FaultLog faultLogOf(const Json& parameters);
[[nodiscard]] Json causesJson(const Json& parameters, double jobGpus);

inline double numberOf(const Json& p, const char* key) { return p.at(key).get<double>(); }
inline int integerOf(const Json& p, const char* key) { return int(p.at(key).get<std::int64_t>()); }
inline bool flagOf(const Json& p, const char* key) { return p.at(key).get<bool>(); }
inline std::string textOf(const Json& p, const char* key) { return p.at(key).get<std::string>(); }
inline std::vector<double> numbersOf(const Json& p, const char* key) { return p.at(key).get<std::vector<double>>(); }
inline std::vector<int> integersOf(const Json& p, const char* key) { return p.at(key).get<std::vector<int>>(); }
inline ScenarioOutcome answer(Json results, std::vector<Text> notes) { return {std::move(results), std::move(notes), nullptr, nullptr}; }

} // namespace questions
} // namespace hw::sim
