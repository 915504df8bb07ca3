// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/live/history_bench.h"
#include "tests/bench/live/soak_bench.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iostream>

int main(int argc, char** argv)
{
    if (argc == 2 && std::strcmp(argv[1], "history") == 0) return hw::bench::benchHistory(std::cout) ? 0 : 1;
    if (argc >= 2 && std::strcmp(argv[1], "soak") == 0) {
        hw::bench::SoakOptions options;
        if (argc > 2) options.seconds = std::atoi(argv[2]);
        if (argc > 3) options.perSecond = std::atoi(argv[3]);
        if (argc > 4) options.channels = std::atoi(argv[4]);
        if (argc > 5) options.together = std::clamp(std::atoi(argv[5]), 1, 1000);
        return hw::bench::benchSoak(std::cout, options) ? 0 : 1;
    }
    if (argc == 7 && std::strcmp(argv[1], "publish") == 0)
        return hw::bench::publish(std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]), std::atoi(argv[6]));
    std::cerr << "usage: hallwright-live-bench history | soak [SECONDS [SAMPLES_PER_SECOND [CHANNELS [VALUES_PER_MESSAGE]]]] | publish PORT SECONDS "
                 "SAMPLES_PER_SECOND "
                 "CHANNELS VALUES_PER_MESSAGE\n";
    return 2;
}
