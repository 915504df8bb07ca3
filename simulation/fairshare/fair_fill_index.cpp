// SPDX-License-Identifier: GPL-3.0-or-later
// FairFill::prepare(): bounds, and the lists of the links that matter.
#include <algorithm>
#include <bit>
#include <limits>

#include "fair_fill.h"

namespace hw::sim {
inline namespace fairshare {

namespace {

constexpr int kMantissaBits = 52;
constexpr int kCoarseBits = 2;     ///< buckets are at least four an octave
constexpr size_t kFewLinks = 96;   ///< below this a single sorted list beats buckets
constexpr float kUlp = 1.2e-7f;    ///< relative error that one more term adds to a sum of floats, rounded up
constexpr uint32_t kLeftOut = ~0u; ///< place of a link that is not kept
constexpr float kDecided = -1;     ///< room on the only link of its own that a flow is held back by

constexpr uint32_t kAhead = 48; ///< hops between fetching a place and writing it

inline void prefetchForWrite(const void* address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address, 1);
#else
    static_cast<void>(address);
#endif
}

/// Sums of n terms, each with its rounding, from below and from above.
float lowered(float sum, uint32_t terms) { return sum * std::max(1 - kUlp * static_cast<float>(terms + 1), 0.0f); }
float raised(float sum, uint32_t terms) { return sum * (1 + kUlp * static_cast<float>(terms + 2)); }

} // namespace

void FairFill::prepare(const ProblemView& problem)
{
    m_problem = problem;
    m_counters = {};
    m_decided.clear();
    countFlows();
    if (problem.weight.empty()) {
        boundBelow<false>();
        findRoom();
        boundAbove<false>();
    } else {
        boundBelow<true>();
        findRoom();
        boundAbove<true>();
    }
    collectKept();
    sortKept();
    listFlows();
    m_counters.decidedFlows = m_decided.size();
    m_counters.keptLinks = m_kept.size();
    m_counters.keptHops = m_flow.size() - 1;
}

void FairFill::countFlows()
{
    const size_t links = m_problem.capacity.size();
    m_count.assign(links, 0);
    uint32_t* const count = m_count.data();
    for (const uint32_t l : m_problem.link) ++count[l];
    if (m_problem.weight.empty()) return;
    m_weightOn.assign(links, 0.0);
    for (size_t f = 0; f < m_problem.flowCount(); ++f)
        for (uint32_t h = m_problem.offset[f]; h < m_problem.offset[f + 1]; ++h) m_weightOn[m_problem.link[h]] += m_problem.weight[f];
}

/// Shares only grow: no flow gets a lower level than the lowest of the first shares on its way. Sums these rates by link.
template <bool kWeighted>
void FairFill::boundBelow()
{
    const size_t links = m_problem.capacity.size(), flows = m_problem.flowCount();
    m_bound.resize(links);
    Bound* const bound = m_bound.data();
    double largest = std::numeric_limits<double>::min();
    for (const double c : m_problem.capacity) largest = std::max(largest, c);
    m_scale = 1 / largest;
    const double *const capacity = m_problem.capacity.data(), *const weightOn = m_weightOn.data();
    for (size_t l = 0; l < links; ++l) {
        const float weight = kWeighted ? static_cast<float>(weightOn[l]) : static_cast<float>(static_cast<int32_t>(m_count[l]));
        bound[l] = {lowered(static_cast<float>(capacity[l] * m_scale) / std::max(weight, std::numeric_limits<float>::min()), 2), 0.0f};
    }
    m_least.resize(flows);
    const uint32_t *const offset = m_problem.offset.data(), *const link = m_problem.link.data();
    for (size_t f = 0; f < flows; ++f) {
        const uint32_t begin = offset[f], end = offset[f + 1];
        float level = std::numeric_limits<float>::infinity();
        for (uint32_t h = begin; h < end; ++h) level = std::min(level, bound[link[h]].first);
        if (kWeighted) level = lowered(static_cast<float>(level * m_problem.weight[f]), 0);
        m_least[f] = level;
        for (uint32_t h = begin; h < end; ++h) bound[link[h]].sum += level;
    }
}

/// What a link has left when all its flows get no more than they are assured of.
void FairFill::findRoom()
{
    for (size_t l = 0; l < m_bound.size(); ++l) {
        const uint32_t flows = m_count[l];
        const Bound& b = m_bound[l];
        const float room = raised(std::max(static_cast<float>(m_problem.capacity[l] * m_scale) - lowered(b.sum, flows), 0.0f) + kUlp, 0);
        m_bound[l] = {flows == 1 && b.sum == b.first ? kDecided : room, 0.0f};
    }
}

/// No flow gets more than it is assured of and all the room on one of its links. Sums the highest rates by link. A flow that
/// a link of its own or a dead one holds back is decided.
template <bool kWeighted>
void FairFill::boundAbove()
{
    const size_t flows = m_problem.flowCount();
    Bound* const bound = m_bound.data();
    const uint32_t *const offset = m_problem.offset.data(), *const link = m_problem.link.data();
    for (size_t f = 0; f < flows; ++f) {
        const uint32_t begin = offset[f], end = offset[f + 1];
        float room = std::numeric_limits<float>::infinity();
        for (uint32_t h = begin; h < end; ++h) room = std::min(room, bound[link[h]].first);
        const float most = raised(m_least[f] + std::max(room, 2 * kUlp), 0);
        for (uint32_t h = begin; h < end; ++h) bound[link[h]].sum += most;
        if (room == kDecided || m_least[f] == 0) decide(static_cast<uint32_t>(f), heldByOwn(static_cast<uint32_t>(f)));
    }
}

/// The level at which a link of its own, or a dead one, holds a flow back; a negative number if another link might.
FairFill::Held FairFill::heldByOwn(uint32_t flow) const
{
    Held own{std::numeric_limits<double>::infinity(), 0};
    double shared = own.level;
    for (uint32_t h = m_problem.offset[flow]; h < m_problem.offset[flow + 1]; ++h) {
        const uint32_t l = m_problem.link[h];
        if (m_problem.capacity[l] == 0) return {0, l};
        if (m_bound[l].first != kDecided)
            shared = std::min(shared, restOf()[l] / weightOn(l));
        else if (const double share = m_problem.weight.empty() ? restOf()[l] : restOf()[l] / weightOn(l); share < own.level)
            own = {share, l};
    }
    return own.level <= shared ? own : Held{-1, 0};
}

void FairFill::decide(uint32_t flow, Held held)
{
    if (held.level < 0) return;
    if (m_decided.empty()) {
        m_decided.reserve(m_problem.flowCount());
        m_rest.resize(m_problem.capacity.size());
        std::copy(m_problem.capacity.begin(), m_problem.capacity.end(), m_rest.data());
    }
    const double weight = m_problem.weight.empty() ? 1.0 : m_problem.weight[flow], rate = held.level * weight;
    m_least[flow] = kDecided;
    m_decided.push_back({flow, held.link, rate});
    for (uint32_t h = m_problem.offset[flow]; h < m_problem.offset[flow + 1]; ++h) {
        const uint32_t l = m_problem.link[h];
        m_rest[l] -= rate;
        --m_count[l];
        if (!m_problem.weight.empty()) m_weightOn[l] -= weight;
    }
}

/// Links that open flows may fill.
void FairFill::collectKept()
{
    const size_t links = m_problem.capacity.size();
    const std::span<const double> rest = restOf();
    m_kept.clear();
    double lowest = std::numeric_limits<double>::infinity(), highest = 0;
    for (size_t l = 0; l < links; ++l) {
        if (m_count[l] == 0 || raised(m_bound[l].sum, m_count[l]) < static_cast<float>(m_problem.capacity[l] * m_scale)) {
            m_count[l] = kLeftOut;
            continue;
        }
        const double share = std::max(rest[l], 0.0) / weightOn(l);
        lowest = std::min(lowest, share);
        highest = std::max(highest, share);
        m_kept.push_back({share, static_cast<uint32_t>(l)});
    }
    chooseBuckets(lowest, highest);
}

void FairFill::chooseBuckets(double lowest, double highest)
{
    m_shift = 63; // one bucket
    m_firstBucket = 0;
    m_buckets = 1;
    if (m_kept.size() < kFewLinks) return;
    m_shift = kMantissaBits - kCoarseBits;
    const uint64_t low = std::bit_cast<uint64_t>(lowest), high = std::bit_cast<uint64_t>(highest);
    while (m_shift > 32 && (high >> m_shift) - (low >> m_shift) < m_kept.size() / 2) --m_shift;
    m_firstBucket = low >> m_shift;
    m_buckets = static_cast<uint32_t>((high >> m_shift) - m_firstBucket + 1);
}

/// Numbers the kept links by bucket of their first share, so that a run walks its arrays almost in order.
void FairFill::sortKept()
{
    m_bucketBegin.assign(m_buckets + 2, 0);
    for (const Candidate& c : m_kept) ++m_bucketBegin[bucketOf(c.share) + 2];
    for (uint32_t b = 2; b < m_buckets + 2; ++b) m_bucketBegin[b] += m_bucketBegin[b - 1];
    m_sorted.resize(m_kept.size());
    for (const Candidate& c : m_kept) m_sorted[m_bucketBegin[bucketOf(c.share) + 1]++] = c;
    m_kept.swap(m_sorted);

    const std::span<const double> rest = restOf();
    m_start.resize(m_kept.size());
    uint32_t hops = 0;
    for (const Candidate& c : m_kept) {
        m_start[static_cast<size_t>(&c - m_kept.data())] = {std::max(rest[c.link], 0.0), hops, m_count[c.link]};
        hops += m_count[c.link];
    }
    m_flow.resize(size_t{hops} + 1);
    for (size_t i = 0; i < m_kept.size(); ++i) m_count[m_kept[i].link] = m_start[i].begin;
}

/// Lists the open flows of every kept link. Which hops are kept is hard to predict, so there is no branch on it: the others
/// write behind the end.
void FairFill::listFlows()
{
    const auto flows = static_cast<uint32_t>(m_problem.flowCount());
    const auto end = static_cast<uint32_t>(m_flow.size() - 1);
    if (end == 0) return;
    const uint32_t *const offset = m_problem.offset.data(), *const link = m_problem.link.data();
    uint32_t *const cursor = m_count.data(), *const list = m_flow.data();
    const auto ahead = static_cast<uint32_t>(m_problem.link.size() > kAhead ? m_problem.link.size() - kAhead : 0);
    for (uint32_t f = 0; f < flows; ++f) {
        if (m_least[f] == kDecided) continue;
        for (uint32_t h = offset[f]; h < offset[f + 1]; ++h) {
            const uint32_t l = link[h], at = cursor[l];
            prefetchForWrite(&list[std::min(cursor[link[std::min(h + kAhead, ahead)]], end)]);
            list[std::min(at, end)] = f;
            cursor[l] = at + (at < end);
        }
    }
}

} // namespace fairshare
} // namespace hw::sim
