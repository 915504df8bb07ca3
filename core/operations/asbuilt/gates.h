// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/asbuilt/compare.h"
#include "core/operations/asbuilt/evidence.h"
#include "core/operations/asbuilt/segment.h"

namespace hw::asbuilt {

/// How a gate would go by its evidence.
struct GateEvaluation {
    int gate = 1;
    bool passes = false;
    std::vector<Text> facts;  ///< what was found
    std::vector<Text> faults; ///< why it does not pass
};

/// 1: the cables of the segment are as designed and all of them were seen, its devices are installed, no error of a rule that nobody accepted
/// is about it (`errors`: their messages), every host and switch was audited and nothing was wrong.
[[nodiscard]] GateEvaluation judgeAudit(const Figures& figures, const Segment& segment, const Comparison& comparison, const std::vector<Text>& errors,
                                        const std::vector<AuditCheck>& audit);

/// Before the hosts are there: every switch of the segment was looked at and nothing of it is wrong. Hosts that would wait are named.
[[nodiscard]] GateEvaluation judgeSwitches(const Figures& figures, const Segment& segment, const std::vector<AuditCheck>& audit);

/// Why a card is slow.
enum class NicCause : std::uint8_t { Pcie, Switch, Host, Cable, Card };
struct SlowNic {
    DeviceId host{};
    std::vector<PortId> ports;
    double gbps = 0, wantedGbps = 0;
    NicCause cause = NicCause::Card;
    DeviceId culprit{}; ///< of a switch or host
    Text why;
};
struct NicReport {
    GateEvaluation judgment;
    std::vector<SlowNic> slow; ///< by host and port
    std::size_t measured = 0, ports = 0;
    std::vector<CaptureIssue> doubts;
};
/// 2: every linked port of every active host carries `share` of its rate, and so does what was measured of backup hosts. A slow card is the fault of
/// its switch where all measured ports of that switch are slow, of its host where all of the host are, of its cable where that runs on fewer lanes or
/// slower than planned, of its PCIe link where what it carries is what such a link of fewer lanes or an older generation would, else of itself.
[[nodiscard]] NicReport judgeCards(const Figures& figures, const Segment& segment, const Comparison& comparison,
                                   const std::vector<CardMeasure>& measures, double share);

/// What a PCIe link of fewer lanes or an older generation than it should be carries: "Gen4 x4, Gen5 x2 or Gen3 x8"; empty where none fits.
/// RDMA writes reach 0.75 to 0.97 of a link's raw rate (assumed).
[[nodiscard]] std::string pcieLinksOf(double gbps);

/// What the design can do, simulated for the segment's hosts.
struct CollectiveLimit {
    std::string collective;
    double bytes = 0, busGBps = 0; ///< over all rails
    int rails = 1;                 ///< that it is spread over
};
/// 3: the largest message of every run reaches `share` of the simulated bus bandwidth, a run over one rail that of its rail; nothing was wrong;
/// one run at least has all active hosts on all rails. `limit` is asked for each run.
[[nodiscard]] GateEvaluation judgeCollectives(const Figures& figures, const Segment& segment, const std::vector<CollectiveRun>& runs, double share,
                                              const std::function<Result<CollectiveLimit>(const CollectiveRun&)>& limit);

/// 4: the model ran as it should, and every fault that was put in was survived, or of telemetry reported; one fault at least, or where kinds are
/// stated one of each.
[[nodiscard]] GateEvaluation judgeModel(const std::vector<ModelTest>& tests, const std::vector<ModelTest::Fault>& injected = {});

} // namespace hw::asbuilt
