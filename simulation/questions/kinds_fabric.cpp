// SPDX-License-Identifier: GPL-3.0-or-later
// Studies of a fabric as kinds of scenario: planes (S1), pods (S3), rails (S4), hashing at the core (S6), sub-flows.
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/failed_state.h"
#include "simulation/questions/form.h"
#include "simulation/questions/kinds.h"

#include "simulation/fabric/studies/core_hash_study.h"
#include "simulation/fabric/studies/core_study.h"
#include "simulation/fabric/studies/plane_study.h"
#include "simulation/fabric/studies/rail_study.h"
#include "simulation/fabric/studies/subflow_study.h"

namespace hw::sim {
inline namespace questions {

namespace {

Field seedsField(std::int64_t count) { return integer("seeds", count, 1, 1e6, i18n("hashes to average over")); }
Field firstSeedField() { return integer("first_seed", 1, 0, 9e15, i18n("first seed of the hashes")); }

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

Result<ScenarioOutcome> runPlanes(const ScenarioDesign& design, const PlaneStudy& study, const Progress& progress)
{
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
    out.notes.assign(r->notes.begin(), r->notes.end());
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

Result<ScenarioOutcome> runPods(const ScenarioDesign& design, const CoreStudy& study, const Progress& progress)
{
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
    out.notes.assign(r->notes.begin(), r->notes.end());
    return out;
}

Result<ScenarioOutcome> runRails(const ScenarioDesign& design, const RailStudy& study, const Progress& progress)
{
    const auto r = runRailStudy(*design.snapshot, study, progress);
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
    out.notes.assign(r->notes.begin(), r->notes.end());
    return out;
}

Json hashJson(const CoreHashResult::Case& c)
{
    return {{"throughput_share", c.throughputShare}, {"mean_max_load", c.meanMaxLoad}, {"without_collision_share", c.withoutCollision}};
}

Result<ScenarioOutcome> runCoreHash(const ScenarioDesign& design, const CoreHashStudy& study, const Progress& progress)
{
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
    out.notes.assign(r->notes.begin(), r->notes.end());
    return out;
}

Form<PlaneStudy> planesForm()
{
    using S = PlaneStudy;
    const S d;
    Form<S> form;
    form.to(&S::network, networkField())
        .from1(&S::pod, integer("pod", 1, 1, 1e6, i18n("pod of the segments")))
        .from1(&S::fromSegment, integer("from_segment", 1, 1, 1e6, i18n("sender")))
        .from1(&S::toSegment, integer("to_segment", 2, 1, 1e6, i18n("receiver")))
        .to(&S::hosts, integer("hosts", d.hosts, 1, 1e6, i18n("hosts per segment")))
        .from1(&S::nic, integer("nic", 1, 1, 1024, i18n("NIC used on every host")))
        .to(&S::connections, integers("connections", d.connections, 1, 1024, i18n("connections per NIC; multiples of its ports")))
        .to(&S::bytesPerNic, number("bytes_per_nic", "bytes", d.bytesPerNic, 1, 1e15, i18n("bytes sent per NIC")))
        .to(&S::seeds, seedsField(d.seeds))
        .to(&S::firstSeed, firstSeedField())
        .to(&S::uplinksUncontended, boolean("uplinks_uncontended", d.uplinksUncontended, i18n("links between switches are not limiting")));
    return form;
}

Form<CoreStudy> podsForm()
{
    using S = CoreStudy;
    const S d;
    Form<S> form;
    form.to(&S::network, networkField())
        .to(&S::pods, integer("pods", d.pods, 1, 1e6, i18n("pods that the job spans")))
        .to(&S::tensorParallel, integer("tensor_parallel", d.tensorParallel, 1, 1e6, i18n("GPUs of a tensor-parallel group")))
        .to(&S::pipelineStages, integer("pipeline_stages", d.pipelineStages, 1, 1e6, i18n("pipeline stages of the job")))
        .to(&S::microBatches, integer("micro_batches", d.microBatches, 1, 1e6, i18n("micro-batches per iteration")))
        .to(&S::pipelineBytes,
            number("pipeline_bytes", "bytes", d.pipelineBytes, 1, 1e15, i18n("activations of a micro-batch, sent from GPU to GPU")))
        .to(&S::gradientBytes, number("gradient_bytes", "bytes", d.gradientBytes, 1, 1e15, i18n("gradients all-reduced per GPU")))
        .to(&S::allToAllBytes, number("all_to_all_bytes", "bytes", d.allToAllBytes, 1, 1e15, i18n("data sent per GPU in an all-to-all")))
        .to(&S::hashed, boolean("five_tuple", d.hashed, i18n("also evaluate five-tuple ECMP")))
        .to(&S::seed, onlyWhen(integer("seed", 1, 0, 9e15, i18n("hash seed")), {is("five_tuple", {true})}));
    return form;
}

Form<RailStudy> railsForm()
{
    using S = RailStudy;
    const S d;
    Form<S> form;
    form.to(&S::network, networkField())
        .to(&S::hosts, integer("hosts", d.hosts, 2, 1e6, i18n("hosts of the job")))
        .to(&S::seeds, seedsField(d.seeds))
        .to(&S::firstSeed, firstSeedField());
    return form;
}

Form<CoreHashStudy> coreHashForm()
{
    using S = CoreHashStudy;
    Form<S> form;
    form.to(&S::network, networkField())
        .from1(&S::fromPod, integer("from_pod", 1, 1, 1e6, i18n("sender")))
        .from1(&S::toPod, integer("to_pod", 2, 1, 1e6, i18n("receiver")))
        .from1(&S::secondFromPod, integer("second_from_pod", 0, 0, 1e6, i18n("second sender; 0: none")))
        .from1(&S::core, integer("core", 1, 1, 1e6, i18n("number of the core switch, from 1")))
        .to(&S::seeds, seedsField(S{}.seeds))
        .to(&S::firstSeed, firstSeedField());
    return form;
}

Json spreadJson(const SubflowResult::Spread& spread)
{
    return {{"paths_used_share", spread.pathsShare}, {"busiest_uplink_factor", spread.busiestUplink}, {"slowest_nic_gbps", spread.slowestGbps}};
}

Result<ScenarioOutcome> runSubflows(const ScenarioDesign& design, const SubflowStudy& study, const Progress& progress)
{
    const auto r = runSubflowStudy(*design.snapshot, study, progress);
    if (!r) return tl::unexpected(r.error());
    ScenarioOutcome out;
    const auto& most = *std::ranges::max_element(r->rows, {}, &SubflowResult::Row::subflows);
    out.results = {
        {"verdict", i18np(most.subflows,
                          "With {} sub-flow per port, the busiest uplink carries {:.3g} times an even share by hashing and {:.3g} by offset; "
                          "the slowest NIC reaches {:.0f} and {:.0f} Gb/s.",
                          "With {} sub-flows per port, the busiest uplink carries {:.3g} times an even share by hashing and {:.3g} by offset; "
                          "the slowest NIC reaches {:.0f} and {:.0f} Gb/s.",
                          most.hash.busiestUplink, most.offset.busiestUplink, most.hash.slowestGbps, most.offset.slowestGbps)},
        {"uplinks", r->uplinks},
        {"nic_gbps", r->nicGbps},
        {"hash", Json::array()},
        {"offset", Json::array()}};
    for (const auto& row : r->rows)
        for (const auto& [key, spread] : {std::pair("hash", row.hash), std::pair("offset", row.offset)}) {
            Json one = {{"subflows", row.subflows}};
            one.update(spreadJson(spread));
            out.results[key].push_back(std::move(one));
        }
    out.results["certificate"] = proof(r->certificateOk, r->certificateGap);
    out.notes.assign(r->notes.begin(), r->notes.end());
    return out;
}

struct SubflowQuestion : SubflowStudy {
    SubflowQuestion() { fewerHosts = true; } // unless `hosts` is given
};

Form<SubflowQuestion> subflowsForm()
{
    using S = SubflowQuestion;
    const S d;
    Form<S> form;
    form.to(&S::network, networkField())
        .from1(&S::pod, integer("pod", 1, 1, 1e6, i18n("pod of the sender")))
        .from1(&S::fromSegment, integer("from_segment", 1, 1, 1e6, i18n("sender")))
        .from1(&S::toSegment, integer("to_segment", 2, 1, 1e6, i18n("receiver")))
        .from1(&S::toPod, integer("to_pod", 0, 0, 1e6, i18n("pod of the receiver; 0: that of the sender")))
        .take(integer("hosts", nullptr, 1, 1e6, i18n("hosts per segment (default: 32, or all if the segments have fewer)")),
              [](S& study, const Json& value) { study.hosts = value.get<int>(), study.fewerHosts = false; })
        .from1(&S::nic, integer("nic", 1, 1, 1024, i18n("NIC used on every host")))
        .to(&S::subflows, integers("subflows", d.subflows, 1, 256, i18n("sub-flows per NIC port")))
        .to(&S::seeds, seedsField(d.seeds))
        .to(&S::firstSeed, firstSeedField());
    return form;
}

} // namespace

std::vector<ScenarioKind> fabricKinds()
{
    std::vector<ScenarioKind> all = {formKind(
        "dual-plane", i18n("NIC rates with two planes vs the same equipment as one plane, and hashing on ToR uplinks"), planesForm(), runPlanes)};
    for (auto& kind : failureKinds()) all.push_back(std::move(kind));
    all.push_back(
        formKind("cross-pod", i18n("Job traffic that can cross pods: pipeline, gradient rings by rank order, all-to-all"), podsForm(), runPods));
    all.push_back(formKind("rail-locality",
                           i18n("Share of job traffic that stays below one access switch: rings by rank order, all-to-all direct and forwarded"),
                           railsForm(), runRails));
    all.push_back(
        formKind("sub-flows", i18n("Sub-flows of a NIC port over equal-cost paths: hashing vs known offsets (HARP)"), subflowsForm(), runSubflows));
    all.push_back(formKind("core-hash", i18n("Source-port vs five-tuple hashing at a core switch, intact and with a failed link"), coreHashForm(),
                           runCoreHash));
    for (auto& kind : all) kind = afterFailure(std::move(kind));
    return all;
}

} // namespace questions
} // namespace hw::sim
