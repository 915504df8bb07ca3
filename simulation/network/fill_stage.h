// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scratch.h"

namespace hw::sim {

/// The arrays of a FlowProblem without its sizes. `weight` is empty (all 1) or one number > 0 a flow.
struct ProblemView {
    std::span<const double> capacity; ///< per link, >= 0
    std::span<const uint32_t> offset; ///< flows + 1 entries
    std::span<const uint32_t> link;
    std::span<const double> weight;

    size_t flowCount() const { return offset.size() - 1; }
};

/// Progressive filling up to a level.
///
/// The level of a flow is its rate / weight; the share of a link is (what is left of its capacity) / (weight of
/// its open flows). Fixing flows in ascending order of level never lowers a share, so a link whose share at the
/// start is above some ceiling cannot bottleneck anyone below it. The index therefore holds only the links that
/// start below a ceiling, chosen so that they carry a few hops per flow ("hot" links, numbered by ascending share);
/// run() fixes the flows that they bottleneck below the ceiling. What stays open then is a smaller problem of the
/// same kind. Not thread-safe; results do not depend on anything but the input.
class FillStage {
public:
    /// Indexes `problem`, which must outlive the stage's use. With `complete` all links are hot and run() leaves
    /// no flow open.
    void build(const ProblemView& problem, bool complete);

    /// Writes the rates of the flows fixed below the ceiling and 0 for the open ones; returns how many stay open.
    size_t run(std::span<double> rate);

    bool isOpen(uint32_t flow) const { return m_open[flow] != 0; }
    uint32_t longestLink() const { return m_longest; }

private:
    /// Hot links of a flow that run() copies at once; the list is padded by as many.
    static constexpr uint32_t kCopiedHops = 8;

    struct LinkState {
        double rest;   ///< capacity less the rates of the fixed flows
        double weight; ///< of the open flows
    };
    struct Candidate {
        double share;
        uint32_t hot;
        bool operator<(const Candidate& o) const { return share != o.share ? share < o.share : hot < o.hot; }
        bool operator>(const Candidate& o) const { return o < *this; }
    };

    void countFlows();
    double weightOn(size_t link) const { return m_problem.weight.empty() ? m_count[link] : m_weightOn[link]; }
    void chooseCeiling(bool complete);
    void collectHot();
    void sortHot();
    void linkFlows();

    template <bool kWeighted>
    void runBuckets(double* rate);
    template <bool kWeighted>
    void runBucket(uint32_t bucket, double* rate);
    template <bool kWeighted>
    void fix(uint32_t hot, double level, double* rate);
    void subtract(std::span<const uint32_t> flows, double level, double* rate);
    void subtractWeighted(std::span<const uint32_t> flows, double level, double* rate);
    template <bool kWeighted>
    void refresh(uint32_t hot, const double* rate);
    template <bool kWeighted>
    bool evaluate(uint32_t hot, uint32_t bucket, const double* rate, double& share);
    uint64_t bucketOf(double share) const;
    bool nextCandidate(size_t& fresh, Candidate& next);

    ProblemView m_problem;
    uint32_t m_longest = 0;         ///< most flows on one link
    uint32_t m_mostHops = 0;        ///< most links of one flow
    Scratch<uint32_t> m_count;      ///< per link
    std::vector<double> m_weightOn; ///< per link, only with weights
    std::vector<uint32_t> m_histogram;

    double m_lowest = 0, m_ceiling = 0; ///< of the shares of the hot links
    int m_shift = 0;                    ///< bits of a share below the bucket number
    uint64_t m_firstBucket = 0;
    uint32_t m_buckets = 0;
    std::vector<Candidate> m_collected, m_sorted;
    Scratch<uint32_t> m_bucketBegin; ///< hot links that start in a bucket: [begin[b], begin[b + 1])

    Scratch<uint32_t> m_hotOf;    ///< per link its number among the hot links, or kCold
    Scratch<uint32_t> m_cursor;   ///< per hot link where its next flow goes while the index is built
    Scratch<uint32_t> m_linkOf;   ///< per hot link its number in the problem
    Scratch<uint32_t> m_hotBegin; ///< per hot link, into m_hotFlow
    Scratch<uint32_t> m_hotFlow;
    Scratch<uint32_t> m_flowBegin;  ///< per flow, into m_flowHot
    Scratch<uint32_t> m_flowHot;    ///< the hot links of a flow
    Scratch<uint32_t> m_owner;      ///< the flow of an entry of m_flowHot, while the index is built
    Scratch<LinkState> m_start;     ///< per hot link, before any flow is fixed
    Scratch<double> m_refreshStart; ///< per hot link, m_refreshBelow before any flow is fixed

    // State of a run.
    Scratch<double> m_refreshBelow; ///< per hot link: open weight below which its state is computed afresh
    Scratch<LinkState> m_state;
    Scratch<uint8_t> m_open;
    Scratch<uint32_t> m_later;     ///< per bucket: first hot link that moved into it
    Scratch<uint32_t> m_nextLater; ///< per hot link
    Scratch<uint32_t> m_fixed;     ///< flows of the link being fixed
    Scratch<uint32_t> m_hops;      ///< their hot links
    std::vector<Candidate> m_fresh, m_again;
    double m_level = 0;
    size_t m_left = 0;
};

} // namespace hw::sim
