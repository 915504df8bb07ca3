// SPDX-License-Identifier: GPL-3.0-or-later
#include "completion.h"

#include "live_rates.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace hw::sim {
inline namespace fairshare {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSameMoment = 1e-12; ///< relative
constexpr uint32_t kBlock = 64;       ///< flows of which the earliest finish is kept

/// Flows over time under fluid max-min sharing: an event engine over LiveRates.
///
/// Events are completions, which follow from the rates. Between two events every flow moves rate * time. Events at one moment
/// (1e-12 relative) are taken together and the rates solved once.
class Completion {
public:
    explicit Completion(const FlowProblem& problem)
        : m_problem(problem), m_rates(problem.capacity), m_left(problem.size), m_since(problem.flowCount()), m_speed(problem.flowCount()),
          m_finishAt(problem.flowCount(), kNever), m_blockFirst((problem.flowCount() + kBlock - 1) / kBlock, kNever),
          m_blockStale(m_blockFirst.size())
    {
        for (uint32_t f = 0; f < problem.flowCount(); ++f) m_rates.addFlow(problem.weightOf(f));
    }

    CompletionResult run(const std::stop_token& stop, const CompletionProgress& progress);

private:
    void startAll();
    void finishFlows(double now, CompletionResult& result);
    void follow(double now, std::span<const uint32_t> changed);
    double earliestFinish();
    void setFinish(uint32_t flow, double time);

    const FlowProblem& m_problem;
    LiveRates m_rates;
    size_t m_done = 0;
    std::vector<double> m_left;       ///< per flow, size left at m_since
    std::vector<double> m_since;      ///< per flow
    std::vector<double> m_speed;      ///< per flow, rate from m_since on
    std::vector<double> m_finishAt;   ///< per flow at the present rates, infinity if not running
    std::vector<double> m_blockFirst; ///< earliest finish of each block of flows
    std::vector<uint8_t> m_blockStale;
};

void Completion::setFinish(uint32_t flow, double time)
{
    m_finishAt[flow] = time;
    m_blockStale[flow / kBlock] = 1;
}

double Completion::earliestFinish()
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

void Completion::startAll()
{
    for (uint32_t flow = 0; flow < m_problem.flowCount(); ++flow)
        if (m_left[flow] > 0)
            m_rates.setWay(flow, m_problem.linksOf(flow));
        else
            setFinish(flow, 0);
}

void Completion::finishFlows(double now, CompletionResult& result)
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
void Completion::follow(double now, std::span<const uint32_t> changed)
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

CompletionResult Completion::run(const std::stop_token& stop, const CompletionProgress& progress)
{
    CompletionResult result;
    result.finish.assign(m_problem.flowCount(), kNever);
    startAll();
    double told = 0;
    for (double now = 0; now < kNever && m_done < m_problem.flowCount(); now = earliestFinish()) {
        if (stop.stop_requested()) {
            result.stopped = true;
            break;
        }
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

} // namespace

CompletionResult runToCompletion(const FlowProblem& problem, const std::stop_token& stop, const CompletionProgress& progress)
{
    return Completion(problem).run(stop, progress);
}

} // namespace fairshare
} // namespace hw::sim
