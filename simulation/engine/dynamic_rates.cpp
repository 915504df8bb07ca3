// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/engine/dynamic_rates.h"

#include "simulation/network/exact_sum.h"

#include <algorithm>

namespace hw::sim {

namespace {

constexpr std::uint32_t kNone = ~0u;
constexpr double kMost = 0.4;        ///< share of all flows above which a closure takes all
constexpr double kTolerance = 1e-12; ///< relative: below it a link counts as full, two levels as equal

} // namespace

DynamicRates::DynamicRates(std::vector<double> capacity)
    : m_capacity(std::move(capacity)), m_lists(m_capacity.size()), m_load(m_capacity.size(), 0.0), m_localLink(m_capacity.size(), kNone)
{
}

std::uint32_t DynamicRates::addFlow(double weight)
{
    Flow flow;
    flow.weight = weight;
    m_weighted = m_weighted || weight != 1.0;
    m_flows.push_back(flow);
    m_rate.push_back(0.0);
    m_inClosure.push_back(0);
    return std::uint32_t(m_flows.size() - 1);
}

void DynamicRates::grow(List& list)
{
    const std::uint32_t room = std::max(2u, 2 * list.room), begin = std::uint32_t(m_entries.size());
    m_entries.resize(m_entries.size() + room);
    std::copy_n(m_entries.begin() + list.begin, list.count, m_entries.begin() + begin);
    list.begin = begin;
    list.room = room;
}

void DynamicRates::insert(std::uint32_t flow, std::uint32_t hop)
{
    List& list = m_lists[m_hopLink[hop]];
    if (list.count == list.room) grow(list);
    m_hopPlace[hop] = list.count; // within the list: lists move when they grow
    m_entries[list.begin + list.count++] = {flow, hop};
}

void DynamicRates::remove(std::uint32_t hop)
{
    List& list = m_lists[m_hopLink[hop]];
    const Entry last = m_entries[list.begin + --list.count];
    m_entries[list.begin + m_hopPlace[hop]] = last;
    m_hopPlace[last.hop] = m_hopPlace[hop];
    m_dirty.push_back(m_hopLink[hop]);
}

void DynamicRates::setWay(std::uint32_t flow, std::span<const std::uint32_t> links)
{
    Flow& f = m_flows[flow];
    for (std::uint32_t h = f.begin; h < f.begin + f.length; ++h) remove(h);
    m_rate[flow] = 0;
    setBottleneck(flow, kNone);
    if (links.size() > f.room) {
        f.begin = std::uint32_t(m_hopLink.size());
        f.room = std::uint32_t(links.size());
        m_hopLink.resize(m_hopLink.size() + links.size());
        m_hopPlace.resize(m_hopLink.size());
    }
    m_active += !links.empty();
    m_active -= f.length > 0;
    f.length = std::uint32_t(links.size());
    std::copy(links.begin(), links.end(), m_hopLink.begin() + f.begin);
    for (std::uint32_t h = f.begin; h < f.begin + f.length; ++h) insert(flow, h);
    if (f.length) join(flow);
}

void DynamicRates::setCapacity(std::uint32_t link, double capacity)
{
    if (capacity == m_capacity[link]) return;
    if (capacity < m_capacity[link]) // whoever is on the link may have to give way
        for (const Entry& e : on(link)) join(e.flow);
    m_capacity[link] = capacity;
    m_dirty.push_back(link);
}

void DynamicRates::setBottleneck(std::uint32_t flow, std::uint32_t link)
{
    Flow& f = m_flows[flow];
    if (f.bottleneck != kNone) --m_lists[f.bottleneck].dependents;
    f.bottleneck = link;
    if (link != kNone) ++m_lists[link].dependents;
}

void DynamicRates::join(std::uint32_t flow)
{
    if (m_inClosure[flow]) return;
    m_inClosure[flow] = 1;
    m_closure.push_back(flow);
}

void DynamicRates::joinDependents(std::uint32_t link)
{
    if (m_lists[link].dependents == 0) return;
    for (const Entry& e : on(link))
        if (m_flows[e.flow].bottleneck == link) join(e.flow);
}

/// Follows the links of all flows that have joined until no further flow depends on them. A closure that takes in most flows takes
/// all: one larger problem is cheaper than a second round.
void DynamicRates::close()
{
    for (; m_closed < m_closure.size(); ++m_closed) {
        if (m_closure.size() > m_active * kMost && m_closure.size() < m_active) joinAll();
        const std::uint32_t flow = m_closure[m_closed];
        for (const std::uint32_t l : way(flow)) {
            if (m_localLink[l] == kNone) {
                m_localLink[l] = std::uint32_t(m_touched.size());
                m_touched.push_back(l);
                m_local.push_back({m_capacity[l], 0, 0, 0});
                if (m_closure.size() < m_active) joinDependents(l);
            }
            m_subLink.push_back(m_localLink[l]);
            ++m_local[m_localLink[l]].inside;
        }
        m_subOffset.push_back(std::uint32_t(m_subLink.size()));
        if (m_weighted) m_subWeight.push_back(m_flows[flow].weight);
    }
}

void DynamicRates::joinAll()
{
    for (std::uint32_t f = 0; f < m_flows.size(); ++f)
        if (m_flows[f].length) join(f);
}

/// Rates of the closure against the fixed rates of all other flows.
void DynamicRates::solveClosure()
{
    m_subCapacity.resize(m_touched.size());
    for (std::size_t i = 0; i < m_touched.size(); ++i) {
        Local& local = m_local[i];
        local.slack = local.capacity;
        local.top = 0;
        if (local.inside < m_lists[m_touched[i]].count) {
            ExactSum rest(local.capacity);
            for (const Entry& e : on(m_touched[i])) {
                if (m_inClosure[e.flow]) continue;
                rest.add(-m_rate[e.flow]);
                local.top = std::max(local.top, level(e.flow));
            }
            local.slack = std::max(rest.value(), 0.0);
        }
        m_subCapacity[i] = local.slack;
    }
    m_subRate.resize(m_closure.size());
    m_fill.prepare({m_subCapacity, m_subOffset, m_subLink, m_subWeight});
    m_fill.solve(m_subRate);
    for (std::size_t i = 0; i < m_closure.size(); ++i) {
        const double rate = m_subRate[i], at = m_weighted ? rate / m_subWeight[i] : rate;
        m_rate[m_closure[i]] = rate;
        for (const std::uint32_t l : localWay(i)) {
            m_local[l].slack -= rate;
            m_local[l].top = std::max(m_local[l].top, at);
        }
    }
}

/// The fullest link on which no flow has a higher level, if it is full. Takes and gives numbers within the closure.
std::uint32_t DynamicRates::findBottleneck(std::size_t i) const
{
    const double top = level(m_closure[i]) * (1 + kTolerance);
    std::uint32_t best = kNone;
    double bestSlack = kTolerance;
    for (const std::uint32_t l : localWay(i)) {
        const Local& local = m_local[l];
        const double slack = local.capacity > 0 ? local.slack / local.capacity : 0;
        if (slack < bestSlack && top >= local.top) {
            best = l;
            bestSlack = slack;
        }
    }
    return best;
}

/// Takes in the flows of higher level on the full links of a flow: they must give way.
void DynamicRates::joinAbove(std::size_t i)
{
    const double top = level(m_closure[i]) * (1 + kTolerance);
    for (const std::uint32_t l : localWay(i))
        if (m_local[l].slack <= kTolerance * m_local[l].capacity && m_local[l].top > top)
            for (const Entry& e : on(m_touched[l]))
                if (level(e.flow) > top) join(e.flow);
}

std::span<const std::uint32_t> DynamicRates::update()
{
    m_touched.clear(), m_local.clear();
    m_subLink.clear(), m_subWeight.clear();
    m_subOffset.assign(1, 0);
    m_closed = 0;
    for (const std::uint32_t l : m_dirty) joinDependents(l);
    std::erase_if(m_closure, [this](std::uint32_t f) { return m_flows[f].length == 0 && (m_inClosure[f] = 0, true); });
    for (std::size_t before = 0; m_closure.size() > before;) {
        close();
        before = m_closure.size();
        solveClosure();
        for (std::size_t i = 0; i < before; ++i) {
            const std::uint32_t local = findBottleneck(i);
            setBottleneck(m_closure[i], local == kNone ? kNone : m_touched[local]);
            if (local == kNone) joinAbove(i);
        }
    }
    settleLoads();
    for (const std::uint32_t f : m_closure) m_inClosure[f] = 0;
    m_solved.swap(m_closure);
    m_closure.clear();
    return m_solved;
}

void DynamicRates::settleLoads()
{
    for (std::size_t i = 0; i < m_touched.size(); ++i) m_load[m_touched[i]] = std::max(m_local[i].capacity - m_local[i].slack, 0.0);
    for (const std::uint32_t l : m_dirty) { // whose flows have all gone, or did not notice
        if (m_localLink[l] != kNone) continue;
        ExactSum sum;
        for (const Entry& e : on(l)) sum.add(m_rate[e.flow]);
        m_load[l] = sum.value();
        m_localLink[l] = std::uint32_t(m_touched.size());
        m_touched.push_back(l);
    }
    m_dirty.clear();
    for (const std::uint32_t l : m_touched) m_localLink[l] = kNone;
}

Certificate DynamicRates::prove() const
{
    FlowProblem problem;
    problem.capacity = m_capacity;
    problem.size.reserve(m_active), problem.offset.reserve(m_active + 1), problem.link.reserve(m_hopLink.size());
    std::vector<double> rate;
    for (std::uint32_t f = 0; f < m_flows.size(); ++f) {
        if (m_flows[f].length == 0) continue;
        problem.addFlow(1.0, way(f), m_flows[f].weight);
        rate.push_back(m_rate[f]);
    }
    return certify(problem, rate);
}

} // namespace hw::sim
