// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/study.h"
#include "simulation/fabric/timeline.h"

namespace hw::sim {
inline namespace fabric {

/// S7 on a fabric: a NIC sends to one in another segment when a link between switches on its way turns into a silent black hole.
struct DodgeStudy {
    std::string network = "backend";
    int pod = 0, fromSegment = 0, toSegment = 1; ///< from 0
    int toPod = -1;                              ///< of `toSegment`, from 0; -1: the same
    Dodging dodging{Dodge::Offset, 0.6, 0.4};
    double controllerS = 20; ///< 0: no controller
    double faultAtS = 10, untilS = 60;
    int draws = 1000; ///< connections, for the share of first tries that work
};

struct DodgeResult {
    double rateGbps = 0;             ///< of the NIC before the fault
    double restoredAtS = 0;          ///< full rate again; infinite: not within the time
    double lostBytes = 0;            ///< black-holed
    int equalWays = 0;               ///< of one port
    double offsetFirstTry = 0;       ///< share of connections that the known offset saves at the first try
    double rehashFirstTry = 0;       ///< that a random source port saves
    double rehashExpected = 0;       ///< (n - 1) / n
    int tiers = 0;                   ///< of switches on the way
    double offsetNoCommonSwitch = 0; ///< share of connections whose new path shares no switch with the failed one except those at both ends
    double rehashNoCommonSwitch = 0;
    bool certificateOk = false;
    TimelineResult line; ///< one group
    std::vector<Text> notes;
};
/// Refused when segments are missing.
[[nodiscard]] Result<DodgeResult> runDodgeStudy(const Snapshot& snapshot, const DodgeStudy& study, const Progress& progress = {});

} // namespace fabric
} // namespace hw::sim
