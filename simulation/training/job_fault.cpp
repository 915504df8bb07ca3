// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/job_fault.h"

#include "simulation/training/job_flows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kAfterRepairS = 60; ///< of a time line that nobody set an end to
constexpr double kNeverRepairedS = 600;

/// When the fabric lets the job's connections through.
struct Stall {
    double fromS = 0, toS = 0;
    bool hole = false;
};

class FaultRun {
public:
    FaultRun(const WorkloadFabric& fabric, const TrainingJob& job, const JobFault& fault, const JobRunOptions& options, const Progress& progress)
        : m_fabric(fabric), m_graph(*fabric.graph), m_job(job), m_fault(fault), m_options(options), m_progress(progress), m_state(*fabric.graph)
    {
        m_options.keepLinkBytes = true;
    }

    Result<JobFaultResult> run()
    {
        auto before = runJob(m_fabric, m_job, m_options, m_progress);
        if (!before) return tl::unexpected(before.error());
        m_out.before = std::move(*before);
        if (m_out.before.unreachable > 0)
            return fail(ErrorCode::Refused, "network",
                        i18n("the job does not run before the fault either: {:L} of its transfers have no path", m_out.before.unreachable),
                        i18n("choose another design, placement or routing"));
        m_options.hosts = m_out.before.hosts;
        m_options.unit = m_out.before.unit;
        if (auto found = findTargets(); !found) return tl::unexpected(found.error());
        schedule();
        auto done = takesRanks(m_fault.place) ? hostDies() : fabricFails();
        if (!done) return tl::unexpected(done.error());
        follow();
        return std::move(m_out);
    }

private:
    [[nodiscard]] DeviceId device() const { return m_fabric.hosts[m_out.before.hosts[std::size_t(m_fault.host)]]; }

    Result<void> findTargets()
    {
        const auto refuse = [](const char* key, Text what, Text todo) { return fail(ErrorCode::Refused, key, std::move(what), std::move(todo)); };
        const auto hosts = m_out.before.hosts.size();
        if (std::size_t(m_fault.host) >= hosts) return refuse("host", i18n("the job has {} hosts", hosts), i18n("choose one of them"));
        if (m_fault.place == FaultPlace::Gpu) return {};
        if (m_fault.place == FaultPlace::Host) {
            for (const auto& port : m_graph.hostPorts(device()))
                if (port.access != FabricGraph::kNone) m_out.links.push_back(port.link.value);
            return {};
        }
        if (m_fault.nic >= int(m_fabric.nicsPerHost))
            return refuse("nic", i18n("hosts have {} NICs in this network", m_fabric.nicsPerHost), i18n("choose one of them"));
        const auto ports = m_graph.nicPorts(device(), m_fault.nic);
        if (std::size_t(m_fault.port) >= ports.size() || ports[std::size_t(m_fault.port)].access == FabricGraph::kNone)
            return refuse("port", i18n("this NIC has no such connected port"), i18n("choose another"));
        const auto& port = ports[std::size_t(m_fault.port)];
        const auto ups = m_graph.upArcs(port.access);
        switch (m_fault.place) {
        case FaultPlace::AccessLink: m_out.links = {port.link.value}; return {};
        case FaultPlace::Nic:
            for (const auto& p : ports)
                if (p.access != FabricGraph::kNone) m_out.links.push_back(p.link.value);
            return {};
        case FaultPlace::ToR: m_out.switches = {port.access}; return {};
        case FaultPlace::Plane:
            if (m_graph.at(port.access).plane < 0)
                return refuse("fault", i18n("this network has a single plane"), i18n("choose another fault, or a design with planes"));
            for (std::uint32_t v = 0; v < m_graph.switchCount(); ++v)
                if (m_graph.at(v).plane == m_graph.at(port.access).plane) m_out.switches.push_back(v);
            return {};
        case FaultPlace::Uplink:
        case FaultPlace::Aggregation:
        case FaultPlace::Core: break;
        case FaultPlace::Host:
        case FaultPlace::Gpu: return {};
        }
        if (std::size_t(m_fault.uplink) >= ups.size())
            return refuse("uplink", i18n("this access switch has {} uplinks", ups.size()), i18n("choose one of them"));
        const auto& up = ups[std::size_t(m_fault.uplink)];
        if (m_fault.place == FaultPlace::Uplink)
            m_out.links = {up.link / 2};
        else if (m_fault.place == FaultPlace::Aggregation)
            m_out.switches = {up.to};
        else {
            const auto cores = m_graph.upArcs(up.to);
            if (cores.empty())
                return refuse("fault", i18n("there are no switches above the aggregation switches"),
                              i18n("choose another fault, or a design with a core"));
            m_out.switches = {cores[std::size_t(m_fault.uplink) % cores.size()].to};
        }
        return {};
    }

    /// When it fails and comes back, and the end of the time line.
    void schedule()
    {
        double at = m_fault.faultAtS;
        const bool repaired = m_fault.downS > 0;
        for (int k = 0; k < (repaired ? m_fault.times : 1); ++k, at += m_fault.downS + m_fault.upS)
            m_down.emplace_back(at, repaired ? at + m_fault.downS : kEndless);
        double last = repaired ? m_down.back().second + kAfterRepairS : m_fault.faultAtS + kNeverRepairedS;
        if (takesRanks(m_fault.place) || m_fault.downS > m_fault.libraryTimeoutS)
            last += m_fault.libraryTimeoutS + m_fault.restartS; // to show how a lost job comes back
        m_out.untilS = m_fault.untilS > 0 ? m_fault.untilS : last + 3 * m_out.before.iteration.iterationS;
    }

    [[nodiscard]] bool dead(DirectedLink l) const { return !m_state.up(l); }

    Result<void> fabricFails()
    {
        for (const auto link : m_out.links) m_state.setLink(LinkId(link), false);
        for (const auto v : m_out.switches) m_state.setSwitch(v, false);
        if (auto found = findStalls(); !found) return found;
        JobRunOptions options = m_options;
        options.phase.state = &m_state;
        auto during = runJob(m_fabric, m_job, options, m_progress);
        if (!during) return tl::unexpected(during.error());
        m_out.during = std::move(*during);
        m_out.runsDuring = m_out.during.unreachable == 0;
        const bool givesUp = (m_fault.downS == 0 || m_fault.downS > m_fault.libraryTimeoutS) &&
                             (m_fault.untilS == 0 || m_fault.untilS > m_fault.faultAtS + m_fault.libraryTimeoutS);
        return m_out.runsDuring || !givesUp || !staysInHost(m_fault.place) ? Result<void>() : leaveHost(options);
    }

    /// The NIC's host is cut off for longer than the ranks wait: what holds for the job then holds without this host.
    Result<void> leaveHost(const JobRunOptions& options)
    {
        JobRun cutOff = std::move(m_out.during);
        if (auto done = replaceHost(options); !done) return done;
        m_leaves = m_out.replaced && m_out.during.unreachable == 0;
        if (m_leaves)
            m_out.moved = std::move(m_out.during);
        else
            m_out.replaced = m_out.onBackup = false;
        m_out.during = std::move(cutOff);
        m_out.runsDuring = false;
        if (m_leaves && m_fault.untilS == 0 && m_fault.downS == 0)
            m_out.untilS += m_fault.libraryTimeoutS + m_fault.restartS; // to show how it comes back
        return {};
    }

    /// The job's connections over what fails, on a time line of their own: who gets nothing, and until when.
    Result<void> findStalls()
    {
        RoutingOptions routing = m_options.phase.routing;
        if (routing.selection == PathSelection::Spray) routing.selection = PathSelection::Hash;
        FlowRouter router(m_graph, routing);
        FabricTimeline line(m_graph, routing, {m_fault.convergence, {}, false, false});
        std::vector<DirectedLink> way;
        bool anyTouched = false;
        for (const PhaseReport& phase : m_out.before.phases) {
            bool touched = false;
            for (DirectedLink l = 0; l < phase.result.linkBytes.size() && !touched; ++l) touched = phase.result.linkBytes[l] > 0 && dead(l);
            if (!touched) continue;
            anyTouched = true;
            const auto plan = planPhase(m_fabric, m_out.before, phase.name);
            if (!plan) return tl::unexpected(plan.error());
            for (FlowSpec& flow : flowSpecs(m_fabric, *plan, m_out.before, 0, m_options.phase.connectionsPerPort)) {
                if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, "fault", i18n("stopped"));
                flow.bytes = 0; // it is there all the time
                if (!router.route(flow, way) || std::none_of(way.begin(), way.end(), [&](DirectedLink l) { return dead(l); })) continue;
                line.addFlow(flow);
                ++m_out.hit;
            }
        }
        if (m_out.hit == 0 && anyTouched) { // every sprayed packet may go there, no hashed connection does: until everybody knows
            m_out.hit = 1;
            const auto& c = m_fault.convergence;
            for (const auto& [downS, upS] : m_down) m_stalls.push_back({downS, std::min(upS, downS + std::max({c.carrierS, c.arpS, c.bgpS})), true});
        }
        if (m_out.hit == 0 || !m_stalls.empty()) return {};
        for (const auto& [downS, upS] : m_down) {
            for (const auto link : m_out.links) line.add({downS, FabricEventKind::LinkDown, link}), addUp(line, upS, FabricEventKind::LinkUp, link);
            for (const auto v : m_out.switches) line.add({downS, FabricEventKind::SwitchDown, v}), addUp(line, upS, FabricEventKind::SwitchUp, v);
        }
        if (auto ran = line.run(m_out.untilS, m_progress); !ran) return ran;
        const auto& series = line.result().groups.front();
        for (std::size_t i = 0; i < series.size(); ++i) {
            const double to = i + 1 < series.size() ? series[i + 1].timeS : m_out.untilS;
            if (series[i].stalled > 0 && to > series[i].timeS) m_stalls.push_back({series[i].timeS, to, series[i].holed > 0});
        }
        return {};
    }
    static void addUp(FabricTimeline& line, double upS, FabricEventKind kind, std::uint32_t target)
    {
        if (upS < kEndless) line.add({upS, kind, target});
    }

    /// A free host nearby, or the backup host of the segment, in place of the failed one.
    Result<void> replaceHost(const JobRunOptions& without)
    {
        const std::uint32_t host = m_out.before.hosts[std::size_t(m_fault.host)];
        std::vector<std::uint8_t> free = m_options.free.empty() ? std::vector<std::uint8_t>(m_fabric.hosts.size(), 1) : m_options.free;
        for (const auto h : m_out.before.hosts) free[h] = 0;
        const auto distance = [&](std::uint32_t h) {
            const HostPlace &a = m_fabric.places[h], &b = m_fabric.places[host];
            return a.pod != b.pod ? 2 : a.segment != b.segment ? 1 : 0;
        };
        std::uint32_t best = FabricGraph::kNone;
        for (std::uint32_t h = 0; h < free.size(); ++h)
            if (free[h] && (best == FabricGraph::kNone || distance(h) < distance(best))) best = h;
        m_out.during = m_out.before;
        m_out.onBackup = m_fault.backupHost >= 0 && (best == FabricGraph::kNone || distance(best) > 0);
        if (m_out.onBackup) best = std::uint32_t(m_fault.backupHost);
        m_out.replaced = best != FabricGraph::kNone;
        m_out.runsDuring = m_out.replaced;
        if (m_out.replaced) {
            JobRunOptions options = without;
            options.hosts[std::size_t(m_fault.host)] = best;
            auto during = runJob(m_fabric, m_job, options, m_progress);
            if (!during) return tl::unexpected(during.error());
            m_out.during = std::move(*during);
        }
        return {};
    }

    /// Its ranks are gone: the job is lost, and starts again where a host can be had.
    Result<void> hostDies()
    {
        if (auto done = replaceHost(m_options); !done) return done;
        const double until = m_out.replaced ? std::min(m_fault.faultAtS + m_fault.libraryTimeoutS, m_down.front().second) : m_down.front().second;
        m_stalls.push_back({m_fault.faultAtS, std::min(until, m_out.untilS), false});
        return {};
    }

    [[nodiscard]] double speedOf(const JobRun& run) const { return m_out.before.iteration.iterationS / run.iteration.iterationS; }

    /// Speed of the job from time to time, before anybody gives up.
    std::vector<JobFaultResult::Span> speeds() const
    {
        std::set<double> times = {0.0, m_out.untilS};
        const auto note = [&](double t) {
            if (t > 0 && t < m_out.untilS) times.insert(t);
        };
        for (const auto& s : m_stalls) note(s.fromS), note(s.toS);
        for (const auto& [downS, upS] : m_down) note(downS), note(upS), note(upS + m_fault.convergence.repairS);
        const double slow = m_out.runsDuring ? speedOf(m_out.during) : 0;
        const bool host = takesRanks(m_fault.place);
        std::vector<JobFaultResult::Span> spans;
        for (auto t = times.begin(); std::next(t) != times.end(); ++t) {
            const auto stall = std::find_if(m_stalls.begin(), m_stalls.end(), [&](const Stall& s) { return s.fromS <= *t && *t < s.toS; });
            const bool isDown = std::any_of(m_down.begin(), m_down.end(),
                                            [&](const auto& d) { return d.first <= *t && *t < d.second + m_fault.convergence.repairS; });
            const bool moved = host ? m_out.replaced && *t >= m_fault.faultAtS : isDown && m_out.hit > 0; // a job stays on its new host
            JobFaultResult::Span span{*t, *std::next(t), "full", 1, host && moved};
            if (stall != m_stalls.end())
                span.state = stall->hole ? "black hole" : "stopped", span.speed = 0; // no text
            else if (moved && slow != 1)
                span.state = slow < 1 ? "degraded" : "full", span.speed = slow;
            if (span.speed == 0 && span.state == "degraded") span.state = "stopped";
            append(spans, std::move(span));
        }
        return spans;
    }
    static void append(std::vector<JobFaultResult::Span>& spans, JobFaultResult::Span span)
    {
        if (span.toS <= span.fromS) return;
        if (!spans.empty() && spans.back().state == span.state && spans.back().speed == span.speed && spans.back().moved == span.moved)
            spans.back().toS = span.toS;
        else
            spans.push_back(std::move(span));
    }

    /// What becomes of the job: lost after the library's time-out (a dead host: at it, or with the repair), restarted from its last save.
    void follow()
    {
        auto& out = m_out.spans;
        double stoodSinceS = -1, backAtS = -1; // backAtS: of a lost job, when it trains again; kEndless while it cannot
        for (const auto& span : speeds()) {
            double from = span.fromS;
            if (span.speed > 0) {
                const bool ranksGone = takesRanks(m_fault.place) && stoodSinceS >= 0 && !m_out.lost;
                if (ranksGone) lose(from, stoodSinceS), backAtS = kEndless;
                stoodSinceS = -1;
                if (backAtS == kEndless) backAtS = from + m_fault.restartS;
                if (backAtS > from) append(out, {from, std::min(span.toS, backAtS), "restarting", 0});
                from = std::max(from, backAtS);
                if (from < span.toS) append(out, {from, span.toS, span.state, span.speed, span.moved});
                continue;
            }
            if (backAtS > from) { // it stands anyway; ways that break again break off the restart
                append(out, {from, span.toS, "lost", 0});
                backAtS = kEndless;
                continue;
            }
            if (stoodSinceS < 0) stoodSinceS = from;
            const double givesUp = stoodSinceS + m_fault.libraryTimeoutS;
            append(out, {from, std::min(span.toS, givesUp), span.state, 0});
            if (span.toS <= givesUp) continue;
            lose(givesUp, stoodSinceS);
            if (m_leaves) { // to a host that the fault does not touch, and stays there
                const double speed = speedOf(m_out.moved), again = std::min(givesUp + m_fault.restartS, m_out.untilS);
                append(out, {givesUp, again, "restarting", 0});
                append(out, {again, m_out.untilS, speed < 1 ? "degraded" : "full", speed, true});
                break;
            }
            backAtS = kEndless;
            append(out, {std::max(from, givesUp), span.toS, "lost", 0});
        }
        countIterations();
    }

    void lose(double atS, double stoodSinceS)
    {
        if (!m_out.lost) m_out.lostAtS = atS;
        m_out.lost = true;
        double trained = 0; // since the start of the time line, at which the job is taken to have saved
        for (const auto& span : m_out.spans)
            if (span.speed > 0) trained += std::max(0.0, std::min(span.toS, stoodSinceS) - span.fromS);
        m_out.workLostS += m_fault.saveEveryS > 0 ? std::fmod(trained, m_fault.saveEveryS) : trained;
    }

    void countIterations()
    {
        const double alone = m_out.before.iteration.iterationS;
        double done = 0, ended = 0, slowest = 0; // in iterations; when the last one ended
        for (const auto& span : m_out.spans) {
            const double length = span.toS - span.fromS;
            if (span.state == "black hole") m_out.blackHoleS += length; // no text
            if (span.speed == 0) {
                m_out.standsS += length;
                continue;
            }
            const double perS = span.speed / alone, more = length * perS, next = std::floor(done + 1e-9) + 1;
            if (done + more >= next - 1e-9) { // the first to end in this span waited for what was before it; others are alike
                const double firstEnds = span.fromS + (next - done) / perS;
                slowest = std::max(slowest, firstEnds - ended);
                if (done + more >= next + 1 - 1e-9) slowest = std::max(slowest, 1 / perS);
                ended = span.fromS + (std::floor(done + more + 1e-9) - done) / perS;
            }
            done += more;
        }
        m_out.slowestIterationS = slowest;
        m_out.iterations = std::max(0.0, std::floor(done + 1e-9) - m_out.workLostS / alone);
        m_out.afterS = m_out.spans.empty() || m_out.spans.back().speed == 0 ? kEndless : alone / m_out.spans.back().speed;
    }

    const WorkloadFabric& m_fabric;
    const FabricGraph& m_graph;
    const TrainingJob& m_job;
    const JobFault& m_fault;
    JobRunOptions m_options;
    const Progress& m_progress;
    FabricState m_state;
    bool m_leaves = false;                         ///< the host whose NIC fails
    std::vector<std::pair<double, double>> m_down; ///< when it fails and comes back
    std::vector<Stall> m_stalls;
    JobFaultResult m_out;
};

} // namespace

const char* name(FaultPlace place)
{
    switch (place) {
    case FaultPlace::AccessLink: return "access-link";
    case FaultPlace::Nic: return "nic";
    case FaultPlace::ToR: return "tor";
    case FaultPlace::Uplink: return "uplink";
    case FaultPlace::Aggregation: return "aggregation";
    case FaultPlace::Core: return "core";
    case FaultPlace::Plane: return "plane";
    case FaultPlace::Host: return "host";
    case FaultPlace::Gpu: return "gpu";
    }
    return "";
}

int addBackupHost(const Snapshot& snapshot, DeviceId backup, WorkloadFabric& fabric, JobRunOptions& options)
{
    options.free.resize(fabric.hosts.size(), 1);
    options.free.push_back(0);
    const std::uint32_t domain = fabric.domainOfHost.empty() ? 0 : 1 + *std::ranges::max_element(fabric.domainOfHost);
    fabric.hosts.push_back(backup);
    fabric.domainOfHost.push_back(domain);
    fabric.places.push_back({snapshot.devices.pod[backup], snapshot.devices.segment[backup], int(domain)});
    return int(fabric.hosts.size()) - 1;
}

Result<JobFaultResult> runJobFault(const WorkloadFabric& fabric, const TrainingJob& job, const JobFault& fault, const JobRunOptions& options,
                                   const Progress& progress)
{
    return FaultRun(fabric, job, fault, options, progress).run();
}

} // namespace training
} // namespace hw::sim
