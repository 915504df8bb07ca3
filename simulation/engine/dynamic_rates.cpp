// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/engine/dynamic_rates.h"

#include "simulation/network/exact_sum.h"

#include <algorithm>

namespace hw::sim {

namespace {

constexpr std::uint32_t kNone = ~0u;
constexpr double kTolerance = 1e-12; ///< relative: below it a link counts as full, two levels as equal

} // namespace

DynamicRates::DynamicRates(std::vector<double> capacity)
    : m_capacity(std::move(capacity)), m_lists(m_capacity.size()), m_localLink(m_capacity.size(), kNone), m_isTouched(m_capacity.size(), 0),
      m_rest(m_capacity.size()), m_slack(m_capacity.size()), m_top(m_capacity.size())
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

/// Follows the links of all flows that have joined until no further flow depends on them.
void DynamicRates::close()
{
    for (; m_closed < m_closure.size(); ++m_closed)
        for (const std::uint32_t l : way(m_closure[m_closed])) {
            if (m_isTouched[l]) continue;
            m_isTouched[l] = 1;
            m_touched.push_back(l);
            joinDependents(l);
        }
}

/// Rates of the closure against the fixed rates of all other flows.
void DynamicRates::solveClosure()
{
    m_subCapacity.clear(), m_subLink.clear(), m_subWeight.clear();
    m_subOffset.assign(1, 0);
    for (const std::uint32_t l : m_touched) {
        ExactSum rest(m_capacity[l]);
        double top = 0;
        for (const Entry& e : on(l)) {
            if (m_inClosure[e.flow]) continue;
            rest.add(-m_rate[e.flow]);
            top = std::max(top, level(e.flow));
        }
        m_rest[l] = m_slack[l] = std::max(rest.value(), 0.0);
        m_top[l] = top;
        m_localLink[l] = std::uint32_t(m_subCapacity.size());
        m_subCapacity.push_back(m_rest[l]);
    }
    for (const std::uint32_t f : m_closure) {
        for (const std::uint32_t l : way(f)) m_subLink.push_back(m_localLink[l]);
        m_subOffset.push_back(std::uint32_t(m_subLink.size()));
        if (m_weighted) m_subWeight.push_back(m_flows[f].weight);
    }
    m_subRate.resize(m_closure.size());
    m_fill.prepare({m_subCapacity, m_subOffset, m_subLink, m_subWeight});
    m_fill.solve(m_subRate);
    for (std::size_t i = 0; i < m_closure.size(); ++i) {
        const std::uint32_t f = m_closure[i];
        m_rate[f] = m_subRate[i];
        for (const std::uint32_t l : way(f)) {
            m_slack[l] -= m_rate[f];
            m_top[l] = std::max(m_top[l], level(f));
        }
    }
}

/// The fullest link on which no flow has a higher level, if it is full.
std::uint32_t DynamicRates::findBottleneck(std::uint32_t flow) const
{
    const double top = level(flow) * (1 + kTolerance);
    std::uint32_t best = kNone;
    double bestSlack = kTolerance;
    for (const std::uint32_t l : way(flow)) {
        const double slack = m_capacity[l] > 0 ? m_slack[l] / m_capacity[l] : 0;
        if (slack < bestSlack && top >= m_top[l]) {
            best = l;
            bestSlack = slack;
        }
    }
    return best;
}

/// Takes in the flows of higher level on the full links of a flow: they must give way.
void DynamicRates::joinAbove(std::uint32_t flow)
{
    const double top = level(flow) * (1 + kTolerance);
    for (const std::uint32_t l : way(flow))
        if (m_slack[l] <= kTolerance * m_capacity[l] && m_top[l] > top)
            for (const Entry& e : on(l))
                if (level(e.flow) > top) join(e.flow);
}

std::span<const std::uint32_t> DynamicRates::update()
{
    for (const std::uint32_t l : m_dirty) joinDependents(l);
    m_dirty.clear();
    std::erase_if(m_closure, [this](std::uint32_t f) { return m_flows[f].length == 0 && (m_inClosure[f] = 0, true); });
    m_solved.clear();
    if (m_closure.empty()) return m_solved;
    std::size_t before = 0;
    do {
        close();
        before = m_closure.size();
        solveClosure();
        for (std::size_t i = 0; i < before; ++i) {
            const std::uint32_t f = m_closure[i], link = findBottleneck(f);
            setBottleneck(f, link);
            if (link == kNone) joinAbove(f);
        }
    } while (m_closure.size() > before);

    for (const std::uint32_t f : m_closure) m_inClosure[f] = 0;
    for (const std::uint32_t l : m_touched) m_isTouched[l] = 0;
    m_touched.clear();
    m_solved.swap(m_closure);
    m_closure.clear();
    m_closed = 0;
    return m_solved;
}

double DynamicRates::load(std::uint32_t link) const
{
    ExactSum sum;
    for (const Entry& e : on(link)) sum.add(m_rate[e.flow]);
    return sum.value();
}

Certificate DynamicRates::prove() const
{
    FlowProblem problem;
    problem.capacity = m_capacity;
    std::vector<double> rate;
    for (std::uint32_t f = 0; f < m_flows.size(); ++f) {
        if (m_flows[f].length == 0) continue;
        problem.addFlow(1.0, way(f), m_flows[f].weight);
        rate.push_back(m_rate[f]);
    }
    return certify(problem, rate);
}

} // namespace hw::sim
