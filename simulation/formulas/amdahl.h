// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace hw::sim {
inline namespace formulas {

/// What a faster network does to an iteration whose share `communicationShare` is exposed communication (G. Amdahl, AFIPS 1967).
struct SpeedUp {
    double iterationTime = 1;      ///< new over old
    double communicationShare = 0; ///< of the new iteration
    double timeSaved = 0;          ///< 1 - iterationTime
    double throughput = 1;         ///< new over old
};

/// `communicationShare` 0 to 1, `communicationSpeedUp` > 0.
[[nodiscard]] SpeedUp amdahl(double communicationShare, double communicationSpeedUp);

/// The share of communication that an iteration must have had for a network `communicationSpeedUp` times as fast to save
/// `timeSaved` of its time: saved / (1 - 1 / k); `saved` itself for an infinitely fast one. Above 1: no network can.
[[nodiscard]] double communicationShareFor(double timeSaved, double communicationSpeedUp);
[[nodiscard]] double minimumCommunicationShare(double timeSaved);

/// T(n) / (n T(1)): throughput of n accelerators over n times that of one (or of a base of `baseAccelerators`).
[[nodiscard]] double scalingEfficiency(double throughput, double accelerators, double baseThroughput, double baseAccelerators = 1);

/// "Over 1 EFLOPS": the peak of a cluster with dense and with 2:4-sparse matrices.
struct PeakFlops {
    double denseFlops = 0, sparseFlops = 0;
    [[nodiscard]] bool denseExceeds(double flops) const { return denseFlops > flops; }
    [[nodiscard]] bool sparseExceeds(double flops) const { return sparseFlops > flops; }
};

/// `sparseFactor` is 2 for accelerators with 2:4 sparsity, 1 for those without.
[[nodiscard]] PeakFlops clusterPeak(double accelerators, double denseFlopsEach, double sparseFactor = 2);

/// How much faster an all-reduce of a very large buffer is with `fastHostGbps` than with `slowHostGbps` of network a host.
/// Network only: the ratio of the two. Serial and hierarchical: NVLink time in both (HostGroup formula, S → ∞).
[[nodiscard]] double networkOnlyRatio(double fastHostGbps, double slowHostGbps);
[[nodiscard]] double hierarchicalRatio(int hosts, int gpusPerHost, double nvlinkBytesPerS, double fastHostGbps, double slowHostGbps);

} // namespace formulas
} // namespace hw::sim
