// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/jobs_together.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

tl::unexpected<Error> ofJob(const TrainingJob& job, Error error)
{
    error.where = fmt::format("job \"{}\": {}", job.name, error.where);
    return tl::unexpected(std::move(error));
}

/// Runs one job and takes its hosts out of what is free.
Result<JobRun> runNext(const WorkloadFabric& fabric, const TrainingJob& job, JobRunOptions options, std::vector<std::uint8_t>& free,
                       const Progress& progress)
{
    options.free = free;
    auto run = runJob(fabric, job, options, progress);
    if (!run) return ofJob(job, run.error());
    for (const std::uint32_t h : run->hosts) {
        if (!free[h])
            return ofJob(job, {ErrorCode::Refused, "hosts", i18n("host {} is assigned to another job, or twice", h),
                               i18n("assign separate hosts to each job")});
        free[h] = 0;
    }
    return run;
}

/// Runs the jobs once more, the most intensive first, each on the paths that are loaded least by those before it.
Result<void> chooseByIntensity(const WorkloadFabric& fabric, JobsStudy& study, PhaseOptions options, const Progress& progress)
{
    std::vector<std::size_t> order(study.jobs.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t j) { return study.jobs[j].intensity(); });
    options.routing.selection = PathSelection::LeastLoad;
    options.placed.assign(fabric.graph->directedCount(), 0.0f);
    for (std::size_t done = 0; done < order.size(); ++done) {
        progress.report(double(done) / double(order.size()), "Paths"); // no text
        const std::size_t j = order[done];
        JobRunOptions one;
        one.phase = options, one.hosts = study.runs[j].hosts, one.unit = study.runs[j].unit;
        auto run = runJob(fabric, study.runs[j].job, one, progress);
        if (!run) return ofJob(study.runs[j].job, run.error());
        SharingJob& job = study.jobs[j];
        job = sharingJob(fabric, *run, options.state);
        const double communicates = job.communicateS / job.aloneS();
        for (const auto& l : job.load) options.placed[l.link] += float(l.share * communicates);
        for (auto& phase : run->phases) phase.result.linkBytes = {};
        run->iteration.segments = {};
        study.runs[j] = std::move(*run);
    }
    return {};
}

} // namespace

const char* name(JobPaths paths)
{
    switch (paths) {
    case JobPaths::Own: return "own";
    case JobPaths::ByIntensity: return "by-intensity";
    }
    return "";
}

Result<JobsStudy> runJobs(const WorkloadFabric& fabric, std::span<const TrainingJob> jobs, std::span<const SharePolicy> policies,
                          const PhaseOptions& options, std::span<const std::vector<std::uint32_t>> hosts, std::uint64_t seed, JobPaths paths,
                          const Progress& progress)
{
    if (!hosts.empty() && hosts.size() != jobs.size())
        return fail(ErrorCode::Refused, "hosts", i18n("{} lists for {} jobs", hosts.size(), jobs.size()), i18n("specify one per job, or none"));
    JobsStudy study;
    std::vector<std::uint8_t> free(fabric.hosts.size(), 1);
    study.askedShare.assign(fabric.graph->directedCount(), 0.0f);
    double connections = 0, used = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        progress.report(double(j) / double(jobs.size()), "Jobs");
        JobRunOptions one;
        one.phase = options;
        if (!hosts.empty()) one.hosts = hosts[j];
        auto run = runNext(fabric, jobs[j], std::move(one), free, progress);
        if (!run) return tl::unexpected(run.error());
        study.jobs.push_back(sharingJob(fabric, *run, options.state));
        connections += run->connectionsPerHost * double(run->hosts.size()), used += double(run->hosts.size());
        study.mostConnectionsPerHost = std::max(study.mostConnectionsPerHost, run->mostConnections);
        for (auto& phase : run->phases) phase.result.linkBytes = {};
        run->iteration.segments = {};
        study.runs.push_back(std::move(*run));
    }
    for (const JobRun& run : study.runs)
        if (run.unreachable > 0)
            return fail(ErrorCode::Refused, "network", i18n("\"{}\" does not run: {:L} of its transfers have no path", run.job.name, run.unreachable),
                        i18n("choose other hosts, another placement or routing"));
    if (paths == JobPaths::ByIntensity)
        if (const auto chosen = chooseByIntensity(fabric, study, options, progress); !chosen) return tl::unexpected(chosen.error());
    for (const SharingJob& job : study.jobs)
        for (const auto& l : job.load) study.askedShare[l.link] += float(l.share);
    study.meanConnectionsPerHost = used > 0 ? connections / used : 0;
    for (const SharePolicy policy : policies) {
        if (study.jobs.empty()) break;
        SharingSettings settings;
        settings.policy = policy, settings.seed = seed;
        auto outcome = shareFabric(study.jobs, settings, progress);
        if (!outcome) return tl::unexpected(outcome.error());
        study.policies.push_back({policy, std::move(*outcome)});
    }
    return study;
}

} // namespace training
} // namespace hw::sim
