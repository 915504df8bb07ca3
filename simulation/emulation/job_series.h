// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/emulation/hall.h"
#include "simulation/random.h"

#include <string>

namespace hw::emulation {

/// The one job of a hall, as simulated with nothing wrong.
struct TrainingSeries {
    std::string job;
    double iterationS = 0, computeS = 0, sendS = 0; ///< of an iteration
    double tokensPerS = 0, mfu = 0;                 ///< 0: not reported
    double checkpointS = 8;
    std::vector<DeviceId> storage; ///< nodes that training data come from; none: they do not fail
    double everyS = 10;            ///< between two readings
};

/// What a training framework reports of the job while a hall is emulated: of the whole job and of its ranks, a server's GPUs after each other. A slow
/// server slows the computing of its ranks, a slow port what its NIC sends, failed storage nodes data and checkpoints; all ranks wait for the
/// slowest.
class JobEmulation {
public:
    JobEmulation(const Hall& hall, TrainingSeries plan, std::uint64_t seed);

    struct Channel {
        std::string metric;
        int rank = -1; ///< -1: of the whole job
        std::string host;
    };
    struct Reading {
        std::uint32_t channel = 0;
        std::int64_t timeMs = 0; ///< since 1970
        double value = 0;
    };
    [[nodiscard]] const std::string& job() const { return m_plan.job; }
    [[nodiscard]] const std::vector<Channel>& channels() const { return m_channels; }
    /// After a step of the hall. Empty between two readings, and while the job has no servers.
    [[nodiscard]] std::span<const Reading> advance();

    /// "training_compute_seconds{host=…}"; "training/JOB/rank/3/HOST/compute_seconds".
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> labels(std::uint32_t channel) const;
    [[nodiscard]] std::string series(std::uint32_t channel) const;
    [[nodiscard]] std::string topic(std::uint32_t channel) const;

private:
    struct Rank {
        DeviceId host;
        std::vector<PortId> ports; ///< of its NIC
    };
    struct Now {
        double iterationS = 0, waitS = 0, storage = 1;
        std::vector<double> computeS, sendS;
    };
    [[nodiscard]] Now now() const;
    void read(const Now& now);
    double noisy(double value) { return value * (1 + 0.01 * (m_random.uniform() - 0.5)); }

    const Hall& m_hall;
    TrainingSeries m_plan;
    sim::Random m_random;
    std::vector<Rank> m_ranks;
    std::vector<Channel> m_channels;
    std::vector<Reading> m_readings;
    std::size_t m_servers = 0;
    double m_iterations = 0, m_saved = 0, m_wentOn = 0;
    bool m_saving = false, m_stood = false;
    std::int64_t m_lastMs = 0, m_nextMs = 0;
};

} // namespace hw::emulation
