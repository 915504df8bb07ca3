// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/graph.h"
#include "core/derived/proof/proof.h"

namespace hw::proof {

// The parts of a proof, each a function of the graph alone.

[[nodiscard]] NetworkProof::Wiring proveWiring(const Graph& graph);
[[nodiscard]] NetworkProof::Connectivity proveConnectivity(const Graph& graph);
[[nodiscard]] std::vector<NetworkProof::TierPair> proveEvenness(const Graph& graph);
[[nodiscard]] std::vector<NetworkProof::Bisection> proveBisections(const Graph& graph);

/// Work that paths and cuts may cost in a network without symmetry, in arcs looked at: a second or two. A
/// design with the symmetry of its coordinates needs a hundredth of it.
inline constexpr std::uint64_t kMostArcs = 500'000'000;

/// Fills method, pairs, and the smallest cuts; a sample of them where `mostArcs` do not suffice. False when
/// `progress` was stopped.
[[nodiscard]] bool provePaths(const Graph& graph, const Progress& progress, NetworkProof& proof, std::uint64_t mostArcs = kMostArcs);

} // namespace hw::proof
