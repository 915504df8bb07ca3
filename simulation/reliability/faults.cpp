// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/faults.h"

#include "core/foundation/base/text.h"

#include <limits>

namespace hw::sim {
inline namespace reliability {

const std::vector<FaultCause>& llama3Causes()
{
    static constexpr struct {
        TextId component;
        double faults;
    } kTable[] = {
        {TextId("Faulty GPU"), 148},
        {TextId("GPU HBM3 memory"), 72},
        {TextId("Software bug"), 54},
        {TextId("Network switch or cable"), 35},
        {TextId("Host maintenance"), 32},
        {TextId("GPU SRAM memory"), 19},
        {TextId("GPU system processor"), 17},
        {TextId("NIC"), 7},
        {TextId("NCCL watchdog timeouts"), 7},
        {TextId("Silent data corruption"), 6},
        {TextId("GPU thermal interface and sensor"), 6},
        {TextId("SSD"), 3},
        {TextId("Power supply"), 3},
        {TextId("Server chassis"), 2},
        {TextId("I/O expansion board"), 2},
        {TextId("Dependency"), 2},
        {TextId("CPU"), 2},
        {TextId("System memory"), 2},
    };
    static const std::vector<FaultCause> causes = [] {
        std::vector<FaultCause> all;
        for (const auto& row : kTable) all.push_back({std::string(row.component.id), row.faults});
        return all;
    }();
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
