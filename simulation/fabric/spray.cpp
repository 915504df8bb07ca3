// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/spray.h"

#include <algorithm>

namespace hw::sim {
inline namespace fabric {

namespace {

/// Spreads what goes to one access switch, from the farthest senders inwards.
class Spreader {
public:
    Spreader(const FabricGraph& graph, const FabricState* state, std::vector<double>& load)
        : m_graph(graph), m_state(state && !state->allUp() ? state : nullptr), m_field(graph), m_inflow(std::size_t(graph.switchCount()) * 2, 0.0),
          m_load(load)
    {
    }

    /// All demands go to the same switch. False: one of them has no way.
    bool spread(std::span<const Demand> demands)
    {
        m_field.aimAt({&demands.front().toAccess, 1}, m_state);
        for (const Demand& d : demands) {
            if (d.amount <= 0) continue;
            const std::uint16_t distance = m_field.any(d.fromAccess);
            if (distance == PathField::kFar) return false;
            add(2 * d.fromAccess + 1, distance, d.amount);
        }
        for (std::size_t distance = m_waiting.size(); distance-- > 0;) {
            for (const std::uint32_t key : m_waiting[distance]) {
                const double amount = std::exchange(m_inflow[key], 0.0);
                if (distance > 0) pass(key / 2, key % 2, std::uint16_t(distance), amount);
            }
            m_waiting[distance].clear();
        }
        return true;
    }

private:
    void add(std::uint32_t key, std::uint16_t distance, double amount)
    {
        if (m_waiting.size() <= distance) m_waiting.resize(std::size_t(distance) + 1);
        if (m_inflow[key] == 0.0) m_waiting[distance].push_back(key);
        m_inflow[key] += amount;
    }

    void pass(std::uint32_t vertex, bool mayClimb, std::uint16_t here, double amount)
    {
        m_next.clear();
        const auto take = [&](std::span<const FabricGraph::Arc> arcs, bool climbs) {
            for (const auto& arc : arcs)
                if (m_field.from(arc.to, climbs) + 1 == here && (!m_state || m_state->up(arc.link))) m_next.emplace_back(&arc, climbs);
        };
        if (mayClimb) take(m_graph.upArcs(vertex), true);
        take(m_graph.peerArcs(vertex), mayClimb);
        take(m_graph.downArcs(vertex), false);
        const double part = amount / double(m_next.size());
        for (const auto& [arc, climbs] : m_next) {
            m_load[arc->link] += part;
            add(2 * arc->to + climbs, std::uint16_t(here - 1), part);
        }
    }

    const FabricGraph& m_graph;
    const FabricState* m_state;
    PathField m_field;
    std::vector<double> m_inflow;                      ///< by vertex and whether it may still climb; zero between calls
    std::vector<std::vector<std::uint32_t>> m_waiting; ///< by distance left
    std::vector<std::pair<const FabricGraph::Arc*, bool>> m_next;
    std::vector<double>& m_load;
};

} // namespace

Result<std::vector<double>> spreadLoads(const FabricGraph& graph, const FabricState* state, std::vector<Demand> demands, const Progress& progress)
{
    std::stable_sort(demands.begin(), demands.end(), [](const Demand& a, const Demand& b) { return a.toAccess < b.toAccess; });
    std::vector<double> load(graph.directedCount(), 0.0);
    Spreader spreader(graph, state, load);
    for (std::size_t i = 0; i < demands.size();) {
        std::size_t end = i;
        while (end < demands.size() && demands[end].toAccess == demands[i].toAccess) ++end;
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "spreading", i18n("canceled"));
        if (!spreader.spread({demands.data() + i, demands.data() + end}))
            return fail(ErrorCode::Refused, "network", i18n("no path between some pairs of access switches"),
                        i18n("choose hosts that the network connects"));
        progress.report(double(end) / double(demands.size()), "Spreading load");
        i = end;
    }
    return load;
}

} // namespace fabric
} // namespace hw::sim
