// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/proof/graph.h"
#include "core/foundation/base/disjoint_sets.h"

#include <map>
#include <unordered_map>

namespace hw::proof {

/// Symmetries of a network that were verified cable by cable. A generated switch carries its coordinates in
/// its key ("device.tor/pod=0/segment=6/…"); exchanging two values of a coordinate, or turning all of them
/// round by one (a ring, a torus), is a guess at a symmetry. It counts only if every cable of every switch that it moves has its image, every group
/// of NICs too, and if it keeps the relations same pod, same segment and same rail. So what is counted for one NIC holds for all of its class,
/// exactly; keys that lie cost time, never truth.
class Symmetry {
public:
    /// Stops guessing once there are no more than `fewest` classes of groups; fewer cannot be.
    Symmetry(const Graph& graph, std::size_t fewest);

    /// Smallest member of every class of active groups that have cables, ascending.
    [[nodiscard]] std::vector<std::uint32_t> sources();
    /// The source that stands for an active group.
    [[nodiscard]] std::uint32_t sourceOf(std::uint32_t group) { return m_sourceOf[m_classes.find(group)]; }
    /// The same under the symmetries that leave `group` where it is.
    [[nodiscard]] std::vector<std::uint32_t> targets(std::uint32_t group) const;

private:
    struct Coordinate {
        std::uint32_t name = 0;
        std::int64_t value = 0;
        auto operator<=>(const Coordinate&) const = default;
    };
    struct Scope {
        std::uint32_t coordinate = 0;
        std::uint32_t tier = kNone;
        std::uint32_t podName = kNone;
        std::int64_t pod = 0;
    };
    using Mapping = std::map<std::int64_t, std::int64_t>; ///< of a coordinate's values; a permutation
    struct Exchange {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> groups;
    }; ///< each moved group and its image

    void readCoordinates();
    void tryScope(const Scope& scope);
    [[nodiscard]] bool tryMapping(const Scope& scope, const Mapping& mapping, std::span<const std::uint32_t> movable);
    [[nodiscard]] bool placeImages(const Scope& scope, const Mapping& mapping, std::span<const std::uint32_t> movable);
    [[nodiscard]] bool keepsCables(std::span<const std::uint32_t> moved);
    [[nodiscard]] bool moveGroups(const Scope& scope, const Mapping& mapping, std::span<const std::uint32_t> moved, Exchange& out);
    [[nodiscard]] std::uint32_t imageOf(std::uint32_t group, const Scope& scope, const Mapping& mapping);
    [[nodiscard]] std::vector<std::uint32_t> groupsLike(const Graph::Group& like, std::span<const Graph::Attachment> attachments) const;
    [[nodiscard]] bool keepsRelations(const Exchange& exchange) const;
    [[nodiscard]] std::vector<std::uint32_t> smallest(DisjointSets& classes) const;
    [[nodiscard]] std::optional<std::int64_t> valueOf(std::uint32_t vertex, std::uint32_t name) const;
    [[nodiscard]] std::uint64_t hashOf(std::span<const Graph::Attachment> attachments) const;

    const Graph& m_graph;
    std::vector<std::string> m_names;                   ///< of coordinates
    std::vector<std::vector<Coordinate>> m_coordinates; ///< by vertex
    std::unordered_multimap<std::uint64_t, std::uint32_t> m_vertexAt, m_groupAt;
    std::vector<std::uint32_t> m_image;                 ///< by vertex, identity between guesses
    std::vector<Graph::Arc> m_expected;                 ///< by vertex: cables that a moved vertex must have there
    std::vector<std::vector<std::uint32_t>> m_groupsOn; ///< by vertex
    std::vector<std::uint32_t> m_mark;                  ///< by group: last guess that looked at it
    std::uint32_t m_guess = 0;
    std::vector<Exchange> m_exchanges;
    DisjointSets m_classes;
    std::vector<std::uint32_t> m_sourceOf; ///< by class, once sources were asked for
};

} // namespace hw::proof
