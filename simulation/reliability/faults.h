// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// A fault log: so many job-stopping faults in so long a time on so many GPUs. The default is the Llama 3 log
/// (A. Dubey et al., "The Llama 3 Herd of Models", 2024, section 3.3.4): 419 unexpected interruptions in 54 days on 16,384 GPUs.
struct FaultLog {
    double faults = 419;
    double days = 54;
    double gpus = 16384;
};

/// Faults of a log by what caused them.
struct FaultCause {
    std::string component;
    double faults = 0;
};
/// The Llama 3 log by root cause (the same paper, table 5; its counts make up the 419, its share of faulty GPUs does not follow from them).
[[nodiscard]] const std::vector<FaultCause>& llama3Causes();
[[nodiscard]] double faultsOf(std::span<const FaultCause> causes);

/// What a cause means for a job of so many GPUs.
struct CauseRate {
    std::string component;
    double faults = 0, share = 0;
    double perGpuYear = 0; ///< of 365 days
    double perMonth = 0;   ///< of 30 days, of the job
    double mtbfS = 0;      ///< of the job; infinite where the log has none
};
[[nodiscard]] std::vector<CauseRate> causeRates(std::span<const FaultCause> causes, double days, double logGpus, double jobGpus);

/// Mean time between faults of a job on `gpus`, s: faults arrive in proportion to GPUs (Llama 3 log, A. Dubey et al. 2024, table 5).
[[nodiscard]] double mtbfS(const FaultLog& log, double gpus);
/// The number of GPUs at which a fault arrives every `mtbf` seconds.
[[nodiscard]] double gpusForMtbf(const FaultLog& log, double mtbf);

/// Faults in 30 days. 0.057 % of NIC-ToR links fail in a month (HPN, SIGCOMM 2024, section 2.3).
inline constexpr double kLinkFailuresPerMonth = 0.00057;
[[nodiscard]] double linkFailuresPerMonth(double links, double share = kLinkFailuresPerMonth);
[[nodiscard]] double faultsPerMonth(const FaultLog& log, double gpus);

/// How ranks find each other when a job starts (MegaScale, NSDI 2024): a store that blocks took 1,047 s and
/// one that does not 361 s at 2,048 GPUs, both with barriers that grow as n²; ordered groups took under 5 s at 2,048 and
/// under 30 s above 10,000, which is linear. Scaled from those points.
enum class GroupInit : std::uint8_t { BlockingStore, AsynchronousStore, Ordered };
inline constexpr GroupInit kGroupInits[] = {GroupInit::Ordered, GroupInit::AsynchronousStore, GroupInit::BlockingStore};
[[nodiscard]] const char* name(GroupInit method);
[[nodiscard]] double groupInitS(GroupInit method, double ranks);

} // namespace reliability
} // namespace hw::sim
