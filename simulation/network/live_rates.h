// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problem.h"
#include "subset_solver.h"

namespace hw::sim {

/// Max-min rates that follow changes: flows that come and go, links whose capacity changes.
///
/// Every active flow knows its bottleneck: a saturated link on which no flow has a higher rate / weight. A change
/// reaches exactly those flows whose bottleneck carries a flow that is reached, so update() solves this closure
/// against the fixed rest, and takes in flows of higher level if a bottleneck has moved onto a link that they use.
/// When it ends every flow has a bottleneck again, which proves the rates. One thread at a time.
class LiveRates {
public:
    /// All flows start inactive; `problem` must outlive this object.
    explicit LiveRates(const FlowProblem& problem);

    void activate(uint32_t flow);
    void deactivate(uint32_t flow);
    void setCapacity(uint32_t link, double capacity); ///< >= 0; 0 is a dead link

    /// Solves what has changed since the last call. Returns the flows that were solved again (all active, each once).
    std::span<const uint32_t> update();

    bool isActive(uint32_t flow) const { return m_active[flow] != 0; }
    size_t activeCount() const { return m_activeCount; }
    double rate(uint32_t flow) const { return m_rate[flow]; } ///< 0 if inactive
    std::span<const double> rates() const { return m_rate; }
    std::span<const double> capacity() const { return m_capacity; }

private:
    std::span<const uint32_t> hopsOn(uint32_t link) const { return {&m_linkHop[m_linkBegin[link]], m_linkActive[link]}; }
    double levelOf(uint32_t flow) const { return m_rate[flow] / m_problem.weightOf(flow); }
    void insertHop(uint32_t hop, uint32_t link);
    void removeHop(uint32_t hop, uint32_t link);
    void join(uint32_t flow);
    void joinDependents(uint32_t link);
    void joinAbove(uint32_t flow);
    void close();
    void solveClosure();
    uint32_t findBottleneck(uint32_t flow) const;
    void setBottleneck(uint32_t flow, uint32_t link);

    const FlowProblem& m_problem;
    SubsetSolver m_solver;
    std::vector<double> m_capacity;
    std::vector<double> m_rate;
    std::vector<uint8_t> m_active;
    size_t m_activeCount = 0;
    std::vector<uint32_t> m_bottleneck; ///< per flow a link, or none
    std::vector<uint32_t> m_dependents; ///< per link: flows with this bottleneck

    std::vector<uint32_t> m_owner;      ///< per hop its flow
    std::vector<uint32_t> m_linkBegin;  ///< per link its room in m_linkHop
    std::vector<uint32_t> m_linkActive; ///< per link how many active flows
    std::vector<uint32_t> m_linkHop;    ///< hops of the active flows, link by link
    std::vector<uint32_t> m_place;      ///< per hop its place in m_linkHop

    std::vector<uint32_t> m_dirty;    ///< links of changes since the last update
    std::vector<uint32_t> m_closure;  ///< flows to solve
    std::vector<uint32_t> m_solved;   ///< by the last update
    std::vector<uint8_t> m_inClosure; ///< per flow
    std::vector<uint32_t> m_touched;  ///< links of the closure
    std::vector<uint8_t> m_isTouched; ///< per link
    size_t m_closed = 0;              ///< flows of m_closure whose links have been followed
    std::vector<double> m_rest;       ///< per touched link: capacity less the rates of flows outside the closure
    std::vector<double> m_slack;      ///< per touched link: capacity less all rates
    std::vector<double> m_top;        ///< per touched link: highest level
};

} // namespace hw::sim
