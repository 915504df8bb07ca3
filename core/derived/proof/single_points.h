// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/graph.h"
#include "core/derived/proof/proof.h"

namespace hw::proof {

/// Switches and cables whose loss alone parts two NICs that reach each other through switches. Exact, by
/// articulation points and bridges of the switches' graph (Boost); a NIC between two switches joins
/// nothing, and two NICs that share a second plane lose nothing.
struct SinglePoints {
    NamedSet switches, cables;
};
[[nodiscard]] SinglePoints singlePoints(const Graph& graph);

/// Vertices by connected component of the switches' graph, numbered in the order of their first vertex.
[[nodiscard]] std::vector<std::uint32_t> switchComponents(const Graph& graph);
/// Components that a group's NICs are cabled to, ascending.
[[nodiscard]] std::vector<std::uint32_t> componentsOf(const Graph& graph, const Graph::Group& group, std::span<const std::uint32_t> component);

/// By group: the scale-up domain that it belongs to, as a number; 0 for all in other networks.
[[nodiscard]] std::vector<std::uint32_t> domainsOf(const Graph& graph);

} // namespace hw::proof
