// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scratch.h"

namespace hw::sim {
inline namespace fairshare {

/// The arrays of a FlowProblem without its sizes. `weight` is empty (all 1) or one number > 0 a flow.
struct ProblemView {
    std::span<const double> capacity; ///< per link, >= 0, finite
    std::span<const uint32_t> offset; ///< flows + 1 entries
    std::span<const uint32_t> link;
    std::span<const double> weight;

    size_t flowCount() const { return offset.size() - 1; }
};

/// What the last prepare() and solve() did, for benchmarks.
struct FillCounters {
    size_t decidedFlows = 0;            ///< by bounds alone
    size_t keptLinks = 0, keptHops = 0; ///< that may hold a flow back
    size_t evaluations = 0;             ///< of links
    size_t rateReads = 0;               ///< of flows, while links were evaluated
    size_t bottlenecks = 0;             ///< links whose flows were fixed
};

/// Exact max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, 6.5.2): no flow can get
/// a higher rate / weight without taking from one that has no more. Exact up to rounding of doubles.
///
/// The level of a flow is its rate / weight; the share of a link is (what is left of its capacity) / (weight of its open
/// flows). Fixing flows in ascending order of level never lowers a share, so a link need not be looked at before the level
/// reaches the share it had when it was looked at last. prepare() bounds every rate from both sides, leaves out links that
/// these bounds cannot fill, and lists the flows of the others, link by link in the order of their first shares. solve()
/// looks at a link only when its turn comes: it takes the rates of its fixed flows off the capacity and forgets them.
/// See README.md for what that costs. Memory is kept between calls. One thread at a time; no result depends on anything but
/// the input.
class FairFill {
public:
    /// Indexes a problem; the arrays of the view must stay as they are until the last solve().
    void prepare(const ProblemView& problem);
    /// Writes one rate a flow, and the link that holds each flow back if asked for. May be repeated; needs prepare().
    void solve(std::span<double> rate, std::span<uint32_t> bottleneck = {});

    const FillCounters& counters() const { return m_counters; }

private:
    /// Of a link, in parts of the largest capacity: first its share and the sum of the rates assured, then what these leave
    /// free and the sum of the highest rates. Single precision, rounded to the safe side: bounds need no more, and half the
    /// memory is half the cache misses.
    struct Bound {
        float first, sum;
    };
    struct Candidate {
        double share;
        uint32_t link;
        bool operator<(const Candidate& o) const { return share != o.share ? share < o.share : link < o.link; }
        bool operator>(const Candidate& o) const { return o < *this; }
    };
    /// A kept link while flows are fixed.
    struct LinkState {
        double rest;    ///< capacity less the rates of the flows that are no longer listed
        uint32_t begin; ///< of its list
        uint32_t open;  ///< flows listed
    };

    // prepare()
    void countFlows();
    template <bool kWeighted>
    void boundBelow();
    void findRoom();
    template <bool kWeighted>
    void boundAbove();
    struct Held {
        double level;
        uint32_t link;
    };
    Held heldByOwn(uint32_t flow) const;
    void decide(uint32_t flow, Held held);
    std::span<const double> restOf() const { return m_decided.empty() ? m_problem.capacity : m_rest.span(); }
    void collectKept();
    void chooseBuckets(double lowest, double highest);
    void sortKept();
    void listFlows();
    double weightOn(size_t link) const { return m_problem.weight.empty() ? m_count[link] : m_weightOn[link]; }

    // solve()
    template <bool kWeighted>
    void fillBuckets(double* rate);
    void fetch(uint32_t firstBucket, uint32_t endBucket, const double* rate);
    template <bool kWeighted>
    void fillBucket(uint32_t bucket, double* rate);
    template <bool kWeighted>
    double evaluate(uint32_t link, LinkState before, const uint32_t* list, const double* rate);
    void putOff(uint32_t link, uint64_t bucket);
    template <bool kWeighted>
    void fix(uint32_t link, double level, double* rate);
    bool nextCandidate(size_t& fresh, Candidate& next);
    uint64_t bucketOf(double share) const;

    ProblemView m_problem;
    FillCounters m_counters;

    Scratch<uint32_t> m_count;  ///< per link: flows, then open flows, then where its next flow goes in m_flow
    Scratch<double> m_weightOn; ///< per link, only with weights
    Scratch<Bound> m_bound;     ///< per link
    Scratch<float> m_least;     ///< per flow: the rate that it is assured of in parts of the largest capacity, or kDecided
    double m_scale = 1;         ///< one over the largest capacity
    struct Decided {
        uint32_t flow, link;
        double rate;
    };
    std::vector<Decided> m_decided;
    Scratch<double> m_rest; ///< per link: capacity less decided rates; sized only if there are any

    std::vector<Candidate> m_kept; ///< links by number in the problem; then in the order of their buckets
    std::vector<Candidate> m_sorted;
    int m_shift = 0; ///< bits of a share below the bucket number
    uint64_t m_firstBucket = 0;
    uint32_t m_buckets = 0;
    Scratch<uint32_t> m_bucketBegin; ///< kept links that start in a bucket: [begin[b], begin[b + 1])
    Scratch<LinkState> m_start;      ///< per kept link
    Scratch<uint32_t> m_flow;        ///< of kept links, link by link

    // State of a run.
    Scratch<LinkState> m_state;
    Scratch<uint32_t> m_listed;    ///< as m_flow, without the fixed flows
    Scratch<uint32_t> m_later;     ///< per bucket: first link that moved into it
    Scratch<uint32_t> m_nextLater; ///< per kept link
    std::vector<uint32_t> m_soon;  ///< links that are being fetched
    std::vector<Candidate> m_fresh, m_again;
    double m_level = 0;
    size_t m_left = 0;
    uint32_t* m_bottleneck = nullptr; ///< per flow, if asked for
};

} // namespace fairshare
} // namespace hw::sim
