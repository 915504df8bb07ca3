// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/graph.h"

namespace hw::proof {

/// Vertices by cell, 0 … cells − 1.
struct Partition {
    std::vector<std::uint32_t> cell;
    std::uint32_t cells = 0;
};

/// A directed graph with whole weights in rows: the arcs of v are arcs[start[v]] … arcs[start[v + 1] − 1].
struct Rows {
    std::vector<std::uint32_t> start;
    std::vector<Graph::Arc> arcs;
};

/// The coarsest partition finer than `colors` that is equitable: any two vertices of a cell send the same
/// sum of `gbps` to every cell. Found by refining colors until nothing splits (the first dimension of
/// Weisfeiler and Leman 1968), comparing whole signatures, not hashes.
[[nodiscard]] Partition refine(const Rows& rows, std::span<const std::uint32_t> colors);

/// Switches and NIC groups, colored by tier and role: the classes of a network. A group stands for one NIC
/// on its own side and for all of its NICs on the switch's.
[[nodiscard]] Partition classesOf(const Graph& graph);

struct QuotientFlow {
    std::int64_t gbps = 0;
    std::uint32_t cells = 0;
};
/// Max-flow from sources to sinks that depend on the vertices with `source` and `sink` Gb/s, every cable
/// with its full rate both ways; solved on the quotient by push-relabel (Boost).
///
/// Why the quotient's flow is the graph's: take a partition in which all u of a cell A have the same source
/// and sink capacity and the same capacity c(u, B) = c_AB into every cell B. Let the quotient have capacity
/// |A| c_AB from A to B.
/// (1) Adding up any flow of the graph over cells is a flow of the quotient, so the quotient carries no less.
/// (2) Take a flow f of the quotient and give every arc (u, v) from A to B its share f_AB c(u, v) / (|A| c_AB).
///     No arc exceeds its capacity, because f_AB <= |A| c_AB. Each u in A sends f_AB / |A| to B and, as
///     capacities are the same both ways and B's partition toward A is equitable too, gets f_BA / |A| from
///     B; so what f conserves at A, every u conserves. The graph carries no less than the quotient.
[[nodiscard]] QuotientFlow quotientFlow(const Graph& graph, std::span<const std::int64_t> source, std::span<const std::int64_t> sink);

} // namespace hw::proof
