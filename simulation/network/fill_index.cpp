// SPDX-License-Identifier: GPL-3.0-or-later
// Building the index of a FillStage.
#include <algorithm>
#include <bit>
#include <limits>

#include "fill_stage.h"

namespace hw::sim {

namespace {

constexpr uint32_t kCold = ~0u;
constexpr int kMantissaBits = 52;
constexpr int kCoarseBits = 2;         ///< coarse histogram: four classes an octave
constexpr size_t kFewLinks = 96;       ///< below this a single sorted list beats buckets
constexpr size_t kHotHopsPerFlow = 3;  ///< measured: fewer leaves many flows open, more makes every fix dearer
constexpr uint32_t kExactCount = 2048; ///< sums over more flows than this are computed afresh now and then
constexpr double kRefreshShare = 1.0 / 16;

uint64_t coarse(double share)
{
    return std::bit_cast<uint64_t>(share) >> (kMantissaBits - kCoarseBits);
}

} // namespace

void FillStage::build(const ProblemView& problem, bool complete)
{
    m_problem = problem;
    countFlows();
    chooseCeiling(complete);
    collectHot();
    sortHot();
    linkFlows();
}

void FillStage::countFlows()
{
    const size_t links = m_problem.capacity.size();
    m_count.assign(links, 0);
    uint32_t* count = m_count.data();
    for (const uint32_t l : m_problem.link) ++count[l];
    m_longest = 0;
    for (size_t l = 0; l < links; ++l) m_longest = std::max(m_longest, count[l]);
    if (m_problem.weight.empty()) return;
    m_weightOn.assign(links, 0.0);
    for (size_t f = 0; f < m_problem.flowCount(); ++f)
        for (uint32_t h = m_problem.offset[f]; h < m_problem.offset[f + 1]; ++h) m_weightOn[m_problem.link[h]] += m_problem.weight[f];
}

/// Sets m_ceiling to the end of the coarse class at which the links below carry kHotHopsPerFlow hops a flow.
void FillStage::chooseCeiling(bool complete)
{
    m_ceiling = std::numeric_limits<double>::infinity();
    const size_t links = m_problem.capacity.size();
    if (complete || links < kFewLinks) return;
    const size_t wanted = kHotHopsPerFlow * m_problem.flowCount();
    if (m_problem.link.size() <= wanted) return;
    m_histogram.assign(size_t{1} << (11 + kCoarseBits), 0);
    for (size_t l = 0; l < links; ++l)
        if (m_count[l] > 0) m_histogram[coarse(m_problem.capacity[l] / weightOn(l))] += m_count[l];
    size_t hops = 0;
    uint64_t end = 0;
    while (hops < wanted) hops += m_histogram[end++];
    m_ceiling = std::bit_cast<double>(end << (kMantissaBits - kCoarseBits));
}

void FillStage::collectHot()
{
    const size_t links = m_problem.capacity.size();
    m_collected.clear();
    m_lowest = std::numeric_limits<double>::infinity();
    double highest = 0;
    for (size_t l = 0; l < links; ++l) {
        const double share = m_problem.capacity[l] / weightOn(l);
        if (m_count[l] > 0 && share < m_ceiling) {
            m_lowest = std::min(m_lowest, share);
            highest = std::max(highest, share);
            m_collected.push_back({share, static_cast<uint32_t>(l)});
        }
    }
    const size_t found = m_collected.size();

    m_shift = 63; // one bucket
    m_firstBucket = 0;
    m_buckets = 1;
    if (found < kFewLinks) return;
    m_shift = kMantissaBits - kCoarseBits;
    const uint64_t low = std::bit_cast<uint64_t>(m_lowest), high = std::bit_cast<uint64_t>(highest);
    while (m_shift > 32 && (high >> m_shift) - (low >> m_shift) < found / 2) --m_shift;
    m_firstBucket = low >> m_shift;
    m_buckets = static_cast<uint32_t>((high >> m_shift) - m_firstBucket + 1);
}

/// Numbers the hot links by bucket of their first share, so that a run walks its arrays almost in order.
void FillStage::sortHot()
{
    m_bucketBegin.assign(m_buckets + 2, 0);
    for (const Candidate& c : m_collected) ++m_bucketBegin[bucketOf(c.share) + 2];
    for (uint32_t b = 2; b < m_buckets + 2; ++b) m_bucketBegin[b] += m_bucketBegin[b - 1];
    const size_t hotLinks = m_collected.size();
    m_sorted.resize(hotLinks);
    for (const Candidate& c : m_collected) m_sorted[m_bucketBegin[bucketOf(c.share) + 1]++] = c;

    m_linkOf.resize(hotLinks);
    m_hotBegin.resize(hotLinks + 1);
    m_start.resize(hotLinks);
    m_refreshStart.resize(hotLinks);
    m_cursor.resize(hotLinks);
    m_hotOf.assign(m_problem.capacity.size(), kCold);
    uint32_t hops = 0;
    for (uint32_t i = 0; i < hotLinks; ++i) {
        const uint32_t l = m_sorted[i].hot;
        m_linkOf[i] = l;
        m_hotOf[l] = i;
        m_hotBegin[i] = m_cursor[i] = hops;
        m_start[i] = {m_problem.capacity[l], weightOn(l)};
        const bool refresh = m_count[l] > kExactCount || !m_problem.weight.empty();
        m_refreshStart[i] = refresh ? m_start[i].weight * kRefreshShare : 0.0;
        hops += m_count[l];
    }
    m_hotBegin[hotLinks] = hops;
}

/// Fills both directions between flows and hot links. Which hops are hot is hard to predict, so the first pass has no
/// branch on it; the second is flat for the same reason.
void FillStage::linkFlows()
{
    const auto flows = static_cast<uint32_t>(m_problem.flowCount());
    const uint32_t hops = m_hotBegin[m_linkOf.size()];
    m_hotFlow.resize(hops);
    m_flowHot.resize(hops + kCopiedHops);
    m_owner.resize(hops + 1);
    m_flowBegin.resize(flows + 1);
    const uint32_t *const offset = m_problem.offset.data(), *const link = m_problem.link.data(), *const hotOf = m_hotOf.data();
    uint32_t *const flowHot = m_flowHot.data(), *const begin = m_flowBegin.data(), *const owner = m_owner.data();
    uint32_t at = 0;
    m_mostHops = 0;
    for (uint32_t f = 0, h = 0; f < flows; ++f) {
        begin[f] = at;
        const uint32_t end = offset[f + 1];
        m_mostHops = std::max(m_mostHops, end - h);
        for (; h < end; ++h) {
            const uint32_t hot = hotOf[link[h]];
            flowHot[at] = hot;
            owner[at] = f;
            at += hot != kCold;
        }
    }
    begin[flows] = at;
    std::fill_n(flowHot + at, kCopiedHops, 0);

    uint32_t *const hotFlow = m_hotFlow.data(), *const cursor = m_cursor.data();
    for (uint32_t i = 0; i < at; ++i) hotFlow[cursor[flowHot[i]]++] = owner[i];
}

} // namespace hw::sim
