// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "certificate.h"
#include "fair_fill.h"

namespace hw::sim {
inline namespace fairshare {

/// Max-min rates that follow changes: flows that come and go or change their ways, links whose capacity changes.
///
/// Every flow with a way knows its bottleneck, a full link on which no flow has a higher rate / weight. A change reaches exactly the
/// flows whose bottleneck carries a flow that is reached; update() solves this closure against the fixed rest and takes in flows of
/// higher level where a bottleneck has moved. When it ends every flow has a bottleneck again, which proves the rates
/// (Bertsekas and Gallager, Data Networks, 6.5.2). A change costs what the flows that it reaches cost, but never much more than all
/// of them solved from nothing: a closure that grows large takes all. One thread at a time.
class LiveRates {
public:
    explicit LiveRates(std::vector<double> capacity);

    std::uint32_t addFlow(double weight = 1.0);                            ///< without a way: rate 0
    void setWay(std::uint32_t flow, std::span<const std::uint32_t> links); ///< distinct links; empty takes it out
    void setCapacity(std::uint32_t link, double capacity);                 ///< >= 0
    /// Solves what has changed. Returns the flows whose rates are others now or whose ways are new, each once; valid until the next call.
    std::span<const std::uint32_t> update();
    [[nodiscard]] std::size_t solvedCount() const { return m_solved; } ///< flows that the last update() solved again
    /// Links whose load the last update() may have changed, each once.
    [[nodiscard]] std::span<const std::uint32_t> touched() const { return m_reported; }

    [[nodiscard]] double rate(std::uint32_t flow) const { return m_rate[flow]; }
    [[nodiscard]] std::size_t flowCount() const { return m_flows.size(); }
    [[nodiscard]] bool isActive(std::uint32_t flow) const { return m_flows[flow].length > 0; } ///< has a way
    struct Entry {
        std::uint32_t flow, hop;
    };
    /// Flows whose way holds the link, in no order.
    [[nodiscard]] std::span<const Entry> on(std::uint32_t link) const
    {
        return m_numberOf[link] == kUnused ? std::span<const Entry>() : onNumber(m_numberOf[link]);
    }
    /// As of the last update().
    [[nodiscard]] double load(std::uint32_t link) const { return m_numberOf[link] == kUnused ? 0.0 : m_load[m_numberOf[link]]; }
    [[nodiscard]] Certificate prove() const; ///< of all flows with a way, from nothing but ways, capacities and rates

private:
    static constexpr std::uint32_t kUnused = ~0u;
    struct Flow {
        std::uint32_t begin = 0, length = 0, room = 0, bottleneck = ~0u;
        double weight = 1;
    };
    struct List {
        std::uint32_t begin = 0, count = 0, room = 0, dependents = 0;
    };

    /// A touched link, numbered within the closure's problem. Slack: capacity less all rates; top: highest level; inside: flows of the closure.
    struct Local {
        double capacity = 0, slack = 0, top = 0;
        std::uint32_t inside = 0;
    };

    [[nodiscard]] double level(std::uint32_t flow) const { return m_rate[flow] / m_flows[flow].weight; }
    [[nodiscard]] std::span<const std::uint32_t> localWay(std::size_t i) const
    {
        return {m_subLink.data() + m_subOffset[i], m_subLink.data() + m_subOffset[i + 1]};
    }
    [[nodiscard]] std::span<const std::uint32_t> way(std::uint32_t flow) const
    {
        return {m_hopLink.data() + m_flows[flow].begin, m_flows[flow].length};
    }
    [[nodiscard]] std::span<const Entry> onNumber(std::uint32_t number) const
    {
        return {m_entries.data() + m_lists[number].begin, m_lists[number].count};
    }
    std::uint32_t numberOf(std::uint32_t link);
    void insert(std::uint32_t flow, std::uint32_t hop);
    void remove(std::uint32_t hop);
    void grow(List& list);
    void setBottleneck(std::uint32_t flow, std::uint32_t link);
    void join(std::uint32_t flow);
    bool isMany() const;
    void joinDependents(std::uint32_t link);
    void joinAbove(std::size_t i);
    void takeAll();
    void takeWay(std::uint32_t flow);
    void takeWayOfAll(std::uint32_t flow);
    void solveAll();
    bool close();
    void solveClosure();
    void solveClosed();
    void settleLoads();
    void tell();
    [[nodiscard]] std::uint32_t findBottleneck(std::size_t i) const;

    // Links are numbered by first use inside: what is used together lies together, and unused links cost nothing.
    std::vector<double> m_given;                     ///< capacity, by link as the caller knows it
    std::vector<std::uint32_t> m_numberOf, m_linkOf; ///< number by link, link by number
    std::vector<double> m_capacity;                  ///< by number, as all below
    std::vector<Flow> m_flows;
    std::vector<double> m_rate;
    std::vector<std::uint32_t> m_hopLink, m_hopPlace; ///< ways, flow by flow; by hop: link, place in the link's list
    std::vector<List> m_lists;                        ///< by link
    std::vector<Entry> m_entries;                     ///< lists with room to grow

    std::vector<double> m_load; ///< by link
    std::size_t m_active = 0;   ///< flows with a way

    // The closure, in the order of joining, and its problem; kept while it grows.
    FairFill m_fill;
    std::vector<std::uint32_t> m_dirty, m_closure, m_changed, m_touched, m_reported;
    enum : std::uint8_t { kOutside, kInside, kNewWay };
    std::vector<std::uint8_t> m_inClosure; ///< by flow
    std::vector<double> m_before;          ///< by flow of the closure: its rate after the last update()
    std::size_t m_solved = 0;
    std::vector<std::uint32_t> m_localLink;                          ///< by link: its place in m_touched, or none
    std::vector<Local> m_local;                                      ///< by touched link
    std::size_t m_closed = 0;                                        ///< flows whose links have been followed
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_unshared; ///< links and their only flows, left out of the problem
    std::vector<double> m_subCapacity, m_subWeight, m_subRate;
    std::vector<std::uint32_t> m_subOffset, m_subLink, m_subBottleneck;
    bool m_weighted = false;
};

} // namespace fairshare
} // namespace hw::sim
