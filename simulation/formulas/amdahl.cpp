// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/amdahl.h"

#include "simulation/formulas/collectives.h"

namespace hw::sim {
inline namespace formulas {

SpeedUp amdahl(double share, double k)
{
    SpeedUp s;
    s.iterationTime = (1 - share) + share / k;
    s.communicationShare = share / k / s.iterationTime;
    s.timeSaved = 1 - s.iterationTime;
    s.throughput = 1 / s.iterationTime;
    return s;
}

double communicationShareFor(double timeSaved, double k) { return timeSaved / (1 - 1 / k); }
double minimumCommunicationShare(double timeSaved) { return timeSaved; }

double scalingEfficiency(double throughput, double accelerators, double baseThroughput, double baseAccelerators)
{
    return throughput * baseAccelerators / (accelerators * baseThroughput);
}

PeakFlops clusterPeak(double accelerators, double denseFlopsEach, double sparseFactor)
{
    return {accelerators * denseFlopsEach, accelerators * denseFlopsEach * sparseFactor};
}

double networkOnlyRatio(double fastHostGbps, double slowHostGbps) { return fastHostGbps / slowHostGbps; }

double hierarchicalRatio(int hosts, int gpusPerHost, double nvlinkBytesPerS, double fastHostGbps, double slowHostGbps)
{
    const auto time = [&](double hostGbps) {
        const AlphaBeta nic{0, bytesPerSOfGbps(hostGbps) / gpusPerHost};
        return hierarchicalAllReduceS({hosts, gpusPerHost, {0, nvlinkBytesPerS}, nic}, 1.0); // α = 0: the ratio does not depend on S
    };
    return time(slowHostGbps) / time(fastHostGbps);
}

} // namespace formulas
} // namespace hw::sim
