// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/iteration.h"

namespace hw::sim {
inline namespace training {

/// Hosts without a fabric around them: so many GPUs each with a NIC of its own, rings of α-β messages, no contention.
struct PlainHosts {
    int gpusPerHost = 8;
    double nicGbps = 400; ///< of one GPU, one direction
};

/// Times of a job's communication by closed forms: ranks in Megatron-LM's order fill the hosts; a ring has one channel for each NIC that
/// its group has in a host and crosses hosts on all of them. What contention and longer routes add, runJob() tells.
[[nodiscard]] CommunicationTimes closedFormTimes(const TrainingJob& job, const PlainHosts& hosts);

/// The whole iteration with these times.
[[nodiscard]] Iteration estimateIteration(const TrainingJob& job, const PlainHosts& hosts);

} // namespace training
} // namespace hw::sim
