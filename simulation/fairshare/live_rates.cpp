// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_rates.h"

#include <algorithm>
#include <utility>

#include "exact_sum.h"

namespace hw::sim {
inline namespace fairshare {

namespace {

constexpr std::uint32_t kNone = ~0u;
constexpr double kMany = 0.2;        ///< share of all flows above which a closure takes all
constexpr double kManyApart = 0.05;  ///< the same where they lie too far apart for the caches: each costs ten times as much then
constexpr double kApart = 4096;      ///< flows
constexpr std::size_t kFew = 64;     ///< flows up to which it never does
constexpr double kTolerance = 1e-12; ///< relative: below it a link counts as full, two levels as equal

} // namespace

LiveRates::LiveRates(std::vector<double> capacity) : m_given(std::move(capacity)), m_numberOf(m_given.size(), kUnused) {}

std::uint32_t LiveRates::numberOf(std::uint32_t link)
{
    if (m_numberOf[link] != kUnused) return m_numberOf[link];
    m_linkOf.push_back(link);
    m_capacity.push_back(m_given[link]);
    m_lists.push_back({});
    m_load.push_back(0.0);
    m_localLink.push_back(kNone);
    return m_numberOf[link] = std::uint32_t(m_linkOf.size() - 1);
}

std::uint32_t LiveRates::addFlow(double weight)
{
    Flow flow;
    flow.weight = weight;
    m_weighted = m_weighted || weight != 1.0;
    m_flows.push_back(flow);
    m_rate.push_back(0.0);
    m_before.push_back(0.0);
    m_inClosure.push_back(kOutside);
    return std::uint32_t(m_flows.size() - 1);
}

void LiveRates::grow(List& list)
{
    const std::uint32_t room = std::max(2u, 2 * list.room), begin = std::uint32_t(m_entries.size());
    m_entries.resize(m_entries.size() + room);
    std::copy_n(m_entries.begin() + list.begin, list.count, m_entries.begin() + begin);
    list.begin = begin;
    list.room = room;
}

void LiveRates::insert(std::uint32_t flow, std::uint32_t hop)
{
    List& list = m_lists[m_hopLink[hop]];
    if (list.count == list.room) grow(list);
    m_hopPlace[hop] = list.count; // within the list: lists move when they grow
    m_entries[list.begin + list.count++] = {flow, hop};
}

void LiveRates::remove(std::uint32_t hop)
{
    List& list = m_lists[m_hopLink[hop]];
    const Entry last = m_entries[list.begin + --list.count];
    m_entries[list.begin + m_hopPlace[hop]] = last;
    m_hopPlace[last.hop] = m_hopPlace[hop];
    m_dirty.push_back(m_hopLink[hop]);
}

void LiveRates::setWay(std::uint32_t flow, std::span<const std::uint32_t> links)
{
    Flow& f = m_flows[flow];
    for (std::uint32_t h = f.begin; h < f.begin + f.length; ++h) remove(h);
    if (links.empty() && f.length == 0) return;
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
    std::transform(links.begin(), links.end(), m_hopLink.begin() + f.begin, [this](std::uint32_t l) { return numberOf(l); });
    for (std::uint32_t h = f.begin; h < f.begin + f.length; ++h) insert(flow, h);
    if (f.length == 0) return;
    join(flow);
    m_inClosure[flow] = kNewWay;
}

void LiveRates::setCapacity(std::uint32_t link, double capacity)
{
    const double before = std::exchange(m_given[link], capacity);
    const std::uint32_t number = m_numberOf[link];
    if (capacity == before || number == kUnused) return;
    if (capacity < before) // whoever is on the link may have to give way
        for (const Entry& e : onNumber(number)) join(e.flow);
    m_capacity[number] = capacity;
    m_dirty.push_back(number);
}

void LiveRates::setBottleneck(std::uint32_t flow, std::uint32_t link)
{
    Flow& f = m_flows[flow];
    if (f.bottleneck != kNone) --m_lists[f.bottleneck].dependents;
    f.bottleneck = link;
    if (link != kNone) ++m_lists[link].dependents;
}

void LiveRates::join(std::uint32_t flow)
{
    if (m_inClosure[flow]) return;
    m_inClosure[flow] = kInside;
    m_before[flow] = m_rate[flow];
    m_closure.push_back(flow);
}

bool LiveRates::isMany() const
{
    const auto joined = double(m_closure.size()), all = double(m_active);
    return m_closure.size() > kFew && joined > kManyApart * all && (joined > kApart || joined > kMany * all);
}

void LiveRates::joinDependents(std::uint32_t link)
{
    if (m_lists[link].dependents == 0) return;
    for (const Entry& e : onNumber(link))
        if (m_flows[e.flow].bottleneck == link) join(e.flow);
}

/// Follows the links of all flows that have joined until no further flow depends on them. False when these are so many that one
/// problem of all, in the order in which they lie, is cheaper than the search and further rounds.
bool LiveRates::close()
{
    for (; m_closed < m_closure.size(); ++m_closed) {
        if (isMany()) return false;
        for (const std::uint32_t l : way(m_closure[m_closed])) {
            if (m_localLink[l] == kNone) {
                m_localLink[l] = std::uint32_t(m_touched.size());
                m_touched.push_back(l);
                m_local.push_back({m_capacity[l], 0, 0, 0});
                joinDependents(l);
            }
            ++m_local[m_localLink[l]].inside;
        }
        takeWay(m_closure[m_closed]);
    }
    return true;
}

/// Adds a flow whose links are all known to the closure's problem.
void LiveRates::takeWay(std::uint32_t flow)
{
    for (const std::uint32_t l : way(flow)) m_subLink.push_back(m_localLink[l]);
    m_subOffset.push_back(std::uint32_t(m_subLink.size()));
    if (m_weighted) m_subWeight.push_back(m_flows[flow].weight);
}

/// Of the links that nobody shares with a flow only the narrowest can hold it back; the others need not be solved.
void LiveRates::takeWayOfAll(std::uint32_t flow)
{
    std::uint32_t narrowest = kNone;
    for (const std::uint32_t l : way(flow))
        if (m_lists[l].count == 1 && (narrowest == kNone || m_capacity[l] < m_capacity[narrowest])) narrowest = l;
    for (const std::uint32_t l : way(flow)) {
        if (m_lists[l].count == 1 && l != narrowest)
            m_unshared.emplace_back(l, flow);
        else
            m_subLink.push_back(l);
    }
    m_subOffset.push_back(std::uint32_t(m_subLink.size()));
    if (m_weighted) m_subWeight.push_back(m_flows[flow].weight);
}

/// Puts all flows with a way into the closure and its problem, whose links are all that were ever used.
void LiveRates::takeAll()
{
    for (const std::uint32_t l : m_touched) m_localLink[l] = kNone;
    m_closure.clear(), m_subLink.clear(), m_subWeight.clear();
    m_subOffset.assign(1, 0);
    for (std::uint32_t f = 0; f < m_flows.size(); ++f) {
        if (m_flows[f].length == 0) continue;
        if (m_inClosure[f] == kOutside) {
            m_inClosure[f] = kInside;
            m_before[f] = m_rate[f];
        }
        m_closure.push_back(f);
        takeWayOfAll(f);
    }
}

/// All rates from nothing. The solver knows every flow's bottleneck, so nothing is left to be found.
void LiveRates::solveAll()
{
    takeAll();
    m_subRate.resize(m_closure.size());
    m_subBottleneck.resize(m_closure.size());
    m_fill.prepare({m_capacity, m_subOffset, m_subLink, m_subWeight});
    m_fill.solve(m_subRate, m_subBottleneck);
    std::ranges::fill(m_load, 0.0);
    for (List& list : m_lists) list.dependents = 0;
    for (std::size_t i = 0; i < m_closure.size(); ++i) {
        const std::uint32_t f = m_closure[i];
        m_rate[f] = m_subRate[i];
        m_flows[f].bottleneck = m_subBottleneck[i];
        ++m_lists[m_subBottleneck[i]].dependents;
        for (const std::uint32_t l : localWay(i)) m_load[l] += m_subRate[i];
    }
    for (const auto& [link, flow] : m_unshared) m_load[link] = m_rate[flow];
    m_dirty.clear();
    m_reported = m_linkOf;
}

/// Rates of the closure against the fixed rates of all other flows.
void LiveRates::solveClosure()
{
    m_subCapacity.resize(m_touched.size());
    for (std::size_t i = 0; i < m_touched.size(); ++i) {
        Local& local = m_local[i];
        local.slack = local.capacity;
        local.top = 0;
        if (local.inside < m_lists[m_touched[i]].count) {
            ExactSum rest(local.capacity);
            for (const Entry& e : onNumber(m_touched[i])) {
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
std::uint32_t LiveRates::findBottleneck(std::size_t i) const
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
void LiveRates::joinAbove(std::size_t i)
{
    const double top = level(m_closure[i]) * (1 + kTolerance);
    for (const std::uint32_t l : localWay(i))
        if (m_local[l].slack <= kTolerance * m_local[l].capacity && m_local[l].top > top)
            for (const Entry& e : onNumber(m_touched[l]))
                if (level(e.flow) > top) join(e.flow);
}

std::span<const std::uint32_t> LiveRates::update()
{
    m_touched.clear(), m_local.clear();
    m_subLink.clear(), m_subWeight.clear();
    m_subOffset.assign(1, 0);
    m_closed = 0;
    m_unshared.clear();
    for (const std::uint32_t l : m_dirty) joinDependents(l);
    std::erase_if(m_closure, [this](std::uint32_t f) { return m_flows[f].length == 0 && (m_inClosure[f] = kOutside, true); });
    solveClosed();
    tell();
    return m_changed;
}

void LiveRates::solveClosed()
{
    for (std::size_t before = 0; m_closure.size() > before;) {
        if (!close()) return solveAll();
        before = m_closure.size();
        solveClosure();
        for (std::size_t i = 0; i < before; ++i) {
            const std::uint32_t local = findBottleneck(i);
            setBottleneck(m_closure[i], local == kNone ? kNone : m_touched[local]);
            if (local == kNone) joinAbove(i);
        }
    }
    settleLoads();
}

void LiveRates::tell()
{
    m_changed.clear();
    m_solved = m_closure.size();
    for (const std::uint32_t f : m_closure)
        if (std::exchange(m_inClosure[f], kOutside) == kNewWay || m_rate[f] != m_before[f]) m_changed.push_back(f);
    m_closure.clear();
}

void LiveRates::settleLoads()
{
    for (std::size_t i = 0; i < m_touched.size(); ++i) m_load[m_touched[i]] = std::max(m_local[i].capacity - m_local[i].slack, 0.0);
    for (const std::uint32_t l : m_dirty) { // whose flows have all gone, or did not notice
        if (m_localLink[l] != kNone) continue;
        ExactSum sum;
        for (const Entry& e : onNumber(l)) sum.add(m_rate[e.flow]);
        m_load[l] = sum.value();
        m_localLink[l] = std::uint32_t(m_touched.size());
        m_touched.push_back(l);
    }
    m_dirty.clear();
    m_reported.clear();
    for (const std::uint32_t l : m_touched) {
        m_localLink[l] = kNone;
        m_reported.push_back(m_linkOf[l]);
    }
}

Certificate LiveRates::prove() const
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

} // namespace fairshare
} // namespace hw::sim
