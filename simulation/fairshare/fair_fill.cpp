// SPDX-License-Identifier: GPL-3.0-or-later
// FairFill::solve(): fixing flows in ascending order of level.
#include "fair_fill.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>

#include "exact_sum.h"

namespace hw::sim {
inline namespace fairshare {

namespace {

constexpr uint32_t kEnd = ~0u;
constexpr uint32_t kExactCount = 2048; ///< with more flows on a link, plain sums lose too many digits
constexpr uint32_t kStep = 32;         ///< buckets whose links are fetched together, a step before their turn

constexpr size_t kNearHops = 1u << 20; ///< up to so many the caches hold what a run needs

inline void prefetch(const void* address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    static_cast<void>(address);
#endif
}

/// Copies the flows that have no rate yet and sums the rates of the others; returns how many were copied.
inline uint32_t strike(const uint32_t* flow, uint32_t count, uint32_t* open, const double* rate, double (&sum)[2])
{
    uint32_t opened = 0, i = 0;
    double even = 0, odd = 0;
    for (; i + 2 <= count; i += 2) {
        const uint32_t f = flow[i], g = flow[i + 1];
        const double r = rate[f], q = rate[g];
        open[opened] = f;
        opened += std::bit_cast<uint64_t>(r) == 0;
        open[opened] = g;
        opened += std::bit_cast<uint64_t>(q) == 0;
        even += r;
        odd += q;
    }
    if (i < count) {
        const double r = rate[flow[i]];
        open[opened] = flow[i];
        opened += std::bit_cast<uint64_t>(r) == 0;
        even += r;
    }
    sum[0] = even;
    sum[1] = odd;
    return opened;
}

} // namespace

/// The last bucket takes all that lies above.
uint64_t FairFill::bucketOf(double share) const
{
    return std::min<uint64_t>((std::bit_cast<uint64_t>(share) >> m_shift) - m_firstBucket, m_buckets - 1);
}

void FairFill::solve(std::span<double> rate, std::span<uint32_t> bottleneck)
{
    m_bottleneck = bottleneck.empty() ? nullptr : bottleneck.data();
    std::fill(rate.begin(), rate.end(), 0.0);
    for (const Decided& d : m_decided) {
        rate[d.flow] = d.rate;
        if (m_bottleneck) m_bottleneck[d.flow] = d.link;
    }
    m_counters.evaluations = m_counters.rateReads = m_counters.bottlenecks = 0;
    m_left = rate.size() - m_decided.size();
    if (m_left == 0) return;
    m_state.resize(m_start.size());
    m_listed.resize(m_flow.size());
    m_later.assign(m_buckets, kEnd);
    m_nextLater.resize(m_start.size());
    m_level = std::numeric_limits<double>::min(); // 0 is the rate of open flows
    if (m_problem.weight.empty())
        fillBuckets<false>(rate.data());
    else
        fillBuckets<true>(rate.data());
}

template <bool kWeighted>
void FairFill::fillBuckets(double* rate)
{
    const bool scattered = m_flow.size() > kNearHops;
    for (uint32_t step = 0; step < m_buckets && m_left > 0; step += kStep) {
        const uint32_t next = std::min(step + kStep, m_buckets);
        if (scattered) fetch(next, std::min(next + kStep, m_buckets), rate);
        for (uint32_t b = step; b < next; ++b)
            if (m_bucketBegin[b] != m_bucketBegin[b + 1] || m_later[b] != kEnd) fillBucket<kWeighted>(b, rate);
    }
}

/// Starts to fetch what the links of some buckets need: their flows lie all over the rates. Each loop asks for what the
/// next one reads, so that no miss waits for another one.
void FairFill::fetch(uint32_t firstBucket, uint32_t endBucket, const double* rate)
{
    const uint32_t first = m_bucketBegin[firstBucket], last = m_bucketBegin[endBucket];
    if (first < last) {
        const uint32_t end = m_start[last - 1].begin + m_start[last - 1].open;
        for (uint32_t i = m_start[first].begin; i < end; ++i) prefetch(rate + m_flow[i]);
    }
    m_soon.clear();
    for (uint32_t b = firstBucket; b < endBucket; ++b)
        for (uint32_t l = m_later[b]; l != kEnd; l = m_nextLater[l]) {
            m_soon.push_back(l);
            prefetch(&m_state[l]);
        }
    for (const uint32_t l : m_soon) prefetch(&m_listed[m_state[l].begin]);
    for (const uint32_t l : m_soon)
        for (uint32_t i = 0; i < m_state[l].open; ++i) prefetch(rate + m_listed[m_state[l].begin + i]);
}

/// Fixes the links that saturate inside one bucket, lowest share first. A link whose share has grown is put off: within the
/// bucket to m_again, beyond it to the list of a later one.
template <bool kWeighted>
void FairFill::fillBucket(uint32_t bucket, double* rate)
{
    m_fresh.clear();
    const auto file = [&](uint32_t link, double share) {
        if (m_state[link].open == 0) return;
        if (const uint64_t now = bucketOf(share); now > bucket)
            putOff(link, now);
        else
            m_fresh.push_back({share, link});
    };
    for (uint32_t l = m_bucketBegin[bucket]; l < m_bucketBegin[bucket + 1]; ++l) file(l, evaluate<kWeighted>(l, m_start[l], m_flow.data(), rate));
    for (uint32_t l = m_later[bucket], next = 0; l != kEnd; l = next) {
        next = m_nextLater[l];
        file(l, evaluate<kWeighted>(l, m_state[l], m_listed.data(), rate));
    }
    if (m_fresh.empty()) return;
    if (m_fresh.size() == 1) return fix<kWeighted>(m_fresh.front().link, m_fresh.front().share, rate);
    std::sort(m_fresh.begin(), m_fresh.end());

    Candidate next = m_fresh.front();
    fix<kWeighted>(next.link, next.share, rate);
    for (size_t fresh = 1; nextCandidate(fresh, next);) {
        const double share = evaluate<kWeighted>(next.link, m_state[next.link], m_listed.data(), rate);
        if (share == next.share && m_state[next.link].open > 0) {
            fix<kWeighted>(next.link, share, rate);
        } else if (m_state[next.link].open > 0) {
            if (const uint64_t now = bucketOf(share); now > bucket) {
                putOff(next.link, now);
                continue;
            }
            m_again.push_back({share, next.link});
            std::push_heap(m_again.begin(), m_again.end(), std::greater<>());
        }
    }
}

void FairFill::putOff(uint32_t link, uint64_t bucket)
{
    m_nextLater[link] = m_later[bucket];
    m_later[bucket] = link;
}

bool FairFill::nextCandidate(size_t& fresh, Candidate& next)
{
    if (!m_again.empty() && (fresh == m_fresh.size() || m_again.front() < m_fresh[fresh])) {
        next = m_again.front();
        std::pop_heap(m_again.begin(), m_again.end(), std::greater<>());
        m_again.pop_back();
        return true;
    }
    if (fresh == m_fresh.size()) return false;
    next = m_fresh[fresh++];
    return true;
}

/// Takes the flows that have been fixed since `before` off the link, and gives its share.
template <bool kWeighted>
inline double FairFill::evaluate(uint32_t link, LinkState before, const uint32_t* list, const double* rate)
{
    ++m_counters.evaluations;
    m_counters.rateReads += before.open;
    uint32_t* const listed = m_listed.data() + before.begin;
    uint32_t open = 0;
    if (before.open <= kExactCount) {
        double gone[2] = {0, 0};
        open = strike(list + before.begin, before.open, listed, rate, gone);
        before.rest -= gone[0] + gone[1];
    } else {
        ExactSum rest(before.rest);
        for (const uint32_t *f = list + before.begin, *end = f + before.open; f != end; ++f) {
            const uint32_t flow = *f;
            rest.add(-rate[flow]);
            listed[open] = flow;
            open += rate[flow] == 0;
        }
        before.rest = rest.value();
    }
    before.open = open;
    m_state[link] = before;
    double weight = open;
    if (kWeighted) {
        ExactSum sum;
        for (uint32_t i = 0; i < open; ++i) sum.add(m_problem.weight[listed[i]]);
        weight = sum.value();
    }
    return std::max(before.rest / weight, m_level);
}

/// Its listed flows are the open ones.
template <bool kWeighted>
void FairFill::fix(uint32_t link, double level, double* rate)
{
    m_level = level;
    LinkState& state = m_state[link];
    const uint32_t* const f = m_listed.data() + state.begin;
    for (uint32_t i = 0; i < state.open; ++i) rate[f[i]] = kWeighted ? level * m_problem.weight[f[i]] : level;
    if (m_bottleneck)
        for (uint32_t i = 0; i < state.open; ++i) m_bottleneck[f[i]] = m_kept[link].link;
    ++m_counters.bottlenecks;
    m_left -= state.open;
    state.open = 0;
}

} // namespace fairshare
} // namespace hw::sim
