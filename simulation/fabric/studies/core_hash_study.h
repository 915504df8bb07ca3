// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/study.h"

namespace hw::sim {
inline namespace fabric {

/// S6: what the core hashes. One flow at line rate comes in by every port of a core switch that faces one pod and leaves toward another.
struct CoreHashStudy {
    std::string network = "backend";
    int fromPod = 0, toPod = 1, secondFromPod = -1; ///< from 0; a second pod that sends to the same one, -1: none
    int core = 0;                                   ///< which switch of the highest level, from 0
    int seeds = 1000;
    std::uint64_t firstSeed = 1;
};

struct CoreHashResult {
    int ports = 0; ///< facing each pod
    struct Case {
        double throughputShare = 0;  ///< of all line rates together, mean over seeds
        double meanMaxLoad = 0;      ///< flows on the fullest egress port
        double withoutCollision = 0; ///< share of seeds
    };
    Case portHash, fiveTuple;                 ///< everything up
    Case portHashLinkDown, fiveTupleLinkDown; ///< one egress link down
    double untouchedFlows = 0;                ///< with port hash, of the flows when that link fails: same way and full rate, mean
    double noCollisionProbability = 0;        ///< n! / n^n, five-tuple
    Case twoPodsPortHash;                     ///< both pods send; zero without a second pod
    bool certificateOk = true;
    double certificateGap = 0;
    std::vector<Text> notes;
};
/// Refused when the pods do not meet at that switch.
[[nodiscard]] Result<CoreHashResult> runCoreHashStudy(const Snapshot& snapshot, const CoreHashStudy& study, const Progress& progress = {});

} // namespace fabric
} // namespace hw::sim
