// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/batch/slurm_foam.h"

#include <chrono>

namespace hw::sim {
inline namespace batch {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPause = std::chrono::seconds(1); // between questions to the controller
constexpr int kSilent = 120;                     // of them without an answer in a row: it may restart

class SlurmFoam final : public air::FoamRun {
public:
    SlurmFoam(int processes, SlurmLimits limits) : m_processes(processes), m_limits(std::move(limits)) {}
    ~SlurmFoam() override { cancel(); }
    SlurmFoam(const SlurmFoam&) = delete;
    SlurmFoam& operator=(const SlurmFoam&) = delete;

    Result<void> start(const std::filesystem::path& folder) override
    {
        std::error_code error;
        const std::filesystem::path whole = std::filesystem::absolute(folder, error);
        auto job = slurm::submitOne(whole / air::kFoamScript, m_processes, whole, air::kFoamLog, m_limits);
        if (!job) return tl::unexpected(job.error());
        m_job = std::move(*job);
        return {};
    }
    Result<bool> ended() override
    {
        if (m_job.empty()) return true;
        if (Clock::now() < m_next) return false;
        m_next = Clock::now() + kPause;
        const auto state = slurm::state(m_job);
        m_silent = state ? 0 : m_silent + 1;
        if (!state && m_silent > kSilent) return tl::unexpected(state.error());
        if (!state) return false;
        m_state = *state;
        if (m_state.ended) m_job.clear();
        return m_state.ended;
    }
    Text state() const override
    {
        return m_job.empty() ? Text() : m_state.running > 0 ? i18n("Slurm job {}: running", m_job) : i18n("Slurm job {}: pending", m_job);
    }
    void cancel() override
    {
        if (m_job.empty()) return;
        static_cast<void>(slurm::cancel(m_job));
        m_job.clear();
    }

private:
    int m_processes;
    SlurmLimits m_limits;
    std::string m_job; ///< empty: none
    SlurmState m_state;
    int m_silent = 0;
    Clock::time_point m_next{};
};

} // namespace

std::unique_ptr<air::FoamRun> slurmFoam(int processes, SlurmLimits limits) { return std::make_unique<SlurmFoam>(processes, std::move(limits)); }

} // namespace batch
} // namespace hw::sim
