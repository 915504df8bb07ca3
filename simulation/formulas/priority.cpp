// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/priority.h"

#include "simulation/formulas/link_sharing.h"
#include "simulation/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace hw::sim {
inline namespace formulas {

namespace {

/// Links with rates in Gb/s, max-min among equals.
class Links final : public SharedPaths {
public:
    explicit Links(const SharedLinks& system) : m_system(system) {}
    void speeds(std::span<const std::size_t> active, std::span<const double> rank, std::span<const TurnPlace>, std::vector<double>& speed) override
    {
        speed = rankedRates(m_system, active, rank);
    }

private:
    const SharedLinks& m_system;
};

std::vector<Turn> turnsOf(const SharedLinks& system)
{
    std::vector<Turn> turns;
    for (const PeriodicJob& job : system.jobs) turns.push_back({job.computeS, job.communicateS, job.overlap, job.intensity(), job.priority});
    return turns;
}

Result<void> validate(const SharedLinks& s, const PrioritySettings& settings)
{
    const auto refuse = [](std::string key, TextId what) -> Result<void> {
        return fail(ErrorCode::Refused, std::move(key), what, i18n("correct the value"));
    };
    if (s.jobs.empty()) return refuse("jobs", TextId("none given"));
    for (const double g : s.linkGbps)
        if (!(g > 0) || !std::isfinite(g)) return refuse("links", TextId("must be greater than 0"));
    if (settings.phases < 1 || !(settings.measureS > 0) || settings.warmUpS < 0)
        return refuse("phases", TextId("must be 1 or more, with a measurement time above 0"));
    for (std::size_t j = 0; j < s.jobs.size(); ++j) {
        const PeriodicJob& job = s.jobs[j];
        const std::string key = "jobs[" + std::to_string(j) + "]";
        if (!(job.gpus > 0) || !(job.computeS > 1e-6) || !(job.communicateS > 1e-6) || !(job.commGbps > 0))
            return refuse(key, TextId("requires GPUs, times of 1 µs or more and a rate above 0"));
        if (!(job.overlap >= 0) || job.overlap > 1) return refuse(key + ".overlap", TextId("must be from 0 to 1"));
        if (job.links.empty()) return refuse(key + ".links", TextId("none given"));
        for (const int l : job.links)
            if (l < 0 || std::size_t(l) >= s.linkGbps.size()) return refuse(key + ".links", TextId("refers to a nonexistent link"));
        if ((settings.warmUpS + settings.measureS) / (job.computeS + job.communicateS) * settings.phases > 1e8)
            return refuse(key, TextId("has too many iterations to simulate"));
    }
    return {};
}

} // namespace

Result<PriorityResult> simulateSharing(const SharedLinks& system, SharePolicy policy, const PrioritySettings& settings, const Progress& progress)
{
    if (const auto valid = validate(system, settings); !valid) return tl::unexpected(valid.error());
    const std::size_t jobs = system.jobs.size();
    PriorityResult r;
    r.jobs.assign(jobs, {0, 0, 0});
    r.lowest = 1;
    const double gpus = std::accumulate(system.jobs.begin(), system.jobs.end(), 0.0, [](double sum, const PeriodicJob& j) { return sum + j.gpus; });
    std::vector<double> starts(jobs, 0.0);
    const std::vector<Turn> turns = turnsOf(system);
    Links links(system);
    for (int phase = 0; phase < settings.phases; ++phase) {
        if (phase % (1 + settings.phases / 32) == 0) progress.report(double(phase) / settings.phases, "priority");
        Random random(settings.seed, std::uint64_t(phase));
        for (std::size_t j = 0; j < jobs; ++j) starts[j] = random.uniform() * (system.jobs[j].computeS + system.jobs[j].communicateS);
        JobTurns sharing(turns, policy, links);
        if (!sharing.run(starts, settings.warmUpS, settings.measureS, progress.stop)) return fail(ErrorCode::Canceled, "priority", i18n("stopped"));
        double busyGpus = 0;
        for (std::size_t j = 0; j < jobs; ++j) {
            const double busy = sharing.places()[j].busyS / settings.measureS;
            r.jobs[j].busy += busy / settings.phases;
            busyGpus += busy * system.jobs[j].gpus;
        }
        const double utilization = busyGpus / gpus;
        r.utilization += utilization / settings.phases;
        r.lowest = std::min(r.lowest, utilization);
        r.highest = std::max(r.highest, utilization);
    }
    for (std::size_t j = 0; j < jobs; ++j) {
        const PeriodicJob& job = system.jobs[j];
        const double alone = std::max(job.computeS, job.computeS * (1 - job.overlap) + job.communicateS);
        r.jobs[j].iterationS = r.jobs[j].busy > 0 ? job.computeS / r.jobs[j].busy : 0;
        r.jobs[j].slowDown = r.jobs[j].iterationS / alone;
    }
    return r;
}

} // namespace formulas
} // namespace hw::sim
