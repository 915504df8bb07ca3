// SPDX-License-Identifier: GPL-3.0-or-later
// Several jobs on a design as kinds of scenario: a mix that is drawn, and jobs that are given.
#include "simulation/questions/cut_off.h"
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/job_fields.h"

#include "simulation/training/job_mix.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr std::pair<const char*, SharePolicy> kPolicyNames[] = {{"fair", SharePolicy::Fair},
                                                                {"fifo", SharePolicy::Fifo},
                                                                {"intensity", SharePolicy::ByIntensity},
                                                                {"reverse-intensity", SharePolicy::ByReverseIntensity},
                                                                {"priority", SharePolicy::Listed}};

const char* policyName(SharePolicy wanted)
{
    for (const auto& [name, policy] : kPolicyNames)
        if (policy == wanted) return name;
    return "";
}

Result<std::vector<SharePolicy>> policiesOf(const Json& p, std::span<const std::string_view> allowed)
{
    std::vector<SharePolicy> policies;
    for (std::size_t i = 0; i < p.at("policies").size(); ++i) {
        const auto wanted = p.at("policies")[i].get<std::string>();
        const auto known = std::ranges::find(kPolicyNames, wanted, [](const auto& entry) { return std::string(entry.first); });
        if (known == std::end(kPolicyNames) || std::ranges::find(allowed, wanted) == allowed.end())
            return fail(ErrorCode::Unreadable, fmt::format("policies[{}]", i), i18n("unknown value \"{}\"", wanted),
                        i18n("use {}", listedNames(allowed)));
        policies.push_back(known->second);
    }
    return policies;
}

Field jobPathsField()
{
    return onlyWhen(choice("job_paths", JobPaths::Own, kJobPaths,
                           i18n("paths of the jobs: own: each by its hash; by-intensity: in order of GPU intensity, each on the least loaded paths "
                                "(Crux)")),
                    {is("routing", {name(PathSelection::Hash)})});
}
JobPaths pathsOf(const Json& p) { return p.value("job_paths", std::string()) == name(JobPaths::ByIntensity) ? JobPaths::ByIntensity : JobPaths::Own; }

constexpr std::string_view kMixPolicies[] = {"fair", "fifo", "intensity", "reverse-intensity"};
constexpr std::string_view kGivenPolicies[] = {"fair", "fifo", "intensity", "reverse-intensity", "priority"};

Json policyJson(const PolicyOutcome& policy)
{
    const auto& o = policy.outcome;
    return {{"policy", policyName(policy.policy)}, {"utilization", o.utilization},       {"utilization_alone", o.utilizationAlone},
            {"mean_slow_down", o.meanSlowDown},    {"worst_slow_down", o.worstSlowDown}, {"shared_links", o.sharedLinks}};
}

/// Why strict priority by intensity uses the GPUs less than fair sharing, or more: which job loses most of it, and behind whom.
Json againstFair(const std::vector<SharingJob>& jobs, const std::vector<PolicyOutcome>& policies, Text& why)
{
    const auto of = [&](SharePolicy policy) { return std::ranges::find(policies, policy, &PolicyOutcome::policy); };
    const auto fair = of(SharePolicy::Fair), strict = of(SharePolicy::ByIntensity);
    if (fair == policies.end() || strict == policies.end() || jobs.empty()) return nullptr;
    double gpus = 0;
    for (const auto& job : jobs) gpus += job.gpus;
    std::size_t most = 0;
    double lost = 0, gained = 0, least = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        const double change = (strict->outcome.jobs[j].busy - fair->outcome.jobs[j].busy) * jobs[j].gpus / gpus;
        (change < 0 ? lost : gained) += change;
        if (change < least) least = change, most = j;
    }
    Json out = {{"utilization_points", 100 * (strict->outcome.utilization - fair->outcome.utilization)},
                {"gained_points", 100 * gained},
                {"lost_points", 100 * lost}};
    if (!(least < -1e-6)) {
        why = i18n("Priority by intensity: no job computes less than under fair sharing.");
        return out;
    }
    const SharingJob& job = jobs[most];
    std::map<std::uint32_t, double> own;
    for (const auto& l : job.load) own.emplace(l.link, l.share);
    std::size_t before = 0, ahead = 0;
    double gpusAhead = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (j == most || !(jobs[j].intensity() > job.intensity())) continue;
        ++before;
        if (std::ranges::none_of(jobs[j].load, [&](const auto& l) { return own.contains(l.link) && own[l.link] + l.share > 1; })) continue;
        ++ahead, gpusAhead += jobs[j].gpus;
    }
    const auto& alone = fair->outcome.jobs[most];
    const auto& now = strict->outcome.jobs[most];
    out["loses_most"] = {{"job", job.name},
                         {"gpus", job.gpus},
                         {"lost_points", 100 * least},
                         {"intensity", job.intensity()},
                         {"intensity_rank", before + 1},
                         {"jobs_ahead_on_its_links", ahead},
                         {"gpus_ahead_on_its_links", gpusAhead},
                         {"overlap", job.overlap},
                         {"slow_down_fair", alone.slowDown},
                         {"slow_down_intensity", now.slowDown}};
    why = i18n("Priority by intensity: {:.3g} percentage points of utilization gained, {:.3g} lost. {} ({:g} GPUs, rank {} by intensity) loses most: "
               "it waits for "
               "{} jobs with {:g} GPUs on shared links, and its slowdown is {:.3g} (fair sharing: {:.3g}).",
               100 * gained, -100 * lost, job.name, job.gpus, before + 1, ahead, gpusAhead, now.slowDown, alone.slowDown);
    return out;
}

/// Loads of all jobs at once, the hosts of each.
std::shared_ptr<Playback> jobsPlayback(const Snapshot& s, const WorkloadFabric& fabric, const std::vector<SharingJob>& jobs,
                                       const std::vector<std::vector<std::uint32_t>>& hosts)
{
    auto play = std::make_shared<Playback>();
    play->revision = s.revision;
    play->title = i18n("Concurrent jobs");
    play->capacityGbps = fabric.graph->capacityGbps();
    play->endS = 1;
    std::vector<double> load(play->capacityGbps.size(), 0.0);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        for (const auto& l : jobs[j].load)
            if (l.link < load.size()) load[l.link] += l.share * double(play->capacityGbps[l.link]);
        Playback::Job job{jobs[j].name, {}};
        for (const auto h : hosts[j]) job.hosts.push_back(fabric.hosts[h].value);
        play->jobs.push_back(std::move(job));
    }
    Playback::Frame frame{0, i18n("Requested by all jobs while communicating"), {}, {}};
    for (std::uint32_t l = 0; l < load.size(); ++l)
        if (load[l] > 0) frame.loadGbps.emplace_back(l, float(std::min(load[l], double(play->capacityGbps[l]))));
    play->frames.push_back(std::move(frame));
    return play;
}

/// Keys of an entry of a list go over those of the whole scenario.
Result<TrainingJob> jobOfEntry(const Json& p, const Json& entry, const std::string& place, const JobFabric& made)
{
    Json asked = p;
    for (const auto& [key, value] : entry.items()) asked[key] = value;
    auto job = jobOf(asked, made);
    if (!job)
        return fail(job.error().code,
                    entry.contains(job.error().where) || job.error().where == "gpus" ? place + "." + job.error().where : job.error().where,
                    job.error().what, job.error().todo);
    return job;
}

Result<JobMix> mixOf(const Json& p, const JobFabric& made, std::vector<Text>& notes)
{
    JobMix mix = defaultMix();
    mix.free = made.options.free;
    const std::int64_t there = usableGpus(made);
    if (p.contains("classes")) {
        mix.classes.clear();
        for (std::size_t i = 0; i < p.at("classes").size(); ++i) {
            const Json& c = p.at("classes")[i];
            auto job = jobOfEntry(p, c, fmt::format("classes[{}]", i), made);
            if (!job) return tl::unexpected(job.error());
            mix.classes.push_back({std::uint32_t(integerOf(c, "gpus")), numberOf(c, "share"), std::move(*job)});
        }
    } else {
        const auto all = mix.classes.size();
        std::erase_if(mix.classes, [&](const MixClass& c) { return std::int64_t(c.gpus) > there; });
        if (mix.classes.empty())
            return fail(ErrorCode::Refused, "classes", i18n("the default mix has no job for {} GPUs", there), i18n("specify custom classes"));
        if (mix.classes.size() < all)
            notes.push_back(i18np(all - mix.classes.size(), "{} class of the default mix needs more than the {} GPUs available and is skipped.",
                                  "{} classes of the default mix need more than the {} GPUs available and are skipped.", there));
        for (MixClass& c : mix.classes) {
            auto job = runningJob(p, std::move(c.job), made);
            if (!job) return tl::unexpected(job.error());
            c.job = std::move(*job);
        }
    }
    std::vector<TrainingJob> jobs;
    for (const MixClass& c : mix.classes) {
        jobs.push_back(c.job); // as it will be when it is fitted to its GPUs
        if (const auto fitted = fitToGpus(c.job, c.gpus)) jobs.back() = *fitted;
    }
    if (const auto fine = refuseUseless(p, jobs, made.fabric); !fine) return tl::unexpected(fine.error());
    mix.offeredLoad = numberOf(p, "offered_load");
    mix.meanDurationH = numberOf(p, "mean_duration_h");
    mix.tenants = integerOf(p, "tenants");
    mix.placement = placementOf(p, "mix_placement");
    mix.backfill = flagOf(p, "backfill");
    mix.seed = p.at("seed").get<std::uint64_t>();
    return mix;
}

void addMean(Json& results, const std::string& key, const MixMean& mean)
{
    results[key] = mean.value;
    results[key + "_error"] = mean.error;
}

Result<ScenarioOutcome> runJobMix(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    ScenarioOutcome out;
    const auto mix = mixOf(p, *made, out.notes);
    if (!mix) return tl::unexpected(mix.error());
    const auto policies = policiesOf(p, kMixPolicies);
    if (!policies) return tl::unexpected(policies.error());
    const auto r = runMix(made->fabric, *mix, *policies, made->options.phase, p.at("jobs").get<std::uint64_t>(), pathsOf(p), progress);
    if (!r) return tl::unexpected(namingCutOff(inKeys(r.error()), cutOffText(design, *made)));
    const MixOccupancy& o = r->occupancy;
    out.results = {{"gpus", usableGpus(*made)}, {"accelerator", mix->classes.front().job.accelerator.name}};
    addMean(out.results, "gpus_in_use_share", o.utilization);
    addMean(out.results, "fragmentation", o.fragmentation);
    addMean(out.results, "jobs_spread_over_segments", o.spreadJobs);
    addMean(out.results, "mean_wait_h", o.waitH);
    out.results.update(Json{{"observed_h", o.observedH},
                            {"jobs_started", o.started},
                            {"jobs_under_1000_gpus", o.jobsUnder1000},
                            {"largest_job_gpus", o.largestGpus},
                            {"jobs_running", o.running.size()},
                            {"connections_per_host", r->meanConnectionsPerHost},
                            {"most_connections_per_host", r->mostConnectionsPerHost},
                            {"policies", Json::array()},
                            {"running", Json::array()},
                            {"tenants", Json::array()}});
    for (const auto& policy : r->policies) out.results["policies"].push_back(policyJson(policy));
    Text why;
    if (Json against = againstFair(r->jobs, r->policies, why); !against.is_null()) out.results["intensity_against_fair"] = std::move(against);
    std::vector<std::vector<std::uint32_t>> hosts;
    for (std::size_t j = 0; j < r->jobs.size(); ++j) {
        const double alone = r->jobs[j].aloneS();
        Json row = {{"job", r->jobs[j].name},
                    {"tenant", r->jobs[j].tenant},
                    {"gpus", r->jobs[j].gpus},
                    {"alone_s", alone},
                    {"intensity", r->jobs[j].communicateS > 0 ? Json(r->jobs[j].intensity()) : Json()}};
        for (const auto& policy : r->policies) row[std::string("slow_down_") + policyName(policy.policy)] = policy.outcome.jobs[j].slowDown;
        out.results["running"].push_back(std::move(row));
        hosts.push_back(o.running[j].hosts);
    }
    for (const auto& t : r->tenants)
        out.results["tenants"].push_back({{"tenant", t.number}, {"jobs", t.jobs}, {"gpus", t.gpus}, {"mean_slow_down", t.meanSlowDown}});
    std::vector<TrainingJob> classes;
    for (const MixClass& c : mix->classes)
        if (auto fitted = fitToGpus(c.job, c.gpus)) classes.push_back(std::move(*fitted));
    judgeMemory(classes, out.results);
    out.notes.push_back(i18n("Jobs arrive at random and are served first come, first served; 96.3 % of the jobs are below 1,000 "
                             "GPUs (HPN), their split and durations are assumed."));
    out.notes.push_back(i18n("Means of {} independent runs; _error is half of the 95 % confidence interval. Fewer jobs widen it: "
                             "request more if it is too wide.",
                             kMixRuns));
    out.notes.push_back(i18n("Slowdowns are measured over a time window and may be off by 0.1 %. Policies share the links among "
                             "the jobs running at the end; intensity as defined by Crux: GPU work per iteration / communication "
                             "time."));
    if (!why.empty()) out.notes.push_back(why);
    out.notes.push_back(kFluidNote);
    out.playback = jobsPlayback(*design.snapshot, made->fabric, r->jobs, hosts);
    return out;
}

/// A job of the list `jobs`: what it runs, and on which hosts.
struct GivenJob {
    TrainingJob job;
    std::vector<std::uint32_t> hosts;
};

/// Hosts by number, from 1 in the order of pods, segments and places.
Result<std::vector<std::uint32_t>> namedHosts(const Json& entry, const std::string& place, const JobFabric& made,
                                              const std::vector<std::uint8_t>& free)
{
    std::vector<std::uint32_t> hosts;
    for (std::size_t i = 0; i < entry.at("hosts").size(); ++i) {
        const auto number = entry.at("hosts")[i].get<std::uint64_t>();
        const std::string key = fmt::format("{}.hosts[{}]", place, i);
        if (number > made.fabric.hosts.size())
            return fail(ErrorCode::Refused, key, i18n("the design has {} active hosts", made.fabric.hosts.size()),
                        i18n("numbers start at 1, by pod, segment and position"));
        if (!free[number - 1] || std::ranges::find(hosts, std::uint32_t(number - 1)) != hosts.end())
            return fail(ErrorCode::Refused, key, i18n("is used by another job, listed twice, or outside the selected pods and segments"),
                        i18n("specify another host"));
        hosts.push_back(std::uint32_t(number - 1));
    }
    return hosts;
}

/// Places the jobs in the order of the list, each on what those before it left.
Result<std::vector<GivenJob>> givenJobs(const Json& p, const JobFabric& made)
{
    std::vector<std::uint8_t> free = made.options.free.empty() ? std::vector<std::uint8_t>(made.fabric.hosts.size(), 1) : made.options.free;
    std::vector<GivenJob> jobs;
    for (std::size_t i = 0; i < p.at("jobs").size(); ++i) {
        const Json& entry = p.at("jobs")[i];
        const std::string place = fmt::format("jobs[{}]", i);
        GivenJob given;
        JobFabric left = made;
        left.options.free = free;
        Json asked = entry;
        if (entry.contains("hosts")) {
            auto hosts = namedHosts(entry, place, made, free);
            if (!hosts) return tl::unexpected(hosts.error());
            given.hosts = std::move(*hosts);
            if (integerOf(entry, "gpus") == 0) asked["gpus"] = given.hosts.size() * made.fabric.gpusPerHost;
        }
        auto job = jobOfEntry(p, asked, place, left);
        if (!job) return tl::unexpected(job.error());
        given.job = std::move(*job);
        given.job.name = entry.contains("name") ? textOf(entry, "name") : fmt::format("job {}", i + 1);
        const auto wanted = std::uint32_t((given.job.cut.gpus() + made.fabric.gpusPerHost - 1) / made.fabric.gpusPerHost);
        if (given.hosts.empty()) {
            auto hosts = placeHosts(made.fabric.places, free, wanted, given.job.placement, given.job.placementSeed);
            if (!hosts) return fail(hosts.error().code, place, hosts.error().what, hosts.error().todo);
            given.hosts = std::move(*hosts);
        }
        if (given.hosts.size() < wanted)
            return fail(ErrorCode::Refused, place + ".hosts", i18n("{} specified, but the job requires {}", given.hosts.size(), wanted),
                        i18n("specify more, or request fewer GPUs"));
        given.hosts.resize(wanted);
        for (const auto h : given.hosts) free[h] = 0;
        jobs.push_back(std::move(given));
    }
    return jobs;
}

double lastStart(const Json& p)
{
    double last = 0;
    for (const Json& entry : p.at("jobs")) last = std::max(last, numberOf(entry, "start_s"));
    return last;
}

/// Each job's iterations as bars.
void addIterations(Playback& play, const JobsStudy& study, const Json& list, const SharingOutcome& outcome, double untilS)
{
    play.endS = untilS;
    for (std::size_t j = 0; j < study.jobs.size(); ++j) {
        double from = numberOf(list[j], "start_s");
        for (std::size_t i = 0; i < outcome.jobs[j].endsS.size(); ++i) {
            play.spans.push_back({verbatim(study.jobs[j].name), verbatim(fmt::format("{}", i + 1)), outcome.jobs[j].shares ? "shared" : "alone", from,
                                  outcome.jobs[j].endsS[i]});
            from = outcome.jobs[j].endsS[i];
        }
    }
}

/// What jobs that stay have the links carry while they share them, on average.
std::vector<float> meanLoads(const JobFabric& made, const JobsStudy& study)
{
    std::vector<float> gbps;
    if (study.policies.empty()) return gbps;
    const auto& capacity = made.fabric.graph->capacityGbps();
    for (std::size_t j = 0; j < study.jobs.size(); ++j) {
        const SharingJob& job = study.jobs[j];
        const double iterationS = study.policies.front().outcome.jobs[j].iterationS;
        if (study.runs[j].unreachable > 0) return {};
        if (job.iterations > 0 || !(iterationS > 0)) continue;
        for (const auto& load : job.load) {
            if (gbps.size() <= load.link) gbps.resize(capacity.size(), 0.0f);
            gbps[load.link] += float(load.share * double(capacity[load.link]) * job.communicateS / iterationS);
        }
    }
    return gbps;
}

Result<ScenarioOutcome> runGivenJobs(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const auto policies = policiesOf(p, kGivenPolicies);
    if (!policies) return tl::unexpected(policies.error());
    const auto given = givenJobs(p, *made);
    if (!given) return tl::unexpected(given.error());
    std::vector<TrainingJob> jobs;
    std::vector<std::vector<std::uint32_t>> hosts;
    for (const GivenJob& g : *given) jobs.push_back(g.job), hosts.push_back(g.hosts);
    if (const auto fine = refuseUseless(p, jobs, made->fabric); !fine) return tl::unexpected(fine.error());
    auto study = runJobs(made->fabric, jobs, {}, made->options.phase, hosts, 1, pathsOf(p), progress);
    if (!study) return tl::unexpected(namingCutOff(inKeys(study.error()), cutOffText(design, *made)));
    double longest = 0;
    for (std::size_t j = 0; j < study->jobs.size(); ++j) {
        const Json& entry = p.at("jobs")[j];
        SharingJob& job = study->jobs[j];
        job.startS = numberOf(entry, "start_s");
        job.priority = integerOf(entry, "priority");
        job.iterations = std::uint32_t(integerOf(entry, "iterations"));
        longest = std::max(longest, job.aloneS());
    }
    SharingSettings settings;
    settings.untilS = numberOf(p, "until_s") > 0 ? numberOf(p, "until_s") : lastStart(p) + 40 * longest;
    for (const SharePolicy policy : *policies) {
        settings.policy = policy;
        auto outcome = shareFabric(study->jobs, settings, progress);
        if (!outcome)
            return fail(outcome.error().code, outcome.error().where == "jobs" && numberOf(p, "until_s") > 0 ? "until_s" : outcome.error().where,
                        outcome.error().what, outcome.error().todo);
        study->policies.push_back({policy, std::move(*outcome)});
    }
    ScenarioOutcome out;
    out.results = {{"until_s", settings.untilS}, {"policies", Json::array()}, {"jobs", Json::array()}};
    for (const auto& policy : study->policies) out.results["policies"].push_back(policyJson(policy));
    for (std::size_t j = 0; j < study->jobs.size(); ++j) {
        const SharingJob& job = study->jobs[j];
        const Spread spread = spreadOf(made->fabric.places, hosts[j]);
        Json row = {{"job", job.name},
                    {"gpus", job.gpus},
                    {"first_host", hosts[j].front() + 1},
                    {"pods", spread.pods},
                    {"segments", spread.segments},
                    {"memory_bytes_per_gpu", study->runs[j].memory.totalBytes()},
                    {"start_s", job.startS},
                    {"priority", job.priority},
                    {"alone_s", job.aloneS()},
                    {"compute_s", job.computeS},
                    {"communicate_s", job.communicateS},
                    {"intensity", job.communicateS > 0 ? Json(job.intensity()) : Json()}};
        for (const auto& policy : study->policies) {
            const auto& o = policy.outcome.jobs[j];
            const std::string name = policyName(policy.policy);
            row["iterations_" + name] = o.endsS.size();
            row["iteration_s_" + name] = o.endsS.empty() ? Json() : Json(o.iterationS);
            row["slow_down_" + name] = o.endsS.empty() ? Json() : Json(o.slowDown);
            row["last_end_s_" + name] = o.endsS.empty() ? Json() : Json(o.endsS.back());
        }
        out.results["jobs"].push_back(std::move(row));
    }
    judgeMemory(jobs, out.results);
    out.notes = {i18n("Jobs start at the specified time and iterate until they are done or the time is over; means cover "
                      "the completed iterations. Jobs with higher priority go first, equal priorities share fairly."),
                 i18n("The communication of a job advances as a whole, phase by phase; intensity as defined by Crux: GPU "
                      "work per iteration / communication time."),
                 kFluidNote};
    auto play = jobsPlayback(*design.snapshot, made->fabric, study->jobs, hosts);
    if (!study->policies.empty()) addIterations(*play, *study, p.at("jobs"), study->policies.front().outcome, settings.untilS);
    out.playback = std::move(play);
    out.steadyGbps = meanLoads(*made, *study);
    return out;
}

Field policiesField(std::span<const std::string_view> names)
{
    Json all = Json::array();
    for (const auto name : names) all.push_back(std::string(name));
    return texts("policies", std::move(all), i18n("link sharing between jobs"));
}

std::vector<Field> mixFields()
{
    std::vector<Field> ofClass =
        joined({{integer("gpus", 8, 1, 1e7, i18n("GPUs per job")), number("share", "", 1, 0, 1e9, i18n("share of the jobs")), presetField()},
                cutFields(),
                {modelField()}});
    std::vector<Field> own = {number("offered_load", "", 0.9, 0.01, 5, i18n("GPUs requested / GPUs available")),
                              number("mean_duration_h", "h", 12, 0.01, 1e5, i18n("mean job duration (assumed)")),
                              integer("tenants", 20, 1, 1e5, i18n("tenants that own the jobs")),
                              text("mix_placement", "packed", {"packed", "contiguous", "random"}, i18n("placement of the hosts of each job")),
                              boolean("backfill", true, i18n("a job that fits may start before an earlier job that is waiting")),
                              integer("jobs", 2000, 10, 1e7, i18n("jobs that start in the observed time of each run")),
                              policiesField(kMixPolicies),
                              jobPathsField(),
                              objects("classes", nullptr, std::move(ofClass), i18n("job sizes and workloads; if omitted, the default mix"))};
    return joined({std::move(own), runningFields(), fabricFields()});
}

std::vector<Field> givenFields()
{
    std::vector<Field> placed = placementFields();
    for (Field& f : placed) f = onlyWhen(std::move(f), {notGiven("hosts")});
    std::vector<Field> ofJob =
        joined({{displayOnly(text("name", nullptr, {}, i18n("name of the job"))), presetField(),
                 integer("gpus", 0, 0, 1e7, i18n("GPUs of the job; 0: all GPUs of its hosts, or all that are left")),
                 number("start_s", "s", 0, 0, 1e9, i18n("start of its first iteration")),
                 integer("priority", 0, -1e6, 1e6, i18n("used by the priority policy: higher values first, equal values share fairly")),
                 integer("iterations", 0, 0, 1e6, i18n("iterations after which it ends; 0: it runs to the end")),
                 integers("hosts", nullptr, 1, 1e7, i18n("hosts in rank order, numbered from 1 by pod, segment and position"))},
                std::move(placed),
                cutFields(),
                {modelField()}});
    const Json two = {{{"name", "J1"}, {"gpus", 256}, {"placement", "alternating-segments"}, {"priority", 1}},
                      {{"name", "J2"}, {"gpus", 256}, {"placement", "alternating-segments"}}};
    std::vector<Field> own = {
        objects("jobs", two, std::move(ofJob), i18n("jobs, placed one after the other")),
        number("until_s", "s", 0, 0, 1e9, i18n("end of the observed time; 0: 40 iterations of the longest job after the last start")),
        policiesField(kGivenPolicies), jobPathsField()};
    return joined({std::move(own), runningFields(), fabricFields()});
}

} // namespace

std::vector<ScenarioKind> mixKinds()
{
    return {{"job-mix",
             i18n("Multi-tenant jobs, drawn at random, on this design: utilization, fragmentation, connections, "
                  "slowdowns by scheduling policy"),
             true, mixFields(), runJobMix},
            {"jobs",
             i18n("Predefined concurrent jobs on this design, each with its model, hosts, start and priority: "
                  "iteration times and slowdowns by scheduling policy"),
             true, givenFields(), runGivenJobs}};
}

} // namespace questions
} // namespace hw::sim
