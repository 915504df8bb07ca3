// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_rates.h"

#include <algorithm>

#include "exact_sum.h"

namespace hw::sim {

namespace {

constexpr uint32_t kNone = ~0u;
constexpr double kTolerance = 1e-12; ///< relative: below it a link counts as full, two levels as equal

} // namespace

LiveRates::LiveRates(const FlowProblem& problem)
    : m_problem(problem), m_solver(problem), m_capacity(problem.capacity), m_rate(problem.flowCount()), m_active(problem.flowCount()),
      m_bottleneck(problem.flowCount(), kNone), m_dependents(problem.linkCount()), m_owner(problem.hopCount()), m_linkBegin(problem.linkCount() + 1),
      m_linkActive(problem.linkCount()), m_linkHop(problem.hopCount() + 1), m_place(problem.hopCount()), m_inClosure(problem.flowCount()),
      m_isTouched(problem.linkCount()), m_rest(problem.linkCount()), m_slack(problem.linkCount()), m_top(problem.linkCount())
{
    for (const uint32_t l : problem.link) ++m_linkBegin[l + 1];
    for (size_t l = 0; l < problem.linkCount(); ++l) m_linkBegin[l + 1] += m_linkBegin[l];
    for (uint32_t f = 0; f < problem.flowCount(); ++f) std::fill(m_owner.begin() + problem.offset[f], m_owner.begin() + problem.offset[f + 1], f);
}

void LiveRates::insertHop(uint32_t hop, uint32_t link)
{
    m_place[hop] = m_linkBegin[link] + m_linkActive[link]++;
    m_linkHop[m_place[hop]] = hop;
}

void LiveRates::removeHop(uint32_t hop, uint32_t link)
{
    const uint32_t last = m_linkHop[m_linkBegin[link] + --m_linkActive[link]];
    m_linkHop[m_place[hop]] = last;
    m_place[last] = m_place[hop];
}

void LiveRates::activate(uint32_t flow)
{
    if (m_active[flow]) return;
    m_active[flow] = 1;
    ++m_activeCount;
    for (uint32_t h = m_problem.offset[flow]; h < m_problem.offset[flow + 1]; ++h) insertHop(h, m_problem.link[h]);
    join(flow);
}

void LiveRates::deactivate(uint32_t flow)
{
    if (!m_active[flow]) return;
    m_active[flow] = 0;
    --m_activeCount;
    m_rate[flow] = 0;
    setBottleneck(flow, kNone);
    for (uint32_t h = m_problem.offset[flow]; h < m_problem.offset[flow + 1]; ++h) {
        removeHop(h, m_problem.link[h]);
        m_dirty.push_back(m_problem.link[h]);
    }
}

void LiveRates::setCapacity(uint32_t link, double capacity)
{
    if (capacity < m_capacity[link]) // whoever is on the link may have to give way
        for (const uint32_t hop : hopsOn(link)) join(m_owner[hop]);
    m_capacity[link] = capacity;
    m_dirty.push_back(link);
}

void LiveRates::setBottleneck(uint32_t flow, uint32_t link)
{
    if (m_bottleneck[flow] != kNone) --m_dependents[m_bottleneck[flow]];
    m_bottleneck[flow] = link;
    if (link != kNone) ++m_dependents[link];
}

void LiveRates::join(uint32_t flow)
{
    if (m_inClosure[flow]) return;
    m_inClosure[flow] = 1;
    m_closure.push_back(flow);
}

void LiveRates::joinDependents(uint32_t link)
{
    if (m_dependents[link] == 0) return;
    for (const uint32_t hop : hopsOn(link))
        if (m_bottleneck[m_owner[hop]] == link) join(m_owner[hop]);
}

/// Follows the links of all flows that have joined until no further flow depends on them.
void LiveRates::close()
{
    for (; m_closed < m_closure.size(); ++m_closed) {
        const uint32_t flow = m_closure[m_closed];
        for (const uint32_t l : m_problem.linksOf(flow)) {
            if (m_isTouched[l]) continue;
            m_isTouched[l] = 1;
            m_touched.push_back(l);
            joinDependents(l);
        }
    }
}

/// Rates of the closure against the fixed rates of all other flows.
void LiveRates::solveClosure()
{
    for (const uint32_t l : m_touched) {
        ExactSum rest(m_capacity[l]);
        double top = 0;
        for (const uint32_t hop : hopsOn(l)) {
            const uint32_t f = m_owner[hop];
            if (m_inClosure[f]) continue;
            rest.add(-m_rate[f]);
            top = std::max(top, levelOf(f));
        }
        m_rest[l] = m_slack[l] = std::max(rest.value(), 0.0);
        m_top[l] = top;
    }
    const std::span<const double> rate = m_solver.solve(m_closure, m_rest);
    for (size_t i = 0; i < m_closure.size(); ++i) {
        const uint32_t f = m_closure[i];
        m_rate[f] = rate[i];
        for (const uint32_t l : m_problem.linksOf(f)) {
            m_slack[l] -= rate[i];
            m_top[l] = std::max(m_top[l], levelOf(f));
        }
    }
}

/// The fullest link on which no flow has a higher level, if it is full.
uint32_t LiveRates::findBottleneck(uint32_t flow) const
{
    const double level = levelOf(flow) * (1 + kTolerance);
    uint32_t best = kNone;
    double bestSlack = kTolerance;
    for (const uint32_t l : m_problem.linksOf(flow)) {
        const double slack = m_capacity[l] > 0 ? m_slack[l] / m_capacity[l] : 0;
        if (slack < bestSlack && level >= m_top[l]) {
            best = l;
            bestSlack = slack;
        }
    }
    return best;
}

/// Takes in the flows of higher level on the full links of a flow: they must give way.
void LiveRates::joinAbove(uint32_t flow)
{
    const double level = levelOf(flow) * (1 + kTolerance);
    for (const uint32_t l : m_problem.linksOf(flow))
        if (m_slack[l] <= kTolerance * m_capacity[l] && m_top[l] > level)
            for (const uint32_t hop : hopsOn(l))
                if (levelOf(m_owner[hop]) > level) join(m_owner[hop]);
}

std::span<const uint32_t> LiveRates::update()
{
    for (const uint32_t l : m_dirty) joinDependents(l);
    m_dirty.clear();
    std::erase_if(m_closure, [this](uint32_t f) { return !m_active[f] && (m_inClosure[f] = 0, true); });
    size_t before = 0;
    do {
        close();
        before = m_closure.size();
        solveClosure();
        for (size_t i = 0; i < before; ++i) {
            const uint32_t f = m_closure[i], link = findBottleneck(f);
            setBottleneck(f, link);
            if (link == kNone) joinAbove(f);
        }
    } while (m_closure.size() > before);

    for (const uint32_t f : m_closure) m_inClosure[f] = 0;
    for (const uint32_t l : m_touched) m_isTouched[l] = 0;
    m_touched.clear();
    m_solved.swap(m_closure);
    m_closure.clear();
    m_closed = 0;
    return m_solved;
}

} // namespace hw::sim
