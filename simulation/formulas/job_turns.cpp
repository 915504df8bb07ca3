// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/job_turns.h"

#include <algorithm>
#include <cmath>

namespace hw::sim {
inline namespace formulas {

namespace {

constexpr double kNotYet = std::numeric_limits<double>::infinity();

void lessen(double& left, double by, double dust) { left = left - by > dust ? left - by : 0; }

} // namespace

const char* name(SharePolicy policy)
{
    switch (policy) {
    case SharePolicy::Fair: return "fair";
    case SharePolicy::ByIntensity: return "intensity";
    case SharePolicy::ByReverseIntensity: return "reverse-intensity";
    case SharePolicy::Fifo: return "fifo";
    case SharePolicy::Listed: return "listed";
    }
    return "";
}

bool sameRank(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

JobTurns::JobTurns(std::vector<Turn> jobs, SharePolicy policy, SharedPaths& ways)
    : m_jobs(std::move(jobs)), m_policy(policy), m_ways(ways), m_places(m_jobs.size())
{
}

bool JobTurns::run(std::span<const double> startsS, double warmUpS, double measureS, const std::stop_token& stop)
{
    for (std::size_t j = 0; j < m_places.size(); ++j) begin(j), m_places[j].idleS = startsS[j];
    const double end = warmUpS + measureS;
    for (unsigned events = 0; m_clockS < end && m_gone < m_places.size(); ++events) {
        if (events % 1024 == 0 && stop.stop_requested()) return false;
        settle();
        allot();
        const bool measured = m_clockS >= warmUpS;
        pass(std::min(nextEvent(), (measured ? end : warmUpS) - m_clockS), measured);
    }
    return true;
}

void JobTurns::begin(std::size_t j)
{
    m_places[j].computeLeftS = m_jobs[j].computeS;
    m_places[j].communicateLeftS = m_jobs[j].communicateS;
    m_places[j].sinceS = kNotYet;
}

/// Who may communicate from this moment on.
void JobTurns::settle()
{
    for (std::size_t j = 0; j < m_places.size(); ++j)
        if (TurnPlace& at = m_places[j];
            !at.gone && at.idleS <= 0 && at.sinceS == kNotYet && at.computeLeftS <= hiddenS(j) + m_jobs[j].dust.beforeOverlapS)
            at.sinceS = m_clockS;
}

void JobTurns::allot()
{
    m_active.clear();
    for (std::size_t j = 0; j < m_places.size(); ++j)
        if (!m_places[j].gone && m_places[j].sinceS < kNotYet && m_places[j].communicateLeftS > 0) m_active.push_back(j);
    if (m_policy != SharePolicy::Fair) std::ranges::stable_sort(m_active, {}, [&](std::size_t j) { return rank(j); });
    m_ranks.clear();
    for (const std::size_t j : m_active) m_ranks.push_back(rank(j));
    m_ways.speeds(m_active, m_ranks, m_places, m_speed);
}

/// The lower goes first.
double JobTurns::rank(std::size_t j) const
{
    switch (m_policy) {
    case SharePolicy::ByIntensity: return -m_jobs[j].intensity;
    case SharePolicy::ByReverseIntensity: return m_jobs[j].intensity;
    case SharePolicy::Fifo: return m_places[j].sinceS;
    case SharePolicy::Listed: return -double(m_jobs[j].priority);
    case SharePolicy::Fair: return 0;
    }
    return 0;
}

double JobTurns::nextEvent() const
{
    double step = kNotYet;
    for (std::size_t j = 0; j < m_places.size(); ++j) {
        const TurnPlace& at = m_places[j];
        if (at.gone) continue;
        if (at.idleS > 0)
            step = std::min(step, at.idleS);
        else if (at.computeLeftS > 0)
            step = std::min(step, at.sinceS == kNotYet ? at.computeLeftS - hiddenS(j) : at.computeLeftS);
    }
    for (std::size_t i = 0; i < m_active.size(); ++i)
        if (m_speed[i] > 0) step = std::min(step, m_ways.untilNextPartS(m_active[i], m_places[m_active[i]]) / m_speed[i]);
    return step;
}

void JobTurns::pass(double step, bool measured)
{
    m_clockS += step;
    for (std::size_t i = 0; i < m_active.size(); ++i) {
        TurnPlace& at = m_places[m_active[i]];
        lessen(at.communicateLeftS, std::min(step * m_speed[i], at.communicateLeftS), m_jobs[m_active[i]].dust.communicateS);
    }
    for (std::size_t j = 0; j < m_places.size(); ++j) {
        TurnPlace& at = m_places[j];
        if (at.gone) continue;
        if (at.idleS > 0) {
            lessen(at.idleS, step, m_jobs[j].dust.idleS);
            continue;
        }
        if (measured) at.busyS += std::min(step, at.computeLeftS);
        lessen(at.computeLeftS, step, m_jobs[j].dust.computeS);
        if (at.computeLeftS <= 0 && at.communicateLeftS <= 0) end(j);
    }
}

/// An iteration has ended.
void JobTurns::end(std::size_t j)
{
    TurnPlace& at = m_places[j];
    ++at.done;
    if (at.endsS.size() < m_jobs[j].mostEnds) at.endsS.push_back(m_clockS);
    if (m_jobs[j].iterations > 0 && at.done >= m_jobs[j].iterations)
        at.gone = true, ++m_gone;
    else
        begin(j);
}

} // namespace formulas
} // namespace hw::sim
