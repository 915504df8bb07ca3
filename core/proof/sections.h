// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/proof/graph.h"
#include "core/proof/proof.h"

namespace hw::proof {

// The parts of a proof, each a function of the graph alone.

[[nodiscard]] NetworkProof::Wiring proveWiring(const Graph& graph);
[[nodiscard]] NetworkProof::Connectivity proveConnectivity(const Graph& graph);
[[nodiscard]] std::vector<NetworkProof::TierPair> proveEvenness(const Graph& graph);
[[nodiscard]] std::vector<NetworkProof::Bisection> proveBisections(const Graph& graph);

/// Fills method, pairs, and the smallest cuts. False when `progress` was stopped.
[[nodiscard]] bool provePaths(const Graph& graph, const Progress& progress, NetworkProof& proof);

} // namespace hw::proof
