// SPDX-License-Identifier: GPL-3.0-or-later
// Faults under a training job as a kind of scenario.
#include "simulation/questions/cut_off.h"
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/form.h"
#include "simulation/questions/job_fields.h"

#include "simulation/training/job_fault.h"
#include "simulation/training/job_fault_playback.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim {
inline namespace questions {

namespace {

/// The first backup host of the same segment and type that works.
Maybe<DeviceId> backupOf(const Snapshot& s, DeviceId host, const std::optional<FailedState>& failed)
{
    Maybe<DeviceId> found;
    s.devices.forEach([&](DeviceId d) {
        if (!found && s.devices.role[d] == DeviceRole::Backup && s.devices.type[d] == s.devices.type[host] &&
            s.devices.pod[d] == s.devices.pod[host] && s.devices.segment[d] == s.devices.segment[host] && !(failed && failed->hasLost(d)))
            found = d;
    });
    return found;
}

/// The host that takes the place of the failed one, in the words of the results.
Text replacementText(const Snapshot& s, const WorkloadFabric& fabric, const JobFault& fault, const JobFaultResult& r)
{
    if (!r.replaced) return i18n("not replaced");
    const JobRun& after = r.runsDuring ? r.during : r.moved;
    const std::string& name = s.devices.name[fabric.hosts[after.hosts[std::size_t(fault.host)]]];
    return r.onBackup ? i18n("backup host {}", name) : i18n("free host {}", name);
}

/// Ranks of the fault's host: "32-39".
std::string ranksOf(const WorkloadFabric& fabric, const JobFault& fault, const JobFaultResult& r)
{
    const DomainUnit& unit = r.before.unit;
    const auto host = std::int64_t(fault.host), hosts = std::max<std::int64_t>(1, unit.hosts), gpus = std::int64_t(fabric.gpusPerHost);
    const std::int64_t ranks = unit.ranks > 0 ? unit.ranks : gpus, first = host / hosts * ranks + host % hosts * gpus;
    const std::int64_t last = std::min({first + gpus, (host / hosts + 1) * ranks, std::int64_t(r.before.job.cut.gpus())}) - 1;
    return fmt::format("{}-{}", first, last);
}

/// The first of what failed; a host by its own name, not by its links'.
Json failedNames(const ScenarioDesign& design, const WorkloadFabric& fabric, const JobFault& fault, const JobFaultResult& r)
{
    constexpr std::size_t kMost = 50;
    const Snapshot& s = *design.snapshot;
    const FabricGraph& graph = *fabric.graph;
    if (takesRanks(fault.place)) return Json::array({s.devices.name[fabric.hosts[r.before.hosts[std::size_t(fault.host)]]]});
    Json list = Json::array();
    for (const auto v : r.switches)
        if (list.size() < kMost) list.push_back(s.devices.name[graph.at(v).device]);
    for (const auto link : r.links) {
        if (list.size() >= kMost || link >= s.links.nextId()) continue;
        const PortId a = s.links.from[LinkId(link)], b = s.links.to[LinkId(link)];
        list.push_back(s.devices.name[s.ports.device[a]] + " - " + s.devices.name[s.ports.device[b]]);
    }
    return list;
}

/// Seconds of one operation of each kind of communication, at line rate, before and during.
Json phasesJson(const JobFaultResult& r, bool completes)
{
    Json list = Json::array();
    for (const PhaseReport& phase : r.before.phases) {
        const PhaseReport* then = r.during.phase(phase.name);
        const double before = phase.result.fluidS, during = then ? then->result.fluidS : 0;
        list.push_back({{"phase", phase.name},
                        {"before_s", before},
                        {"during_s", completes ? finite(during) : Json()},
                        {"slow_down", completes && before > 0 ? finite(during / before) : Json()}});
    }
    return list;
}

/// When a job that loses a host or a GPU is lost, and where it starts again.
Text hostNote(const JobFault& fault, const JobFaultResult& r)
{
    const bool returnsFirst = fault.downS > 0 && fault.downS < fault.libraryTimeoutS;
    const Text lost =
        fault.place == FaultPlace::Gpu
            ? (returnsFirst
                   ? i18n("The rank of a failed GPU is lost: the job aborts when the GPU is repaired, before the other ranks "
                          "time out (after {:g} s).",
                          fault.libraryTimeoutS)
                   : i18n("The rank of a failed GPU is lost: the job aborts when the other ranks time out (after {:g} s).", fault.libraryTimeoutS))
        : returnsFirst
            ? i18n("The ranks of a failed host are lost: the job aborts when the host returns, before the other ranks "
                   "time out (after {:g} s).",
                   fault.libraryTimeoutS)
            : i18n("The ranks of a failed host are lost: the job aborts when the other ranks time out (after {:g} s).", fault.libraryTimeoutS);
    const Text again = r.onBackup        ? i18n("It restarts from its last checkpoint on a backup host of the segment.")
                       : r.replaced      ? i18n("It restarts from its last checkpoint on a free host nearby and stays there.")
                       : fault.downS > 0 ? i18n("No host is free: it restarts from its last checkpoint when the host returns.")
                                         : i18n("No host is free and this one is never repaired: the job does not restart.");
    return i18n("{} {}", lost, again);
}

const Form<JobFault>& faultForm()
{
    static const Form<JobFault> made = [] {
        using F = JobFault;
        const F f;
        const auto at = [](auto member) { return [member](F& fault) -> double& { return fault.convergence.*member; }; };
        const std::vector<Condition> ofNic = {isNot("fault", {name(FaultPlace::Host), name(FaultPlace::Gpu)})},
                                     ofPort = {isNot("fault", {name(FaultPlace::Host), name(FaultPlace::Gpu), name(FaultPlace::Nic)})},
                                     repaired = {above0("down_s")};
        Form<F> form;
        form.oneOf(&F::place, kFaultPlaces, choice("fault", f.place, kFaultPlaces, i18n("type of fault, located from the host")))
            .from1(&F::host, integer("host", 1, 1, 1e6, i18n("host of the job, in rank order")))
            .from1(&F::nic, onlyWhen(integer("nic", 1, 1, 1024, i18n("NIC of the host")), ofNic))
            .from1(&F::port, onlyWhen(integer("port", 1, 1, 64, i18n("port of the NIC")), ofPort))
            .from1(&F::uplink, onlyWhen(integer("uplink", 1, 1, 1e5,
                                                i18n("uplink of the access switch at that port; for a core switch, also of the aggregation switch")),
                                        {is("fault", {"uplink", "aggregation", "core"})}))
            .to(&F::faultAtS, number("fault_at_s", "s", f.faultAtS, 0, 1e7, i18n("time of the fault")))
            .to(&F::downS, number("down_s", "s", f.downS, 0, 1e7, i18n("time until repair; 0: never")))
            .to(&F::times, onlyWhen(integer("times", 1, 1, 1000, i18n("number of failures; above 1 it flaps")), repaired))
            .to(&F::upS, onlyWhen(number("up_s", "s", f.upS, 0, 1e7, i18n("time between two failures")), {isNot("times", {1}), above0("down_s")}))
            .to(&F::untilS, number("until_s", "s", 0, 0, 1e8, i18n("end of the timeline; 0: some time after the last repair")))
            .to(at(&Convergence::carrierS),
                onlyWhen(number("carrier_s", "s", f.convergence.carrierS, 0, 1e4, i18n("time until the ends of a failed link detect it (assumed)")),
                         ofNic))
            .to(at(&Convergence::arpS),
                onlyWhen(number("arp_s", "s", f.convergence.arpS, 0, 1e4, i18n("time until peers in the segment are updated (assumed)")), ofNic))
            .to(at(&Convergence::bgpS),
                onlyWhen(number("bgp_s", "s", f.convergence.bgpS, 0, 1e4, i18n("time until the entire fabric has converged (assumed)")), ofNic))
            .to(at(&Convergence::repairS), onlyWhen(number("repair_s", "s", 0, 0, 1e4, i18n("time until a repaired link is used")),
                                                    {above0("down_s"), isNot("fault", {name(FaultPlace::Host), name(FaultPlace::Gpu)})}))
            .to(&F::libraryTimeoutS, number("collective_timeout_s", "s", f.libraryTimeoutS, 1e-3, 1e6, i18n("a longer stall loses the job")))
            .to(&F::restartS, number("restart_s", "s", f.restartS, 0, 1e6, i18n("restart time from the last checkpoint (assumed)")))
            .to(&F::saveEveryS, number("save_every_s", "s", f.saveEveryS, 0, 1e8,
                                       i18n("checkpoint interval; progress since the last checkpoint is lost with the job; 0: no checkpoints")));
        return form;
    }();
    return made;
}

Text cutOffDuring(const ScenarioDesign& design, const JobFabric& made, const JobFaultResult& r)
{
    FabricState state(*made.fabric.graph);
    for (const std::uint32_t link : r.links) state.setLink(LinkId(link), false);
    for (const std::uint32_t vertex : r.switches) state.setSwitch(vertex, false);
    return cutOffText(*design.snapshot, *made.fabric.graph, &state, made.fabric.hosts, int(made.fabric.nicsPerHost));
}

Result<ScenarioOutcome> runTrainingFailure(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    auto made = jobFabric(design, p);
    if (!made) return tl::unexpected(made.error());
    const auto job = jobOf(p, *made);
    if (!job) return tl::unexpected(job.error());
    if (const auto fine = refuseUseless(p, std::span(&*job, 1), made->fabric); !fine) return tl::unexpected(fine.error());
    JobFault fault = faultForm().read(p);
    if (fault.untilS > 0 && fault.untilS <= fault.faultAtS)
        return fail(ErrorCode::Refused, "until_s", i18n("is before the fault"), i18n("set it after fault_at_s"));
    if (takesRanks(fault.place) || staysInHost(fault.place)) { // looked at first, to know where the host stands
        const std::uint32_t wanted = std::uint32_t((job->cut.gpus() + made->fabric.gpusPerHost - 1) / made->fabric.gpusPerHost);
        const auto hosts = placeHosts(made->fabric.places, made->options.free, wanted, job->placement, job->placementSeed);
        if (hosts && std::size_t(fault.host) < hosts->size())
            if (const auto backup = backupOf(*design.snapshot, made->fabric.hosts[(*hosts)[std::size_t(fault.host)]], made->failed))
                fault.backupHost = addBackupHost(*design.snapshot, *backup, made->fabric, made->options);
    }
    const auto r = runJobFault(made->fabric, *job, fault, made->options, progress);
    if (!r) return tl::unexpected(inKeys(r.error()));
    const bool completes = r->runsDuring && !takesRanks(fault.place); // of a lost host or GPU the job stops until it has moved
    const double before = r->before.iteration.iterationS, during = completes ? r->during.iteration.iterationS : INFINITY;
    std::optional<impact::Loss> loss;
    if (textOf(p, "variant") == name(FabricVariant::AsDesigned)) { // of a variant nothing is said: its equipment is cabled otherwise
        std::vector<EntityRef> lost;
        if (fault.place == FaultPlace::Host) lost.push_back(ref(made->fabric.hosts[r->before.hosts[std::size_t(fault.host)]]));
        for (const std::uint32_t link : r->links) lost.push_back(ref(LinkId(link)));
        for (const std::uint32_t vertex : r->switches) lost.push_back(ref(made->fabric.graph->at(vertex).device));
        if (fault.place == FaultPlace::Gpu) {
            loss.emplace().gpusLost.add(false);
        } else {
            auto counted = lossOf(design, lost, progress);
            if (!counted) return tl::unexpected(counted.error());
            loss = *counted;
        }
    }
    ScenarioOutcome out;
    Json spans = Json::array();
    for (const auto& s : r->spans) spans.push_back({{"from_s", s.fromS}, {"to_s", s.toS}, {"state", s.state}, {"speed", s.speed}});
    out.results = {{"job", r->before.job.name},
                   {"gpus", r->before.job.cut.gpus()},
                   {"memory_bytes_per_gpu", r->before.memory.totalBytes()},
                   {"fault", name(fault.place)},
                   {"failed", failedNames(design, made->fabric, fault, *r)},
                   {"failed_count", takesRanks(fault.place) ? std::size_t(1) : r->switches.size() + r->links.size()},
                   {"lost", loss ? lossJson(*loss) : Json()},
                   {"iteration_s", {{"before", before}, {"during", finite(during)}, {"after", finite(r->afterS)}}},
                   {"slow_down", finite(during / before)},
                   {"connections_hit", r->hit},
                   {"stands_s", r->standsS},
                   {"black_hole_s", r->blackHoleS},
                   {"slowest_iteration_s", r->slowestIterationS},
                   {"iterations_done", r->iterations},
                   {"iterations_undisturbed", std::floor(r->untilS / before * (1 + 1e-9))},
                   {"job_lost", r->lost},
                   {"lost_at_s", r->lost ? Json(r->lostAtS) : Json()},
                   {"work_lost_s", r->workLostS},
                   {"replaced_by", replacementText(*design.snapshot, made->fabric, fault, *r)},
                   {"moved_ranks", r->replaced ? Json(ranksOf(made->fabric, fault, *r)) : Json()},
                   {"phases", phasesJson(*r, completes)},
                   {"timeline", spans}};
    judgeMemory(r->before.job, r->before.memory, out.results);
    if (r->hit == 0 && !takesRanks(fault.place)) out.notes.push_back(i18n("No connection of the job uses the failed element."));
    if (!r->runsDuring) {
        const Text why = cutOffDuring(design, *made, *r);
        out.notes.push_back(why.empty() ? i18n("During the fault, some ranks cannot reach each other: the job stalls.")
                                        : i18n("{} during the fault: the job is stalled.", why));
    }
    out.notes.push_back(i18n("Convergence after a fault (assumed unless set): local ports {:g} s, neighbors {:g} s, entire fabric "
                             "{:g} s. Until its connections have new paths, the entire job stalls; communication hidden behind "
                             "computation would compensate for some of the delay.",
                             fault.convergence.carrierS, fault.convergence.arpS, fault.convergence.bgpS));
    if (takesRanks(fault.place)) out.notes.push_back(hostNote(fault, *r));
    if (r->replaced && !takesRanks(fault.place))
        out.notes.push_back(r->onBackup
                                ? i18n("The job aborts when its ranks time out (after {:g} s). It restarts from its last checkpoint on a backup "
                                       "host of the segment, whichever NIC has failed.",
                                       fault.libraryTimeoutS)
                                : i18n("The job aborts when its ranks time out (after {:g} s). It restarts from its last checkpoint on a free "
                                       "host nearby and stays there.",
                                       fault.libraryTimeoutS));
    for (const auto& w : r->before.warnings) out.notes.push_back(w);
    out.notes.push_back(kFluidNote);
    out.playback = jobFaultPlayback(*design.snapshot, made->fabric, *r);
    return out;
}

} // namespace

std::vector<ScenarioKind> faultKinds()
{
    constexpr std::string_view kNot[] = {"failed", "failed_links", "tokens_to_train"};
    return {afterFailure({"training-failure",
                          i18n("Failure and recovery, or flapping, during a training job: iteration time before, during and after, "
                               "stall time, job survival"),
                          true, without(joined({faultForm().fields(), jobFields(), fabricFields()}), kNot), runTrainingFailure})};
}

} // namespace questions
} // namespace hw::sim
