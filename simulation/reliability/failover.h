// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hw::sim {
inline namespace reliability {

/// A stretch of time in which nothing changes.
struct RateSpan {
    double fromS = 0, toS = 0;
    double deliveredGbps = 0;
    double lostGbps = 0; ///< sent into a dead way
    std::string state;
};

/// How a flow on a silently dead way gets off it (Tencent, "Xingmai 2.0": hash dodging).
enum class Remedy : std::uint8_t {
    HashDodging,  ///< the sender shifts the hash by a known offset: another way for sure, at the first try
    RandomRehash, ///< the sender draws a new source port: another way with (n - bad) / n, each try takes as long again
    Controller,   ///< a central controller reroutes
    None          ///< the collective library times out; restart from the last save
};
inline constexpr Remedy kRemedies[] = {Remedy::HashDodging, Remedy::RandomRehash, Remedy::Controller, Remedy::None};
[[nodiscard]] const char* name(Remedy remedy);

struct BlackHoleCase {
    double rateGbps = 400;
    double faultAtS = 10;
    double untilS = 60;              ///< end of the time line
    double detectS = 0.6;            ///< by the sender, at most
    double rerouteS = 0.4;           ///< after that, at most; together ≤ 1.0 s
    double controllerS = 20;         ///< detection and reroute by a controller
    double collectiveTimeoutS = 120; ///< after which the job is lost
    double restartS = 600;           ///< from the last save
    int equalPaths = 60, badPaths = 1;
    Remedy remedy = Remedy::HashDodging;
};

struct BlackHoleResult {
    double restoredAtS = 0;   ///< mean over the tries; after a restart when the job is lost
    double lostBytes = 0;     ///< rate × time without delivery: what the flow could have carried
    double firstTryShare = 0; ///< share of flows that the first try saves
    double meanTries = 0;
    bool jobLost = false;
    std::vector<RateSpan> timeline;
};
[[nodiscard]] BlackHoleResult blackHole(const BlackHoleCase& c);

/// The first-try share by drawing ports and hashing them, over so many seeds; beside (n - bad) / n.
[[nodiscard]] double rehashShare(int equalPaths, int badPaths, std::uint64_t seeds, std::uint64_t seed = 1);

/// A port of a NIC that is down for a while (HPN paper, SIGCOMM 2024, section 9.3).
struct PortFault {
    int port = 0;
    double downAtS = 0, upAtS = 0;
};

/// One NIC with `ports` ports, each to a ToR of its own (1: single ToR), in a job that waits for it.
struct NicCase {
    int ports = 2;
    double portGbps = 200;
    double convergenceS = 1;         ///< until all senders know that a port is dead; what is sent to it until then is lost
    double collectiveTimeoutS = 120; ///< a longer stand-still loses the job
    double restartS = 600;           ///< until it works again from the last save, once there is a way again
    double untilS = 900;
    std::vector<PortFault> faults;
};

struct NicResult {
    std::vector<RateSpan> timeline; ///< state: full, degraded, black-hole, stopped, restarting
    bool jobLost = false;
    double lostAtS = 0;         ///< when the time-out struck
    double blackHoledBytes = 0; ///< sent into a dead port before convergence
    double standstillS = 0;     ///< without any progress, restarts included
};
/// While senders still use a dead port the collective waits for those bytes: it stands still until convergence, then goes on at the
/// rate of the ports that are left. Repair counts at once. The job is lost when it stands still for more than the time-out.
[[nodiscard]] NicResult nicFailover(const NicCase& c);

/// Host and rail ring after `down` of a host's ports failed, out of nics × portsPerNic.
struct PortLoss {
    double hostGbps = 0, hostShareLost = 0;
    double nicGbps = 0;                ///< of the worst NIC
    double ringSlowDownStatic = 1;     ///< rails are fixed: the ring of that rail runs at the rate of its worst NIC; 0: it stands
    double ringSlowDownRebalanced = 1; ///< bytes spread over what the host has left
};
[[nodiscard]] PortLoss portLoss(int nics, int portsPerNic, double portGbps, int downOnOneNic);

} // namespace reliability
} // namespace hw::sim
