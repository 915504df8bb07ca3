// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "live_rates.h"
#include "problem.h"

namespace hw::sim {
inline namespace fairshare {

/// What a run gave. `finish` has one time a flow; infinity for flows that never end (dead links, or the run was stopped).
struct CompletionResult {
    std::vector<double> finish;
    bool stopped = false;   ///< by the stop token
    size_t events = 0;      ///< moments at which rates changed
    size_t flowsSolved = 0; ///< flows solved again, summed over the events
};

/// Flows over time under fluid max-min sharing: an event engine over LiveRates.
///
/// Events are arrivals and capacity changes, given before the run, and completions, which follow from the rates. Between
/// two events every flow moves rate * time. Events at one moment (1e-12 relative) are taken together and the rates solved
/// once. Own it where it runs: one worker thread, no shared state.
class FlowTimeline {
public:
    using Progress = std::function<void(double fraction)>; ///< called at most once a percent, on the running thread

    /// All flows start at 0 unless told otherwise; `problem` must outlive this object.
    explicit FlowTimeline(const FlowProblem& problem);

    void startAt(uint32_t flow, double time);                        ///< time >= 0
    void setCapacityAt(double time, uint32_t link, double capacity); ///< failure (0) or repair

    /// Runs to the end of the last flow. Checks `stop` at every event. Call once.
    CompletionResult run(std::stop_token stop = {}, const Progress& progress = {});

private:
    struct CapacityChange {
        double time;
        uint32_t link;
        double capacity;
    };

    double nextTime() const;
    void applyChanges(double now);
    void finishFlows(double now, CompletionResult& result);
    void follow(double now, std::span<const uint32_t> changed);
    double earliestFinish() const;
    void setFinish(uint32_t flow, double time);

    const FlowProblem& m_problem;
    LiveRates m_rates;
    std::vector<double> m_start;
    std::vector<CapacityChange> m_changes;
    std::vector<uint32_t> m_arrivals; ///< flows by start
    size_t m_nextArrival = 0, m_nextChange = 0, m_done = 0;

    std::vector<double> m_left;               ///< per flow, size left at m_since
    std::vector<double> m_since;              ///< per flow
    std::vector<double> m_speed;              ///< per flow, rate from m_since on
    std::vector<double> m_finishAt;           ///< per flow at the present rates, infinity if not running
    mutable std::vector<double> m_blockFirst; ///< earliest finish of each block of flows
    mutable std::vector<uint8_t> m_blockStale;
};

/// All flows from t = 0 to their ends.
CompletionResult runToCompletion(const FlowProblem& problem, std::stop_token stop = {}, const FlowTimeline::Progress& progress = {});

} // namespace fairshare
} // namespace hw::sim
