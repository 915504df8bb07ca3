// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/dodge_study.h"

#include "simulation/fabric/common_switches.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

/// Connections one by one, each with the uplink on its way dead: who gets off it at the first try.
struct FirstTry {
    double saved = 0, noCommonSwitch = 0; ///< shares
};
FirstTry firstTry(const StudyFabric& fabric, const FlowSpec& flow, const DodgeStudy& study, Dodge kind)
{
    int saved = 0, apart = 0;
    FlowRouter router(fabric.graph, {});
    std::vector<DirectedLink> way;
    for (int i = 0; i < study.draws; ++i) {
        FlowSpec one = flow;
        one.connection = std::uint16_t(i);
        if (!router.route(one, way) || way.size() <= 2) continue;
        const std::vector<DirectedLink> before = way;
        if (!dodgeWay(router, one, way, kind, std::uint64_t(i)) || std::find(way.begin(), way.end(), before[1]) != way.end()) continue;
        ++saved;
        apart += commonSwitches(fabric.graph, before, way) == 0;
    }
    return {double(saved) / study.draws, double(apart) / study.draws};
}

} // namespace

Result<DodgeResult> runDodgeStudy(const Snapshot& s, const DodgeStudy& study, const Progress& progress)
{
    const auto fabric = studyFabric(s, study.network);
    if (!fabric) return tl::unexpected(fabric.error());
    if (const auto pod = checkPod(*fabric, s, study.pod); !pod) return tl::unexpected(pod.error());
    const int toPod = study.toPod < 0 ? study.pod : study.toPod;
    if (const auto pod = checkPod(*fabric, s, toPod); !pod) return fail(pod.error().code, "to_pod", pod.error().what, pod.error().todo);
    const auto from = fabric->serversOf(s, study.pod, study.fromSegment), to = fabric->serversOf(s, toPod, study.toSegment);
    if (from.empty())
        return fail(ErrorCode::Refused, "from_segment", i18n("pod {} has no segment {}", study.pod + 1, study.fromSegment + 1),
                    i18n("choose an existing segment"));
    if (to.empty() || (study.pod == toPod && study.fromSegment == study.toSegment))
        return fail(ErrorCode::Refused, "to_segment", i18n("pod {} has no such pair of segments", study.pod + 1),
                    i18n("choose two different existing segments"));
    if (study.draws < 1) return fail(ErrorCode::Refused, "draws", i18n("at least one required"), i18n("use 1,000"));
    if (!(study.faultAtS > 0) || study.untilS <= study.faultAtS)
        return fail(ErrorCode::Refused, "fault_at_s", i18n("must be after the start and before the end"), i18n("choose later times"));
    FlowSpec flow;
    flow.source = from.front(), flow.destination = to.front();
    FabricTimeline::Options options;
    options.convergence.controllerS = study.controllerS;
    options.dodging = study.dodging;
    FabricTimeline line(fabric->graph, {}, options);
    for (int p = 0; p < fabric->layout.portsPerNic; ++p) {
        flow.sourcePort = std::int16_t(p);
        flow.connection = std::uint16_t(p);
        line.addFlow(flow);
    }
    if (auto ran = line.run(study.faultAtS / 2, progress); !ran) return tl::unexpected(ran.error());
    DodgeResult out;
    out.rateGbps = line.result().groupAt(0, line.now()).sumGbps;
    for (std::uint32_t f = 0; f < line.flowCount(); ++f) {
        const auto way = line.wayOf(f);
        if (way.empty()) return noPath(i18n("{} has no path to {}", s.devices.name[flow.source], s.devices.name[flow.destination]));
        out.tiers = int(way.size() / 2); // up to the top and down again
        if (way.size() <= 2)
            return fail(ErrorCode::Refused, "to_segment", i18n("the two hosts share an access switch"), i18n("choose other segments"));
        line.add({study.faultAtS, FabricEventKind::SilentDown, way[1] / 2}); // on the way of every port
    }
    if (auto ran = line.run(study.untilS, progress); !ran) return tl::unexpected(ran.error());
    out.line = line.result();
    out.certificateOk = out.line.certificateOk;
    out.lostBytes = out.line.blackHoledBytes[0];
    out.restoredAtS = INFINITY;
    for (const auto& point : out.line.groups[0])
        if (point.timeS > study.faultAtS && point.sumGbps >= out.rateGbps * (1 - 1e-9)) {
            out.restoredAtS = point.timeS;
            break;
        }
    flow.sourcePort = 0;
    for (const auto& port : fabric->graph.nicPorts(flow.source, 0))
        if (port.access != FabricGraph::kNone && out.equalWays == 0) out.equalWays = int(fabric->graph.upArcs(port.access).size());
    out.rehashExpected = double(out.equalWays - 1) / out.equalWays;
    const FirstTry offset = firstTry(*fabric, flow, study, Dodge::Offset);
    out.offsetFirstTry = offset.saved, out.offsetNoCommonSwitch = offset.noCommonSwitch;
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "dodge study", i18n("canceled")); // no text
    const FirstTry rehash = firstTry(*fabric, flow, study, Dodge::Rehash);
    out.rehashFirstTry = rehash.saved, out.rehashNoCommonSwitch = rehash.noCommonSwitch;
    out.notes = out.line.notes;
    return out;
}

} // namespace fabric
} // namespace hw::sim
