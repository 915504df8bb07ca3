// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/reliability/failover.h"

#include "simulation/formulas/collectives.h"
#include "simulation/random.h"

#include <algorithm>

namespace hw::sim {
inline namespace reliability {

namespace {

struct Healing {
    double afterS;
    double firstTry;
    double tries;
    bool lost;
};

Healing heal(const BlackHoleCase& c)
{
    const double good = double(c.equalPaths - c.badPaths) / c.equalPaths;
    const double tryS = c.detectS + c.rerouteS;
    Healing h{tryS, 1, 1, false};
    switch (c.remedy) {
    case Remedy::HashDodging: break;
    case Remedy::RandomRehash: h = {tryS / good, good, 1 / good, false}; break; // geometric number of tries
    case Remedy::Controller: h.afterS = c.controllerS; break;
    case Remedy::None: h = {c.collectiveTimeoutS + c.restartS, 0, 0, true}; break;
    }
    if (h.afterS > c.collectiveTimeoutS && !h.lost) h = {c.collectiveTimeoutS + c.restartS, 0, 0, true};
    return h;
}

std::uint64_t hashOf(std::uint64_t flow, std::uint64_t port) { return Random(flow, port).next(); }

} // namespace

BlackHoleResult blackHole(const BlackHoleCase& c)
{
    const Healing h = heal(c);
    BlackHoleResult r;
    r.firstTryShare = h.firstTry;
    r.meanTries = h.tries;
    r.jobLost = h.lost;
    r.restoredAtS = c.faultAtS + h.afterS;
    r.lostBytes = bytesPerSOfGbps(c.rateGbps) * h.afterS;
    const double deadUntil = c.faultAtS + (h.lost ? c.collectiveTimeoutS : h.afterS);
    const auto add = [&](double from, double to, double delivered, double lost, const char* state) {
        to = std::min(to, c.untilS);
        if (to > from) r.timeline.push_back({from, to, delivered, lost, state});
    };
    add(0, c.faultAtS, c.rateGbps, 0, "full");
    add(c.faultAtS, deadUntil, 0, c.rateGbps, "black-hole");
    if (h.lost) add(deadUntil, r.restoredAtS, 0, 0, "restarting");
    add(r.restoredAtS, c.untilS, c.rateGbps, 0, "full");
    return r;
}

double rehashShare(int equalPaths, int badPaths, std::uint64_t seeds, std::uint64_t seed)
{
    std::uint64_t saved = 0, caught = 0;
    for (std::uint64_t i = 0; caught < seeds; ++i) {
        const std::uint64_t flow = Random(seed, i).next();
        if (hashOf(flow, 0) % std::uint64_t(equalPaths) >= std::uint64_t(badPaths)) continue; // not on a bad path: nothing to heal
        ++caught;
        saved += hashOf(flow, 1) % std::uint64_t(equalPaths) >= std::uint64_t(badPaths);
    }
    return double(saved) / double(seeds);
}

PortLoss portLoss(int nics, int portsPerNic, double portGbps, int down)
{
    const int all = nics * portsPerNic;
    PortLoss p;
    p.hostGbps = (all - down) * portGbps;
    p.hostShareLost = double(down) / all;
    p.nicGbps = (portsPerNic - down) * portGbps;
    p.ringSlowDownStatic = down < portsPerNic ? double(portsPerNic) / (portsPerNic - down) : 0.0;
    p.ringSlowDownRebalanced = down < all ? double(all) / (all - down) : 0.0;
    return p;
}

const char* name(Remedy remedy)
{
    switch (remedy) {
    case Remedy::HashDodging: return "hash-dodging";
    case Remedy::RandomRehash: return "random-rehash";
    case Remedy::Controller: return "controller";
    case Remedy::None: return "none";
    }
    return "";
}

} // namespace reliability
} // namespace hw::sim
