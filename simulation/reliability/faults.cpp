// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/faults.h"

#include <limits>

namespace hw::sim {
inline namespace reliability {

const std::vector<FaultCause>& llama3Causes()
{
    static const std::vector<FaultCause> causes = {{"Faulty GPU", 148},
                                                   {"GPU HBM3 memory", 72},
                                                   {"Software bug", 54},
                                                   {"Network switch or cable", 35},
                                                   {"Host maintenance", 32},
                                                   {"GPU SRAM memory", 19},
                                                   {"GPU system processor", 17},
                                                   {"NIC", 7},
                                                   {"NCCL watchdog time-outs", 7},
                                                   {"Silent data corruption", 6},
                                                   {"GPU thermal interface and sensor", 6},
                                                   {"SSD", 3},
                                                   {"Power supply", 3},
                                                   {"Server chassis", 2},
                                                   {"I/O expansion board", 2},
                                                   {"Dependency", 2},
                                                   {"CPU", 2},
                                                   {"System memory", 2}};
    return causes;
}

double faultsOf(std::span<const FaultCause> causes)
{
    double sum = 0;
    for (const FaultCause& c : causes) sum += c.faults;
    return sum;
}

std::vector<CauseRate> causeRates(std::span<const FaultCause> causes, double days, double logGpus, double jobGpus)
{
    const double all = faultsOf(causes);
    std::vector<CauseRate> rates;
    for (const FaultCause& c : causes) {
        const FaultLog log{c.faults, days, logGpus};
        rates.push_back({c.component, c.faults, all > 0 ? c.faults / all : 0, c.faults / days * 365 / logGpus,
                         c.faults > 0 ? faultsPerMonth(log, jobGpus) : 0,
                         c.faults > 0 ? mtbfS(log, jobGpus) : std::numeric_limits<double>::infinity()});
    }
    return rates;
}

double mtbfS(const FaultLog& log, double gpus) { return log.days * 86400.0 / log.faults * log.gpus / gpus; }
double gpusForMtbf(const FaultLog& log, double mtbf) { return mtbfS(log, 1) / mtbf; }

double linkFailuresPerMonth(double links, double share) { return links * share; }
double faultsPerMonth(const FaultLog& log, double gpus) { return 30 * 86400.0 / mtbfS(log, gpus); }

const char* name(GroupInit method)
{
    switch (method) {
    case GroupInit::Ordered: return "ordered";
    case GroupInit::AsynchronousStore: return "asynchronous-store";
    case GroupInit::BlockingStore: return "blocking-store";
    }
    return "";
}

double groupInitS(GroupInit method, double ranks)
{
    const double n = ranks / 2048;
    switch (method) {
    case GroupInit::BlockingStore: return 1047 * n * n;
    case GroupInit::AsynchronousStore: return 361 * n * n;
    case GroupInit::Ordered: return 5 * n;
    }
    return 0;
}

} // namespace reliability
} // namespace hw::sim
