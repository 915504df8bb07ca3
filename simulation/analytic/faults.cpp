// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/analytic/faults.h"

namespace hw::sim {

double mtbfS(const FaultLog& log, double gpus) { return log.days * 86400.0 / log.faults * log.gpus / gpus; }
double gpusForMtbf(const FaultLog& log, double mtbf) { return mtbfS(log, 1) / mtbf; }

double linkFailuresPerMonth(double links, double share) { return links * share; }
double faultsPerMonth(const FaultLog& log, double gpus) { return 30 * 86400.0 / mtbfS(log, gpus); }

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

} // namespace hw::sim
