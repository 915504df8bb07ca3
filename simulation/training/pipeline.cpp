// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/pipeline.h"

#include <algorithm>

namespace hw::sim {
inline namespace training {

namespace {

constexpr double kNotYet = -1;

class Schedule {
public:
    explicit Schedule(const PipelinePlan& plan)
        : m_plan(plan), m_end{std::vector<double>(passes() * std::size_t(plan.stages), kNotYet),
                              std::vector<double>(passes() * std::size_t(plan.stages), kNotYet)}
    {
        for (int s = 0; s < plan.stages; ++s) {
            m_run.first.push_back(std::uint32_t(m_run.steps.size()));
            list(s);
        }
        m_run.first.push_back(std::uint32_t(m_run.steps.size()));
    }

    PipelineRun run()
    {
        std::vector<std::uint32_t> next(m_run.first.begin(), m_run.first.end() - 1);
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t s = 0; s < next.size(); ++s)
                while (next[s] < m_run.first[s + 1] && start(next[s], m_run.first[s])) ++next[s], moved = true;
        }
        for (const auto& step : m_run.steps) m_run.lengthS = std::max(m_run.lengthS, step.endS);
        return std::move(m_run);
    }

private:
    [[nodiscard]] std::size_t passes() const { return std::size_t(m_plan.microBatches) * std::size_t(m_plan.chunks); }

    /// The k-th pass of a stage: micro-batches go in rounds of one per stage through chunk after chunk.
    PipelineStep pass(int stage, std::size_t k, bool backward) const
    {
        PipelineStep step;
        step.stage = std::int16_t(stage);
        step.backward = backward;
        const auto p = std::size_t(m_plan.stages), v = std::size_t(m_plan.chunks);
        if (v == 1) {
            step.microBatch = std::int32_t(k);
            return step;
        }
        const std::size_t inRound = k % (p * v), chunk = inRound / p;
        step.chunk = std::int16_t(backward ? v - 1 - chunk : chunk);
        step.microBatch = std::int32_t(k / (p * v) * p + k % p);
        return step;
    }

    void list(int stage)
    {
        const std::size_t total = passes(), p = std::size_t(m_plan.stages), v = std::size_t(m_plan.chunks), after = p - std::size_t(stage) - 1;
        const std::size_t warm = std::min(total, v == 1 ? after : 2 * after + (v - 1) * p);
        for (std::size_t k = 0; k < warm; ++k) m_run.steps.push_back(pass(stage, k, false));
        for (std::size_t k = 0; k < total; ++k) {
            if (warm + k < total) m_run.steps.push_back(pass(stage, warm + k, false));
            m_run.steps.push_back(pass(stage, k, true));
        }
    }

    [[nodiscard]] std::size_t place(int stage, int chunk, int microBatch) const
    {
        return (std::size_t(stage) * std::size_t(m_plan.chunks) + std::size_t(chunk)) * std::size_t(m_plan.microBatches) + std::size_t(microBatch);
    }

    /// When the pass before `step` in the model's order has delivered; kNotYet: it has not run.
    [[nodiscard]] double inputS(const PipelineStep& step) const
    {
        const int p = m_plan.stages;
        const bool wraps = step.backward ? step.stage == p - 1 : step.stage == 0;
        const int chunk = step.chunk + (wraps ? (step.backward ? 1 : -1) : 0);
        if (chunk < 0) return 0;
        if (chunk == m_plan.chunks) return m_end[0][place(step.stage, step.chunk, step.microBatch)]; // the loss: its own forward pass
        const int stage = (step.stage + (step.backward ? 1 : p - 1)) % p;
        const double end = m_end[step.backward][place(stage, chunk, step.microBatch)];
        return end == kNotYet ? kNotYet : end + (p == 1 ? 0.0 : (step.backward ? m_plan.sendBackwardS : m_plan.sendForwardS)[std::size_t(stage)]);
    }

    bool start(std::uint32_t number, std::uint32_t firstOfStage)
    {
        PipelineStep& step = m_run.steps[number];
        const double input = inputS(step);
        if (input == kNotYet) return false;
        const auto& times = step.backward ? m_plan.backwardS : m_plan.forwardS;
        step.startS = std::max(input, number == firstOfStage ? 0.0 : m_run.steps[number - 1].endS);
        step.endS = step.startS + times[std::size_t(step.stage) * std::size_t(m_plan.chunks) + std::size_t(step.chunk)];
        m_end[step.backward][place(step.stage, step.chunk, step.microBatch)] = step.endS;
        return true;
    }

    const PipelinePlan& m_plan;
    PipelineRun m_run;
    std::vector<double> m_end[2]; ///< of forward and backward passes
};

} // namespace

PipelineRun runPipeline(const PipelinePlan& plan) { return Schedule(plan).run(); }

} // namespace training
} // namespace hw::sim
