// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/collectives.h"
#include "simulation/reliability/failover.h"

#include <algorithm>

namespace hw::sim {
inline namespace reliability {

namespace {

/// What the NIC does in [fromS, toS), before asking whether the job survives it.
struct Phase {
    double fromS, toS;
    int up, blind;
}; ///< blind: dead ports that senders still use

std::vector<Phase> phases(const NicCase& c)
{
    std::vector<double> times{0, c.untilS};
    for (const auto& f : c.faults)
        for (const double t : {f.downAtS, f.upAtS, std::min(f.upAtS, f.downAtS + c.convergenceS)})
            if (t > 0 && t < c.untilS) times.push_back(t);
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());

    std::vector<Phase> result;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        Phase p{times[i], times[i + 1], 0, 0};
        for (int port = 0; port < c.ports; ++port) {
            bool down = false, blind = false;
            for (const auto& f : c.faults) {
                if (f.port != port || p.fromS < f.downAtS || p.fromS >= f.upAtS) continue;
                down = true;
                blind = blind || p.fromS < f.downAtS + c.convergenceS;
            }
            p.up += !down;
            p.blind += down && blind;
        }
        result.push_back(p);
    }
    return result;
}

} // namespace

NicResult nicFailover(const NicCase& c)
{
    NicResult r;
    double stoodSinceS = -1, restartedAtS = -1; // restartedAtS: a lost job works again then; -1: not lost, -2: lost and no way yet
    const auto add = [&](double from, double to, double delivered, double lost, const char* state) {
        if (to <= from) return;
        r.timeline.push_back({from, to, delivered, lost, state});
        r.blackHoledBytes += bytesPerSOfGbps(lost) * (to - from);
        if (delivered <= 0) r.standstillS += to - from;
    };
    for (const Phase& p : phases(c)) {
        double from = p.fromS;
        if (p.up > 0 && restartedAtS == -2) restartedAtS = from + c.restartS;
        if (restartedAtS > from) {
            add(from, std::min(p.toS, restartedAtS), 0, 0, "restarting");
            from = std::min(p.toS, restartedAtS);
            if (from >= p.toS) continue;
        }
        if (restartedAtS >= 0 && from >= restartedAtS) restartedAtS = -1;
        const bool stands = p.up == 0 || p.blind > 0;
        if (!stands) {
            stoodSinceS = -1;
            add(from, p.toS, p.up * c.portGbps, 0, p.up == c.ports ? "full" : "degraded");
            continue;
        }
        if (restartedAtS == -2) {
            add(from, p.toS, 0, 0, "stopped");
            continue;
        }
        if (stoodSinceS < 0) stoodSinceS = from;
        const double timeout = stoodSinceS + c.collectiveTimeoutS;
        const double lost = p.blind * c.portGbps;
        add(from, std::min(p.toS, std::max(from, timeout)), 0, lost, p.blind > 0 ? "black-hole" : "stopped");
        if (p.toS <= timeout) continue;
        if (!r.jobLost) r.lostAtS = timeout;
        r.jobLost = true;
        stoodSinceS = -1;
        restartedAtS = p.up > 0 ? timeout + c.restartS : -2;
        add(std::max(from, timeout), p.toS, 0, 0, "stopped");
    }
    return r;
}

} // namespace reliability
} // namespace hw::sim
