// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/timeline.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kSameMoment = 1e-12; ///< relative

} // namespace

FabricTimeline::FabricTimeline(const FabricGraph& graph, RoutingOptions routing, Options options)
    : m_graph(graph), m_options(options), m_selection(routing.selection), m_physical(graph), m_adjacent(graph), m_nearRoutes(graph),
      m_farRoutes(graph), m_near(graph, routing), m_far(graph, std::move(routing)),
      m_rates(std::vector<double>(graph.capacityGbps().begin(), graph.capacityGbps().end())), m_shown(graph.directedCount(), 0.0f)
{
    m_result.notes.push_back(kFluidNote);
    m_result.notes.push_back(i18n("Convergence after a fault (assumed unless set): local ports {:g} s, neighbors {:g} s, entire fabric "
                                  "{:g} s; after a repair: {:g} s.",
                                  options.convergence.carrierS, options.convergence.arpS, options.convergence.bgpS, options.convergence.repairS));
}

void FabricTimeline::push(double timeS, Step step, std::uint32_t target, std::uint32_t version)
{
    m_queue.push({timeS, m_order++, step, target, version});
}

std::uint32_t FabricTimeline::addFlow(const FlowSpec& spec, double startS)
{
    const std::uint32_t id = m_rates.addFlow(spec.weight);
    Flow flow;
    flow.spec = spec;
    m_flows.push_back(std::move(flow));
    m_motion.push_back({});
    m_motion.back().group = spec.group;
    m_motion.back().leftGbit = spec.bytes > 0 ? spec.bytes / kBytesPerGbit : kNever;
    m_result.finishS.push_back(kNever);
    if (m_groups.size() <= spec.group) {
        m_groups.resize(spec.group + 1);
        m_groupTouched.resize(spec.group + 1, 0);
        m_result.groups.resize(spec.group + 1);
        m_result.blackHoledBytes.resize(spec.group + 1, 0.0);
    }
    m_groups[spec.group].push_back(id);
    push(std::max(startS, m_now), Step::Arrive, id);
    return id;
}

void FabricTimeline::add(const FabricEvent& event)
{
    m_events.push_back(event);
    push(std::max(event.timeS, m_now), Step::Fabric, std::uint32_t(m_events.size() - 1));
}

/// Hosts of one segment, or under one access switch, learn by ARP.
bool FabricTimeline::near(const Flow& flow) const
{
    for (const auto& a : m_graph.nicPorts(flow.spec.source, flow.spec.sourceNic))
        for (const auto& b : m_graph.nicPorts(flow.spec.destination, flow.spec.destinationNic)) {
            if (a.access == FabricGraph::kNone || b.access == FabricGraph::kNone) continue;
            const auto &x = m_graph.at(a.access), &y = m_graph.at(b.access);
            if (a.access == b.access || (x.segment >= 0 && x.pod == y.pod && x.segment == y.segment)) return true;
        }
    return false;
}

bool FabricTimeline::alive(std::uint32_t flow) const
{
    const auto& way = m_flows[flow].way;
    return m_motion[flow].arrived && std::all_of(way.begin(), way.end(), [&](DirectedLink l) { return m_physical.up(l); });
}

void FabricTimeline::displace(std::uint32_t flow)
{
    if (std::exchange(m_motion[flow].displaced, true)) return;
    m_displaced.push_back(flow);
}

/// Brings the flow's rate into line with its way: nothing over a dead link.
void FabricTimeline::settle(std::uint32_t id)
{
    Motion& motion = m_motion[id];
    const bool through = motion.running && alive(id);
    if (motion.running && !through && !motion.stalled) motion.lostRateGbps = motion.rateGbps;
    follow(id);
    motion.stalled = motion.running && !through;
    if (!through) ++motion.version, motion.rateGbps = 0; // no finish that was foreseen holds
    m_rates.setWay(id, through ? std::span<const DirectedLink>(m_flows[id].way) : std::span<const DirectedLink>());
    m_groupTouched[m_flows[id].spec.group] = 1;
    if (motion.stalled) displace(id);
}

void FabricTimeline::route(std::uint32_t id)
{
    Flow& flow = m_flows[id];
    m_motion[id].arrived = (near(flow) ? m_near : m_far).route(flow.spec, flow.way);
}

void FabricTimeline::finish(std::uint32_t id)
{
    m_motion[id].leftGbit = 0;
    m_motion[id].running = false;
    m_result.finishS[id] = m_now;
    settle(id);
    if (onFinish) onFinish(id, m_now);
}

/// Moves a flow to the present at its old rate, and takes on the new one.
void FabricTimeline::follow(std::uint32_t id)
{
    Motion& motion = m_motion[id];
    const double passed = m_now - motion.sinceS;
    if (motion.running && passed > 0) {
        if (!motion.stalled)
            motion.leftGbit = std::max(motion.leftGbit - motion.rateGbps * passed, 0.0);
        else if (!m_flows[id].way.empty())
            m_result.blackHoledBytes[m_flows[id].spec.group] += motion.lostRateGbps * passed * kBytesPerGbit;
    }
    motion.sinceS = m_now;
    motion.rateGbps = m_rates.rate(id);
}

void FabricTimeline::solve()
{
    const auto changed = m_rates.update();
    m_result.flowsSolved += m_rates.solvedCount();
    for (const auto f : changed) {
        Motion& motion = m_motion[f];
        if (m_rates.rate(f) == motion.rateGbps && motion.version > 0) continue;
        follow(f);
        m_groupTouched[motion.group] = 1;
        ++motion.version;
        if (motion.rateGbps > 0 && motion.leftGbit < kNever) push(m_now + motion.leftGbit / motion.rateGbps, Step::Finish, f, motion.version);
    }
    if (!m_options.keepLoads) return;
    for (const DirectedLink l : m_rates.touched()) {
        const auto load = float(m_rates.load(l));
        if (load == m_shown[l] || l >= m_graph.designedCount()) continue; // links that a variant adds are no cables to show
        m_shown[l] = load;
        m_result.loads.push_back({l, load});
    }
}

void FabricTimeline::record()
{
    for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
        if (!std::exchange(m_groupTouched[g], 0)) continue;
        TimelineResult::GroupPoint point;
        point.timeS = m_now;
        point.minGbps = kNever;
        for (const auto f : m_groups[g]) {
            if (!m_motion[f].running) continue;
            const double rate = m_rates.rate(f);
            ++point.flows;
            point.stalled += m_motion[f].stalled;
            point.holed += m_motion[f].stalled && !m_flows[f].way.empty();
            point.sumGbps += rate;
            point.minGbps = std::min(point.minGbps, rate);
        }
        if (point.flows == 0) point.minGbps = 0;
        auto& series = m_result.groups[g];
        if (!series.empty() && series.back().timeS == m_now)
            series.back() = point;
        else
            series.push_back(point);
    }
    std::vector<Text> what;
    for (Text& w : m_what)
        if (std::ranges::find(what, w) == what.end()) what.push_back(std::move(w));
    m_what.clear();
    if (m_options.keepLoads) m_result.frames.push_back({m_now, m_frameLoads, listed(std::move(what))});
    m_frameLoads = std::uint32_t(m_result.loads.size());
    if (!m_options.prove) return;
    const Certificate proof = m_rates.prove();
    ++m_result.proofs;
    m_result.certificateOk = m_result.certificateOk && proof.ok;
    m_result.certificateGap = std::max({m_result.certificateGap, proof.overload, proof.worstGap});
}

Result<void> FabricTimeline::run(double untilS, const Progress& progress)
{
    if (m_selection == PathSelection::Spray)
        return fail(ErrorCode::Refused, "path_selection", i18n("spray has no individual paths"), i18n("use another path selection for a timeline"));
    while (!m_queue.empty() && m_queue.top().timeS <= untilS) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "timeline", i18n("canceled"));
        m_now = std::max(m_now, m_queue.top().timeS);
        bool something = false;
        do { // one moment at once, with all that it brings about
            while (!m_queue.empty() && m_queue.top().timeS <= m_now * (1 + kSameMoment)) {
                const Entry entry = m_queue.top();
                m_queue.pop();
                something = take(entry) || something;
            }
            if (m_reroute) rerouteDisplaced();
            if (!m_starting.empty()) startWaiting();
            if (something) solve();
        } while (!m_queue.empty() && m_queue.top().timeS <= m_now * (1 + kSameMoment));
        if (something) record();
        if (untilS < kNever) progress.report(m_now / std::max(untilS, 1e-300), "Running the timeline");
    }
    if (untilS < kNever) m_now = std::max(m_now, untilS);
    for (const auto f : m_displaced) follow(f); // what stalled flows have lost until now
    m_result.endS = m_now;
    return {};
}

std::vector<std::uint32_t> FabricTimeline::flowsOn(DirectedLink link) const
{
    std::vector<std::uint32_t> flows;
    for (const auto& entry : m_rates.on(link)) flows.push_back(entry.flow);
    std::sort(flows.begin(), flows.end());
    return flows;
}

TimelineResult::GroupPoint TimelineResult::groupAt(std::uint32_t group, double timeS) const
{
    if (group >= groups.size()) return {};
    const auto& series = groups[group];
    const auto after = std::upper_bound(series.begin(), series.end(), timeS, [](double t, const GroupPoint& p) { return t < p.timeS; });
    return after == series.begin() ? GroupPoint{} : *std::prev(after);
}

} // namespace fabric
} // namespace hw::sim
