// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/job_mix.h"

#include "core/foundation/base/parallel.h"
#include "simulation/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace hw::sim {
inline namespace training {

namespace {

struct Waiting {
    std::uint32_t number, classIndex;
    int tenant;
    double sinceH, lastsH;
};
struct Running {
    Waiting job;
    double endH;
    std::vector<std::uint32_t> hosts;
};

/// What one run of the scheduler saw.
struct Seen {
    double utilization = 0, fragmentation = 0, spread = 0, waitH = 0, under1000 = 0, observedH = 0;
    std::uint64_t arrived = 0, started = 0;
    std::uint32_t largestGpus = 0;
    std::vector<MixJob> running;
};

/// Segments of the fabric, numbered, and how many of their hosts are free.
class Segments {
public:
    Segments(const WorkloadFabric& f, const std::vector<std::uint8_t>& usable)
    {
        for (std::size_t h = 0; h < f.places.size(); ++h) {
            const bool moved = h == 0 || f.places[h].pod != f.places[h - 1].pod || f.places[h].segment != f.places[h - 1].segment;
            if (moved) m_size.push_back(0);
            m_size.back() += usable[h];
            m_of.push_back(std::uint32_t(m_size.size() - 1));
        }
        m_free = m_size;
    }
    void change(std::uint32_t host, int by) { m_free[m_of[host]] += by; }
    [[nodiscard]] int largest() const { return *std::ranges::max_element(m_size); }
    [[nodiscard]] double fragmentation() const
    {
        double free = 0, whole = 0;
        for (std::size_t s = 0; s < m_size.size(); ++s) free += m_free[s], whole += m_free[s] == m_size[s] ? m_free[s] : 0;
        return free > 0 ? 1 - whole / free : 0;
    }

private:
    std::vector<int> m_size, m_free;
    std::vector<std::uint32_t> m_of;
};

std::vector<std::uint8_t> usableHosts(const WorkloadFabric& fabric, const JobMix& mix)
{
    return mix.free.empty() ? std::vector<std::uint8_t>(fabric.hosts.size(), 1) : mix.free;
}

std::uint32_t usableGpus(const WorkloadFabric& fabric, const JobMix& mix)
{
    return std::uint32_t(mix.free.empty() ? fabric.hosts.size() : std::size_t(std::ranges::count(mix.free, std::uint8_t(1)))) * fabric.gpusPerHost;
}

/// One run: arrivals of one seed.
class Scheduler {
public:
    Scheduler(const WorkloadFabric& fabric, const JobMix& mix, std::uint64_t jobs, std::uint64_t run)
        : m_fabric(fabric), m_mix(mix), m_jobs(jobs), m_random(mix.seed, 0x717 + (run << 16)), m_free(usableHosts(fabric, mix)),
          m_segments(fabric, m_free), m_usable(std::uint32_t(std::ranges::count(m_free, std::uint8_t(1)))), m_freeHosts(m_usable)
    {
        double shares = 0, gpus = 0;
        for (const MixClass& c : mix.classes) shares += c.share, gpus += c.share * c.gpus;
        m_shares = shares;
        m_betweenH = gpus / shares * mix.meanDurationH / (mix.offeredLoad * usableGpus(fabric, mix));
    }

    Result<Seen> run(const Progress& progress)
    {
        for (double arrivalH = m_random.exponential(m_betweenH); m_observed < m_jobs;) {
            if (m_events++ % 256 == 0) {
                if (progress.stopRequested()) return fail(ErrorCode::Canceled, "mix", i18n("stopped"));
                progress.report(double(m_observed) / double(m_jobs), "Job mix");
            }
            const auto first = std::ranges::min_element(m_running, {}, &Running::endH);
            if (first != m_running.end() && first->endH <= arrivalH) {
                pass(first->endH);
                release(first - m_running.begin());
            } else {
                pass(arrivalH);
                arrive();
                arrivalH += m_random.exponential(m_betweenH);
            }
            startWaiting();
        }
        return finish();
    }

private:
    [[nodiscard]] std::uint32_t hostsOf(std::uint32_t classIndex) const
    {
        return (m_mix.classes[classIndex].gpus + m_fabric.gpusPerHost - 1) / m_fabric.gpusPerHost;
    }

    void pass(double toH)
    {
        const double step = toH - m_clockH;
        m_clockH = toH;
        if (!m_warm) {
            m_warm = m_started >= m_jobs && m_clockH >= kWarmUpDurations * m_mix.meanDurationH;
            return;
        }
        m_out.observedH += step;
        m_out.utilization += step * (1 - double(m_freeHosts) / double(m_usable));
        m_out.fragmentation += step * m_segments.fragmentation();
    }

    void arrive()
    {
        double pick = m_random.uniform() * m_shares;
        std::uint32_t c = 0;
        while (c + 1 < m_mix.classes.size() && pick >= m_mix.classes[c].share) pick -= m_mix.classes[c++].share;
        m_waiting.push_back(
            {m_number++, c, int(m_random.below(std::uint64_t(std::max(1, m_mix.tenants)))), m_clockH, m_random.exponential(m_mix.meanDurationH)});
    }

    void release(std::ptrdiff_t place)
    {
        for (const std::uint32_t h : m_running[std::size_t(place)].hosts) m_free[h] = 1, m_segments.change(h, 1);
        m_freeHosts += std::uint32_t(m_running[std::size_t(place)].hosts.size());
        m_running.erase(m_running.begin() + place);
    }

    void startWaiting()
    {
        for (std::size_t i = 0; i < m_waiting.size();) {
            if (hostsOf(m_waiting[i].classIndex) > m_freeHosts) {
                if (!m_mix.backfill) return;
                ++i;
                continue;
            }
            start(m_waiting[i]);
            m_waiting.erase(m_waiting.begin() + std::ptrdiff_t(i));
        }
    }

    void start(const Waiting& job)
    {
        auto hosts = placeHosts(m_fabric.places, m_free, hostsOf(job.classIndex), m_mix.placement, m_mix.seed + job.number);
        if (!hosts) return; // cannot be: there are enough
        for (const std::uint32_t h : *hosts) m_free[h] = 0, m_segments.change(h, -1);
        m_freeHosts -= std::uint32_t(hosts->size());
        ++m_started;
        if (m_warm) {
            ++m_observed;
            m_waitH += m_clockH - job.sinceH;
            m_small += m_mix.classes[job.classIndex].gpus < 1000;
            m_out.largestGpus = std::max(m_out.largestGpus, m_mix.classes[job.classIndex].gpus);
            if (hosts->size() > 1 && int(hosts->size()) <= m_segments.largest())
                ++m_fitting, m_spread += spreadOf(m_fabric.places, *hosts).segments > 1;
        }
        m_running.push_back({job, m_clockH + job.lastsH, std::move(*hosts)});
    }

    Seen finish()
    {
        const double observed = double(m_observed);
        if (m_out.observedH > 0) m_out.utilization /= m_out.observedH, m_out.fragmentation /= m_out.observedH;
        m_out.waitH = m_waitH / observed;
        m_out.under1000 = m_small / observed;
        m_out.spread = m_fitting > 0 ? m_spread / m_fitting : 0;
        m_out.arrived = m_number, m_out.started = m_started;
        for (Running& r : m_running) m_out.running.push_back({r.job.number, r.job.classIndex, r.job.tenant, std::move(r.hosts)});
        std::ranges::sort(m_out.running, {}, &MixJob::number);
        return std::move(m_out);
    }

    static constexpr double kWarmUpDurations = 5; ///< e^-5 of the empty start is left
    const WorkloadFabric& m_fabric;
    const JobMix& m_mix;
    const std::uint64_t m_jobs;
    Random m_random;
    std::vector<std::uint8_t> m_free;
    Segments m_segments;
    const std::uint32_t m_usable;
    std::uint32_t m_freeHosts = 0, m_number = 0;
    std::vector<Waiting> m_waiting;
    std::vector<Running> m_running;
    double m_shares = 1, m_betweenH = 1, m_clockH = 0;
    double m_waitH = 0, m_small = 0, m_fitting = 0, m_spread = 0;
    std::uint64_t m_started = 0, m_observed = 0, m_events = 0;
    bool m_warm = false;
    Seen m_out;
};

/// Mean of the runs with its 95 % interval.
MixMean meanOf(const std::vector<Seen>& runs, double Seen::*what)
{
    constexpr double kStudent = 2.365; // 97.5 % point of t with kMixRuns - 1 = 7 degrees of freedom
    static_assert(kMixRuns == 8);
    double sum = 0, squares = 0;
    for (const Seen& run : runs) sum += run.*what;
    const double mean = sum / kMixRuns;
    for (const Seen& run : runs) squares += (run.*what - mean) * (run.*what - mean);
    return {mean, kStudent * std::sqrt(squares / (kMixRuns - 1) / kMixRuns)};
}

MixOccupancy pooled(std::vector<Seen> runs)
{
    MixOccupancy out;
    out.utilization = meanOf(runs, &Seen::utilization);
    out.fragmentation = meanOf(runs, &Seen::fragmentation);
    out.spreadJobs = meanOf(runs, &Seen::spread);
    out.waitH = meanOf(runs, &Seen::waitH);
    for (const Seen& run : runs) {
        out.jobsUnder1000 += run.under1000 / kMixRuns;
        out.observedH += run.observedH;
        out.arrived += run.arrived, out.started += run.started;
        out.largestGpus = std::max(out.largestGpus, run.largestGpus);
    }
    out.running = std::move(runs.front().running);
    return out;
}

MixClass mixClass(std::uint32_t gpus, double share, TransformerModel model, int tp, int pp)
{
    MixClass c{gpus, share, {}};
    c.job.name = model.name + " on " + std::to_string(gpus);
    c.job.model = std::move(model);
    c.job.cut.tensor = tp, c.job.cut.pipeline = pp, c.job.cut.data = 1;
    c.job.cut.microBatches = 16;
    c.job.algorithms.shardedOptimizer = true;
    return c;
}

TransformerModel dense(const char* name, int layers, int hidden, int heads)
{
    TransformerModel m;
    m.name = name, m.layers = layers, m.hidden = hidden, m.heads = heads;
    return m;
}

} // namespace

/// Models: GPT-3's family (T. Brown et al. 2020, table 2.1).
JobMix defaultMix()
{
    const TransformerModel m7 = dense("GPT 6.7B", 32, 4096, 32), m13 = dense("GPT 13B", 40, 5120, 40);
    JobMix mix;
    mix.classes = {mixClass(8, 0.263, m7, 1, 1),      mixClass(16, 0.15, m7, 1, 1),        mixClass(32, 0.15, m13, 2, 1),
                   mixClass(64, 0.15, m13, 2, 1),     mixClass(128, 0.12, m13, 2, 2),      mixClass(256, 0.08, gpt3(), 8, 8),
                   mixClass(512, 0.05, gpt3(), 8, 8), mixClass(1024, 0.025, gpt3(), 8, 8), mixClass(2048, 0.012, gpt3(), 8, 8)};
    return mix;
}

Result<MixOccupancy> occupy(const WorkloadFabric& fabric, const JobMix& mix, std::uint64_t jobs, const Progress& progress)
{
    if (mix.classes.empty() || jobs < 1) return fail(ErrorCode::Refused, "mix", i18n("has no jobs"), i18n("specify classes and a number of jobs"));
    if (!(mix.offeredLoad > 0) || !(mix.meanDurationH > 0))
        return fail(ErrorCode::Refused, "mix", i18n("requires an offered load and a duration above 0"), i18n("correct the values"));
    for (const MixClass& c : mix.classes)
        if (c.gpus == 0 || c.gpus > usableGpus(fabric, mix) || !(c.share > 0))
            return fail(ErrorCode::Refused, "mix",
                        i18n("a class of {} GPUs does not fit the {} GPUs that the mix may use", c.gpus, usableGpus(fabric, mix)),
                        i18n("omit it, or use a larger design"));
    std::vector<Result<Seen>> runs(kMixRuns, Seen{});
    const bool whole = parallelFor(
        kMixRuns, {.stop = progress.stop},
        [&](unsigned thread) {
            return thread == 0 ? progress : Progress{progress.stop, {}};
        },
        [&](const Progress& own, std::size_t run) { runs[run] = Scheduler(fabric, mix, jobs, run).run(own); });
    if (!whole) return fail(ErrorCode::Canceled, "mix", i18n("stopped"));
    std::vector<Seen> seen;
    for (auto& run : runs) {
        if (!run) return tl::unexpected(run.error());
        seen.push_back(std::move(*run));
    }
    return pooled(std::move(seen));
}

Result<MixStudy> runMix(const WorkloadFabric& fabric, const JobMix& mix, std::span<const SharePolicy> policies, const PhaseOptions& options,
                        std::uint64_t jobs, JobPaths paths, const Progress& progress)
{
    auto occupancy = occupy(fabric, mix, jobs, progress);
    if (!occupancy) return tl::unexpected(occupancy.error());
    MixStudy study;
    study.occupancy = std::move(*occupancy);
    std::vector<TrainingJob> placed;
    std::vector<std::vector<std::uint32_t>> hosts;
    for (const MixJob& running : study.occupancy.running) {
        const MixClass& c = mix.classes[running.classIndex];
        auto job = fitToGpus(c.job, c.gpus);
        if (!job) return tl::unexpected(job.error());
        job->tenant = "tenant " + std::to_string(running.tenant + 1);
        placed.push_back(std::move(*job));
        hosts.push_back(running.hosts);
    }
    auto together = runJobs(fabric, placed, policies, options, hosts, mix.seed, paths, progress);
    if (!together) return tl::unexpected(together.error());
    study.jobs = std::move(together->jobs);
    study.policies = std::move(together->policies);
    study.askedShare = std::move(together->askedShare);
    study.meanConnectionsPerHost = together->meanConnectionsPerHost;
    study.mostConnectionsPerHost = together->mostConnectionsPerHost;
    std::map<int, MixStudy::Tenant> tenants;
    for (std::size_t j = 0; j < study.jobs.size(); ++j) {
        auto& t = tenants[study.occupancy.running[j].tenant];
        t.number = study.occupancy.running[j].tenant + 1, t.gpus += study.jobs[j].gpus, ++t.jobs;
        t.meanSlowDown += (study.policies.empty() ? 1 : study.policies.front().outcome.jobs[j].slowDown) - 1;
    }
    for (auto& [number, t] : tenants) {
        t.meanSlowDown = 1 + (t.meanSlowDown - 1) / t.jobs;
        study.tenants.push_back(t);
    }
    return study;
}

} // namespace training
} // namespace hw::sim
