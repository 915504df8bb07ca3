// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/job_sharing.h"

#include "core/foundation/base/parallel.h"
#include "simulation/random.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace hw::sim {
inline namespace training {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kDust = 1e-12; ///< relative; what rounding leaves of a phase
constexpr std::size_t kMostEnds = 10'000;

/// A job's communication in parts, on the links it competes for.
struct Course {
    std::vector<double> leftFrom;                    ///< by part: how much communication is left when it begins, s alone
    std::vector<std::vector<SharingJob::Load>> load; ///< by part; links renumbered
};

/// Jobs that compete, on the links they compete for.
struct Contention {
    std::vector<std::size_t> jobs; ///< by place: index of the job
    std::vector<Course> courses;   ///< by place
    std::uint32_t links = 0;       ///< that can bind, see keepBinding()
    std::uint32_t shared = 0;      ///< all that they compete for
};

std::vector<SharingJob::Part> partsOf(const SharingJob& job)
{
    return job.parts.empty() ? std::vector<SharingJob::Part>{{job.communicateS, job.load}} : job.parts;
}

/// Links that some jobs together may ask for more than they have, each in the part that asks most of it; numbered from 0.
std::map<std::uint32_t, std::uint32_t> contendedLinks(std::span<const SharingJob> jobs)
{
    struct Asked {
        double share = 0;
        int jobs = 0;
    };
    std::map<std::uint32_t, Asked> asked;
    for (const auto& job : jobs) {
        std::map<std::uint32_t, double> most;
        for (const auto& part : partsOf(job))
            for (const auto& l : part.load) most[l.link] = std::max(most[l.link], l.share);
        for (const auto& [link, share] : most) asked[link].share += share, ++asked[link].jobs;
    }
    std::map<std::uint32_t, std::uint32_t> number;
    for (const auto& [link, a] : asked)
        if (a.jobs > 1 && a.share > 1 + 1e-6) number.emplace(link, std::uint32_t(number.size()));
    return number;
}

/// Keeps links that can limit a job: drops those on which every job requires no more than on another link. Renumbers them.
void keepBinding(Contention& c)
{
    struct Ask {
        std::uint32_t place, part;
        double share;
    };
    std::vector<std::vector<Ask>> asks(c.links);
    for (std::uint32_t p = 0; p < c.courses.size(); ++p)
        for (std::uint32_t part = 0; part < c.courses[p].load.size(); ++part)
            for (const auto& l : c.courses[p].load[part]) asks[l.link].push_back({p, part, l.share});
    const auto sum = [&](std::uint32_t l) {
        double all = 0;
        for (const Ask& a : asks[l]) all += a.share;
        return all;
    };
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> groups; // by the jobs that ask: their links
    for (std::uint32_t l = 0; l < c.links; ++l) {
        std::vector<std::uint32_t> jobs;
        for (const Ask& a : asks[l])
            if (jobs.empty() || jobs.back() != a.place) jobs.push_back(a.place);
        groups[std::move(jobs)].push_back(l);
    }
    const auto within = [&](std::uint32_t l, std::uint32_t other) {
        auto at = asks[other].begin();
        const auto before = [](const Ask& a, const Ask& b) { return std::pair(a.place, a.part) < std::pair(b.place, b.part); };
        for (const Ask& a : asks[l]) {
            while (at != asks[other].end() && before(*at, a)) ++at;
            if (at == asks[other].end() || before(a, *at) || a.share > at->share * (1 + 1e-12)) return false;
        }
        return true;
    };
    std::vector<std::uint32_t> number(c.links, ~0u);
    std::uint32_t count = 0;
    for (auto& [jobs, links] : groups) {
        std::vector<std::pair<double, std::uint32_t>> order;
        for (const std::uint32_t l : links) order.emplace_back(-sum(l), l);
        std::ranges::sort(order); // whoever is within another one asks for less in all
        std::vector<std::uint32_t> kept;
        for (const auto& [asked, l] : order) {
            if (std::ranges::any_of(kept, [&](std::uint32_t k) { return within(l, k); })) continue;
            kept.push_back(l);
            number[l] = count++;
        }
    }
    for (Course& course : c.courses)
        for (auto& load : course.load) {
            std::erase_if(load, [&](const auto& l) { return number[l.link] == ~0u; });
            for (auto& l : load) l.link = number[l.link];
            std::ranges::sort(load, {}, &SharingJob::Load::link);
        }
    c.links = count;
}

Contention contentionOf(std::span<const SharingJob> jobs)
{
    const auto number = contendedLinks(jobs);
    Contention c;
    c.links = std::uint32_t(number.size());
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        Course course;
        bool competes = false;
        double left = jobs[j].communicateS;
        for (const auto& part : partsOf(jobs[j])) {
            course.leftFrom.push_back(left);
            left -= part.seconds;
            auto& load = course.load.emplace_back();
            for (const auto& l : part.load)
                if (const auto found = number.find(l.link); found != number.end() && l.share > 0) load.push_back({found->second, l.share});
            competes = competes || !load.empty();
        }
        if (!competes) continue;
        c.jobs.push_back(j);
        c.courses.push_back(std::move(course));
    }
    c.shared = c.links;
    keepBinding(c);
    return c;
}

/// The links that jobs compete for; a job's load on them changes from part to part.
class FabricLinks final : public SharedPaths {
public:
    explicit FabricLinks(const Contention& contention) : m_c(contention), m_whole(contention.links, 1.0)
    {
        m_asked.resize(m_c.links, 0.0), m_askers.resize(m_c.links, 0), m_used.resize(m_c.links);
    }

    void speeds(std::span<const std::size_t> active, std::span<const double> rank, std::span<const TurnPlace> places,
                std::vector<double>& speed) override
    {
        m_load.clear();
        m_left = m_whole; // copied as a block: this runs at every event
        speed.assign(active.size(), 0.0);
        for (const std::size_t p : active) m_load.push_back(&m_c.courses[p].load[partOf(p, places[p])]);
        for (std::size_t from = 0, to = 0; from < active.size(); from = to) {
            while (to < active.size() && sameRank(rank[from], rank[to])) ++to;
            if (to == from + 1)
                serve(from, speed);
            else
                rise(from, to, speed);
        }
    }
    [[nodiscard]] double untilNextPartS(std::size_t p, const TurnPlace& place) const override
    {
        const auto& from = m_c.courses[p].leftFrom;
        const std::size_t next = partOf(p, place) + 1;
        return place.communicateLeftS - (next < from.size() ? from[next] : 0.0);
    }

private:
    /// The part that a job is in.
    [[nodiscard]] std::size_t partOf(std::size_t p, const TurnPlace& place) const
    {
        const auto& from = m_c.courses[p].leftFrom;
        std::size_t part = 0;
        while (part + 1 < from.size() && place.communicateLeftS <= from[part + 1] * (1 + kDust)) ++part;
        return part;
    }

    /// One job takes what is left for it.
    void serve(std::size_t i, std::vector<double>& speeds)
    {
        double speed = 1;
        double* const left = m_left.data();
        const auto* const begin = m_load[i]->data();
        const auto* const end = begin + m_load[i]->size();
        for (const auto* l = begin; l != end; ++l)
            if (left[l->link] < speed * l->share) speed = std::max(0.0, left[l->link]) / l->share;
        if (speed > 0)
            for (const auto* l = begin; l != end; ++l) left[l->link] -= speed * l->share;
        speeds[i] = speed;
    }

    /// Progressive filling over whole jobs, places `from` to `to` of the active ones. A link is full at the level at which what is left of it
    /// (without the jobs that stay below) equals what the others ask. That level only rises while jobs stay behind, so links that carry all
    /// their jobs at full speed never count, and the others wait in a heap with a level that may be out of date.
    void rise(std::size_t from, std::size_t to, std::vector<double>& speed)
    {
        m_waiting.clear();
        double *const left = m_left.data(), *const asked = m_asked.data();
        std::uint32_t* const askers = m_askers.data();
        std::uint32_t* const used = m_used.data();
        std::size_t usedCount = 0;
        for (std::size_t i = from; i < to; ++i)
            for (const auto *l = m_load[i]->data(), *end = l + m_load[i]->size(); l != end; ++l) {
                if (askers[l->link]++ == 0) used[usedCount++] = l->link, asked[l->link] = 0;
                asked[l->link] += l->share;
            }
        for (std::size_t u = 0; u < usedCount; ++u)
            if (left[used[u]] < asked[used[u]]) m_waiting.emplace_back(levelOf(used[u]), used[u]);
        std::ranges::make_heap(m_waiting, std::greater());
        std::vector<std::uint8_t> fixed(to - from, 0);
        double level = 0;
        const auto fix = [&](std::size_t i) {
            fixed[i - from] = 1, speed[i] = level;
            for (const auto *l = m_load[i]->data(), *end = l + m_load[i]->size(); l != end; ++l)
                left[l->link] -= level * l->share, asked[l->link] -= l->share, --askers[l->link];
        };
        while (!m_waiting.empty()) {
            std::ranges::pop_heap(m_waiting, std::greater());
            const auto [was, link] = m_waiting.back();
            m_waiting.pop_back();
            if (m_askers[link] == 0) continue;
            const double now = levelOf(link);
            if (now >= 1) continue;
            if (now > was) { // jobs that it carries stay behind elsewhere
                m_waiting.emplace_back(now, link);
                std::ranges::push_heap(m_waiting, std::greater());
                continue;
            }
            level = std::max(level, now);
            for (std::size_t i = from; i < to; ++i)
                if (!fixed[i - from] && loads(*m_load[i], link)) fix(i);
        }
        level = 1;
        for (std::size_t i = from; i < to; ++i)
            if (!fixed[i - from]) fix(i);
        for (std::size_t u = 0; u < usedCount; ++u) askers[used[u]] = 0;
    }
    [[nodiscard]] double levelOf(std::uint32_t link) const { return std::max(0.0, m_left[link]) / m_asked[link]; }
    static bool loads(const std::vector<SharingJob::Load>& of, std::uint32_t link)
    {
        const auto at = std::ranges::lower_bound(of, link, {}, &SharingJob::Load::link);
        return at != of.end() && at->link == link;
    }

    const Contention& m_c;
    std::vector<const std::vector<SharingJob::Load>*> m_load; ///< of the active jobs' parts
    std::vector<double> m_whole, m_left, m_asked;             ///< by link: 1; what is left of it; what jobs that rise together ask
    std::vector<std::uint32_t> m_askers, m_used;
    std::vector<std::pair<double, std::uint32_t>> m_waiting; ///< level and link
};

/// The jobs that compete.
std::vector<Turn> turnsOf(std::span<const SharingJob> jobs, const Contention& contention)
{
    std::vector<Turn> turns;
    for (const std::size_t j : contention.jobs) {
        const SharingJob& job = jobs[j];
        turns.push_back({job.computeS,
                         job.communicateS,
                         job.overlap,
                         job.intensity(),
                         job.priority,
                         job.iterations,
                         kMostEnds,
                         {kDust * job.computeS, 1e-9, 1e-9 * job.computeS, 1e-9 * job.communicateS}});
    }
    return turns;
}

Result<void> check(std::span<const SharingJob> jobs, const SharingSettings& s)
{
    if (jobs.empty()) return fail(ErrorCode::Refused, "jobs", i18n("none given"), i18n("specify at least one"));
    for (const auto& j : jobs) {
        const bool fine = j.gpus > 0 && j.computeS > 0 && std::isfinite(j.computeS) && j.communicateS >= 0 && std::isfinite(j.communicateS) &&
                          j.overlap >= 0 && j.overlap <= 1;
        if (!fine)
            return fail(ErrorCode::Refused, "jobs", i18n("\"{}\" requires GPUs, a compute time above 0 and finite times", j.name),
                        i18n("correct it; a job with isolated hosts cannot run"));
    }
    for (const auto& j : jobs) {
        double parts = 0;
        for (const auto& p : j.parts) parts += p.seconds;
        if (!j.parts.empty() && !(std::abs(parts - j.communicateS) <= 1e-9 * j.communicateS))
            return fail(ErrorCode::Refused, "jobs", i18n("the parts of \"{}\" do not add up to its communication", j.name),
                        i18n("correct the times"));
    }
    for (const auto& j : jobs)
        if (s.untilS > 0 && !(j.startS >= 0 && j.startS < s.untilS))
            return fail(ErrorCode::Refused, "jobs", i18n("\"{}\" starts outside the observed time", j.name),
                        i18n("start it at 0 or later, but before the end"));
    if (s.phases < 1 || s.warmUpS < 0 || s.measureS < 0)
        return fail(ErrorCode::Refused, "sharing", i18n("requires at least one run and times of 0 or more"), i18n("correct the settings"));
    return {};
}

} // namespace

double SharingJob::aloneS() const { return std::max(computeS, computeS * (1 - overlap) + communicateS); }

SharingJob sharingJob(const WorkloadFabric& fabric, const JobRun& run, const FabricState* state)
{
    SharingJob j;
    j.name = run.job.name, j.tenant = run.job.tenant;
    j.gpus = double(run.job.cut.gpus());
    j.communicateS = run.networkS;
    j.computeS = std::max(run.iteration.iterationS - run.exposedNetworkS, 1e-9);
    j.overlap = std::clamp((run.networkS - run.exposedNetworkS) / j.computeS, 0.0, 1.0);
    if (!(run.networkS > 0)) return j;
    std::map<std::uint32_t, double> busyS; // by link: of an iteration
    for (const PhaseReport& phase : run.phases) {
        const PhaseResult& r = phase.result;
        if (r.flows == 0) continue;
        SharingJob::Part part{phase.timesPerIteration * r.durationS, {}};
        for (std::uint32_t l = 0; l < r.linkBytes.size(); ++l) {
            if (!(r.linkBytes[l] > 0)) continue;
            const double gbps = state ? state->capacityGbps(l) : double(fabric.graph->capacityGbps()[l]);
            const double seconds = double(r.linkBytes[l]) / (gbps * 1.25e8);
            part.load.push_back({l, std::min(1.0, seconds / r.durationS)}); // bytes are kept as floats
            busyS[l] += phase.timesPerIteration * seconds;
        }
        j.parts.push_back(std::move(part));
    }
    for (const auto& [link, seconds] : busyS) j.load.push_back({link, std::min(1.0, seconds / run.networkS)});
    return j;
}

namespace {

/// Slow-downs and utilization of what the jobs have become; a job counts for the time that it was there.
void summarize(std::span<const SharingJob> jobs, std::span<const double> thereS, SharingOutcome& out)
{
    double slowDowns = 0, gpuTime = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        auto& job = out.jobs[j];
        job.slowDown = job.iterationS / jobs[j].aloneS();
        slowDowns += job.slowDown;
        out.worstSlowDown = std::max(out.worstSlowDown, job.slowDown);
        out.utilization += job.busy * jobs[j].gpus * thereS[j];
        out.utilizationAlone += jobs[j].computeS / jobs[j].aloneS() * jobs[j].gpus * thereS[j];
        gpuTime += jobs[j].gpus * thereS[j];
    }
    out.utilization /= gpuTime, out.utilizationAlone /= gpuTime;
    out.meanSlowDown = slowDowns / double(jobs.size());
}

/// Nobody in its way: iteration after iteration.
SharingOutcome::Job undisturbed(const SharingJob& job, double untilS)
{
    SharingOutcome::Job out{job.aloneS(), 1, job.computeS / job.aloneS(), false, {}};
    const auto fit = std::size_t(std::floor((untilS - job.startS) / job.aloneS() * (1 + kDust)));
    const std::size_t done = std::min({job.iterations ? std::size_t(job.iterations) : fit, fit, kMostEnds});
    for (std::size_t i = 1; i <= done; ++i) out.endsS.push_back(job.startS + double(i) * job.aloneS());
    return out;
}

Result<SharingOutcome> fromStarts(std::span<const SharingJob> jobs, const Contention& contention, const SharingSettings& settings,
                                  const Progress& progress)
{
    SharingOutcome out;
    out.sharedLinks = contention.shared;
    std::vector<double> starts, there;
    for (const auto& job : jobs) {
        out.jobs.push_back(undisturbed(job, settings.untilS));
        const bool ends = job.iterations > 0 && out.jobs.back().endsS.size() == job.iterations;
        there.push_back(ends ? out.jobs.back().endsS.back() - job.startS : settings.untilS - job.startS);
    }
    for (const std::size_t j : contention.jobs) starts.push_back(jobs[j].startS);
    FabricLinks links(contention);
    JobTurns sharing(turnsOf(jobs, contention), settings.policy, links);
    if (!sharing.run(starts, 0, settings.untilS, progress.stop)) return fail(ErrorCode::Canceled, "sharing", i18n("stopped"));
    for (std::size_t p = 0; p < starts.size(); ++p) {
        const std::size_t j = contention.jobs[p];
        const TurnPlace& place = sharing.places()[p];
        there[j] = (place.gone ? place.endsS.back() : settings.untilS) - jobs[j].startS;
        out.jobs[j] = {place.done > 0 ? (place.endsS.back() - jobs[j].startS) / double(place.endsS.size()) : kNever, 1, place.busyS / there[j], true,
                       place.endsS};
    }
    summarize(jobs, there, out);
    return out;
}

} // namespace

Result<SharingOutcome> shareFabric(std::span<const SharingJob> jobs, const SharingSettings& settings, const Progress& progress)
{
    if (const auto ok = check(jobs, settings); !ok) return tl::unexpected(ok.error());
    const Contention contention = contentionOf(jobs);
    if (settings.untilS > 0) return fromStarts(jobs, contention, settings, progress);
    double longest = 0;
    for (const auto& j : jobs) longest = std::max(longest, j.aloneS());
    const double warmUp = settings.warmUpS > 0 ? settings.warmUpS : 5 * longest, measure = settings.measureS > 0 ? settings.measureS : 40 * longest;

    SharingOutcome out;
    out.sharedLinks = contention.shared;
    for (const auto& j : jobs) out.jobs.push_back({j.aloneS(), 1, j.computeS / j.aloneS(), false, {}});
    for (const std::size_t j : contention.jobs) out.jobs[j] = {0, 1, 0, true, {}};
    const std::size_t competing = contention.jobs.size(), phases = competing > 0 ? std::size_t(settings.phases) : 0;
    const std::vector<Turn> turns = turnsOf(jobs, contention);
    std::vector<std::vector<double>> busyS(phases); // by phase and place
    const bool whole = parallelFor(
        phases, {.stop = progress.stop},
        [&](unsigned thread) {
            return thread == 0 ? progress : Progress{progress.stop, {}};
        },
        [&](const Progress& own, std::size_t phase) {
            own.report(double(phase) / settings.phases, "Sharing links");
            Random random(settings.seed, std::uint64_t(phase));
            std::vector<double> starts(competing);
            for (std::size_t p = 0; p < competing; ++p) starts[p] = random.uniform() * jobs[contention.jobs[p]].aloneS();
            FabricLinks links(contention);
            JobTurns sharing(turns, settings.policy, links);
            if (!sharing.run(starts, warmUp, measure, progress.stop)) return;
            for (std::size_t p = 0; p < competing; ++p) busyS[phase].push_back(sharing.places()[p].busyS);
        });
    if (!whole || std::ranges::any_of(busyS, [&](const auto& of) { return of.size() != competing; }))
        return fail(ErrorCode::Canceled, "sharing", i18n("stopped"));
    for (const auto& of : busyS)
        for (std::size_t p = 0; p < competing; ++p) out.jobs[contention.jobs[p]].busy += of[p] / measure / settings.phases;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (auto& job = out.jobs[j]; job.shares)
            job.iterationS = job.busy > 0 ? jobs[j].computeS / job.busy : kNever; // computing takes computeS of every iteration
    summarize(jobs, std::vector<double>(jobs.size(), 1.0), out);
    return out;
}

} // namespace training
} // namespace hw::sim
