// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/study.h"

namespace hw::sim {
inline namespace fabric {

/// S4: how much of a job's traffic between hosts stays under one access switch.
struct RailStudy {
    std::string network = "backend";
    int hosts = 64;   ///< the first active ones, in the order of pod, segment and index
    int seeds = 1000; ///< random rank orders
    std::uint64_t firstSeed = 1;
};

struct RailResult {
    int hosts = 0, nics = 0, segments = 0; ///< of the job
    double ringUnderOneSwitch = 0;         ///< ring per rail, hosts in order: share of bytes between hosts
    double ringUpperLoadGbps = 0;          ///< load of all links between switches together, at the ring's rates
    double ringGbps = 0;                   ///< of the slowest NIC of the ring
    double ringCrossesSegments = 0;        ///< share of the ring's edges, hosts in order
    double randomRingCrossesSegments = 0;  ///< hosts in random order, mean over seeds
    double randomExpected = 0;             ///< share of host pairs that lie in different segments: its expectation
    double allToAllCrossesSegments = 0;    ///< uniform: share of host pairs
    double allToAllCrossesRails = 0;       ///< direct: share of bytes whose two NICs are of different rails
    double allToAllThroughUpper = 0;       ///< direct: share of bytes that leave the access switch
    double forwardedCrossesRails = 0;      ///< first to the right rail inside the host (PXN), then along it
    double forwardedThroughUpper = 0;
    bool certificateOk = false;
    double certificateGap = 0;
    std::vector<Text> notes;
};
/// Refused when the design has fewer hosts.
[[nodiscard]] Result<RailResult> runRailStudy(const Snapshot& snapshot, const RailStudy& study, const Progress& progress = {});

} // namespace fabric
} // namespace hw::sim
