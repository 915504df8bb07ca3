// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/timeline.h"
#include "simulation/training/job_run.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

/// What fails under a job, found from one of its hosts.
enum class FaultPlace : std::uint8_t {
    AccessLink,  ///< the link of a NIC's port
    Nic,         ///< a NIC with all its ports
    ToR,         ///< the access switch at that port
    Uplink,      ///< a link of that switch to the level above
    Aggregation, ///< the switch at the other end of it
    Core,        ///< a switch above that one
    Plane,       ///< all switches of that access switch's plane
    Host,        ///< the host itself
    Gpu          ///< one of its GPUs: the job cannot use the host until it is repaired
};
inline constexpr FaultPlace kFaultPlaces[] = {FaultPlace::AccessLink, FaultPlace::Nic,         FaultPlace::ToR,
                                              FaultPlace::Uplink,     FaultPlace::Aggregation, FaultPlace::Core,
                                              FaultPlace::Plane,      FaultPlace::Host,        FaultPlace::Gpu};
/// Whether ranks are lost with it, whatever the fabric does.
[[nodiscard]] constexpr bool takesRanks(FaultPlace place) { return place == FaultPlace::Host || place == FaultPlace::Gpu; }
/// Whether it leaves at most one host without a NIC, so that another host can take its place.
[[nodiscard]] constexpr bool staysInHost(FaultPlace place) { return place == FaultPlace::AccessLink || place == FaultPlace::Nic; }

struct JobFault {
    FaultPlace place = FaultPlace::AccessLink;
    int host = 0, nic = 0, port = 0; ///< of the job in rank order; of the host; of the NIC
    int uplink = 0;                  ///< Uplink, Aggregation: which of the access switch's; Core: and of the aggregation switch's
    double faultAtS = 10;
    double downS = 60; ///< each time; 0: never repaired
    int times = 1;     ///< above 1 it flaps
    double upS = 1;    ///< between two failures
    double untilS = 0; ///< end of the time line; 0: some time after the last repair
    Convergence convergence;
    double libraryTimeoutS = 120; ///< a longer stand-still loses the job
    double restartS = 600;        ///< from the last save, once all its ranks can reach each other (assumed)
    double saveEveryS = 3600;     ///< work since the last save is lost with the job
    int backupHost = -1;          ///< `addBackupHost()`: takes the place of the host where no other host of its segment is free; -1: none
};

/// A job before, during and after a fault.
struct JobFaultResult {
    JobRun before, during;                      ///< alone on the fabric as it is, and with routing that knows of the fault
    JobRun moved;                               ///< of a job that left the host of a failed NIC: with the host that took its place
    bool runsDuring = true;                     ///< all ranks reach each other then
    bool replaced = false;                      ///< another host took the place of the one that is dead or cut off for longer than the time-out
    bool onBackup = false;                      ///< that was the backup host
    std::vector<std::uint32_t> links, switches; ///< that failed: LinkId values and vertices of the graph
    std::uint64_t hit = 0;                      ///< connections of the job that went over what failed
    double blackHoleS = 0;                      ///< the job stands and somebody sends into something dead
    double standsS = 0;                         ///< the job stands, for whatever reason, until `untilS`
    bool lost = false;
    double lostAtS = 0, workLostS = 0;
    double afterS = 0;                 ///< of an iteration, at the end of the time line; infinite when it stands
    double untilS = 0, iterations = 0; ///< that were done; of them none that was lost
    double slowestIterationS = 0;      ///< from the end of one to the end of the next
    struct Span {
        double fromS = 0, toS = 0;
        std::string state;
        double speed = 0;
        bool moved = false; ///< the job runs on the host that took the place
    };                      ///< full, degraded, black hole, stopped, lost, restarting; speed against before
    std::vector<Span> spans;
};

/// Adds a backup host to what a job can run on, for `JobFault::backupHost` only; returns its number among the hosts.
[[nodiscard]] int addBackupHost(const Snapshot& snapshot, DeviceId backup, WorkloadFabric& fabric, JobRunOptions& options);

/// Runs the job, breaks the fabric under it, lets its connections converge in time (FabricTimeline; sprayed jobs as if hashed) and runs it again
/// with what is left. While any of its connections gets nothing the job stands: its ranks wait for each other. A job that is lost with a host, or by
/// a NIC of one, starts again without this host where another is free. Errors: as runJob(); Refused, the place is the key ("host", "nic", "port",
/// "uplink", "fault"), for what the design does not have; Canceled.
[[nodiscard]] Result<JobFaultResult> runJobFault(const WorkloadFabric& fabric, const TrainingJob& job, const JobFault& fault,
                                                 const JobRunOptions& options = {}, const Progress& progress = {});

[[nodiscard]] const char* name(FaultPlace place);

} // namespace training
} // namespace hw::sim
