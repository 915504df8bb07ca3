// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/routing_ways.h"

#include <map>

namespace hw {

/// Ways that people lead cables on, from the way points of a design.
class ManualRoutes {
public:
    explicit ManualRoutes(const Snapshot& snapshot);
    [[nodiscard]] bool empty() const { return m_ofCable.empty(); }
    /// The number of a cable's way, with `reversed` from its upper end down; -1: nobody leads it.
    [[nodiscard]] std::int32_t of(CableId cable, bool reversed);
    [[nodiscard]] std::shared_ptr<const std::vector<HandWay>> take();

private:
    [[nodiscard]] std::int32_t numberOf(HandWay way);
    std::map<CableId, HandWay> m_ofCable;
    std::map<HandWay, std::int32_t> m_numbers;
    std::vector<HandWay> m_ways;
};

/// Finds the shortest way of every pair with a way of its own that runs along each of its trays, in their order; sets length and
/// heights. A pair whose trays cannot be joined so has no way. After `solvePairs`.
void solveByHand(std::vector<Routing::Pair>& pairs, std::span<const HandWay> byHand, RoutingPaths& ways);

} // namespace hw
