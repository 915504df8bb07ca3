// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace hw::sim {
inline namespace formulas {

enum class SharePolicy : std::uint8_t {
    Fair,        ///< max-min fair rates
    ByIntensity, ///< strict priority, highest GPU intensity first
    ByReverseIntensity,
    Fifo,  ///< who began to communicate first goes first, to its end
    Listed ///< strict priority by the jobs' own numbers
};         // Equals share fairly what is left for them.
[[nodiscard]] const char* name(SharePolicy policy);

/// A job that computes and communicates in turns.
struct Turn {
    double computeS = 1, communicateS = 1; ///< of an iteration, alone
    double overlap = 0;                    ///< share of the compute time, its last part, during which it may communicate already
    double intensity = 0;                  ///< GPU work of an iteration over its communication time
    int priority = 0;                      ///< the higher goes first under SharePolicy::Listed
    std::uint32_t iterations = 0;          ///< after which it leaves; 0: it runs for ever
    std::size_t mostEnds = 0;              ///< ends of iterations that are kept
    /// What rounding leaves of a phase when it has ended, s.
    struct Dust {
        double beforeOverlapS = 1e-9, idleS = 1e-9, computeS = 1e-9, communicateS = 1e-9;
    } dust = {};
};

/// Where a job is in its iteration, and what was measured of it.
struct TurnPlace {
    double idleS = 0; ///< before its first iteration
    double computeLeftS = 0, communicateLeftS = 0;
    double sinceS = std::numeric_limits<double>::infinity(); ///< when it could begin to communicate; infinite: not yet
    double busyS = 0;                                        ///< measured: computing
    std::uint32_t done = 0;                                  ///< iterations
    bool gone = false;
    std::vector<double> endsS = {};
};

/// What the jobs share.
class SharedPaths {
public:
    virtual ~SharedPaths() = default;
    /// Speeds of the `active` jobs, 1: as fast as alone. They stand in order of `rank` (ascending, one each); equals share fairly what those
    /// before them leave, see sameRank().
    virtual void speeds(std::span<const std::size_t> active, std::span<const double> rank, std::span<const TurnPlace> places,
                        std::vector<double>& speed) = 0;
    /// Until the job's communication asks for something else, s alone.
    [[nodiscard]] virtual double untilNextPartS(std::size_t, const TurnPlace& place) const { return place.communicateLeftS; }
};
[[nodiscard]] bool sameRank(double a, double b); ///< to 1e-9

/// Jobs in turns on what they share, event by event: the one loop of `priority` and of jobs on a fabric.
class JobTurns {
public:
    JobTurns(std::vector<Turn> jobs, SharePolicy policy, SharedPaths& ways);
    /// From 0 to warmUpS + measureS, or until all are gone; measured is what comes after the warm-up. False when stopped before the end.
    [[nodiscard]] bool run(std::span<const double> startsS, double warmUpS, double measureS, const std::stop_token& stop);
    [[nodiscard]] const std::vector<TurnPlace>& places() const { return m_places; }

private:
    [[nodiscard]] double hiddenS(std::size_t j) const { return m_jobs[j].overlap * m_jobs[j].computeS; }
    [[nodiscard]] double rank(std::size_t j) const;
    void begin(std::size_t j);
    void settle();
    void allot();
    [[nodiscard]] double nextEvent() const;
    void pass(double step, bool measured);
    void end(std::size_t j);

    std::vector<Turn> m_jobs;
    SharePolicy m_policy;
    SharedPaths& m_ways;
    std::vector<TurnPlace> m_places;
    std::vector<std::size_t> m_active; ///< communicating, in the order of their ranks
    std::vector<double> m_ranks, m_speed;
    double m_clockS = 0;
    std::size_t m_gone = 0;
};

} // namespace formulas
} // namespace hw::sim
