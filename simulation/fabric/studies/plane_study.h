// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/study.h"

namespace hw::sim {
inline namespace fabric {

/// S1: what two planes buy. Host i of one segment sends to host i of another over one NIC each, in `connections` equal flows that start
/// evenly from the NIC's ports; compared with the same equipment as a single plane, where an upper switch chooses the last ToR.
struct PlaneStudy {
    std::string network = "backend";
    int pod = 0, fromSegment = 0, toSegment = 1; ///< from 0
    int hosts = 16, nic = 0;
    std::vector<int> connections = {2, 4, 8, 16}; ///< multiples of the ports of a NIC
    double bytesPerNic = 1e9;
    int seeds = 1000;
    std::uint64_t firstSeed = 1;
    bool uplinksUncontended = true; ///< links between switches do not limit: only the choice of the last port counts
};

struct PlaneResult {
    struct Row {
        int connections = 0;
        double pacedGbps = 0, idealGbps = 0; ///< mean rate of a NIC at the start; paced: every connection keeps to its share
        double slowestFactor = 0;            ///< completion of the slowest NIC / that of a NIC at full rate, mean over seeds
        double slowestFactorPaced = 0;
        double portImbalance = 0; ///< bytes of the fuller port of a receiving NIC / even share, mean
        double fullRateS = 0;     ///< completion of a NIC at full rate
    };
    std::vector<Row> designed, singlePlane; ///< as designed; the same equipment in one plane
    bool designIsDual = false;              ///< no hash decides the last port in the design as it stands
    struct Uplinks {
        int links = 0;                         ///< uplinks of the ToR, and line-rate flows hashed onto them
        double busyShare = 0, meanMaxLoad = 0; ///< five-tuple, mean over seeds
        double disjointBusyShare = 0;          ///< with relative path control
    } uplinks;
    bool certificateOk = true; ///< of every set of rates
    double certificateGap = 0;
    std::vector<Text> notes;
};
/// Refused when segments or hosts are missing, or connections are no multiple of the ports of a NIC.
[[nodiscard]] Result<PlaneResult> runPlaneStudy(const Snapshot& snapshot, const PlaneStudy& study, const Progress& progress = {});

} // namespace fabric
} // namespace hw::sim
