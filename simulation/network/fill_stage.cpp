// SPDX-License-Identifier: GPL-3.0-or-later
// Running a FillStage.
#include "fill_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "exact_sum.h"

namespace hw::sim {

namespace {

constexpr uint32_t kEnd = ~0u;
constexpr uint32_t kHopsAtOnce = 1024;
constexpr uint32_t kAhead = 24; ///< hot links whose lists are fetched before their turn

inline void prefetch(const void* address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    static_cast<void>(address);
#endif
}

} // namespace

uint64_t FillStage::bucketOf(double share) const
{
    return (std::bit_cast<uint64_t>(share) >> m_shift) - m_firstBucket;
}

size_t FillStage::run(std::span<double> rate)
{
    const size_t flows = m_problem.flowCount(), hotLinks = m_linkOf.size();
    m_state.resize(hotLinks);
    std::copy_n(m_start.data(), hotLinks, m_state.data());
    m_refreshBelow.resize(hotLinks);
    std::copy_n(m_refreshStart.data(), hotLinks, m_refreshBelow.data());
    m_open.assign(flows, 1);
    m_later.assign(m_buckets, kEnd);
    m_nextLater.resize(hotLinks);
    m_fixed.resize(m_longest);
    m_hops.resize(kHopsAtOnce + std::max(m_mostHops, kCopiedHops));
    m_level = m_lowest;
    m_left = flows;
    if (m_problem.weight.empty())
        runBuckets<false>(rate.data());
    else
        runBuckets<true>(rate.data());
    if (m_left > 0)
        for (size_t f = 0; f < flows; ++f)
            if (m_open[f]) rate[f] = 0;
    return m_left;
}

template <bool kWeighted>
void FillStage::runBuckets(double* rate)
{
    for (uint32_t b = 0; b < m_buckets && m_left > 0; ++b)
        if (m_bucketBegin[b] != m_bucketBegin[b + 1] || m_later[b] != kEnd) runBucket<kWeighted>(b, rate);
}

/// Fixes the links that saturate inside one bucket, lowest share first. A link whose share has grown is put off:
/// within the bucket to m_again, beyond it to the list of a later one, beyond the ceiling for good.
template <bool kWeighted>
void FillStage::runBucket(uint32_t bucket, double* rate)
{
    m_fresh.clear();
    double share = 0;
    for (uint32_t hot = m_bucketBegin[bucket]; hot < m_bucketBegin[bucket + 1]; ++hot) {
        const uint32_t* const soon = &m_hotFlow[m_hotBegin[std::min<size_t>(hot + kAhead, m_linkOf.size() - 1)]];
        prefetch(soon);
        prefetch(soon + 16);
        if (evaluate<kWeighted>(hot, bucket, rate, share)) m_fresh.push_back({share, hot});
    }
    for (uint32_t hot = m_later[bucket], next = 0; hot != kEnd; hot = next) {
        next = m_nextLater[hot];
        if (evaluate<kWeighted>(hot, bucket, rate, share)) m_fresh.push_back({share, hot});
    }
    if (m_fresh.size() > 1 && !std::is_sorted(m_fresh.begin(), m_fresh.end())) std::sort(m_fresh.begin(), m_fresh.end());

    Candidate next{};
    for (size_t fresh = 0; nextCandidate(fresh, next);) {
        if (!evaluate<kWeighted>(next.hot, bucket, rate, share)) continue;
        if (share > next.share) {
            m_again.push_back({share, next.hot});
            std::push_heap(m_again.begin(), m_again.end(), std::greater<>());
            continue;
        }
        fix<kWeighted>(next.hot, share, rate);
    }
}

bool FillStage::nextCandidate(size_t& fresh, Candidate& next)
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

/// Gives the present share of a link if it has open flows and belongs to `bucket`; files it further on otherwise.
template <bool kWeighted>
bool FillStage::evaluate(uint32_t hot, uint32_t bucket, const double* rate, double& share)
{
    const LinkState& state = m_state[hot];
    if (state.weight < m_refreshBelow[hot]) refresh<kWeighted>(hot, rate);
    if (!(state.weight > 0)) return false;
    share = std::max(state.rest / state.weight, m_level);
    if (share >= m_ceiling) // cold links count from here on: left to the next stage
        return false;
    const uint64_t now = bucketOf(share);
    if (now <= bucket) return true;
    if (now < m_buckets) {
        m_nextLater[hot] = m_later[now];
        m_later[now] = hot;
    }
    return false;
}

/// Computes rest and open weight of a link from its flows, without the rounding of many subtractions.
template <bool kWeighted>
void FillStage::refresh(uint32_t hot, const double* rate)
{
    ExactSum rest(m_start[hot].rest), weight(0);
    for (uint32_t i = m_hotBegin[hot]; i < m_hotBegin[hot + 1]; ++i) {
        const uint32_t f = m_hotFlow[i];
        if (m_open[f])
            weight.add(kWeighted ? m_problem.weight[f] : 1.0);
        else
            rest.add(-rate[f]);
    }
    m_state[hot] = {std::max(rest.value(), 0.0), weight.value()};
    m_refreshBelow[hot] = weight.value() / 16;
}

template <bool kWeighted>
void FillStage::fix(uint32_t hot, double level, double* rate)
{
    m_level = level;
    uint32_t* const fixed = m_fixed.data();
    uint8_t* const open = m_open.data();
    uint32_t count = 0;
    for (const uint32_t *f = &m_hotFlow[m_hotBegin[hot]], *end = &m_hotFlow[m_hotBegin[hot + 1]]; f != end; ++f) {
        prefetch(&m_flowBegin[*f]);
        fixed[count] = *f;
        count += open[*f];
        open[*f] = 0;
    }
    if (kWeighted)
        subtractWeighted({fixed, count}, level, rate);
    else
        subtract({fixed, count}, level, rate);
    m_state[hot].weight = 0;
    m_left -= count;
}

/// Takes the flows off their hot links. Lists of different length make an inner loop that the processor cannot
/// predict, so they are first strung together by copies of fixed length.
void FillStage::subtract(std::span<const uint32_t> flows, double level, double* rate)
{
    const uint32_t *const begin = m_flowBegin.data(), *const flowHot = m_flowHot.data();
    uint32_t* const hops = m_hops.data();
    LinkState* const state = m_state.data();
    for (size_t i = 0; i < flows.size();) {
        uint32_t count = 0;
        for (; i < flows.size() && count < kHopsAtOnce; ++i) {
            const uint32_t f = flows[i], first = begin[f], length = begin[f + 1] - first;
            rate[f] = level;
            std::memcpy(hops + count, flowHot + first, kCopiedHops * sizeof(uint32_t));
            if (length > kCopiedHops) [[unlikely]]
                std::memcpy(hops + count, flowHot + first, length * sizeof(uint32_t));
            count += length;
        }
        for (uint32_t h = 0; h < count; ++h) {
            LinkState& s = state[hops[h]];
            s.rest -= level;
            s.weight -= 1.0;
        }
    }
}

void FillStage::subtractWeighted(std::span<const uint32_t> flows, double level, double* rate)
{
    for (const uint32_t f : flows) {
        const double weight = m_problem.weight[f];
        rate[f] = level * weight;
        for (uint32_t h = m_flowBegin[f]; h < m_flowBegin[f + 1]; ++h) {
            LinkState& s = m_state[m_flowHot[h]];
            s.rest -= rate[f];
            s.weight -= weight;
        }
    }
}

} // namespace hw::sim
