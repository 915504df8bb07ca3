// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>

namespace hw::sim {
inline namespace fairshare {

/// CPU seconds that this process has used: what a shared machine does to others does not count.
inline double cpuSeconds()
{
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

} // namespace fairshare
} // namespace hw::sim
