// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/topology/design_index.h"
#include "core/design/edit/edits.h"

#include <string>
#include <vector>

namespace hw::edit {

/// Two ports to connect, by their names ("device:port"), and why they cannot be.
struct PortPair {
    std::string from, to;
    Text problem{}; ///< empty: they can be connected
    friend bool operator==(const PortPair& a, const PortPair& b) { return a.from == b.from && a.to == b.to; }
};

inline constexpr std::size_t kMostPairs = 200'000;

/// Pairs that two patterns stand for. "[1-8]" counts, "[001-016]" with leading zeros; "[r=1-8]" gives the number a name, and "[r]" repeats it:
/// "host[h=001-016]:nic[r=1-8]p1" to "leaf-[r]:port[h]" is each NIC r of 16 hosts to leaf r. Ranges of the second pattern without a name run
/// along with the pairs: there must be as many. Refused: what is no range, an unknown name, more than 200,000 pairs, counts that differ.
[[nodiscard]] Result<std::vector<PortPair>> expandPairs(std::string_view from, std::string_view to);

/// Free ports of two devices that can be connected (same medium, network and rate, an outlet to an inlet), paired in their order.
[[nodiscard]] std::vector<PortPair> freePairs(const Snapshot& snapshot, const ProjectParts& parts, const DesignIndex& index, DeviceId a, DeviceId b);

/// Connects what can be connected; the others get their problem.
[[nodiscard]] std::size_t connectPairs(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, std::vector<PortPair>& pairs);

} // namespace hw::edit
