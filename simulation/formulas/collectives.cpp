// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/collectives.h"

#include <algorithm>
#include <bit>

namespace hw::sim {
inline namespace formulas {

namespace {

/// (n - 1) messages of S / n one after the other.
double steps(int ranks, double bytes, AlphaBeta way) { return ranks <= 1 ? 0.0 : double(ranks - 1) * way.messageS(bytes / ranks); }

int treeDepth(int ranks) { return int(std::bit_width(unsigned(std::max(ranks, 1) - 1))); }

} // namespace

double ringAllReduceS(int ranks, double bytes, AlphaBeta way) { return 2.0 * steps(ranks, bytes, way); }
double reduceScatterS(int ranks, double bytes, AlphaBeta way) { return steps(ranks, bytes, way); }
double allGatherS(int ranks, double bytes, AlphaBeta way) { return steps(ranks, bytes, way); }
double allToAllS(int ranks, double bytes, AlphaBeta way) { return steps(ranks, bytes, way); }

double treeAllReduceS(int ranks, double bytes, AlphaBeta way) { return 2.0 * broadcastS(ranks, bytes, way); }

double broadcastS(int ranks, double bytes, AlphaBeta way) { return ranks <= 1 ? 0.0 : treeDepth(ranks) * way.alphaS + bytes / way.bytesPerS; }

double inNetworkAllReduceS(int ranks, double bytes, int tiers, AlphaBeta way)
{
    return ranks <= 1 ? 0.0 : 2.0 * tiers * way.alphaS + bytes / way.bytesPerS;
}

double hierarchicalAllReduceS(const HostGroup& g, double bytes)
{
    return ringAllReduceS(g.gpusPerHost, bytes, g.inside) + ringAllReduceS(g.hosts, bytes / g.gpusPerHost, g.outside);
}

double hierarchicalAllReduceOverlappedS(const HostGroup& g, double bytes)
{
    return std::max(ringAllReduceS(g.gpusPerHost, bytes, g.inside), ringAllReduceS(g.hosts, bytes / g.gpusPerHost, g.outside));
}

double busBandwidthFactor(Collective collective, int ranks)
{
    if (ranks <= 1) return 0.0;
    const double share = double(ranks - 1) / ranks;
    switch (collective) {
    case Collective::AllReduce: return 2.0 * share;
    case Collective::ReduceScatter:
    case Collective::AllGather:
    case Collective::AllToAll: return share;
    case Collective::Broadcast:
    case Collective::SendRecv: return 1.0;
    }
    return 1.0;
}

double collectiveS(Collective collective, int ranks, double bytes, AlphaBeta way)
{
    switch (collective) {
    case Collective::AllReduce: return ringAllReduceS(ranks, bytes, way);
    case Collective::ReduceScatter: return reduceScatterS(ranks, bytes, way);
    case Collective::AllGather: return allGatherS(ranks, bytes, way);
    case Collective::AllToAll: return allToAllS(ranks, bytes, way);
    case Collective::Broadcast: return broadcastS(ranks, bytes, way);
    case Collective::SendRecv: return ranks <= 1 ? 0.0 : way.messageS(bytes);
    }
    return 0.0;
}

} // namespace formulas
} // namespace hw::sim
