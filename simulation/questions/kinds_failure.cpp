// SPDX-License-Identifier: GPL-3.0-or-later
// Failures under running flows as kinds of scenario: what fails and comes back (S2), what fails silently (S7).
#include "simulation/questions/fabric_fields.h"
#include "simulation/questions/failed_state.h"
#include "simulation/questions/form.h"
#include "simulation/questions/kinds.h"
#include "simulation/questions/link_name.h"

#include "core/foundation/catalog/entity.h"
#include "simulation/fabric/studies/dodge_study.h"
#include "simulation/fabric/studies/failover_playback.h"
#include "simulation/fabric/studies/failover_study.h"

namespace hw::sim {
inline namespace questions {

namespace {

/// What may fail is named by words that only the design can tell.
struct Failure : FailoverStudy {
    std::string device, link;
};

Field seconds(const char* key, double fallback, double least, double most, Text help)
{
    return number(key, "s", fallback, least, most, std::move(help));
}

Form<Failure> failureForm()
{
    const Failure f;
    const auto at = [](auto member) { return [member](Failure& study) -> double& { return study.convergence.*member; }; };
    Form<Failure> form;
    form.to(&Failure::network, networkField())
        .oneOf(&Failure::variant, kFabricVariants, variantField())
        .oneOf(&Failure::fault, kFaults, choice("fault", f.fault, kFaults, i18n("type of fault")))
        .to(&Failure::device,
            onlyWhen(text("device", nullptr, {},
                          i18n("location: a server, one of its ports (HOST:PORT), or a switch; default: NIC 0 of the first host, or its ToR")),
                     {isNot("fault", {name(Fault::Link), name(Fault::Plane)})}))
        .to(&Failure::link, onlyWhen(text("link", nullptr, {},
                                          i18n("specified by its two ends, devices or ports (LEAF - SPINE, LEAF:PORT - SPINE:PORT), or by one of "
                                               "its ports; two devices: all links between them; default: the first uplink of the first ToR")),
                                     {is("fault", {name(Fault::Link)})}))
        .from1(&Failure::plane, onlyWhen(integer("plane", 1, 1, 1024, i18n("plane whose switches all fail")), {is("fault", {name(Fault::Plane)})}))
        .oneOf(&Failure::order, kRingOrders, onlyWhen(choice("ring", f.order, kRingOrders, i18n("order of hosts")), {isNot("segments", {1})}))
        .from1(&Failure::pod, onlyWhen(integer("pod", 1, 1, 1e6, i18n("pod of the job")), {notGiven("device"), isNot("fault", {name(Fault::Link)})}))
        .to(&Failure::segments, integer("segments", f.segments, 1, 1e6, i18n("segments of the job, from the first")))
        .oneOf(&Failure::oneWay, kOneWays,
               onlyWhen(
                   choice("one_way", f.oneWay, kOneWays, i18n("direction that fails: up from the host or the lower switch, down to it; none: both")),
                   {is("fault", {name(Fault::Port), name(Fault::Nic), name(Fault::Link)})}))
        .to(&Failure::oneWayDetectS,
            onlyWhen(seconds("one_way_detect_s", f.oneWayDetectS, 0, 1e4,
                             i18n("time until both ends take the link out of service; 0: never, the link stays in service")),
                     {is("fault", {name(Fault::Port), name(Fault::Nic), name(Fault::Link)}), isNot("one_way", {name(OneWay::None)})}))
        .to([](Failure& study) -> bool& { return study.convergence.hostRoutes; },
            boolean("host_routes", f.convergence.hostRoutes,
                    i18n("access switches advertise a host route per NIC; false: only their subnet and a default route")))
        .to(&Failure::faultAtS, seconds("fault_at_s", f.faultAtS, 0, 1e7, i18n("time of the fault")))
        .to(&Failure::downS, seconds("down_s", f.downS, 0, 1e7, i18n("time until repair; 0: never")))
        .to(&Failure::untilS, seconds("until_s", f.untilS, 1e-3, 1e8, i18n("end of the timeline")))
        .to(at(&Convergence::carrierS),
            seconds("carrier_s", f.convergence.carrierS, 0, 1e4, i18n("time until the ends of a failed link detect it (assumed)")))
        .to(at(&Convergence::arpS), seconds("arp_s", f.convergence.arpS, 0, 1e4, i18n("time until peers in the segment are updated (assumed)")))
        .to(at(&Convergence::bgpS), seconds("bgp_s", f.convergence.bgpS, 0, 1e4, i18n("time until the entire fabric has converged (assumed)")))
        .to(at(&Convergence::repairS),
            onlyWhen(seconds("repair_s", f.convergence.repairS, 0, 1e4, i18n("time until a repaired link is used")), {above0("down_s")}))
        .to(&Failure::libraryTimeoutS, seconds("collective_timeout_s", f.libraryTimeoutS, 1e-3, 1e6, i18n("a longer stall loses the job")))
        .to(&Failure::restartS, seconds("restart_s", f.restartS, 0, 1e6, i18n("restart time from the last checkpoint (assumed)")));
    return form;
}

/// Finds what the words name.
Result<void> resolve(Failure& study, const ScenarioDesign& design)
{
    if (!study.device.empty()) {
        const auto found = findEntity(*design.snapshot, *design.parts, study.device);
        if (!found)
            return fail(ErrorCode::Refused, "device", i18n("'{}' is not in this design", study.device),
                        i18n("specify a server, one of its ports (HOST:PORT), or a switch"));
        study.what = *found;
    }
    if (study.link.empty()) return {};
    auto links = linksNamed(*design.snapshot, *design.parts, study.link);
    if (!links) return tl::unexpected(links.error());
    study.links = std::move(*links);
    return {};
}

Result<ScenarioOutcome> runFailure(const ScenarioDesign& design, Failure study, const Progress& progress)
{
    if (const auto found = resolve(study, design); !found) return tl::unexpected(found.error());
    const auto r = runFailoverStudy(*design.snapshot, study, progress);
    if (!r) return tl::unexpected(r.error());
    Json spans = Json::array();
    for (const auto& s : r->job) spans.push_back({{"from_s", s.fromS}, {"to_s", finite(s.toS)}, {"state", s.state}, {"share", s.share}});
    std::optional<impact::Loss> loss; // of a variant nothing is said: its equipment is cabled otherwise
    if (study.variant == FabricVariant::AsDesigned) {
        std::vector<EntityRef> lost;
        for (const LinkId link : r->failedLinks) lost.push_back(ref(link));
        for (const DeviceId device : r->failedDevices) lost.push_back(ref(device));
        auto counted = lossOf(design, lost, progress);
        if (!counted) return tl::unexpected(counted.error());
        loss = *counted;
    }
    ScenarioOutcome out;
    out.results = {{"lost", loss ? lossJson(*loss) : Json()},
                   {"before", {{"host_gbps", r->hostGbps}, {"nic_gbps", r->nicGbps}, {"segment_gbps", r->segmentGbps}}},
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
                   {"job_continues", r->continues && !r->jobLost},
                   {"job_lost", r->jobLost},
                   {"job_lost_at_s", r->jobLost ? Json(r->lostAtS) : Json()},
                   {"job", spans},
                   {"certificate", {{"ok", r->line.certificateOk}, {"worst_gap", r->line.certificateGap}, {"proofs", r->line.proofs}}}};
    out.notes.assign(r->notes.begin(), r->notes.end());
    if (r->nicsHalved + r->nicsStopped > 0)
        out.notes.push_back(i18n("lost counts failed elements as impact does; nics_halved and nics_stopped are NICs of the ring that "
                                 "send less, including those that send to a failed NIC."));
    out.playback = failoverPlayback(*design.snapshot, *r, study.network, i18n("{} fails", name(study.fault)));
    return out;
}

/// Without dodging its times do not count.
Form<DodgeStudy> silentForm()
{
    const DodgeStudy d;
    const std::vector<Condition> dodging = {isNot("dodging", {name(Dodge::None)})};
    Form<DodgeStudy> form;
    form.to(&DodgeStudy::network, networkField())
        .from1(&DodgeStudy::pod, integer("pod", 1, 1, 1e6, i18n("pod of the segments")))
        .from1(&DodgeStudy::fromSegment, integer("from_segment", 1, 1, 1e6, i18n("sender")))
        .from1(&DodgeStudy::toSegment, integer("to_segment", 2, 1, 1e6, i18n("receiver")))
        .from1(&DodgeStudy::toPod, integer("to_pod", 0, 0, 1e6, i18n("pod of the receiver; 0: the same pod")))
        .oneOf([](DodgeStudy& s) -> Dodge& { return s.dodging.kind; }, kDodges, choice("dodging", d.dodging.kind, kDodges, i18n("sender behavior")))
        .to([](DodgeStudy& s) -> double& { return s.dodging.detectS; },
            onlyWhen(seconds("detect_s", d.dodging.detectS, 0, 1e4, i18n("time until a sender detects the fault")), dodging))
        .to([](DodgeStudy& s) -> double& { return s.dodging.rerouteS; },
            onlyWhen(seconds("reroute_s", d.dodging.rerouteS, 0, 1e4, i18n("time until it sends on another path")), dodging))
        .to(&DodgeStudy::controllerS, seconds("controller_s", d.controllerS, 0, 1e6, i18n("time until a controller reroutes; 0: no controller")))
        .to(&DodgeStudy::faultAtS, seconds("fault_at_s", d.faultAtS, 1e-3, 1e7, i18n("time of the fault")))
        .to(&DodgeStudy::untilS, seconds("until_s", d.untilS, 1e-3, 1e8, i18n("end of the timeline")))
        .to(&DodgeStudy::draws, integer("draws", d.draws, 1, 1e6, i18n("connections sampled for the shares of first attempts")));
    return form;
}

Result<ScenarioOutcome> runSilentFault(const ScenarioDesign& design, const DodgeStudy& study, const Progress& progress)
{
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
                   {"tiers", r->tiers},
                   {"offset_no_common_switch_share", r->offsetNoCommonSwitch},
                   {"rehash_no_common_switch_share", r->rehashNoCommonSwitch},
                   {"certificate", {{"ok", r->certificateOk}, {"worst_gap", r->line.certificateGap}, {"proofs", r->line.proofs}}}};
    out.notes.assign(r->notes.begin(), r->notes.end());
    return out;
}

} // namespace

std::vector<ScenarioKind> failureKinds()
{
    return {formKind("failure", i18n("Failure and recovery under a running ring: black hole, convergence, degraded rates, job survival"),
                     failureForm(), runFailure),
            formKind("silent-fault",
                     i18n("Link that silently drops a NIC's traffic while reported up: hash dodging by known offset or random "
                          "source port, controller, or no reaction"),
                     silentForm(), runSilentFault)};
}

} // namespace questions
} // namespace hw::sim
