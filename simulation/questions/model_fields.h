// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/answers/parameter_schema.h"
#include "simulation/training/presets.h"

namespace hw::sim {
inline namespace questions {

/// The value of a parameter, where it is given.
template <class T>
void take(const Json& p, const char* key, T& target)
{
    if (p.contains(key)) target = p.at(key).get<T>();
}

/// resources/workloads, read once; the error of reading it if there was one.
[[nodiscard]] const Result<WorkloadLibrary>& workloadLibrary();
/// Slugs of one of its lists, for choices.
template <class Entries>
[[nodiscard]] std::vector<std::string> slugs(const Entries& entries)
{
    std::vector<std::string> out;
    for (const auto& e : entries) out.push_back(e.slug);
    return out;
}
[[nodiscard]] std::vector<std::string> presetSlugs();
[[nodiscard]] std::vector<std::string> modelSlugs();
[[nodiscard]] std::vector<std::string> acceleratorSlugs();

/// What of a transformer a scenario may state over its preset; each key absent unless given.
[[nodiscard]] std::vector<Field> modelFields();
/// Puts it over the model. A model that comes out as it was stays the published one.
void readModel(const Json& given, TransformerModel& model);

/// Keys that say what computes: accelerator, its peak at the job's precision, memory rate, and how much of the peak computing reaches.
[[nodiscard]] std::vector<Field> acceleratorFields();
/// How much memory it has: for kinds that tell what a job needs of it.
[[nodiscard]] Field memoryField();
/// The accelerator and its scale-up rate of this type, or `fallback` where none is named. Errors name the key: two statements of one thing.
[[nodiscard]] Result<void> readAccelerator(const Json& given, Precision precision, Accelerator& accelerator);

/// Peaks, memory, efficiency and what the compute model was reported, for results.
[[nodiscard]] Json acceleratorJson(const TrainingJob& job);
/// What a job needs of its memory, for results.
[[nodiscard]] Json memoryJson(const MemoryEstimate& memory);
/// Sets `runs` to false and states a verdict where the job needs more memory than its accelerator has; else `runs` is set if it is not yet.
void judgeMemory(const TrainingJob& job, const MemoryEstimate& memory, Json& results);
/// The same for several jobs; each that does not fit is named.
void judgeMemory(std::span<const TrainingJob> jobs, Json& results);
/// The three constants of the compute model that are calibrated, and the published runs of the job's kind that it predicts.
[[nodiscard]] Json calibratedJson(const TrainingJob& job);
[[nodiscard]] Json validatedJson(const TrainingJob& job);
/// Both as sentences; none for a job with a stated efficiency.
[[nodiscard]] std::vector<Text> computeNotes(const TrainingJob& job);
/// Errors of the predictions of all published runs, worked out once.
[[nodiscard]] const std::vector<double>& publishedErrors();
/// Where the time of an iteration goes, for results.
[[nodiscard]] Json timesJson(const Iteration& iteration);

} // namespace questions
} // namespace hw::sim
