// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/failover_study.h"

#include "simulation/fabric/studies/fault_site.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr double kRateTolerance = 1e-9; ///< relative

class Drill {
public:
    /// `segments`: of the pod, in the order of the ring.
    Drill(const Snapshot& s, const FailoverStudy& study, const StudyFabric& fabric, const FaultSite& place, const std::vector<int>& segments)
        : m_s(s), m_study(study), m_layout(fabric.layout), m_graph(fabric.graph), m_line(fabric.graph, RoutingOptions{}, options(study)),
          m_place(place), m_planes(s.networks.planes[fabric.network] > 1 && study.variant != FabricVariant::SinglePlane)
    {
        for (const int segment : segments) m_segments.push_back(fabric.serversOf(s, study.pod, segment));
        for (std::size_t i = 0; study.order == RingOrder::AlternatingSegments && i < m_segments[0].size(); ++i)
            for (const auto& hosts : m_segments)
                if (i < hosts.size()) m_ring.push_back(hosts[i]);
        if (m_ring.empty())
            for (const auto& hosts : m_segments) m_ring.insert(m_ring.end(), hosts.begin(), hosts.end());
        if (const auto first = place.host ? std::ranges::find(m_ring, *place.host) : m_ring.end(); first != m_ring.end())
            std::ranges::rotate(m_ring, first);
        m_victim = m_ring.front();
    }

    Result<FailoverResult> run(const Progress& progress);

private:
    static FabricTimeline::Options options(const FailoverStudy& study) { return {study.convergence, {}, true, true}; }
    [[nodiscard]] std::uint32_t group(std::size_t host, int nic) const { return std::uint32_t(host * std::size_t(m_layout.nics) + std::size_t(nic)); }
    [[nodiscard]] double nicGbps(std::size_t host, int nic, double t) const { return m_line.result().groupAt(group(host, nic), t).sumGbps; }
    [[nodiscard]] double hostGbps(std::size_t host, double t) const;
    [[nodiscard]] double segmentGbps(double t) const;
    void addRing();
    [[nodiscard]] Result<void> checkRing() const;
    [[nodiscard]] DirectedLink upwards(LinkId link) const;
    Result<void> addFault(double timeS, bool down);
    void inspect(FailoverResult& out) const;
    void measure(FailoverResult& out) const;
    void followJob(FailoverResult& out) const;
    [[nodiscard]] double settledS() const
    {
        const double noticed = m_study.oneWay != OneWay::None ? m_study.oneWayDetectS : 0;
        return m_study.faultAtS + noticed + std::max({m_study.convergence.carrierS, m_study.convergence.arpS, m_study.convergence.bgpS});
    }

    const Snapshot& m_s;
    const FailoverStudy& m_study;
    HostLayout m_layout;
    const FabricGraph& m_graph;
    FabricTimeline m_line;
    FaultSite m_place;
    bool m_planes; ///< ToRs of different planes meet nowhere
    std::vector<std::vector<DeviceId>> m_segments;
    std::vector<DeviceId> m_ring;
    DeviceId m_victim;
    std::vector<LinkId> m_failedLinks;
    std::vector<DeviceId> m_failedDevices;
};

void Drill::addRing()
{
    for (std::size_t i = 0; i < m_ring.size(); ++i)
        for (int nic = 0; nic < m_layout.nics; ++nic)
            for (int p = 0; p < m_layout.portsPerNic; ++p) {
                if (m_graph.nicPorts(m_ring[i], nic)[std::size_t(p)].access == FabricGraph::kNone)
                    continue; // a variant has one port where the design has two
                FlowSpec f;
                f.source = m_ring[i], f.destination = m_ring[(i + 1) % m_ring.size()];
                f.sourceNic = f.destinationNic = std::int16_t(nic);
                f.sourcePort = std::int16_t(p);
                f.connection = std::uint16_t(p);
                f.group = group(i, nic);
                m_line.addFlow(f);
            }
}

/// A ring that stands before anything fails has nothing to tell.
Result<void> Drill::checkRing() const
{
    FlowRouter router(m_graph, RoutingOptions{});
    std::vector<DirectedLink> way;
    std::vector<std::uint8_t> sends(m_ring.size() * std::size_t(m_layout.nics), 0);
    for (std::uint32_t f = 0; f < m_line.flowCount(); ++f) {
        const FlowSpec& flow = m_line.flow(f);
        if (!router.route(flow, way))
            return noPath(i18n("NIC {} of {} has no path to that of {} before the failure", flow.sourceNic + 1, m_s.devices.name[flow.source],
                               m_s.devices.name[flow.destination]));
        sends[flow.group] = 1;
    }
    for (std::size_t i = 0; i < sends.size(); ++i)
        if (!sends[i])
            return noPath(i18n("NIC {} of {} has no link before the failure", i % std::size_t(m_layout.nics) + 1,
                               m_s.devices.name[m_ring[i / std::size_t(m_layout.nics)]]));
    return {};
}

/// The direction from the host or the lower switch.
DirectedLink Drill::upwards(LinkId link) const
{
    const DirectedLink first = 2 * link.value;
    const auto tail = m_graph.tail(first), head = m_graph.head(first);
    if (tail == FabricGraph::kNone || head == FabricGraph::kNone) return tail == FabricGraph::kNone ? first : first + 1;
    return m_graph.at(tail).level <= m_graph.at(head).level ? first : first + 1;
}

Result<void> Drill::addFault(double timeS, bool down)
{
    const auto ports = m_graph.nicPorts(m_victim, m_place.nic);
    const bool single = m_study.fault == Fault::Port || m_study.fault == Fault::Nic || m_study.fault == Fault::Link;
    const auto fails = [&](LinkId link) {
        if (down && single && m_study.oneWay != OneWay::None) {
            const DirectedLink up = upwards(link);
            m_line.add({timeS, FabricEventKind::OneWayDown, m_study.oneWay == OneWay::Up ? up : up ^ 1u});
            if (m_study.oneWayDetectS > 0) m_line.add({timeS + m_study.oneWayDetectS, FabricEventKind::LinkDown, link.value});
        } else {
            m_line.add({timeS, down ? FabricEventKind::LinkDown : FabricEventKind::LinkUp, link.value});
        }
        if (down) m_failedLinks.push_back(link);
    };
    const auto link = [&](const FabricGraph::HostPort& port) { fails(port.link); };
    const auto device = [&](std::uint32_t vertex) {
        m_line.add({timeS, down ? FabricEventKind::SwitchDown : FabricEventKind::SwitchUp, vertex});
        if (down) m_failedDevices.push_back(m_graph.at(vertex).device);
    };
    const auto cabled = std::ranges::find_if(ports, [](const auto& port) { return port.access != FabricGraph::kNone; });
    std::uint32_t tor = m_place.vertex != FabricGraph::kNone ? m_place.vertex : ports[std::size_t(m_place.port)].access;
    if (tor == FabricGraph::kNone && cabled != ports.end()) tor = cabled->access; // its first port may have failed before
    if (tor == FabricGraph::kNone && (m_study.fault == Fault::ToR || m_study.fault == Fault::Stack))
        return fail(ErrorCode::Refused, "device", i18n("no switch left at that port"), i18n("specify another"));
    switch (m_study.fault) {
    case Fault::Port:
        if (m_study.what.kind == EntityKind::Port)
            link(ports[std::size_t(m_place.port)]);
        else
            for (const auto& port : ports)
                if (port.access == tor) link(port);
        return {};
    case Fault::Host:
        for (const auto& port : m_graph.hostPorts(m_victim))
            if (port.access != FabricGraph::kNone) link(port);
        m_failedLinks.clear(), m_failedDevices = {m_victim};
        return {};
    case Fault::Switch:
        if (m_place.vertex == FabricGraph::kNone)
            return fail(ErrorCode::Refused, "device", i18n("does not identify a switch"), i18n("specify the switch that fails"));
        device(m_place.vertex);
        return {};
    case Fault::Nic:
        for (const auto& port : ports)
            if (port.access != FabricGraph::kNone) link(port);
        return {};
    case Fault::ToR: device(tor); return {};
    case Fault::Stack:
        if (m_graph.partner(tor) == FabricGraph::kNone)
            return fail(ErrorCode::Refused, "fault", i18n("this ToR has no partner"), i18n("choose another fault, or a design with dual ToR"));
        device(tor), device(m_graph.partner(tor));
        return {};
    case Fault::Link:
        for (const LinkId l : m_study.links) fails(l);
        return {};
    case Fault::Plane:
        for (std::uint32_t v = 0; v < m_graph.switchCount(); ++v)
            if (m_graph.at(v).plane == m_study.plane) device(v);
        return {};
    }
    return {};
}

double Drill::hostGbps(std::size_t host, double t) const
{
    double sum = 0;
    for (int nic = 0; nic < m_layout.nics; ++nic) sum += nicGbps(host, nic, t);
    return sum;
}

double Drill::segmentGbps(double t) const
{
    double sum = 0;
    for (std::size_t i = 0; i < m_ring.size(); ++i)
        if (m_s.devices.segment[m_ring[i]] == m_s.devices.segment[m_victim]) sum += hostGbps(i, t);
    return sum;
}

/// The state after convergence, before repair; call when the line stands there.
void Drill::inspect(FailoverResult& out) const
{
    const auto victimPorts = m_graph.nicPorts(m_victim, m_place.nic);
    std::set<int> deadPlanes;
    for (const auto& port : victimPorts)
        if (port.access != FabricGraph::kNone && !m_line.physical().up(m_graph.upward(port))) deadPlanes.insert(m_graph.at(port.access).plane);
    for (std::uint32_t f = 0; f < m_line.flowCount(); ++f) {
        const auto way = m_line.wayOf(f);
        const FlowSpec& spec = m_line.flow(f);
        out.flowsIntoDead += std::any_of(way.begin(), way.end(), [&](DirectedLink l) { return !m_line.physical().up(l); });
        const bool damaged =
            (spec.source == m_victim && spec.sourceNic == m_place.nic) || (spec.destination == m_victim && spec.destinationNic == m_place.nic);
        if (m_planes && damaged && !way.empty()) {
            const auto access = m_graph.head(way.front());
            out.flowsOnDeadPlane += m_graph.at(access).plane >= 0 && deadPlanes.count(m_graph.at(access).plane) > 0;
        }
    }
    // Ways that routing knows between the damaged NIC and its successor.
    const FabricState& state = m_line.physical();
    Router router(m_graph, {}, &state, &state);
    router.aimAt(m_graph.nicPorts(m_ring[1], m_place.nic));
    std::vector<LinkShare> shares;
    for (const auto& port : victimPorts) {
        shares.clear();
        if (!router.usable(port) || router.distance(port.access).value_or(0) == 0 || !router.spread(port, shares)) continue;
        out.survivingWays +=
            int(std::count_if(shares.begin(), shares.end(), [&](const LinkShare& s) { return m_graph.tail(s.link) == port.access; }));
    }
}

void Drill::measure(FailoverResult& out) const
{
    const double before = std::nextafter(m_study.faultAtS, 0.0), after = settledS();
    out.nicGbps = nicGbps(0, m_place.nic, before), out.hostGbps = hostGbps(0, before), out.segmentGbps = segmentGbps(before);
    out.degradedNicGbps = nicGbps(0, m_place.nic, after), out.degradedHostGbps = hostGbps(0, after), out.degradedSegmentGbps = segmentGbps(after);
    double nicBefore = INFINITY, nicAfter = INFINITY, hostBefore = INFINITY, hostAfter = INFINITY; // of the slowest
    for (std::size_t i = 0; i < m_ring.size(); ++i) {
        for (int nic = 0; nic < m_layout.nics; ++nic) {
            const double then = nicGbps(i, nic, before), now = nicGbps(i, nic, after);
            out.nicsStopped += now < kRateTolerance * then;
            out.nicsHalved += std::fabs(now / then - 0.5) < kRateTolerance;
            nicBefore = std::min(nicBefore, then), nicAfter = std::min(nicAfter, now);
        }
        hostBefore = std::min(hostBefore, hostGbps(i, before)), hostAfter = std::min(hostAfter, hostGbps(i, after));
    }
    out.continues = nicAfter > kRateTolerance * nicBefore;
    out.ringSlowDownStatic = out.continues ? nicBefore / nicAfter : 0;
    out.ringSlowDownRebalanced = hostAfter > kRateTolerance * hostBefore ? hostBefore / hostAfter : 0;
    for (const double bytes : out.line.blackHoledBytes) out.blackHoledBytes += bytes;
}

/// The collective waits for its slowest edge, and for every byte that is still sent into something dead.
void Drill::followJob(FailoverResult& out) const
{
    std::set<double> times = {0.0, m_study.untilS};
    for (const auto& series : out.line.groups)
        for (const auto& point : series) times.insert(point.timeS);
    std::vector<std::size_t> at(out.line.groups.size(), 0);
    double full = 0, stoppedSince = -1;
    for (auto time = times.begin(); std::next(time) != times.end(); ++time) {
        double worst = INFINITY;
        bool hole = false;
        for (std::size_t g = 0; g < at.size(); ++g) {
            const auto& series = out.line.groups[g];
            while (at[g] + 1 < series.size() && series[at[g] + 1].timeS <= *time) ++at[g];
            worst = std::min(worst, series[at[g]].stalled ? 0.0 : series[at[g]].sumGbps);
            hole = hole || series[at[g]].holed > 0;
        }
        if (full == 0) full = worst;
        const double share = std::abs(worst - full) <= kRateTolerance * full ? 1.0 : worst / full, end = *std::next(time);
        const char* state = share >= 1 - kRateTolerance ? "full" : share > 0 ? "degraded" : hole ? "black hole" : "stopped"; // no text
        if (share > 0) {
            const bool ranksGone = m_study.fault == Fault::Host && stoppedSince >= 0 && !out.jobLost; // though their host is back
            if (ranksGone) out.jobLost = true, out.lostAtS = *time;
            stoppedSince = -1;
        } else if (stoppedSince < 0)
            stoppedSince = *time;
        if (!out.job.empty() && out.job.back().state == state && out.job.back().share == share)
            out.job.back().toS = end;
        else
            out.job.push_back({*time, end, state, share});
        if (share == 0 && !out.jobLost && end > stoppedSince + m_study.libraryTimeoutS)
            out.jobLost = true, out.lostAtS = stoppedSince + m_study.libraryTimeoutS;
        if (share == 0) out.blackHoleS += hole ? end - *time : 0;
    }
    if (!out.jobLost) return;
    // From then on the job is lost; it restarts from its last checkpoint once there is a way again.
    std::vector<FailoverResult::Span> job;
    double restarted = INFINITY;
    for (auto span : out.job) {
        if (span.fromS < out.lostAtS) job.push_back({span.fromS, std::min(span.toS, out.lostAtS), span.state, span.share});
        span.fromS = std::max(span.fromS, out.lostAtS);
        if (span.fromS >= span.toS) continue;
        if (span.share == 0)
            job.push_back({span.fromS, span.toS, "lost", 0});
        else {
            restarted = std::min(restarted, span.fromS + m_study.restartS);
            if (span.fromS < restarted) job.push_back({span.fromS, std::min(span.toS, restarted), "restarting", 0});
            if (span.toS > restarted) job.push_back({std::max(span.fromS, restarted), span.toS, span.state, span.share});
        }
    }
    out.job = std::move(job);
}

Result<FailoverResult> Drill::run(const Progress& progress)
{
    FailoverResult out;
    addRing();
    if (auto whole = checkRing(); !whole) return tl::unexpected(whole.error());
    if (auto added = addFault(m_study.faultAtS, true); !added) return tl::unexpected(added.error());
    const double repairAt = m_study.faultAtS + m_study.downS;
    const bool repaired = m_study.downS > 0 && repairAt < m_study.untilS;
    if (m_study.downS > 0)
        if (auto added = addFault(repairAt, false); !added) return tl::unexpected(added.error());
    if (auto ran = m_line.run(settledS(), progress); !ran) return tl::unexpected(ran.error());
    inspect(out);
    if (auto ran = m_line.run(m_study.untilS, progress); !ran) return tl::unexpected(ran.error());
    out.line = m_line.result();
    out.failedLinks = m_failedLinks, out.failedDevices = m_failedDevices;
    measure(out);
    if (repaired) out.repairedNicGbps = nicGbps(0, m_place.nic, repairAt + m_study.convergence.repairS);
    followJob(out);
    out.notes = out.line.notes;
    if (!m_study.convergence.hostRoutes)
        out.notes.push_back(i18n("Without host routes, access switches advertise only their subnet: remote senders do not learn that a NIC's link "
                                 "is down and send to it until it is repaired."));
    if (m_study.oneWay != OneWay::None && !(m_study.oneWayDetectS > 0))
        out.notes.push_back(i18n("A link that fails in one direction stays in service because one_way_detect_s is 0; set the detection time of "
                                 "remote fault signaling (IEEE 802.3), LACP or BFD."));
    if (m_study.fault == Fault::Host)
        out.notes.push_back(i18n("The ranks of a failed host are lost: the job aborts when the host returns, or at the latest when "
                                 "the other ranks time out; it restarts from its last checkpoint on the same hosts."));
    out.notes.push_back(i18n("The collective waits for its slowest edge and for black-holed bytes; restart time is assumed."));
    return out;
}

} // namespace

const char* name(Fault fault)
{
    switch (fault) {
    case Fault::Port: return "port";
    case Fault::Nic: return "nic";
    case Fault::ToR: return "tor";
    case Fault::Stack: return "stack";
    case Fault::Host: return "host";
    case Fault::Switch: return "switch";
    case Fault::Link: return "link";
    case Fault::Plane: return "plane";
    }
    return "";
}

const char* name(OneWay oneWay)
{
    switch (oneWay) {
    case OneWay::None: return "none";
    case OneWay::Up: return "up";
    case OneWay::Down: return "down";
    }
    return "";
}

const char* name(RingOrder order)
{
    switch (order) {
    case RingOrder::Contiguous: return "contiguous";
    case RingOrder::AlternatingSegments: return "alternating-segments";
    }
    return "";
}

namespace {

/// Segments of a pod that have active hosts, from `first` on and round to it again.
std::vector<int> segmentsFrom(const Snapshot& s, const StudyFabric& fabric, int pod, int first)
{
    std::set<int> there;
    for (const DeviceId host : fabric.servers)
        if (s.devices.pod[host] == pod) there.insert(s.devices.segment[host]);
    std::vector<int> list(there.begin(), there.end());
    if (const auto at = std::ranges::find(list, first); at != list.end()) std::ranges::rotate(list, at);
    return list;
}

/// Where the fault of a study sits, the pod of its job and the segment that this starts with.
struct Scene {
    FaultSite place;
    int pod = 0;
    std::optional<int> segment; ///< none: nothing is named, segments count from the pod's first
};

Result<Scene> sceneOfThing(const Snapshot& s, const StudyFabric& fabric, const FailoverStudy& study)
{
    const auto found = faultSite(s, fabric, study.what);
    if (!found) return tl::unexpected(found.error());
    if ((study.fault == Fault::ToR || study.fault == Fault::Stack) && found->vertex != FabricGraph::kNone && !found->host)
        return fail(ErrorCode::Refused, "device", i18n("is not a switch with directly connected hosts"), i18n("use fault switch"));
    if (!found->host) return Scene{*found, std::max<int>(0, s.devices.pod[DeviceId(study.what.id)]), 0};
    return Scene{*found, s.devices.pod[*found->host], s.devices.segment[*found->host]};
}

Result<Scene> sceneOfLinks(const Snapshot& s, const StudyFabric& fabric, const FailoverStudy& study)
{
    const auto place = linkSite(s, fabric, study.links);
    if (!place) return tl::unexpected(place.error());
    if (place->host) return Scene{*place, s.devices.pod[*place->host], s.devices.segment[*place->host]};
    return Scene{*place, std::max<int>(0, s.devices.pod[fabric.graph.at(place->vertex).device]), 0};
}

Result<Scene> sceneOf(const Snapshot& s, const StudyFabric& fabric, FailoverStudy& study)
{
    if (study.fault == Fault::Plane) {
        for (std::uint32_t v = 0; v < fabric.graph.switchCount(); ++v)
            if (fabric.graph.at(v).plane == study.plane) return Scene{{}, study.pod, std::nullopt};
        return fail(ErrorCode::Refused, "plane", i18n("this network has no plane {}", study.plane + 1), i18n("choose one of its planes"));
    }
    if (study.what) return sceneOfThing(s, fabric, study);
    if (study.fault != Fault::Link) return Scene{{}, study.pod, std::nullopt};
    if (study.links.empty()) {
        const auto tor = fabric.servers.empty() ? FabricGraph::kNone : fabric.graph.nicPorts(fabric.servers.front(), 0).front().access;
        if (tor == FabricGraph::kNone || fabric.graph.upArcs(tor).empty())
            return fail(ErrorCode::Refused, "link", i18n("missing, and the first access switch has no uplink"),
                        i18n("specify a link by its two ends"));
        study.links = {LinkId(fabric.graph.upArcs(tor).front().link / 2)};
    }
    return sceneOfLinks(s, fabric, study);
}

} // namespace

Result<FailoverResult> runFailoverStudy(const Snapshot& s, const FailoverStudy& asked, const Progress& progress)
{
    const auto fabric = studyFabric(s, asked.network, asked.variant);
    if (!fabric) return tl::unexpected(fabric.error());
    FailoverStudy study = asked;
    const auto scene = sceneOf(s, *fabric, study);
    if (!scene) return tl::unexpected(scene.error());
    study.pod = scene->pod;
    const bool named = scene->segment.has_value();
    if (const auto pod = checkPod(*fabric, s, study.pod); !pod) return tl::unexpected(pod.error());
    const auto all = named ? segmentsFrom(s, *fabric, study.pod, *scene->segment) : std::vector<int>();
    std::vector<int> segments;
    std::size_t hosts = 0;
    for (int i = 0; i < study.segments; ++i) {
        const int segment = named && i < int(all.size()) ? all[std::size_t(i)] : i;
        const auto there = named && i >= int(all.size()) ? 0 : fabric->serversOf(s, study.pod, segment).size();
        if (there == 0)
            return fail(ErrorCode::Refused, "segments", i18n("pod {} has no segment {}", study.pod + 1, i + 1), i18n("choose fewer segments"));
        segments.push_back(segment);
        hosts += there;
    }
    if (hosts < 2) return fail(ErrorCode::Refused, "segments", i18n("a ring requires two hosts"), i18n("choose more segments"));
    const double settled = study.faultAtS + (study.oneWay != OneWay::None ? study.oneWayDetectS : 0) +
                           std::max({study.convergence.carrierS, study.convergence.arpS, study.convergence.bgpS});
    if (!(study.faultAtS > 0) || study.untilS <= settled || (study.downS > 0 && study.faultAtS + study.downS <= settled))
        return fail(ErrorCode::Refused, "fault_at_s", i18n("fault, convergence, repair and end must occur in this order"),
                    i18n("choose later times"));
    return Drill(s, study, *fabric, scene->place, segments).run(progress);
}

} // namespace fabric
} // namespace hw::sim
