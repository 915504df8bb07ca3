// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "simulation/fabric/flow_router.h"

#include <map>

namespace hw::sim {
inline namespace fabric {

/// Bytes from all NIC ports of one access switch to those of another: what packet spraying, or a step of a collective whose load is
/// spread evenly, asks of a fabric. Host links are left to the caller.
struct Demand {
    std::uint32_t fromAccess = 0, toAccess = 0; ///< vertices
    double amount = 0;                          ///< bytes, or Gb/s
};

/// Amount over every directed link between switches when each demand goes evenly over all its shortest ways. Demands within one switch
/// use none. One entry per directed link of the graph. Errors: Refused when a demand has no way; Canceled.
[[nodiscard]] Result<std::vector<double>> spreadLoads(const FabricGraph& graph, const FabricState* state, std::vector<Demand> demands,
                                                      const Progress& progress = {});

/// Max-min rates of sprayed flows: a flow of rate x takes share × x of every link that it crosses. Flows between the same ports
/// of the fabric share one list of links (a pattern).
///
/// Progressive filling: the links with the lowest share (what is left / weighted share of open flows) are fixed first, exactly up to
/// rounding. A link counts for a flow however small the share that crosses it: spraying is blind to congestion.
class SprayRates {
public:
    SprayRates(const FabricGraph& graph, RoutingOptions options, const FabricState* state = nullptr);

    /// False, and nothing added, when there is no way.
    bool addFlow(const FlowSpec& flow);
    [[nodiscard]] std::size_t flowCount() const { return m_flows.size(); }
    [[nodiscard]] std::span<const LinkShare> linksOf(std::size_t flow) const
    {
        const Pattern& p = m_patterns[m_flows[flow].pattern];
        return {m_shares.data() + p.begin, m_shares.data() + p.end};
    }
    [[nodiscard]] std::size_t shareCount() const { return m_shares.size(); } ///< memory: 16 bytes each
    /// Rates in Gb/s, in the order of the flows added.
    [[nodiscard]] std::vector<double> solve() const;
    /// Load of every directed link at these rates.
    [[nodiscard]] std::vector<double> loads(std::span<const double> rate) const;
    /// The proof: no link overloaded, every flow crosses a full link on which no flow has a higher rate / weight. Relative figures.
    struct Proof {
        double overload = 0, worstGap = 0;
        bool ok = false;
    };
    [[nodiscard]] Proof prove(std::span<const double> rate) const;

private:
    static constexpr double kTolerance = 1e-9; ///< relative, of a proof
    struct Pattern {
        std::uint32_t begin = 0, end = 0;
    };
    struct Flow {
        std::uint32_t pattern = 0;
        double weight = 1;
    };

    FlowRouter m_router;
    std::vector<double> m_capacity;
    std::vector<Flow> m_flows;
    std::vector<Pattern> m_patterns;
    std::vector<LinkShare> m_shares;                                         ///< pattern by pattern
    std::map<std::pair<DirectedLink, std::uint64_t>, std::uint32_t> m_known; ///< source link, destination NIC → pattern
};

} // namespace fabric
} // namespace hw::sim
