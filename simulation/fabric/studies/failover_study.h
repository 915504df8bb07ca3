// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/entity.h"
#include "simulation/fabric/studies/study.h"
#include "simulation/fabric/timeline.h"

namespace hw::sim {
inline namespace fabric {

enum class Fault : std::uint8_t {
    Port,   ///< NIC 0 of the first host loses its way to its first ToR: one port; a bundle, where several of its ports end there
    Nic,    ///< all ports of that NIC
    ToR,    ///< the access switch of that NIC's first port
    Stack,  ///< that switch and its partner (a stack that loses its head)
    Host,   ///< the host with all its ports: its ranks are gone, and with them the job
    Switch, ///< any switch, for example of the aggregation; needs FailoverStudy::what
    Link,   ///< FailoverStudy::links; without any the first uplink of that ToR
    Plane   ///< all switches of FailoverStudy::plane
};
inline constexpr Fault kFaults[] = {Fault::Port, Fault::Nic, Fault::ToR, Fault::Stack, Fault::Host, Fault::Switch, Fault::Link, Fault::Plane};

enum class RingOrder : std::uint8_t { Contiguous, AlternatingSegments };
inline constexpr RingOrder kRingOrders[] = {RingOrder::Contiguous, RingOrder::AlternatingSegments};

/// Of a link, what fails.
enum class OneWay : std::uint8_t {
    None, ///< both directions
    Up,   ///< from the host or the lower switch
    Down
};
inline constexpr OneWay kOneWays[] = {OneWay::None, OneWay::Up, OneWay::Down};

/// S2: a ring per rail over whole segments while something fails and comes back, with black holes until routing has converged.
struct FailoverStudy {
    std::string network = "backend";
    FabricVariant variant = FabricVariant::AsDesigned;
    Fault fault = Fault::Port;
    RingOrder order = RingOrder::Contiguous;
    int pod = 0, segments = 1;    ///< the first ones of the pod; with `what`, those from its segment on, in its pod
    EntityRef what;               ///< what fails: a server, a port of one, or a switch; none: NIC 0 of the first host, or its ToR
    std::vector<LinkId> links;    ///< that fail together; with them, segments count from the one below the first of them
    int plane = 0;                ///< from 0
    OneWay oneWay = OneWay::None; ///< of links that fail: both ends report them up
    double oneWayDetectS = 0;     ///< until both ends take such a link out of service; 0: never
    double faultAtS = 10;
    double downS = 60; ///< until it is repaired; 0: never
    double untilS = 300;
    Convergence convergence;
    double libraryTimeoutS = 120; ///< a longer stand-still loses the job
    double restartS = 600;        ///< from the last checkpoint, once there is a way again (assumed)
};

struct FailoverResult {
    double hostGbps = 0, nicGbps = 0, segmentGbps = 0;                         ///< before the fault: the first host, its NIC 0, its segment
    double degradedHostGbps = 0, degradedNicGbps = 0, degradedSegmentGbps = 0; ///< after convergence, before repair
    double repairedNicGbps = 0;                                                ///< right after the repair
    int nicsHalved = 0, nicsStopped = 0; ///< after convergence, NICs that send at half their rate, or not at all
    std::vector<LinkId> failedLinks;     ///< what fails: links,
    std::vector<DeviceId> failedDevices; ///< and switches, or the host
    // A ring is as fast as its slowest NIC, now and before; one that was slow before and one that is slow now need not be the same.
    double ringSlowDownStatic = 1;              ///< of the ring with fixed rails, against before: 1 / the job's share then; 0: it stands
    double ringSlowDownRebalanced = 1;          ///< the same with every host's bytes spread over what it has left; 0: it stands
    double blackHoleS = 0, blackHoledBytes = 0; ///< while the job stands and somebody sends into something dead; what went there
    int flowsIntoDead = 0;                      ///< after convergence, flows whose way holds something dead: must be 0
    int flowsOnDeadPlane = 0; ///< after convergence, flows to or from the damaged NIC on the plane of its dead port; 0 without planes
    int survivingWays = 0;    ///< equal ways between the damaged NIC and its peer in another segment; 0 without one
    bool continues = false;   ///< the job runs on after convergence
    bool jobLost = false;
    double lostAtS = 0;
    struct Span {
        double fromS = 0, toS = 0;
        std::string state;
        double share = 0;
    };                     ///< full, degraded, black hole (bytes are lost), stopped (nobody sends), lost, restarting
    std::vector<Span> job; ///< speed of the ring as a share of that before the fault
    TimelineResult line;   ///< groups: host × NICs + NIC
    std::vector<Text> notes;
};
/// Refused when segments are missing, or the variant has nothing of that kind to fail.
[[nodiscard]] Result<FailoverResult> runFailoverStudy(const Snapshot& snapshot, const FailoverStudy& study, const Progress& progress = {});

[[nodiscard]] const char* name(Fault fault);
[[nodiscard]] const char* name(RingOrder order);
[[nodiscard]] const char* name(OneWay oneWay);

} // namespace fabric
} // namespace hw::sim
