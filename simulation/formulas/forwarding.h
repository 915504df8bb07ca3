// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/formulas/collectives.h"

#include <cstdint>

namespace hw::sim {
inline namespace formulas {

/// All-to-all between all GPUs of `group`, a message of `bytesPerPair` for every pair of GPUs on different hosts (PXN, NCCL 2.12).
struct AllToAllCase {
    HostGroup group;
    double bytesPerPair = 0;
};

/// Each GPU sends to every GPU of every other host: g (N - 1) (α + s / B).
[[nodiscard]] double directAllToAllS(const AllToAllCase& c);

/// Forwarding through the rail (as PXN of NCCL 2.12 does): inside the host the GPU of the target's rail collects what all
/// g GPUs send to that target and sends it as one message: (N - 1) (α + g s / B). Collecting moves (g - 1) (N - 1) s per GPU
/// over NVLink; with `overlapped` it hides behind the NIC, else it comes on top.
[[nodiscard]] double forwardedAllToAllS(const AllToAllCase& c, bool overlapped);

/// Messages between hosts: g² N (N - 1) directly, g N (N - 1) when forwarded.
[[nodiscard]] std::int64_t directFlows(const HostGroup& group);
[[nodiscard]] std::int64_t forwardedFlows(const HostGroup& group);

/// Share of inter-host bytes of a direct all-to-all whose ends are on different rails: (g - 1) / g, 0 when forwarded.
[[nodiscard]] double crossRailShare(const HostGroup& group, bool forwarded);

} // namespace formulas
} // namespace hw::sim
