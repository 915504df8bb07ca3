// SPDX-License-Identifier: GPL-3.0-or-later
// Studies of a fabric as kinds of scenario: planes (S1), pods (S3), rails (S4), hashing at the core (S6).
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/failed_state.h"
#include "simulation/questions/form.h"
#include "simulation/questions/kinds.h"

#include "simulation/fabric/studies/core_hash_study.h"
#include "simulation/fabric/studies/core_study.h"
#include "simulation/fabric/studies/plane_study.h"
#include "simulation/fabric/studies/rail_study.h"

namespace hw::sim {
inline namespace questions {

namespace {

Field seedsField(std::int64_t count) { return integer("seeds", count, 1, 1e6, i18n("hashes to average over")); }
Field firstSeedField() { return integer("first_seed", 1, 0, 9e15, i18n("of the hashes")); }

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
        .from1(&S::pod, integer("pod", 1, 1, 1e6, i18n("of the segments")))
        .from1(&S::fromSegment, integer("from_segment", 1, 1, 1e6, i18n("that sends")))
        .from1(&S::toSegment, integer("to_segment", 2, 1, 1e6, i18n("that receives")))
        .to(&S::hosts, integer("hosts", d.hosts, 1, 1e6, i18n("of each segment")))
        .from1(&S::nic, integer("nic", 1, 1, 1024, i18n("of every host")))
        .to(&S::connections, integers("connections", d.connections, 1, 1024, i18n("of a NIC; multiples of its ports")))
        .to(&S::bytesPerNic, number("bytes_per_nic", "bytes", d.bytesPerNic, 1, 1e15, i18n("that every NIC sends")))
        .to(&S::seeds, seedsField(d.seeds))
        .to(&S::firstSeed, firstSeedField())
        .to(&S::uplinksUncontended, boolean("uplinks_uncontended", d.uplinksUncontended, i18n("links between switches do not limit")));
    return form;
}

Form<CoreStudy> podsForm()
{
    using S = CoreStudy;
    const S d;
    Form<S> form;
    form.to(&S::network, networkField())
        .to(&S::pods, integer("pods", d.pods, 1, 1e6, i18n("that the job spans")))
        .to(&S::tensorParallel, integer("tensor_parallel", d.tensorParallel, 1, 1e6, i18n("GPUs")))
        .to(&S::pipelineStages, integer("pipeline_stages", d.pipelineStages, 1, 1e6, i18n("of the job")))
        .to(&S::microBatches, integer("micro_batches", d.microBatches, 1, 1e6, i18n("of an iteration")))
        .to(&S::pipelineBytes, number("pipeline_bytes", "bytes", d.pipelineBytes, 1, 1e15, i18n("of a micro-batch, from GPU to GPU")))
        .to(&S::gradientBytes, number("gradient_bytes", "bytes", d.gradientBytes, 1, 1e15, i18n("all-reduced by a GPU")))
        .to(&S::allToAllBytes, number("all_to_all_bytes", "bytes", d.allToAllBytes, 1, 1e15, i18n("sent by a GPU")))
        .to(&S::hashed, boolean("five_tuple", d.hashed, i18n("also with five-tuple ECMP")))
        .to(&S::seed, onlyWhen(integer("seed", 1, 0, 9e15, i18n("of the hash")), {is("five_tuple", {true})}));
    return form;
}

Form<RailStudy> railsForm()
{
    using S = RailStudy;
    const S d;
    Form<S> form;
    form.to(&S::network, networkField())
        .to(&S::hosts, integer("hosts", d.hosts, 2, 1e6, i18n("of the job")))
        .to(&S::seeds, seedsField(d.seeds))
        .to(&S::firstSeed, firstSeedField());
    return form;
}

Form<CoreHashStudy> coreHashForm()
{
    using S = CoreHashStudy;
    Form<S> form;
    form.to(&S::network, networkField())
        .from1(&S::fromPod, integer("from_pod", 1, 1, 1e6, i18n("that sends")))
        .from1(&S::toPod, integer("to_pod", 2, 1, 1e6, i18n("that receives")))
        .from1(&S::secondFromPod, integer("second_from_pod", 0, 0, 1e6, i18n("a second sender; 0: none")))
        .from1(&S::core, integer("core", 1, 1, 1e6, i18n("switch, from 1")))
        .to(&S::seeds, seedsField(S{}.seeds))
        .to(&S::firstSeed, firstSeedField());
    return form;
}

} // namespace

std::vector<ScenarioKind> fabricKinds()
{
    std::vector<ScenarioKind> all = {formKind("dual-plane",
                                              i18n("Rates of NICs in two planes against the same equipment as one plane, and hashing on ToR uplinks"),
                                              planesForm(), runPlanes)};
    for (auto& kind : failureKinds()) all.push_back(std::move(kind));
    all.push_back(formKind("cross-pod", i18n("Which traffic of a job may cross pods: pipeline, gradient rings by rank order, all-to-all"), podsForm(),
                           runPods));
    all.push_back(formKind("rail-locality",
                           i18n("How much of a job's traffic stays under one access switch: rings by rank order, all-to-all direct and forwarded"),
                           railsForm(), runRails));
    all.push_back(
        formKind("core-hash", i18n("Source-port hash against five-tuple at a core switch, whole and with a dead link"), coreHashForm(), runCoreHash));
    for (auto& kind : all) kind = afterFailure(std::move(kind));
    return all;
}

} // namespace questions
} // namespace hw::sim
