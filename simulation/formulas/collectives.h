// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace hw::sim {
inline namespace formulas {

/// The α-β model of a way between two ranks: a message of s bytes takes α + s / B (R. Hockney, "The communication
/// challenge for MPP", Parallel Computing 20, 1994). B is what one rank can send in one direction.
struct AlphaBeta {
    double alphaS = 0;    ///< latency of one message, s
    double bytesPerS = 0; ///< B, bytes/s
    [[nodiscard]] double messageS(double bytes) const { return alphaS + bytes / bytesPerS; }
};

constexpr double bytesPerSOfGbps(double gbps) { return gbps * 1e9 / 8.0; }

enum class Collective : std::uint8_t { AllReduce, ReduceScatter, AllGather, AllToAll, Broadcast, SendRecv };

/// Times in s of a collective over `ranks` ranks. `bytes` is S: the buffer that is reduced (all-reduce), the full input of a
/// rank (reduce-scatter, all-to-all), the full output of a rank (all-gather). One rank takes 0 s. Origin of the
/// formulas: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication Operations in MPICH", 2005.

/// Ring: 2 (n - 1) α + 2 (n - 1) / n · S / B.
[[nodiscard]] double ringAllReduceS(int ranks, double bytes, AlphaBeta way);
/// Ring: (n - 1) α + (n - 1) / n · S / B.
[[nodiscard]] double reduceScatterS(int ranks, double bytes, AlphaBeta way);
[[nodiscard]] double allGatherS(int ranks, double bytes, AlphaBeta way);
/// Pairwise exchange of S / n with each other rank: (n - 1) α + (n - 1) / n · S / B.
[[nodiscard]] double allToAllS(int ranks, double bytes, AlphaBeta way);
/// Double binary tree, pipelined in full: 2 ⌈log2 n⌉ α + 2 S / B, at most as good as the ring for large S (P. Sanders, J. Speck,
/// J. Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009).
[[nodiscard]] double treeAllReduceS(int ranks, double bytes, AlphaBeta way);
/// Binary tree, pipelined: ⌈log2 n⌉ α + S / B.
[[nodiscard]] double broadcastS(int ranks, double bytes, AlphaBeta way);
/// Switches reduce: a rank sends S up and receives S down at once through `tiers` switch tiers: 2 tiers α + S / B.
[[nodiscard]] double inNetworkAllReduceS(int ranks, double bytes, int tiers, AlphaBeta way);

/// A job's ranks as hosts of `gpusPerHost`; `inside` is NVLink per GPU, `outside` the NIC of one GPU.
struct HostGroup {
    int hosts = 1;
    int gpusPerHost = 8;
    AlphaBeta inside, outside;
};

/// Reduce-scatter in the host, ring per rail between the hosts on S / g, all-gather in the host, one after the other:
/// 2 (g - 1) / g · S / B_nv + 2 (N - 1) / N · (S / g) / B_nic, and 2 (g - 1) α_nv + 2 (N - 1) α_nic.
[[nodiscard]] double hierarchicalAllReduceS(const HostGroup& group, double bytes);
/// The same with the phases in a pipeline: the slower of the two rules.
[[nodiscard]] double hierarchicalAllReduceOverlappedS(const HostGroup& group, double bytes);

/// What turns S / t into the bandwidth that the wires carry (nccl-tests, doc/PERFORMANCE.md): all-reduce 2 (n - 1) / n;
/// reduce-scatter, all-gather, all-to-all (n - 1) / n; broadcast and send/recv 1.
[[nodiscard]] double busBandwidthFactor(Collective collective, int ranks);

/// Time of a flat collective on one way; all-reduce by ring.
[[nodiscard]] double collectiveS(Collective collective, int ranks, double bytes, AlphaBeta way);

} // namespace formulas
} // namespace hw::sim
