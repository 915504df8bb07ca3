// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/study.h"

namespace hw::sim {
inline namespace fabric {

/// Hosts of one segment send to those of another, each NIC port over several sub-flows: how evenly these load the uplinks of the access switches,
/// with source ports as they come and with source ports at the offsets that lead to other paths (HARP of Xingmai).
struct SubflowStudy {
    std::string network = "backend";
    int pod = 0, fromSegment = 0, toSegment = 1; ///< from 0
    int toPod = -1;                              ///< of `toSegment`, from 0; -1: the same
    int hosts = 32;                              ///< of each segment
    bool fewerHosts = false;                     ///< as many as the segments have, where those are less
    int nic = 0;                                 ///< used on every host
    std::vector<int> subflows{1, 4, 16, 60};     ///< per NIC port
    int seeds = 10;
    std::uint64_t firstSeed = 1;
};

struct SubflowResult {
    struct Spread {
        double pathsShare = 0;    ///< uplinks that the sub-flows of a NIC port use, of those that they could
        double busiestUplink = 0; ///< load over that of an even distribution, a mean over seeds
        double slowestGbps = 0;   ///< max-min rate of the slowest NIC, a mean over seeds
    };
    struct Row {
        int subflows = 1;
        Spread hash, offset;
    };
    int uplinks = 0;    ///< of the access switch of the first port
    double nicGbps = 0; ///< all ports of a NIC
    std::vector<Row> rows;
    bool certificateOk = true;
    double certificateGap = 0;
    std::vector<Text> notes;
};
/// Refused when segments, hosts or the NIC are missing.
[[nodiscard]] Result<SubflowResult> runSubflowStudy(const Snapshot& snapshot, const SubflowStudy& study, const Progress& progress = {});

} // namespace fabric
} // namespace hw::sim
