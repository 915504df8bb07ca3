// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/flow_router.h"
#include "simulation/fairshare/live_rates.h"

#include <deque>
#include <functional>
#include <queue>

namespace hw::sim {
inline namespace fabric {

/// How long the parts of a fabric take to notice a failure. All values are assumptions that may be set; they count from the fault.
struct Convergence {
    double carrierS = 0.001; ///< the devices at both ends of a dead link stop using it (loss of light)
    double arpS = 0.1;       ///< peers under the same access switches learn that a NIC's port is gone (ARP, host route in the segment)
    double bgpS = 1.0;       ///< everybody else learns (host routes and prefixes withdrawn by BGP)
    double repairS = 0.0;    ///< routing takes a repaired link into use
    bool hostRoutes =
        true; ///< access switches advertise each NIC (ARP to host route); else subnets and a default route: no one learns of a NIC's link
    double controllerS = 20; ///< a controller finds a silent fault and tells everybody; 0: nobody ever does
};

/// What senders do about a silent black hole, and when.
struct Dodging {
    Dodge kind = Dodge::None;
    double detectS = 0.6, rerouteS = 0.4; ///< from the fault, or the last try
};

enum class FabricEventKind : std::uint8_t { LinkDown, LinkUp, LinkShare, SwitchDown, SwitchUp, SilentDown, OneWayDown };

/// Something that happens to the fabric. A port that fails is its link that goes down. SilentDown: a link black-holes everything and
/// still looks up; LinkUp repairs it. OneWayDown: the same in one direction.
struct FabricEvent {
    double timeS = 0;
    FabricEventKind kind = FabricEventKind::LinkDown;
    std::uint32_t target = 0; ///< LinkId or switch vertex; OneWayDown: directed link
    double share = 1;         ///< LinkShare: part of the capacity that is left
};

/// What a time line shows. All series are step functions: a value holds until the next entry.
struct TimelineResult {
    struct Load {
        DirectedLink link = 0;
        float gbps = 0;
    };
    struct Frame {
        double timeS = 0;
        std::uint32_t firstLoad = 0;
        Text what;
    }; ///< its loads: up to the next frame's first
    struct GroupPoint {
        double timeS = 0, sumGbps = 0, minGbps = 0;
        std::uint32_t flows = 0;   ///< running
        std::uint32_t stalled = 0; ///< of them without progress
        std::uint32_t holed = 0;   ///< of these, still sending into something dead: what blackHoledBytes counts
    };
    std::vector<Frame> frames;
    std::deque<Load> loads;                      ///< links whose load changed, frame by frame (grows without moving)
    std::vector<std::vector<GroupPoint>> groups; ///< by FlowSpec::group
    std::vector<double> blackHoledBytes;         ///< by group: what its flows could have carried in the time they sent into dead ways
    std::vector<double> finishS;                 ///< by flow; infinite for those that did not end
    double endS = 0;
    std::size_t reroutes = 0, flowsSolved = 0;
    std::size_t dodges = 0, dodgesThatWorked = 0; ///< tries of senders to get off a silent black hole
    std::size_t proofs = 0;                       ///< frames whose rates were proved max-min
    bool certificateOk = true;
    double certificateGap = 0;
    std::vector<Text> notes;

    /// The value of a group's series at a time.
    [[nodiscard]] GroupPoint groupAt(std::uint32_t group, double timeS) const;
};

/// Flows on a fabric that breaks and is repaired.
///
/// A fault acts at once: flows over it get nothing (a black hole), until the devices at its ends (`carrierS`), the NIC's neighbors
/// (`arpS`) and everybody (`bgpS`) have learned of it and the hash moves those flows elsewhere. Flows that lost nothing stay where
/// they are. After each change only the flows that it reaches are solved again. A sender into a black hole takes no bandwidth
/// from others (its transport waits for acknowledgments). One thread at a time; the graph must outlive it.
class FabricTimeline {
public:
    struct Options {
        Convergence convergence;
        Dodging dodging;
        bool prove = true;     ///< certify the rates of every frame
        bool keepLoads = true; ///< fill frames and loads
    };
    FabricTimeline(const FabricGraph& graph, RoutingOptions routing, Options options);
    FabricTimeline(const FabricGraph& graph, RoutingOptions routing) : FabricTimeline(graph, std::move(routing), Options{}) {}

    /// Adds a flow that starts at `startS` (not before the present). May be called while running, from onFinish.
    std::uint32_t addFlow(const FlowSpec& flow, double startS = 0);
    void add(const FabricEvent& event);
    std::function<void(std::uint32_t flow, double timeS)> onFinish; ///< for flows that depend on others

    /// Runs to `untilS`, or until nothing more will change. May be called again with a later time.
    /// Errors: Canceled; Refused for PathSelection::Spray.
    [[nodiscard]] Result<void> run(double untilS, const Progress& progress = {});
    [[nodiscard]] const TimelineResult& result() const { return m_result; }

    // The present.
    [[nodiscard]] double now() const { return m_now; }
    [[nodiscard]] const FlowSpec& flow(std::uint32_t f) const { return m_flows[f].spec; }
    [[nodiscard]] double rateGbps(std::uint32_t f) const { return m_rates.rate(f); }
    [[nodiscard]] std::span<const DirectedLink> wayOf(std::uint32_t f) const { return m_flows[f].way; } ///< also of a stalled flow
    [[nodiscard]] bool stalled(std::uint32_t f) const { return m_motion[f].stalled; }
    [[nodiscard]] std::vector<std::uint32_t> flowsOn(DirectedLink link) const; ///< that get through, ascending
    [[nodiscard]] std::size_t flowCount() const { return m_flows.size(); }
    [[nodiscard]] const FabricState& physical() const { return m_physical; }
    [[nodiscard]] Certificate prove() const { return m_rates.prove(); } ///< of the present rates

private:
    struct Flow {
        FlowSpec spec;
        std::vector<DirectedLink> way;
        std::uint32_t dodges = 0;
    };
    struct Motion { ///< what changes with every solve, apart from the rest for the sake of speed
        double leftGbit = 0, sinceS = 0, rateGbps = 0, lostRateGbps = 0;
        std::uint32_t version = 0; ///< of its finish in the queue
        std::uint32_t group = 0;
        bool running = false, arrived = false, stalled = false, displaced = false;
    };
    enum class Step : std::uint8_t { Arrive, Finish, Fabric, Carrier, Arp, Bgp, Dodge };
    struct Entry {
        double timeS;
        std::uint64_t order;
        Step step;
        std::uint32_t target, version;
        bool operator>(const Entry& o) const { return timeS != o.timeS ? timeS > o.timeS : order > o.order; }
    };

    void push(double timeS, Step step, std::uint32_t target, std::uint32_t version = 0);
    bool take(const Entry& entry);
    void happen(const FabricEvent& event);
    void learn(FabricState& state, const FabricEvent& event);
    void startWaiting();
    void dodge();
    void spread(const FabricEvent& event, std::uint32_t index);
    void sortByDestination(std::vector<std::uint32_t>& flows) const;
    [[nodiscard]] bool healthy() const { return m_physical.allUp() && m_adjacent.allUp() && m_nearRoutes.allUp() && m_farRoutes.allUp(); }
    void finish(std::uint32_t flow);
    void route(std::uint32_t flow);
    void settle(std::uint32_t flow);
    void displace(std::uint32_t flow);
    void stallOn(DirectedLink link);
    void setShareOn(LinkId link);
    void rerouteDisplaced();
    void solve();
    void follow(std::uint32_t flow);
    void record();
    bool near(const Flow& flow) const;
    bool alive(std::uint32_t flow) const;

    const FabricGraph& m_graph;
    Options m_options;
    PathSelection m_selection;
    FabricState m_physical, m_adjacent, m_nearRoutes, m_farRoutes;
    FlowRouter m_near, m_far;
    LiveRates m_rates;
    std::vector<Flow> m_flows;
    std::vector<Motion> m_motion;
    std::vector<FabricEvent> m_events;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_queue;
    std::uint64_t m_order = 0;
    double m_now = 0;
    bool m_reroute = false;
    std::vector<std::uint32_t> m_displaced, m_starting;
    std::vector<std::vector<std::uint32_t>> m_groups; ///< flows by group
    std::vector<std::uint8_t> m_groupTouched;
    std::uint32_t m_frameLoads = 0; ///< where the loads of the frame in the making begin
    std::vector<float> m_shown;     ///< by link: load of the last frame
    std::vector<Text> m_what;
    TimelineResult m_result;
};

} // namespace fabric
} // namespace hw::sim
