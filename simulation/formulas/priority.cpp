// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/priority.h"

#include "simulation/formulas/link_sharing.h"
#include "simulation/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stop_token>

namespace hw::sim::inline formulas {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kDust = 1e-9; ///< s: what is left of a phase when rounding ends it

/// Where a job is in its iteration.
struct Place {
    double idleS = 0; ///< before its first iteration
    double computeLeftS = 0, communicateLeftS = 0;
    double sinceS = kNever; ///< when it could begin to communicate; kNever: not yet
    double busyS = 0;       ///< measured
    double iterations = 0;  ///< measured
    [[nodiscard]] bool communicates() const { return idleS <= 0 && communicateLeftS > 0 && sinceS < kNever; }
    [[nodiscard]] bool computes() const { return idleS <= 0 && computeLeftS > 0; }
};

class Sharing {
public:
    Sharing(const SharedLinks& system, SharePolicy policy) : m_system(system), m_policy(policy), m_places(system.jobs.size()) {}

    /// False when stopped before the end.
    bool run(std::span<const double> startsS, double warmUpS, double measureS, std::stop_token stop)
    {
        for (std::size_t j = 0; j < m_places.size(); ++j) {
            begin(j);
            m_places[j].idleS = startsS[j];
        }
        for (unsigned events = 0; m_clockS < warmUpS + measureS; ++events) {
            if (events % 4096 == 0 && stop.stop_requested()) return false;
            settle();
            allot();
            const double step = std::min(nextEvent(), m_clockS < warmUpS ? warmUpS - m_clockS : warmUpS + measureS - m_clockS);
            pass(step, m_clockS >= warmUpS);
        }
        return true;
    }
    [[nodiscard]] const std::vector<Place>& places() const { return m_places; }

private:
    void begin(std::size_t j)
    {
        m_places[j].computeLeftS = m_system.jobs[j].computeS;
        m_places[j].communicateLeftS = m_system.jobs[j].communicateS;
        m_places[j].sinceS = kNever;
    }

    /// Starts what has become possible at this moment.
    void settle()
    {
        for (std::size_t j = 0; j < m_places.size(); ++j) {
            Place& p = m_places[j];
            if (p.idleS > 0) continue;
            const double hidden = m_system.jobs[j].overlap * m_system.jobs[j].computeS;
            if (p.sinceS == kNever && p.computeLeftS <= hidden + kDust) p.sinceS = m_clockS;
        }
    }

    void allot()
    {
        m_active.clear();
        for (std::size_t j = 0; j < m_places.size(); ++j)
            if (m_places[j].communicates()) m_active.push_back(j);
        if (m_policy == SharePolicy::Fair) {
            m_rates = fairRates(m_system, m_active);
            return;
        }
        std::ranges::stable_sort(m_active, {}, [&](std::size_t j) { return rank(j); });
        m_ranks.clear();
        for (const std::size_t j : m_active) m_ranks.push_back(rank(j));
        m_rates = rankedRates(m_system, m_active, m_ranks);
    }

    /// The lower goes first.
    [[nodiscard]] double rank(std::size_t j) const
    {
        switch (m_policy) {
        case SharePolicy::ByIntensity: return -m_system.jobs[j].intensity();
        case SharePolicy::ByReverseIntensity: return m_system.jobs[j].intensity();
        case SharePolicy::Fifo: return m_places[j].sinceS;
        case SharePolicy::Listed: return -double(m_system.jobs[j].priority);
        case SharePolicy::Fair: return 0;
        }
        return 0;
    }

    [[nodiscard]] double nextEvent() const
    {
        double step = kNever;
        for (std::size_t j = 0; j < m_places.size(); ++j) {
            const Place& p = m_places[j];
            const double hidden = m_system.jobs[j].overlap * m_system.jobs[j].computeS;
            if (p.idleS > 0)
                step = std::min(step, p.idleS);
            else if (p.computes())
                step = std::min(step, p.computeLeftS > hidden + kDust ? p.computeLeftS - hidden : p.computeLeftS);
        }
        for (std::size_t i = 0; i < m_active.size(); ++i)
            if (m_rates[i] > 0) step = std::min(step, m_places[m_active[i]].communicateLeftS / m_rates[i]);
        return step;
    }

    void pass(double step, bool measured)
    {
        m_clockS += step;
        for (std::size_t i = 0; i < m_active.size(); ++i) lessen(m_places[m_active[i]].communicateLeftS, step * m_rates[i]);
        for (std::size_t j = 0; j < m_places.size(); ++j) {
            Place& p = m_places[j];
            if (p.idleS > 0) {
                lessen(p.idleS, step);
                continue;
            }
            if (p.computes() && measured) p.busyS += std::min(step, p.computeLeftS);
            lessen(p.computeLeftS, step);
            if (p.computeLeftS > 0 || p.communicateLeftS > 0) continue;
            if (measured) ++p.iterations;
            begin(j);
        }
    }

    static void lessen(double& left, double by) { left = left - by > kDust ? left - by : 0; }

    const SharedLinks& m_system;
    const SharePolicy m_policy;
    std::vector<Place> m_places;
    std::vector<std::size_t> m_active; ///< communicating, in the order of m_rates
    std::vector<double> m_rates;       ///< 1: as fast as alone
    std::vector<double> m_ranks;       ///< of the active ones
    double m_clockS = 0;
};

Result<void> validate(const SharedLinks& s, const PrioritySettings& settings)
{
    const auto refuse = [](std::string key, const char* what) -> Result<void> {
        return fail(ErrorCode::Refused, std::move(key), what, "correct the value");
    };
    if (s.jobs.empty()) return refuse("jobs", "are none");
    for (const double g : s.linkGbps)
        if (!(g > 0) || !std::isfinite(g)) return refuse("links", "must be above 0");
    if (settings.phases < 1 || !(settings.measureS > 0) || settings.warmUpS < 0) return refuse("phases", "must be 1 or more, over some time");
    for (std::size_t j = 0; j < s.jobs.size(); ++j) {
        const PeriodicJob& job = s.jobs[j];
        const std::string key = "jobs[" + std::to_string(j) + "]";
        if (!(job.gpus > 0) || !(job.computeS > 1e-6) || !(job.communicateS > 1e-6) || !(job.commGbps > 0))
            return refuse(key, "needs GPUs, times (1 µs or more) and a rate above 0");
        if (!(job.overlap >= 0) || job.overlap > 1) return refuse(key + ".overlap", "must be from 0 to 1");
        if (job.links.empty()) return refuse(key + ".links", "are none");
        for (const int l : job.links)
            if (l < 0 || std::size_t(l) >= s.linkGbps.size()) return refuse(key + ".links", "names a link that is not there");
        if ((settings.warmUpS + settings.measureS) / (job.computeS + job.communicateS) * settings.phases > 1e8)
            return refuse(key, "iterates so often that it would take too long");
    }
    return {};
}

} // namespace

const char* name(SharePolicy policy)
{
    switch (policy) {
    case SharePolicy::Fair: return "fair";
    case SharePolicy::ByIntensity: return "intensity";
    case SharePolicy::ByReverseIntensity: return "reverse-intensity";
    case SharePolicy::Fifo: return "fifo";
    case SharePolicy::Listed: return "listed";
    }
    return "";
}

Result<PriorityResult> simulateSharing(const SharedLinks& system, SharePolicy policy, const PrioritySettings& settings, const Progress& progress)
{
    if (const auto valid = validate(system, settings); !valid) return tl::unexpected(valid.error());
    const std::size_t jobs = system.jobs.size();
    PriorityResult r;
    r.jobs.assign(jobs, {0, 0, 0});
    r.lowest = 1;
    const double gpus = std::accumulate(system.jobs.begin(), system.jobs.end(), 0.0, [](double sum, const PeriodicJob& j) { return sum + j.gpus; });
    std::vector<double> iterations(jobs, 0.0), starts(jobs, 0.0);
    for (int phase = 0; phase < settings.phases; ++phase) {
        if (phase % (1 + settings.phases / 32) == 0) progress.report(double(phase) / settings.phases, "priority");
        Random random(settings.seed, std::uint64_t(phase));
        for (std::size_t j = 0; j < jobs; ++j) starts[j] = random.uniform() * (system.jobs[j].computeS + system.jobs[j].communicateS);
        Sharing sharing(system, policy);
        if (!sharing.run(starts, settings.warmUpS, settings.measureS, progress.stop)) return fail(ErrorCode::Cancelled, "priority", "stopped");
        double busyGpus = 0;
        for (std::size_t j = 0; j < jobs; ++j) {
            const double busy = sharing.places()[j].busyS / settings.measureS;
            r.jobs[j].busy += busy / settings.phases;
            iterations[j] += sharing.places()[j].iterations;
            busyGpus += busy * system.jobs[j].gpus;
        }
        const double utilisation = busyGpus / gpus;
        r.utilisation += utilisation / settings.phases;
        r.lowest = std::min(r.lowest, utilisation);
        r.highest = std::max(r.highest, utilisation);
    }
    for (std::size_t j = 0; j < jobs; ++j) {
        const PeriodicJob& job = system.jobs[j];
        const double alone = std::max(job.computeS, job.computeS * (1 - job.overlap) + job.communicateS);
        r.jobs[j].iterationS = r.jobs[j].busy > 0 ? job.computeS / r.jobs[j].busy : 0;
        r.jobs[j].slowDown = r.jobs[j].iterationS / alone;
    }
    return r;
}

} // namespace hw::sim::inline formulas
