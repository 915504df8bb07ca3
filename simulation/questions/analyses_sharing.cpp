// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/priority.h"
#include "simulation/questions/analyses.h"
#include "simulation/reliability/failover.h"

#include <algorithm>

namespace hw::sim::inline questions {

namespace {

constexpr std::pair<const char*, Remedy> kRemedies[] = {
    {"hash-dodging", Remedy::HashDodging}, {"random-rehash", Remedy::RandomRehash}, {"controller", Remedy::Controller}, {"none", Remedy::None}};
constexpr SharePolicy kPolicies[] = {SharePolicy::ByIntensity, SharePolicy::Fair, SharePolicy::Fifo, SharePolicy::ByReverseIntensity};

Json timelineJson(const std::vector<RateSpan>& spans)
{
    Json list = Json::array();
    for (const RateSpan& s : spans)
        list.push_back({{"from_s", s.fromS}, {"to_s", s.toS}, {"delivered_gbps", s.deliveredGbps}, {"lost_gbps", s.lostGbps}, {"state", s.state}});
    return list;
}

Result<Json> runBlackHole(const Json& p, const Progress&)
{
    BlackHoleCase c;
    c.rateGbps = numberOf(p, "rate_gbps");
    c.faultAtS = numberOf(p, "fault_at_s");
    c.untilS = numberOf(p, "until_s");
    c.detectS = numberOr(p, "detect_s", c.detectS);
    c.rerouteS = numberOr(p, "reroute_s", c.rerouteS);
    c.controllerS = numberOr(p, "controller_s", c.controllerS);
    c.collectiveTimeoutS = numberOf(p, "collective_timeout_s");
    c.restartS = numberOf(p, "restart_s");
    c.equalPaths = int(numberOr(p, "equal_paths", c.equalPaths));
    c.badPaths = int(numberOr(p, "bad_paths", c.badPaths));
    if (c.badPaths >= c.equalPaths) return fail(ErrorCode::Refused, "bad_paths", "leaves no good path", "keep it below equal_paths");
    if (c.untilS <= c.faultAtS) return fail(ErrorCode::Refused, "until_s", "ends before the fault", "set it after fault_at_s");
    Json list = Json::array();
    for (const auto& [name, remedy] : kRemedies) {
        if (textOf(p, "remedy") != "all" && textOf(p, "remedy") != name) continue;
        c.remedy = remedy;
        const BlackHoleResult r = blackHole(c);
        Json entry = {{"remedy", name},
                      {"restored_at_s", r.restoredAtS},
                      {"lost_bytes", r.lostBytes},
                      {"first_try_share", r.firstTryShare},
                      {"mean_tries", r.meanTries},
                      {"job_lost", r.jobLost},
                      {"timeline", timelineJson(r.timeline)}};
        if (remedy == Remedy::RandomRehash)
            entry["first_try_share_drawn"] = rehashShare(c.equalPaths, c.badPaths, std::uint64_t(integerOf(p, "seeds")));
        list.push_back(std::move(entry));
    }
    return answer({{"remedies", list}},
                  {"Detection and reroute take their upper limits. lost_bytes is rate × time without delivery, not retransmitted packets.",
                   "restored_at_s of random-rehash is the mean over a geometric number of tries."});
}

Result<Json> runPortFailover(const Json& p, const Progress&)
{
    NicCase c;
    c.ports = integerOf(p, "ports");
    c.portGbps = numberOf(p, "port_gbps");
    c.convergenceS = numberOf(p, "convergence_s");
    c.collectiveTimeoutS = numberOf(p, "collective_timeout_s");
    c.restartS = numberOf(p, "restart_s");
    c.untilS = numberOf(p, "until_s");
    for (std::size_t i = 0; i < p.at("faults").size(); ++i) {
        const Json& f = p.at("faults")[i];
        const std::string key = "faults[" + std::to_string(i) + "]";
        if (integerOf(f, "port") >= c.ports) return fail(ErrorCode::Refused, key + ".port", "is not there", "count ports from 0");
        if (numberOf(f, "up_at_s") <= numberOf(f, "down_at_s"))
            return fail(ErrorCode::Refused, key + ".up_at_s", "is not after down_at_s", "correct the value");
        c.faults.push_back({integerOf(f, "port"), numberOf(f, "down_at_s"), numberOf(f, "up_at_s")});
    }
    const NicResult r = nicFailover(c);
    Json losses = Json::array();
    for (int down = 1; down <= c.ports; ++down) {
        const PortLoss l = portLoss(integerOf(p, "nics"), c.ports, c.portGbps, down);
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
                  {"Until convergence senders still use the dead port, and the collective waits for those bytes. A slow-down of null means that the "
                   "ring stands."});
}

Json policyJson(const SharedLinks& system, SharePolicy policy, const PriorityResult& r)
{
    Json jobs = Json::array();
    for (std::size_t j = 0; j < r.jobs.size(); ++j)
        jobs.push_back(
            {{"name", system.jobs[j].name}, {"gpu_busy", r.jobs[j].busy}, {"slow_down", r.jobs[j].slowDown}, {"iteration_s", r.jobs[j].iterationS}});
    return {{"policy", name(policy)}, {"utilisation", r.utilisation}, {"lowest", r.lowest}, {"highest", r.highest}, {"jobs", jobs}};
}

Result<Json> runPriority(const Json& p, const Progress& progress)
{
    SharedLinks system;
    system.linkGbps = numbersOf(p, "links_gbps");
    Json intensities = Json::array();
    for (const Json& j : p.at("jobs")) {
        PeriodicJob job{j.contains("name") ? textOf(j, "name") : "job " + std::to_string(system.jobs.size() + 1),
                        numberOf(j, "gpus"),
                        numberOf(j, "compute_s"),
                        numberOf(j, "communicate_s"),
                        numberOf(j, "comm_gbps"),
                        integersOf(j, "links"),
                        numberOf(j, "overlap"),
                        integerOf(j, "priority")};
        intensities.push_back({{"name", job.name}, {"intensity", job.intensity()}});
        system.jobs.push_back(std::move(job));
    }
    PrioritySettings s{numberOf(p, "warm_up_s"), numberOf(p, "measure_s"), integerOf(p, "phases"), std::uint64_t(p.at("seed").get<std::int64_t>())};
    std::vector<std::pair<double, Json>> found;
    std::vector<SharePolicy> asked(std::begin(kPolicies), std::end(kPolicies));
    if (std::ranges::any_of(system.jobs, [](const PeriodicJob& job) { return job.priority != 0; })) asked.push_back(SharePolicy::Listed);
    for (const SharePolicy policy : asked) {
        const auto r = simulateSharing(system, policy, s, progress);
        if (!r) return tl::unexpected(r.error());
        found.emplace_back(r->utilisation, policyJson(system, policy, *r));
    }
    std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
    Json policies = Json::array();
    for (auto& [utilisation, entry] : found) policies.push_back(std::move(entry));
    return answer(
        {{"intensities", intensities}, {"policies", policies}},
        {"Fluid sharing of the links, jobs strictly periodic; policies from the best GPU utilisation down, means over starting times of the jobs.",
         "Strict priority preempts at once, equals share fairly; FIFO serves whoever began to communicate first, to its end. The policy listed is "
         "there where jobs have a priority."});
}

} // namespace

Analysis blackHoleAnalysis()
{
    const BlackHoleCase c;
    const std::vector<Condition> bySender = {is("remedy", {"all", "hash-dodging", "random-rehash"})},
                                 byHash = {is("remedy", {"all", "random-rehash"})};
    return {
        "hash-dodging",
        "A silently dead way: how long a flow is off and what it loses, by remedy",
        {text("remedy", "all", {"all", "hash-dodging", "random-rehash", "controller", "none"}, "which one"),
         number("rate_gbps", "Gb/s", c.rateGbps, 1e-3, 1e6, "of the flow"), number("fault_at_s", "s", c.faultAtS, 0, 1e7, "start of the black hole"),
         number("until_s", "s", c.untilS, 1e-3, 1e8, "end of the time line"),
         onlyWhen(number("detect_s", "s", c.detectS, 0, 1e5, "by the sender, at most"), bySender),
         onlyWhen(number("reroute_s", "s", c.rerouteS, 0, 1e5, "after that, at most"), bySender),
         onlyWhen(number("controller_s", "s", c.controllerS, 0, 1e6, "detection and reroute by a controller"), {is("remedy", {"all", "controller"})}),
         number("collective_timeout_s", "s", c.collectiveTimeoutS, 1e-3, 1e6, "then the job is lost"),
         number("restart_s", "s", c.restartS, 0, 1e6, "from the last save"),
         onlyWhen(integer("equal_paths", c.equalPaths, 2, 1e6, "that the hash chooses from"), byHash),
         onlyWhen(integer("bad_paths", c.badPaths, 1, 1e6, "of them dead"), byHash),
         onlyWhen(integer("seeds", 20000, 1000, 1e6, "hashes to draw beside the formula"), byHash)},
        runBlackHole};
}

Analysis portFailoverAnalysis()
{
    const NicCase c;
    return {
        "port-failover",
        "A NIC whose ports fail and come back: rate, black hole before convergence, and whether the job survives",
        {integer("nics", 8, 1, 64, "of a host"), integer("ports", c.ports, 1, 16, "of the NIC, each to its own ToR; 1: single ToR"),
         number("port_gbps", "Gb/s", c.portGbps, 1e-3, 1e5, "of a port"),
         number("convergence_s", "s", c.convergenceS, 0, 1e5, "until all senders know of a dead port"),
         number("collective_timeout_s", "s", c.collectiveTimeoutS, 1e-3, 1e6, "a longer stand-still loses the job"),
         number("restart_s", "s", c.restartS, 0, 1e6, "from the last save"), number("until_s", "s", c.untilS, 1e-3, 1e8, "end of the time line"),
         objects("faults", {{{"port", 0}, {"down_at_s", 10}, {"up_at_s", 131}}},
                 {integer("port", 0, 0, 15, "from 0"), number("down_at_s", "s", 10, 0, 1e8, "fault"), number("up_at_s", "s", 131, 0, 1e8, "repair")},
                 "what fails when")},
        runPortFailover};
}

Analysis priorityAnalysis()
{
    const PrioritySettings s;
    const Json jobs = {{{"name", "J1"}, {"gpus", 32}, {"compute_s", 2}, {"communicate_s", 1}},
                       {{"name", "J2"}, {"gpus", 8}, {"compute_s", 2}, {"communicate_s", 2}}};
    return {"priority",
            "Jobs that share links: GPU utilisation under fair sharing, FIFO and priority by GPU intensity",
            {numbers("links_gbps", "Gb/s", Json::array({400}), 1e-3, 1e6, "capacities"),
             objects("jobs", jobs,
                     {displayOnly(text("name", nullptr, {}, "of the job")), number("gpus", "", 8, 1, 1e7, "of the job"),
                      integer("priority", 0, -1e6, 1e6, "of the policy listed: the higher goes first, equals share fairly"),
                      number("compute_s", "s", 1, 1e-5, 1e6, "of an iteration"), number("communicate_s", "s", 1, 1e-5, 1e6, "of an iteration, alone"),
                      number("comm_gbps", "Gb/s", 400, 1e-3, 1e6, "on each of its links, alone"),
                      integers("links", Json::array({0}), 0, 9999, "it uses, counted from 0"),
                      number("overlap", "", 0, 0, 1, "share of compute that communication may hide behind")},
                     "jobs in turns of computing and communicating"),
             number("warm_up_s", "s", s.warmUpS, 0, 1e6, "not measured"), number("measure_s", "s", s.measureS, 1, 1e7, "measured"),
             integer("phases", s.phases, 1, 10000, "starting times to average over"), integer("seed", 1, 0, 1e15, "of the starting times")},
            runPriority};
}

} // namespace hw::sim::inline questions
