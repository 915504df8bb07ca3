// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hw::asbuilt {

/// A cable as a pair of plugs' places; what places are does not matter here.
struct PlugPair {
    std::uint32_t a = 0, b = 0;
};

/// One explanation of planned cables that are not there, and of cables that are there and not planned.
struct Explained {
    struct Move {
        std::uint32_t planned = 0, seen = 0; ///< one plug of `seen` is in the wrong place, the other one is shared with `planned`
    };
    std::vector<Move> moves;                   ///< several: plugs of as many cables are exchanged in a ring, two: a swap
    std::vector<std::uint32_t> missing, extra; ///< of a single one: nothing else explains it
};

/// The fewest explanations that account for every pair: a ring of exchanged plugs is one, a moved plug is one, what is left is missing or extra.
/// No place is in two planned or in two seen pairs. Planned and seen pairs so form paths and rings in turn; a ring is one exchange, a path has
/// as many explanations as the more frequent of the two. Where plugs can be paired in several ways, the least sum of `distance(planned, seen)`,
/// the distance between the two places of the plug that was moved, decides, then the order.
[[nodiscard]] std::vector<Explained> explain(std::span<const PlugPair> planned, std::span<const PlugPair> seen,
                                             const std::function<int(std::uint32_t planned, std::uint32_t seen)>& distance);

} // namespace hw::asbuilt
