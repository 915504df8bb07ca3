// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/jobs/evaluation.h"

#include "core/derived/figures/figures.h"
#include "core/derived/topology/holding.h"
#include "core/operations/asbuilt/names.h"
#include "core/operations/jobs/localization.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/ranges.h>

namespace hw::jobs {

namespace {

constexpr std::size_t kOfLate = 5;  ///< readings
constexpr double kBestShare = 0.2;  ///< of all iterations, that are at most so long: the reference where nothing was planned
constexpr double kStalledTimes = 3; ///< the usual time between two iterations
constexpr double kLeastStallS = 30; ///< readings are seconds apart (assumed)
constexpr std::size_t kMostEvidence = 4;

const std::vector<JobReading>* seriesOf(const JobSeries& all, JobMeasure measure)
{
    const auto at = all.find(measure);
    return at == all.end() || at->second.empty() ? nullptr : &at->second;
}

/// The median of the newest readings; -1: none.
double ofLate(const JobSeries& all, JobMeasure measure)
{
    const auto* series = seriesOf(all, measure);
    if (!series) return -1;
    std::vector<double> newest;
    for (std::size_t i = series->size() - std::min(kOfLate, series->size()); i < series->size(); ++i) newest.push_back((*series)[i].value);
    return medianOf(std::move(newest));
}

class Evaluating {
public:
    Evaluating(const Figures& f, const std::vector<JobPlace>& places, const std::optional<JobPlan>& plan, const monitoring::Frame* frame,
               std::int64_t atMs)
        : m_f(f), m_s(*f.snapshot), m_places(places), m_plan(plan), m_atMs(atMs), m_names(m_s, rulesOf(m_s))
    {
        if (frame) m_isolation = isolation::nodesToIsolate(f, frame, frame->atMs).nodes, findStorage(*frame);
    }

    JobState state(const JobData& data, bool only)
    {
        JobState job;
        job.name = data.name;
        placeHosts(job, data);
        countRanks(job, data);
        if (m_plan && (only || m_plan->gpus == job.ranks)) job.plan = m_plan;
        span(job, data);
        readings(job, data);
        judge(job, data);
        job.times = timesOf(job, data);
        std::vector<RankTimes> ranks = rankTimes(job, data);
        for (const auto& [field, measure] : {std::pair(&RankTimes::computeS, &JobState::computeS),
                                             {&RankTimes::sendS, &JobState::sendS},
                                             {&RankTimes::dataWaitS, &JobState::dataWaitS}}) {
            std::vector<double> all;
            for (const auto& one : ranks)
                if (one.*field >= 0) all.push_back(one.*field);
            if (!all.empty()) job.*measure = medianOf(std::move(all));
        }
        if (job.referenceS > 0) job.causes = causesOf(m_f, job, ranks);
        for (JobCause& cause : job.causes) addEvidence(job, cause);
        return job;
    }

private:
    static std::vector<asbuilt::NameRule> rulesOf(const Snapshot& s)
    {
        const auto rules = asbuilt::NameRules::of(s);
        return rules ? rules->devices : std::vector<asbuilt::NameRule>();
    }
    [[nodiscard]] int gpusOf(DeviceId host) const { return m_f.parts->device(m_s.devices.type[host]).accelerators; }

    /// From the scheduler; else as the ranks state them.
    void placeHosts(JobState& job, const JobData& data)
    {
        std::vector<JobPlace> mine;
        for (const auto& place : m_places)
            if (place.job == data.name) mine.push_back(place);
        std::ranges::stable_sort(mine, {}, [](const JobPlace& one) { return one.firstRank < 0 ? 0 : one.firstRank; });
        std::set<std::string> said;
        for (const auto& [number, rank] : data.ranks)
            if (mine.empty() && !rank.host.empty() && said.insert(rank.host).second) add(job, rank.host);
        for (const auto& place : mine)
            if (said.insert(place.host).second) add(job, place.host);
    }
    void add(JobState& job, const std::string& name)
    {
        if (const auto id = m_names.find(name))
            job.hosts.push_back(*id);
        else
            job.unknownHosts.push_back(name);
    }
    void countRanks(JobState& job, const JobData& data) const
    {
        if (const double said = ofLate(data.whole, JobMeasure::Ranks); said > 0)
            job.ranks = std::llround(said);
        else if (!job.hosts.empty())
            for (const DeviceId host : job.hosts) job.ranks += gpusOf(host);
        else
            job.ranks = std::int64_t(data.ranks.size());
    }
    static void span(JobState& job, const JobData& data)
    {
        for (const auto& [measure, series] : data.whole) {
            if (series.empty() || measure == JobMeasure::Ranks || measure == JobMeasure::Hosts) continue;
            job.fromMs = job.fromMs == 0 ? series.front().timeMs : std::min(job.fromMs, series.front().timeMs);
            job.toMs = std::max(job.toMs, series.back().timeMs);
        }
    }
    static void readings(JobState& job, const JobData& data)
    {
        using enum JobMeasure;
        const auto put = [&](double& to, JobMeasure measure) {
            if (const double value = ofLate(data.whole, measure); value >= 0) to = value;
        };
        put(job.iterationS, IterationTime), put(job.tokensPerS, TokensPerS), put(job.mfu, Mfu), put(job.checkpointS, CheckpointTime);
        put(job.computeS, ComputeTime), put(job.sendS, SendTime), put(job.dataWaitS, DataWait);
        if (const auto* numbers = seriesOf(data.whole, Iteration)) job.iteration = numbers->back().value;
    }

    void judge(JobState& job, const JobData& data) const
    {
        const auto* times = seriesOf(data.whole, JobMeasure::IterationTime);
        if (times) {
            std::vector<double> all;
            for (const auto& one : *times) all.push_back(one.value);
            const auto at = all.begin() + std::ptrdiff_t(double(all.size() - 1) * kBestShare);
            std::ranges::nth_element(all, at);
            job.referenceS = *at;
        }
        if (job.plan && job.plan->iterationS > 0) job.referenceS = job.plan->iterationS;
        if (times && job.referenceS > 0 && job.iterationS > kSlow * job.referenceS) {
            job.slow = true;
            for (std::size_t i = times->size(); i-- > 0 && (*times)[i].value > kSlow * job.referenceS;) job.slowSinceMs = (*times)[i].timeMs;
            if (job.slowSinceMs == 0) job.slowSinceMs = times->back().timeMs;
        }
        // Standing: its number does not rise, or nothing comes, for longer than usual.
        const auto* numbers = seriesOf(data.whole, JobMeasure::Iteration);
        if (!numbers || job.referenceS <= 0) return;
        std::size_t last = numbers->size() - 1;
        while (last > 0 && (*numbers)[last - 1].value == (*numbers)[last].value) --last;
        const double usual = std::max({kLeastStallS, kStalledTimes * job.referenceS, kStalledTimes * everyS(*numbers)});
        job.stalled = double(std::max(m_atMs, numbers->back().timeMs) - (*numbers)[last].timeMs) / 1000 > usual;
    }

    static double everyS(const std::vector<JobReading>& series)
    {
        std::vector<double> gaps;
        for (std::size_t i = 1; i < series.size(); ++i) gaps.push_back(double(series[i].timeMs - series[i - 1].timeMs) / 1000);
        return std::max(0.0, medianOf(std::move(gaps)));
    }

    [[nodiscard]] static JobTimes timesOf(const JobState& job, const JobData& data)
    {
        JobTimes out;
        const auto* numbers = seriesOf(data.whole, JobMeasure::Iteration);
        const auto* times = seriesOf(data.whole, JobMeasure::IterationTime);
        if (!numbers || !times || numbers->size() < 2 || job.referenceS <= 0) return out;
        out.wallS = double(numbers->back().timeMs - numbers->front().timeMs) / 1000;
        if (out.wallS <= 0) return out;
        double most = numbers->front().value, done = 0, repeated = 0, slow = 0;
        for (std::size_t i = 1; i < numbers->size(); ++i) {
            const double from = (*numbers)[i - 1].value, to = (*numbers)[i].value;
            if (to < from) repeated += from - to; // back to its last checkpoint
            const double rise = std::max(0.0, to - from);
            const auto at = std::ranges::lower_bound(*times, (*numbers)[i].timeMs, {}, &JobReading::timeMs);
            const double took = at == times->end() ? times->back().value : at->value;
            done += rise, slow += rise * std::max(0.0, took - job.referenceS);
            most = std::max(most, to);
        }
        const double counted = std::max(0.0, done - repeated);
        out.effective = std::min(1.0, counted * job.referenceS / out.wallS);
        out.repeated = std::min(1 - out.effective, repeated * job.referenceS / out.wallS);
        out.slow = std::min(1 - out.effective - out.repeated, slow / out.wallS);
        out.other = std::max(0.0, 1 - out.effective - out.repeated - out.slow);
        return out;
    }

    [[nodiscard]] std::vector<RankTimes> rankTimes(const JobState& job, const JobData& data) const
    {
        std::vector<int> firsts; // by host
        int next = 0;
        std::map<DeviceId, int> firstOf;
        for (const DeviceId host : job.hosts) {
            int first = next;
            for (const auto& place : m_places)
                if (place.job == job.name && place.firstRank >= 0 && m_names.find(place.host) == host) first = place.firstRank;
            firstOf[host] = first, firsts.push_back(first);
            next = first + gpusOf(host);
        }
        std::vector<RankTimes> out;
        for (const auto& [number, rank] : data.ranks) {
            RankTimes one;
            one.rank = number, one.series = &rank.series;
            if (const auto said = rank.host.empty() ? std::nullopt : m_names.find(rank.host)) one.host = *said;
            if (!one.host)
                for (std::size_t i = 0; i < job.hosts.size(); ++i)
                    if (number >= firsts[i] && number < firsts[i] + gpusOf(job.hosts[i])) one.host = job.hosts[i];
            if (one.host) {
                const int gpus = std::max(1, gpusOf(*one.host));
                const auto first = firstOf.find(*one.host);
                one.gpu = ((first == firstOf.end() ? number : number - first->second) % gpus + gpus) % gpus;
            }
            one.computeS = ofLate(rank.series, JobMeasure::ComputeTime);
            one.sendS = ofLate(rank.series, JobMeasure::SendTime);
            one.dataWaitS = ofLate(rank.series, JobMeasure::DataWait);
            out.push_back(one);
        }
        return out;
    }

    /// What alarms and deviations tell of the host of a cause; of one that is not located those of all hosts of the job.
    void addEvidence(const JobState& job, JobCause& cause) const
    {
        if (cause.kind == CauseKind::Storage || cause.kind == CauseKind::Checkpoint) {
            for (const auto& [node, what] : m_storage)
                if (cause.evidence.size() < kMostEvidence) cause.evidence.push_back(what);
            if (!m_storage.empty()) cause.entity = ref(m_storage.front().first);
            return;
        }
        std::set<DeviceId> hosts;
        if (cause.entity.kind == EntityKind::Device) hosts.insert(DeviceId(cause.entity.id));
        if (cause.entity.kind == EntityKind::Port) hosts.insert(m_s.ports.device[PortId(cause.entity.id)]);
        if (hosts.empty()) hosts.insert(job.hosts.begin(), job.hosts.end());
        for (const auto& node : m_isolation) {
            if (!hosts.contains(node.host)) continue;
            for (const auto& reason : node.reasons)
                if (cause.evidence.size() < kMostEvidence) cause.evidence.push_back(reason.what);
        }
    }

    /// Storage nodes, and switches of their network, that alarms or deviations are about; the oldest first.
    void findStorage(const monitoring::Frame& frame)
    {
        std::vector<std::tuple<std::int64_t, DeviceId, std::string>> found;
        const auto put = [&](EntityRef entity, std::int64_t sinceMs, const Text& what) {
            const auto device = deviceOf(m_s, entity);
            if (!device) return;
            const TierId tier = m_s.devices.tier[*device];
            const auto network = m_s.tiers.network[tier];
            if (network && m_s.networks.kind[*network] == NetworkKind::Storage) found.emplace_back(sinceMs, *device, words(what));
        };
        for (const auto& alarm : frame.alarms) {
            if (alarm.kind == monitoring::AlarmKind::MissingData) continue;
            put(alarm.cause, alarm.sinceMs, alarm.what);
            for (const EntityRef symptom : alarm.symptoms)
                if (symptom != alarm.cause) put(symptom, alarm.sinceMs, i18n("{}: {}", entityName(m_s, *m_f.parts, symptom), alarm.what));
        }
        for (const auto& one : frame.deviations) put(one.entity, one.sinceMs, i18n("{} {}", entityName(m_s, *m_f.parts, one.entity), one.what));
        std::ranges::stable_sort(found, {}, [](const auto& one) { return std::get<0>(one); });
        for (const auto& [since, device, what] : found)
            if (m_storage.empty() || m_storage.back().second != what) m_storage.emplace_back(device, what);
    }

    const Figures& m_f;
    const Snapshot& m_s;
    const std::vector<JobPlace>& m_places;
    const std::optional<JobPlan>& m_plan;
    std::int64_t m_atMs;
    asbuilt::DeviceNames m_names;
    std::vector<isolation::Node> m_isolation;
    std::vector<std::pair<DeviceId, std::string>> m_storage; ///< with what is reported of them
};

} // namespace

std::vector<JobState> evaluateJobs(const Figures& design, const std::vector<JobData>& jobs, const std::vector<JobPlace>& places,
                                   const std::optional<JobPlan>& plan, const monitoring::Frame* frame, std::int64_t atMs)
{
    Evaluating evaluating(design, places, plan, frame, atMs);
    std::vector<JobState> out;
    for (const JobData& job : jobs) out.push_back(evaluating.state(job, jobs.size() == 1));
    return out;
}

void addSlowHosts(isolation::List& list, const Figures& design, const std::vector<JobState>& jobs)
{
    const Snapshot& s = *design.snapshot;
    for (const JobState& job : jobs)
        for (const JobCause& cause : job.causes) {
            if (cause.kind != CauseKind::Gpu && cause.kind != CauseKind::Host && cause.kind != CauseKind::Link && cause.kind != CauseKind::HostData)
                continue;
            Maybe<DeviceId> host;
            if (cause.entity.kind == EntityKind::Device) host = DeviceId(cause.entity.id);
            if (cause.entity.kind == EntityKind::Port) host = s.ports.device[PortId(cause.entity.id)];
            if (!host || std::ranges::find(job.hosts, *host) == job.hosts.end()) continue;
            std::vector<std::string> evidence{words(i18np(std::int64_t(cause.ranks.size()), "job {1}: {2:.3g} s more per iteration, rank {3}",
                                                          "job {1}: {2:.3g} s more per iteration, ranks {3}", job.name, cause.extraS,
                                                          fmt::format("{}", fmt::join(cause.ranks, ", "))))};
            evidence.insert(evidence.end(), cause.evidence.begin(), cause.evidence.end());
            isolation::addReason(list, design, *host,
                                 {words(cause.what), fmt::format("job-{}", wordOf(cause.kind)), std::move(evidence), cause.sinceMs});
        }
}

} // namespace hw::jobs
