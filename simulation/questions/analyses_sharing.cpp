// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/priority.h"
#include "simulation/questions/analyses.h"
#include "simulation/questions/form.h"
#include "simulation/reliability/failover.h"

#include <algorithm>

namespace hw::sim {
inline namespace questions {

namespace {

constexpr SharePolicy kPolicies[] = {SharePolicy::ByIntensity, SharePolicy::Fair, SharePolicy::Fifo, SharePolicy::ByReverseIntensity};

Json timelineJson(const std::vector<RateSpan>& spans)
{
    Json list = Json::array();
    for (const RateSpan& s : spans)
        list.push_back({{"from_s", s.fromS}, {"to_s", s.toS}, {"delivered_gbps", s.deliveredGbps}, {"lost_gbps", s.lostGbps}, {"state", s.state}});
    return list;
}

struct BlackHoleQuestion {
    BlackHoleCase c;
    std::string remedy = "all";
    std::uint64_t seeds = 0; ///< to draw beside the formula
};

Form<BlackHoleQuestion> blackHoleForm()
{
    using Q = BlackHoleQuestion;
    const BlackHoleCase d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.c.*member; };
    };
    std::vector<std::string> remedies = {"all"};
    for (const Remedy remedy : kRemedies) remedies.emplace_back(name(remedy));
    const std::vector<Condition> bySender = {is("remedy", {"all", name(Remedy::HashDodging), name(Remedy::RandomRehash)})},
                                 byHash = {is("remedy", {"all", name(Remedy::RandomRehash)})},
                                 byController = {is("remedy", {"all", name(Remedy::Controller)})};
    Form<Q> form;
    form.to(&Q::remedy, text("remedy", "all", remedies, i18n("selection")))
        .to(of(&BlackHoleCase::rateGbps), number("rate_gbps", "Gb/s", d.rateGbps, 1e-3, 1e6, i18n("flow rate")))
        .to(of(&BlackHoleCase::faultAtS), number("fault_at_s", "s", d.faultAtS, 0, 1e7, i18n("start of the black hole")))
        .to(of(&BlackHoleCase::untilS), number("until_s", "s", d.untilS, 1e-3, 1e8, i18n("end of the timeline")))
        .to(of(&BlackHoleCase::detectS), onlyWhen(number("detect_s", "s", d.detectS, 0, 1e5, i18n("maximum detection time at the sender")), bySender))
        .to(of(&BlackHoleCase::rerouteS),
            onlyWhen(number("reroute_s", "s", d.rerouteS, 0, 1e5, i18n("maximum reroute time after detection")), bySender))
        .to(of(&BlackHoleCase::controllerS),
            onlyWhen(number("controller_s", "s", d.controllerS, 0, 1e6, i18n("detection and rerouting by a controller")), byController))
        .to(of(&BlackHoleCase::collectiveTimeoutS),
            number("collective_timeout_s", "s", d.collectiveTimeoutS, 1e-3, 1e6, i18n("timeout after which the job is lost")))
        .to(of(&BlackHoleCase::restartS), number("restart_s", "s", d.restartS, 0, 1e6, i18n("restart from the last checkpoint")))
        .to(of(&BlackHoleCase::equalPaths),
            onlyWhen(integer("equal_paths", d.equalPaths, 2, 1e6, i18n("equal-cost paths available to the hash")), byHash))
        .to(of(&BlackHoleCase::badPaths), onlyWhen(integer("bad_paths", d.badPaths, 1, 1e6, i18n("failed paths among them")), byHash))
        .to(&Q::seeds, onlyWhen(integer("seeds", 20000, 1000, 1e6, i18n("hashes to sample in addition to the formula")), byHash));
    return form;
}

Result<ScenarioOutcome> runBlackHole(const BlackHoleQuestion& question, const Progress&)
{
    BlackHoleCase c = question.c;
    if (c.badPaths >= c.equalPaths) return fail(ErrorCode::Refused, "bad_paths", i18n("leaves no working path"), i18n("keep it below equal_paths"));
    if (c.untilS <= c.faultAtS) return fail(ErrorCode::Refused, "until_s", i18n("is before the fault"), i18n("set it after fault_at_s"));
    Json list = Json::array();
    for (const Remedy remedy : kRemedies) {
        if (question.remedy != "all" && question.remedy != name(remedy)) continue;
        c.remedy = remedy;
        const BlackHoleResult r = blackHole(c);
        Json entry = {{"remedy", name(remedy)},
                      {"restored_at_s", r.restoredAtS},
                      {"lost_bytes", r.lostBytes},
                      {"first_try_share", r.firstTryShare},
                      {"mean_tries", r.meanTries},
                      {"job_lost", r.jobLost},
                      {"timeline", timelineJson(r.timeline)}};
        if (remedy == Remedy::RandomRehash) entry["first_try_share_drawn"] = rehashShare(c.equalPaths, c.badPaths, question.seeds);
        list.push_back(std::move(entry));
    }
    return answer({{"remedies", list}}, {i18n("Detection and reroute times are taken at their upper limits. lost_bytes is rate × time without "
                                              "delivery, not retransmitted packets."),
                                         i18n("restored_at_s of random-rehash is the mean over a geometrically distributed number of attempts.")});
}

struct PortFailoverQuestion {
    NicCase nic;
    int nics = 8; ///< of a host
};

Form<PortFailoverQuestion> portFailoverForm()
{
    using Q = PortFailoverQuestion;
    const NicCase d;
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.nic.*member; };
    };
    Form<PortFault> fault;
    fault.to(&PortFault::port, integer("port", 0, 0, 15, i18n("port number, from 0")))
        .to(&PortFault::downAtS, number("down_at_s", "s", 10, 0, 1e8, i18n("time of the fault")))
        .to(&PortFault::upAtS, number("up_at_s", "s", 131, 0, 1e8, i18n("time of the repair")));
    Form<Q> form;
    form.to(&Q::nics, integer("nics", 8, 1, 64, i18n("NICs per host")))
        .to(of(&NicCase::ports), integer("ports", d.ports, 1, 16, i18n("ports per NIC, each to its own ToR; 1: single ToR")))
        .to(of(&NicCase::portGbps), number("port_gbps", "Gb/s", d.portGbps, 1e-3, 1e5, i18n("rate per port")))
        .to(of(&NicCase::convergenceS), number("convergence_s", "s", d.convergenceS, 0, 1e5, i18n("time until all senders detect a failed port")))
        .to(of(&NicCase::collectiveTimeoutS),
            number("collective_timeout_s", "s", d.collectiveTimeoutS, 1e-3, 1e6, i18n("a longer stall loses the job")))
        .to(of(&NicCase::restartS), number("restart_s", "s", d.restartS, 0, 1e6, i18n("restart from the last checkpoint")))
        .to(of(&NicCase::untilS), number("until_s", "s", d.untilS, 1e-3, 1e8, i18n("end of the timeline")))
        .each(of(&NicCase::faults), fault,
              objects("faults", {{{"port", 0}, {"down_at_s", 10}, {"up_at_s", 131}}}, fault.fields(), i18n("port faults with their times")));
    return form;
}

Result<ScenarioOutcome> runPortFailover(const PortFailoverQuestion& question, const Progress&)
{
    const NicCase& c = question.nic;
    for (std::size_t i = 0; i < c.faults.size(); ++i) {
        const PortFault& f = c.faults[i];
        const std::string key = "faults[" + std::to_string(i) + "]";
        if (f.port >= c.ports) return fail(ErrorCode::Refused, key + ".port", i18n("does not exist"), i18n("port numbers start at 0"));
        if (f.upAtS <= f.downAtS) return fail(ErrorCode::Refused, key + ".up_at_s", i18n("must be later than down_at_s"), i18n("correct the value"));
    }
    const NicResult r = nicFailover(c);
    Json losses = Json::array();
    for (int down = 1; down <= c.ports; ++down) {
        const PortLoss l = portLoss(question.nics, c.ports, c.portGbps, down);
        Json entry = {{"ports_down_on_one_nic", down}, {"nic_gbps", l.nicGbps}, {"host_gbps", l.hostGbps}, {"host_share_lost", l.hostShareLost}};
        entry["ring_slow_down_static"] = l.ringSlowDownStatic > 0 ? Json(l.ringSlowDownStatic) : Json();
        entry["ring_slow_down_rebalanced"] = l.ringSlowDownRebalanced > 0 ? Json(l.ringSlowDownRebalanced) : Json();
        losses.push_back(std::move(entry));
    }
    return answer({{"job_lost", r.jobLost},
                   {"lost_at_s", r.jobLost ? Json(r.lostAtS) : Json()},
                   {"black_holed_bytes", r.blackHoledBytes},
                   {"standstill_s", r.standstillS},
                   {"timeline", timelineJson(r.timeline)},
                   {"port_loss", losses}},
                  {i18n("Until convergence, senders still use the failed port and the collective waits for those bytes. A "
                        "slowdown of null means that the ring is stalled.")});
}

Json policyJson(const SharedLinks& system, SharePolicy policy, const PriorityResult& r)
{
    Json jobs = Json::array();
    for (std::size_t j = 0; j < r.jobs.size(); ++j)
        jobs.push_back(
            {{"name", system.jobs[j].name}, {"gpu_busy", r.jobs[j].busy}, {"slow_down", r.jobs[j].slowDown}, {"iteration_s", r.jobs[j].iterationS}});
    return {{"policy", name(policy)}, {"utilization", r.utilization}, {"lowest", r.lowest}, {"highest", r.highest}, {"jobs", jobs}};
}

struct PriorityQuestion {
    SharedLinks system;
    PrioritySettings settings;
};

Form<PriorityQuestion> priorityForm()
{
    using Q = PriorityQuestion;
    using J = PeriodicJob;
    const PrioritySettings d;
    const Json jobs = {{{"name", "J1"}, {"gpus", 32}, {"compute_s", 2}, {"communicate_s", 1}},
                       {{"name", "J2"}, {"gpus", 8}, {"compute_s", 2}, {"communicate_s", 2}}};
    Form<J> job;
    job.to(&J::name, displayOnly(text("name", nullptr, {}, i18n("name of the job"))))
        .to(&J::gpus, number("gpus", "", 8, 1, 1e7, i18n("GPUs of the job")))
        .to(&J::priority, integer("priority", 0, -1e6, 1e6, i18n("used by the policy listed: higher values first, equal values share fairly")))
        .to(&J::computeS, number("compute_s", "s", 1, 1e-5, 1e6, i18n("per iteration")))
        .to(&J::communicateS, number("communicate_s", "s", 1, 1e-5, 1e6, i18n("per iteration, without contention")))
        .to(&J::commGbps, number("comm_gbps", "Gb/s", 400, 1e-3, 1e6, i18n("per link, without contention")))
        .to(&J::links, integers("links", Json::array({0}), 0, 9999, i18n("links used, numbered from 0")))
        .to(&J::overlap, number("overlap", "", 0, 0, 1, i18n("share of compute time that can hide communication")));
    const auto of = [](auto member) {
        return [member](Q & q) -> auto& { return q.settings.*member; };
    };
    Form<Q> form;
    form.to(
            [](Q & q) -> auto& { return q.system.linkGbps; }, numbers("links_gbps", "Gb/s", Json::array({400}), 1e-3, 1e6, i18n("link capacities")))
        .each(
            [](Q & q) -> auto& { return q.system.jobs; }, job,
            objects("jobs", jobs, job.fields(), i18n("jobs that alternate between computing and communicating")))
        .to(of(&PrioritySettings::warmUpS), number("warm_up_s", "s", d.warmUpS, 0, 1e6, i18n("warm-up, not measured")))
        .to(of(&PrioritySettings::measureS), number("measure_s", "s", d.measureS, 1, 1e7, i18n("measured")))
        .to(of(&PrioritySettings::phases), integer("phases", d.phases, 1, 10000, i18n("start times to average over")))
        .to(of(&PrioritySettings::seed), integer("seed", 1, 0, 1e15, i18n("random seed of the start times")));
    return form;
}

Result<ScenarioOutcome> runPriority(PriorityQuestion question, const Progress& progress)
{
    SharedLinks& system = question.system;
    Json intensities = Json::array();
    for (std::size_t j = 0; j < system.jobs.size(); ++j) {
        if (system.jobs[j].name.empty()) system.jobs[j].name = "job " + std::to_string(j + 1);
        intensities.push_back({{"name", system.jobs[j].name}, {"intensity", system.jobs[j].intensity()}});
    }
    std::vector<std::pair<double, Json>> found;
    std::vector<SharePolicy> asked(std::begin(kPolicies), std::end(kPolicies));
    if (std::ranges::any_of(system.jobs, [](const PeriodicJob& job) { return job.priority != 0; })) asked.push_back(SharePolicy::Listed);
    for (const SharePolicy policy : asked) {
        const auto r = simulateSharing(system, policy, question.settings, progress);
        if (!r) return tl::unexpected(r.error());
        found.emplace_back(r->utilization, policyJson(system, policy, *r));
    }
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
    Json policies = Json::array();
    for (auto& [utilization, entry] : found) policies.push_back(std::move(entry));
    return answer({{"intensities", intensities}, {"policies", policies}},
                  {i18n("Fluid link sharing, strictly periodic jobs; policies in descending order of GPU utilization, means "
                        "over job start times."),
                   i18n("Strict priority preempts immediately, equal priorities share fairly; FIFO serves jobs to completion "
                        "in the order in which they start communicating. The policy listed is included if jobs have "
                        "priorities."),
                   i18n("Published for Crux: utilization up by 23 %, quoted elsewhere as 23 percentage points.")});
}

} // namespace

Analysis blackHoleAnalysis()
{
    return formAnalysis("hash-dodging", i18n("Silently failed path: outage duration and loss of a flow, by remedy"), blackHoleForm(), runBlackHole);
}

Analysis portFailoverAnalysis()
{
    return formAnalysis("port-failover", i18n("NIC whose ports fail and recover: rate, black hole before convergence, and job survival"),
                        portFailoverForm(), runPortFailover);
}

Analysis priorityAnalysis()
{
    return formAnalysis("priority", i18n("Jobs sharing links: GPU utilization with fair sharing, FIFO and priority by GPU intensity"), priorityForm(),
                        runPriority);
}

} // namespace questions
} // namespace hw::sim
