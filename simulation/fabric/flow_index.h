// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/router.h"
#include "simulation/result.h"

#include <array>

namespace hw::sim {
inline namespace fabric {

/// Who uses which link: the flows of a result by directed link. Build once per result; any thread may read.
class FlowIndex {
public:
    explicit FlowIndex(const FlowResult& result);
    /// Flows over a directed link, ascending; a flow's job and ranks stand in FlowResult::flows.
    [[nodiscard]] std::span<const std::uint32_t> flowsOn(std::uint32_t directedLink) const
    {
        return directedLink + 1 < m_start.size() ? std::span(m_flows.data() + m_start[directedLink], m_flows.data() + m_start[directedLink + 1])
                                                 : std::span<const std::uint32_t>();
    }
    [[nodiscard]] std::size_t linkCount() const { return m_start.size() - 1; }

private:
    std::vector<std::uint32_t> m_start, m_flows;
};

/// Two or more flows of one job on one link between switches, which carries more than they need together only if they share it.
struct Collision {
    std::uint32_t directedLink = 0, job = 0;
    std::vector<std::uint32_t> flows;
    double lostGbps = 0; ///< what the flows could send over this link if each were alone there, less what they send
};

/// All collisions between switches whose link is full, the costliest first (then by link, job). `graph` names the links between switches.
[[nodiscard]] std::vector<Collision> collisions(const FabricGraph& graph, const FlowResult& result, const FlowIndex& index);

/// Loads of the links of one kind: from switches (or servers) of one level to those of another.
struct LoadHistogram {
    static constexpr std::size_t kBins = 20; ///< of 5 % each; the last one holds full links
    std::int16_t fromLevel = 0, toLevel = 0; ///< 0: servers
    std::array<std::uint32_t, kBins> links{};
    std::uint32_t total = 0, idle = 0; ///< idle links are in the first bin too
    double meanUtilization = 0, maxUtilization = 0;
};
/// One entry per pair of levels that links join, upward before downward; loads by directed link in Gb/s, capacities of the graph.
[[nodiscard]] std::vector<LoadHistogram> loadHistograms(const FabricGraph& graph, std::span<const float> loadGbps);

/// How far a tier's choices repeat those of the tiers below (equal hash seeds). For every switch of a level, of the equal next
/// hops that the flows through it could use, the part that they do use, against what independent hashing would use:
/// n (1 - (1 - 1/n)^k) of n for k flows. 0: independent; toward 1: polarized.
struct Polarization {
    std::int16_t level = 0;
    double usedShare = 0, expectedShare = 0;
    [[nodiscard]] double degree() const { return expectedShare > 0 ? 1 - usedShare / expectedShare : 0; }
};
/// Of upward choices, by level of the choosing switch; ways as in FlowResult.
[[nodiscard]] std::vector<Polarization> polarization(const FabricGraph& graph, std::span<const std::uint32_t> wayOffset,
                                                     std::span<const std::uint32_t> wayLinks);

} // namespace fabric
} // namespace hw::sim
