// SPDX-License-Identifier: GPL-3.0-or-later
// Studies of a fabric as kinds of scenario: planes (S1), failures (S2), pods (S3), rails (S4), hashing at the core (S6).
#include "simulation/questions/kinds.h"

#include "core/model/entity.h"

#include "simulation/fabric/studies/core_hash_study.h"
#include "simulation/fabric/studies/core_study.h"
#include "simulation/fabric/studies/dodge_study.h"
#include "simulation/fabric/studies/failover_study.h"
#include "simulation/fabric/studies/plane_study.h"
#include "simulation/fabric/studies/rail_study.h"

#include <cmath>
#include <map>

namespace hw::sim::inline questions {

namespace {

Json notesOf(const std::vector<std::string>& notes)
{
    Json list = Json::array();
    for (const auto& note : notes) list.push_back(note);
    return list;
}

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json proof(bool ok, double gap) { return {{"ok", ok}, {"worst_gap", gap}}; }

std::uint64_t seedOf(const Json& p, const char* key) { return p.at(key).get<std::uint64_t>(); }

Field networkField() { return text("network", "backend", {}, "that carries the traffic"); }
Field seedsField(std::int64_t count) { return integer("seeds", count, 1, 1e6, "hashes to average over"); }
Field firstSeedField() { return integer("first_seed", 1, 0, 9e15, "of the hashes"); }

Json rowsJson(const std::vector<PlaneResult::Row>& rows)
{
    Json list = Json::array();
    for (const auto& r : rows)
        list.push_back({{"connections", r.connections},
                        {"paced_gbps", r.pacedGbps},
                        {"max_min_gbps", r.idealGbps},
                        {"slowest_nic_factor", r.slowestFactor},
                        {"slowest_nic_s", r.slowestFactor * r.fullRateS},
                        {"slowest_nic_factor_paced", r.slowestFactorPaced},
                        {"port_imbalance", r.portImbalance}});
    return list;
}

Result<ScenarioOutcome> runPlanes(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    PlaneStudy study;
    study.network = textOf(p, "network");
    study.pod = integerOf(p, "pod") - 1;
    study.fromSegment = integerOf(p, "from_segment") - 1;
    study.toSegment = integerOf(p, "to_segment") - 1;
    study.hosts = integerOf(p, "hosts");
    study.nic = integerOf(p, "nic") - 1;
    study.connections = integersOf(p, "connections");
    study.bytesPerNic = numberOf(p, "bytes_per_nic");
    study.seeds = integerOf(p, "seeds");
    study.firstSeed = seedOf(p, "first_seed");
    study.uplinksUncontended = flagOf(p, "uplinks_uncontended");
    const auto r = runPlaneStudy(*design.snapshot, study, progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    out.results = {{"as_designed", rowsJson(r->designed)},
                   {"single_plane", rowsJson(r->singlePlane)},
                   {"design_is_dual_plane", r->designIsDual},
                   {"tor_uplinks",
                    {{"links", r->uplinks.links},
                     {"busy_share", r->uplinks.busyShare},
                     {"mean_max_load", r->uplinks.meanMaxLoad},
                     {"disjoint_busy_share", r->uplinks.disjointBusyShare}}},
                   {"certificate", proof(r->certificateOk, r->certificateGap)}};
    out.notes = notesOf(r->notes);
    return out;
}

constexpr std::pair<const char*, FabricVariant> kVariants[] = {{"as-designed", FabricVariant::AsDesigned},
                                                               {"single-plane", FabricVariant::SinglePlane},
                                                               {"single-tor", FabricVariant::SingleToR},
                                                               {"stacked", FabricVariant::StackedToR}};
constexpr std::pair<const char*, Fault> kFaults[] = {{"port", Fault::Port},   {"nic", Fault::Nic},   {"tor", Fault::ToR},
                                                     {"stack", Fault::Stack}, {"host", Fault::Host}, {"switch", Fault::Switch}};

template <class Choices>
std::vector<std::string> namesOf(const Choices& choices)
{
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) names.emplace_back(name);
    return names;
}
template <class Choices>
auto chosen(const Choices& choices, const std::string& wanted)
{
    for (const auto& [name, value] : choices)
        if (wanted == name) return value;
    return std::begin(choices)->second;
}

/// The time line of a failure for the window: loads, and the job's progress as bars.
std::shared_ptr<const Playback> playbackOf(const ScenarioDesign& design, const FailoverResult& r, const std::string& network,
                                           const std::string& title)
{
    auto play = std::make_shared<Playback>();
    play->revision = design.snapshot->revision;
    play->title = title;
    play->endS = r.line.endS;
    if (const auto fabric = studyFabric(*design.snapshot, network)) play->capacityGbps = fabric->graph.capacityGbps();
    for (std::size_t f = 0; f < r.line.frames.size(); ++f) {
        const auto& frame = r.line.frames[f];
        const auto last = f + 1 < r.line.frames.size() ? r.line.frames[f + 1].firstLoad : std::uint32_t(r.line.loads.size());
        auto& out = play->frames.emplace_back(Playback::Frame{frame.timeS, frame.what, {}, {}});
        for (auto i = frame.firstLoad; i < last; ++i) out.loadGbps.emplace_back(r.line.loads[i].link, r.line.loads[i].gbps);
    }
    for (const auto& span : r.job) play->spans.push_back({"Job", span.state, span.state, span.fromS, span.toS});
    Playback::Series sum{"Delivered, all NICs", "Gb/s", {}};
    std::map<double, double> change;
    for (const auto& group : r.line.groups) {
        double before = 0;
        for (const auto& point : group) {
            change[point.timeS] += point.sumGbps - before;
            before = point.sumGbps;
        }
    }
    double level = 0;
    for (const auto& [t, delta] : change) sum.points.emplace_back(t, level += delta);
    play->series.push_back(std::move(sum));
    return play;
}

Result<ScenarioOutcome> runFailure(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    FailoverStudy study;
    study.network = textOf(p, "network");
    study.variant = chosen(kVariants, textOf(p, "variant"));
    study.fault = chosen(kFaults, textOf(p, "fault"));
    if (const std::string name = p.value("device", std::string()); !name.empty()) {
        const auto found = findEntity(*design.snapshot, *design.parts, name);
        if (!found)
            return fail(ErrorCode::Refused, "device", "'" + name + "' is not in this design",
                        "name a server, a port of one (HOST:PORT), or a switch");
        study.what = *found;
    }
    study.order = p.contains("ring") && textOf(p, "ring") == "alternating-segments" ? RingOrder::AlternatingSegments : RingOrder::Contiguous;
    study.pod = int(numberOr(p, "pod", 1)) - 1;
    study.segments = integerOf(p, "segments");
    study.faultAtS = numberOf(p, "fault_at_s");
    study.downS = numberOf(p, "down_s");
    study.untilS = numberOf(p, "until_s");
    study.convergence = {numberOf(p, "carrier_s"), numberOf(p, "arp_s"), numberOf(p, "bgp_s"), numberOr(p, "repair_s", 0)};
    study.libraryTimeoutS = numberOf(p, "collective_timeout_s");
    study.restartS = numberOf(p, "restart_s");
    const auto r = runFailoverStudy(*design.snapshot, study, progress);
    if (!r) return tl::unexpected(r.error());
    Json spans = Json::array();
    for (const auto& s : r->job) spans.push_back({{"from_s", s.fromS}, {"to_s", finite(s.toS)}, {"state", s.state}, {"share", s.share}});
    ScenarioOutcome out;
    out.results = {{"before", {{"host_gbps", r->hostGbps}, {"nic_gbps", r->nicGbps}, {"segment_gbps", r->segmentGbps}}},
                   {"degraded", {{"host_gbps", r->degradedHostGbps}, {"nic_gbps", r->degradedNicGbps}, {"segment_gbps", r->degradedSegmentGbps}}},
                   {"repaired_nic_gbps", r->repairedNicGbps},
                   {"nics_halved", r->nicsHalved},
                   {"nics_stopped", r->nicsStopped},
                   {"ring_slow_down_static", r->ringSlowDownStatic > 0 ? Json(r->ringSlowDownStatic) : Json()},
                   {"ring_slow_down_rebalanced", r->ringSlowDownRebalanced > 0 ? Json(r->ringSlowDownRebalanced) : Json()},
                   {"black_hole_s", r->blackHoleS},
                   {"black_holed_bytes", r->blackHoledBytes},
                   {"flows_into_dead_after_convergence", r->flowsIntoDead},
                   {"flows_on_dead_plane_after_convergence", r->flowsOnDeadPlane},
                   {"surviving_ways", r->survivingWays},
                   {"job_continues", r->continues},
                   {"job_lost", r->jobLost},
                   {"job_lost_at_s", r->jobLost ? Json(r->lostAtS) : Json()},
                   {"job", spans},
                   {"certificate", {{"ok", r->line.certificateOk}, {"worst_gap", r->line.certificateGap}, {"proofs", r->line.proofs}}}};
    out.notes = notesOf(r->notes);
    out.playback = playbackOf(design, *r, study.network, std::string(name(study.fault)) + " fails");
    return out;
}

constexpr std::pair<const char*, Dodge> kDodges[] = {{"offset", Dodge::Offset}, {"rehash", Dodge::Rehash}, {"none", Dodge::None}};

Result<ScenarioOutcome> runSilentFault(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    DodgeStudy study;
    study.network = textOf(p, "network");
    study.pod = integerOf(p, "pod") - 1;
    study.fromSegment = integerOf(p, "from_segment") - 1;
    study.toSegment = integerOf(p, "to_segment") - 1;
    study.dodging = {chosen(kDodges, textOf(p, "dodging")), numberOr(p, "detect_s", 0), numberOr(p, "reroute_s", 0)};
    study.controllerS = numberOf(p, "controller_s");
    study.faultAtS = numberOf(p, "fault_at_s");
    study.untilS = numberOf(p, "until_s");
    study.draws = integerOf(p, "draws");
    const auto r = runDodgeStudy(*design.snapshot, study, progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    out.results = {{"nic_gbps", r->rateGbps},
                   {"restored_at_s", finite(r->restoredAtS)},
                   {"lost_bytes", r->lostBytes},
                   {"equal_ways", r->equalWays},
                   {"offset_first_try_share", r->offsetFirstTry},
                   {"rehash_first_try_share", r->rehashFirstTry},
                   {"rehash_expected_share", r->rehashExpected},
                   {"certificate", {{"ok", r->certificateOk}, {"worst_gap", r->line.certificateGap}, {"proofs", r->line.proofs}}}};
    out.notes = notesOf(r->notes);
    return out;
}

Json caseJson(const CoreResult::Case& c)
{
    return {{"case", c.name},
            {"cross_gbps", c.crossGbps},
            {"core_gbps", c.coreGbps},
            {"seconds", c.seconds},
            {"free_seconds", c.freeSeconds},
            {"slow_down", c.slowDown},
            {"core_slow_down", c.coreSlowDown},
            {"five_tuple_seconds", c.hashedSeconds > 0 ? Json(c.hashedSeconds) : Json()},
            {"exposed_s", c.exposedSeconds}};
}

Result<ScenarioOutcome> runPods(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    CoreStudy study;
    study.network = textOf(p, "network");
    study.pods = integerOf(p, "pods");
    study.tensorParallel = integerOf(p, "tensor_parallel");
    study.pipelineStages = integerOf(p, "pipeline_stages");
    study.microBatches = integerOf(p, "micro_batches");
    study.pipelineBytes = numberOf(p, "pipeline_bytes");
    study.gradientBytes = numberOf(p, "gradient_bytes");
    study.allToAllBytes = numberOf(p, "all_to_all_bytes");
    study.hashed = flagOf(p, "five_tuple");
    if (study.hashed) study.seed = seedOf(p, "seed");
    const auto r = runCoreStudy(*design.snapshot, study, progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    out.results = {{"verdict", r->verdict},
                   {"gpus", r->gpus},
                   {"gpus_per_pod", r->gpusPerPod},
                   {"data_parallel", r->dataParallel},
                   {"access_to_core", r->accessToCore},
                   {"stage_boundaries", r->boundaries},
                   {"stage_boundaries_across_pods", r->boundariesAcross},
                   {"gpus_sending_across_pods", r->gpusAcross},
                   {"cases", Json::array()}};
    for (const auto* c : {&r->pipelineAcross, &r->gradientContiguous, &r->gradientAlternating, &r->allToAll, &r->allToAllOneSegment})
        out.results["cases"].push_back(caseJson(*c));
    out.notes = notesOf(r->notes);
    return out;
}

Result<ScenarioOutcome> runRails(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    const auto r =
        runRailStudy(*design.snapshot, {textOf(p, "network"), integerOf(p, "hosts"), integerOf(p, "seeds"), seedOf(p, "first_seed")}, progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    out.results = {
        {"hosts", r->hosts},
        {"nics", r->nics},
        {"segments", r->segments},
        {"ring",
         {{"under_one_switch_share", r->ringUnderOneSwitch},
          {"load_between_switches_gbps", r->ringUpperLoadGbps},
          {"slowest_nic_gbps", r->ringGbps},
          {"crosses_segments_share", r->ringCrossesSegments},
          {"random_order_crosses_segments_share", r->randomRingCrossesSegments},
          {"random_order_expected_share", r->randomExpected}}},
        {"all_to_all",
         {{"crosses_segments_share", r->allToAllCrossesSegments},
          {"crosses_rails_share", r->allToAllCrossesRails},
          {"through_upper_tiers_share", r->allToAllThroughUpper}}},
        {"forwarded_all_to_all", {{"crosses_rails_share", r->forwardedCrossesRails}, {"through_upper_tiers_share", r->forwardedThroughUpper}}},
        {"certificate", proof(r->certificateOk, r->certificateGap)}};
    out.notes = notesOf(r->notes);
    return out;
}

Json hashJson(const CoreHashResult::Case& c)
{
    return {{"throughput_share", c.throughputShare}, {"mean_max_load", c.meanMaxLoad}, {"without_collision_share", c.withoutCollision}};
}

Result<ScenarioOutcome> runCoreHash(const ScenarioDesign& design, const Json& p, const Progress& progress)
{
    CoreHashStudy study;
    study.network = textOf(p, "network");
    study.fromPod = integerOf(p, "from_pod") - 1;
    study.toPod = integerOf(p, "to_pod") - 1;
    study.secondFromPod = integerOf(p, "second_from_pod") - 1;
    study.core = integerOf(p, "core") - 1;
    study.seeds = integerOf(p, "seeds");
    study.firstSeed = seedOf(p, "first_seed");
    const auto r = runCoreHashStudy(*design.snapshot, study, progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    out.results = {{"ports_per_pod", r->ports},
                   {"source_port_hash", hashJson(r->portHash)},
                   {"five_tuple", hashJson(r->fiveTuple)},
                   {"source_port_hash_link_down", hashJson(r->portHashLinkDown)},
                   {"five_tuple_link_down", hashJson(r->fiveTupleLinkDown)},
                   {"untouched_flows", r->untouchedFlows},
                   {"no_collision_probability", r->noCollisionProbability}};
    if (study.secondFromPod >= 0) out.results["two_pods_source_port_hash"] = hashJson(r->twoPodsPortHash);
    out.results["certificate"] = proof(r->certificateOk, r->certificateGap);
    out.notes = notesOf(r->notes);
    return out;
}

} // namespace

std::vector<ScenarioKind> fabricKinds()
{
    const PlaneStudy planes;
    const FailoverStudy failure;
    const CoreStudy pods;
    return {
        {"dual-plane",
         "Rates of NICs in two planes against the same equipment as one plane, and hashing on ToR uplinks",
         true,
         {networkField(), integer("pod", 1, 1, 1e6, "of the segments"), integer("from_segment", 1, 1, 1e6, "that sends"),
          integer("to_segment", 2, 1, 1e6, "that receives"), integer("hosts", planes.hosts, 1, 1e6, "of each segment"),
          integer("nic", 1, 1, 1024, "of every host"), integers("connections", planes.connections, 1, 1024, "of a NIC; multiples of its ports"),
          number("bytes_per_nic", "bytes", planes.bytesPerNic, 1, 1e15, "that every NIC sends"), seedsField(planes.seeds), firstSeedField(),
          boolean("uplinks_uncontended", planes.uplinksUncontended, "links between switches do not limit")},
         runPlanes},
        {"failure",
         "Something fails under a running ring and comes back: black hole, convergence, degraded rates, whether the job survives",
         true,
         {networkField(), text("variant", "as-designed", namesOf(kVariants), "the same equipment, cabled so"),
          text("fault", "port", namesOf(kFaults), "what fails"),
          text("device", nullptr, {}, "where: a server, a port of one (HOST:PORT), or a switch; else NIC 0 of the first host, or its ToR"),
          onlyWhen(text("ring", "contiguous", {"contiguous", "alternating-segments"}, "order of hosts"), {isNot("segments", {1})}),
          onlyWhen(integer("pod", 1, 1, 1e6, "of the job"), {notGiven("device")}),
          integer("segments", failure.segments, 1, 1e6, "of the job, from the first"), number("fault_at_s", "s", failure.faultAtS, 0, 1e7, "when"),
          number("down_s", "s", failure.downS, 0, 1e7, "until it is repaired; 0: never"),
          number("until_s", "s", failure.untilS, 1e-3, 1e8, "end of the time line"),
          number("carrier_s", "s", failure.convergence.carrierS, 0, 1e4, "until the ends of a dead link notice (assumed)"),
          number("arp_s", "s", failure.convergence.arpS, 0, 1e4, "until peers in the segment know (assumed)"),
          number("bgp_s", "s", failure.convergence.bgpS, 0, 1e4, "until everybody knows (assumed)"),
          onlyWhen(number("repair_s", "s", failure.convergence.repairS, 0, 1e4, "until a repaired link is used"), {above0("down_s")}),
          number("collective_timeout_s", "s", failure.libraryTimeoutS, 1e-3, 1e6, "a longer stand-still loses the job"),
          number("restart_s", "s", failure.restartS, 0, 1e6, "from the last checkpoint (assumed)")},
         runFailure},
        {"silent-fault",
         "A link swallows a NIC's traffic and still looks up: hash dodging by a known offset or a random source port, a controller, or nobody",
         true,
         {networkField(), integer("pod", 1, 1, 1e6, "of the segments"), integer("from_segment", 1, 1, 1e6, "that sends"),
          integer("to_segment", 2, 1, 1e6, "that receives"), text("dodging", "offset", namesOf(kDodges), "what senders do"),
          onlyWhen(number("detect_s", "s", 0.6, 0, 1e4, "until a sender notices"), {isNot("dodging", {"none"})}),
          onlyWhen(number("reroute_s", "s", 0.4, 0, 1e4, "until it sends another way"), {isNot("dodging", {"none"})}),
          number("controller_s", "s", 20, 0, 1e6, "until a controller reroutes; 0: there is none"), number("fault_at_s", "s", 10, 1e-3, 1e7, "when"),
          number("until_s", "s", 60, 1e-3, 1e8, "end of the time line"),
          integer("draws", DodgeStudy{}.draws, 1, 1e6, "connections, for the shares of first tries")},
         runSilentFault},
        {"cross-pod",
         "Which traffic of a job may cross pods: pipeline, gradient rings by rank order, all-to-all",
         true,
         {networkField(), integer("pods", pods.pods, 1, 1e6, "that the job spans"), integer("tensor_parallel", pods.tensorParallel, 1, 1e6, "GPUs"),
          integer("pipeline_stages", pods.pipelineStages, 1, 1e6, "of the job"),
          integer("micro_batches", pods.microBatches, 1, 1e6, "of an iteration"),
          number("pipeline_bytes", "bytes", pods.pipelineBytes, 1, 1e15, "of a micro-batch, from GPU to GPU"),
          number("gradient_bytes", "bytes", pods.gradientBytes, 1, 1e15, "all-reduced by a GPU"),
          number("all_to_all_bytes", "bytes", pods.allToAllBytes, 1, 1e15, "sent by a GPU"),
          boolean("five_tuple", pods.hashed, "also with five-tuple ECMP"),
          onlyWhen(integer("seed", 1, 0, 9e15, "of the hash"), {is("five_tuple", {true})})},
         runPods},
        {"rail-locality",
         "How much of a job's traffic stays under one access switch: rings by rank order, all-to-all direct and forwarded",
         true,
         {networkField(), integer("hosts", RailStudy{}.hosts, 2, 1e6, "of the job"), seedsField(RailStudy{}.seeds), firstSeedField()},
         runRails},
        {"core-hash",
         "Source-port hash against five-tuple at a core switch, whole and with a dead link",
         true,
         {networkField(), integer("from_pod", 1, 1, 1e6, "that sends"), integer("to_pod", 2, 1, 1e6, "that receives"),
          integer("second_from_pod", 0, 0, 1e6, "a second sender; 0: none"), integer("core", 1, 1, 1e6, "switch, from 1"),
          seedsField(CoreHashStudy{}.seeds), firstSeedField()},
         runCoreHash},
    };
}

} // namespace hw::sim::inline questions
