// SPDX-License-Identifier: GPL-3.0-or-later
#include "completion.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hw::sim {
inline namespace fairshare {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSameMoment = 1e-12; ///< relative
constexpr uint32_t kBlock = 64;       ///< flows of which the earliest finish is kept

} // namespace

FlowTimeline::FlowTimeline(const FlowProblem& problem)
    : m_problem(problem), m_rates(problem.capacity), m_start(problem.flowCount()), m_left(problem.size), m_since(problem.flowCount()),
      m_speed(problem.flowCount()), m_finishAt(problem.flowCount(), kNever), m_blockFirst((problem.flowCount() + kBlock - 1) / kBlock, kNever),
      m_blockStale(m_blockFirst.size())
{
    for (uint32_t f = 0; f < problem.flowCount(); ++f) m_rates.addFlow(problem.weightOf(f));
}

void FlowTimeline::startAt(uint32_t flow, double time) { m_start[flow] = time; }

void FlowTimeline::setCapacityAt(double time, uint32_t link, double capacity) { m_changes.push_back({time, link, capacity}); }

void FlowTimeline::setFinish(uint32_t flow, double time)
{
    m_finishAt[flow] = time;
    m_blockStale[flow / kBlock] = 1;
}

double FlowTimeline::earliestFinish() const
{
    double first = kNever;
    for (size_t b = 0; b < m_blockFirst.size(); ++b) {
        if (m_blockStale[b]) {
            const auto begin = m_finishAt.begin() + static_cast<ptrdiff_t>(b * kBlock);
            const auto end = m_finishAt.begin() + static_cast<ptrdiff_t>(std::min((b + 1) * kBlock, m_finishAt.size()));
            m_blockFirst[b] = std::accumulate(begin, end, kNever, [](double a, double t) { return std::min(a, t); });
            m_blockStale[b] = 0;
        }
        first = std::min(first, m_blockFirst[b]);
    }
    return first;
}

double FlowTimeline::nextTime() const
{
    double next = earliestFinish();
    if (m_nextArrival < m_arrivals.size()) next = std::min(next, m_start[m_arrivals[m_nextArrival]]);
    if (m_nextChange < m_changes.size()) next = std::min(next, m_changes[m_nextChange].time);
    return next;
}

void FlowTimeline::applyChanges(double now)
{
    const double until = now * (1 + kSameMoment);
    for (; m_nextArrival < m_arrivals.size() && m_start[m_arrivals[m_nextArrival]] <= until; ++m_nextArrival) {
        const uint32_t flow = m_arrivals[m_nextArrival];
        m_since[flow] = now;
        if (m_left[flow] > 0)
            m_rates.setWay(flow, m_problem.linksOf(flow));
        else
            setFinish(flow, now);
    }
    for (; m_nextChange < m_changes.size() && m_changes[m_nextChange].time <= until; ++m_nextChange)
        m_rates.setCapacity(m_changes[m_nextChange].link, m_changes[m_nextChange].capacity);
}

void FlowTimeline::finishFlows(double now, CompletionResult& result)
{
    const double until = now * (1 + kSameMoment);
    for (size_t b = 0; b < m_blockFirst.size(); ++b) {
        if (!m_blockStale[b] && m_blockFirst[b] > until) continue;
        for (size_t f = b * kBlock; f < std::min((b + 1) * kBlock, m_finishAt.size()); ++f) {
            if (m_finishAt[f] > until) continue;
            const auto flow = static_cast<uint32_t>(f);
            result.finish[flow] = now;
            m_left[flow] = 0;
            m_rates.setWay(flow, {});
            setFinish(flow, kNever);
            ++m_done;
        }
    }
}

/// Moves the flows whose rate may have changed to `now` and gives them new finish times.
void FlowTimeline::follow(double now, std::span<const uint32_t> changed)
{
    for (const uint32_t f : changed) {
        const double rate = m_rates.rate(f);
        if (rate == m_speed[f]) continue;
        m_left[f] = std::max(m_left[f] - m_speed[f] * (now - m_since[f]), 0.0);
        m_since[f] = now;
        m_speed[f] = rate;
        setFinish(f, rate > 0 ? now + m_left[f] / rate : kNever);
    }
}

CompletionResult FlowTimeline::run(std::stop_token stop, const Progress& progress)
{
    CompletionResult result;
    result.finish.assign(m_problem.flowCount(), kNever);
    m_arrivals.resize(m_problem.flowCount());
    std::iota(m_arrivals.begin(), m_arrivals.end(), 0u);
    std::stable_sort(m_arrivals.begin(), m_arrivals.end(), [this](uint32_t a, uint32_t b) { return m_start[a] < m_start[b]; });
    std::stable_sort(m_changes.begin(), m_changes.end(), [](const auto& a, const auto& b) { return a.time < b.time; });

    double told = 0;
    for (double now = nextTime(); now < kNever && m_done < m_problem.flowCount(); now = nextTime()) {
        if (stop.stop_requested()) {
            result.stopped = true;
            break;
        }
        applyChanges(now);
        finishFlows(now, result);
        const std::span<const uint32_t> changed = m_rates.update();
        follow(now, changed);
        ++result.events;
        result.flowsSolved += m_rates.solvedCount();
        const double fraction = static_cast<double>(m_done) / static_cast<double>(m_problem.flowCount());
        if (progress && (fraction >= told + 0.01 || fraction == 1)) {
            told = fraction;
            progress(fraction);
        }
    }
    return result;
}

CompletionResult runToCompletion(const FlowProblem& problem, std::stop_token stop, const FlowTimeline::Progress& progress)
{
    return FlowTimeline(problem).run(std::move(stop), progress);
}

} // namespace fairshare
} // namespace hw::sim
