// SPDX-License-Identifier: GPL-3.0-or-later
// What happens on a time line: faults, what is learned of them, flows that start and flows that move.
#include "simulation/fabric/timeline.h"

#include <algorithm>
#include <tuple>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr std::uint32_t kDodgeTries = 64; ///< after which a sender gives up

} // namespace

/// Those who go to the same NIC follow each other, so that a router aims seldom.
void FabricTimeline::sortByDestination(std::vector<std::uint32_t>& flows) const
{
    if (m_selection == PathSelection::LeastLoad) return; // places in the order given
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int16_t, std::uint32_t>> keyed;
    keyed.reserve(flows.size());
    for (const auto f : flows) {
        const FlowSpec& spec = m_flows[f].spec;
        const auto ports = m_graph.nicPorts(spec.destination, spec.destinationNic);
        keyed.emplace_back(ports.empty() ? FabricGraph::kNone : ports.front().access, spec.destination.value, spec.destinationNic, f);
    }
    std::sort(keyed.begin(), keyed.end());
    std::transform(keyed.begin(), keyed.end(), flows.begin(), [](const auto& k) { return std::get<3>(k); });
}

void FabricTimeline::startWaiting()
{
    std::vector<std::uint32_t> flows;
    flows.swap(m_starting);
    std::vector<std::uint32_t> order = flows;
    sortByDestination(order);
    for (const auto f : order) route(f);
    for (const auto f : flows) {
        m_motion[f].running = true;
        m_motion[f].sinceS = m_now;
        settle(f);
        if (!healthy()) displace(f); // its usual way may be another
    }
}

void FabricTimeline::stallOn(DirectedLink link)
{
    std::vector<std::uint32_t> hit;
    for (const auto& entry : m_rates.on(link)) hit.push_back(entry.flow);
    std::sort(hit.begin(), hit.end()); // lists have no order of their own
    for (const auto f : hit) settle(f);
}

void FabricTimeline::setShareOn(LinkId link)
{
    for (const DirectedLink l : {2 * link.value, 2 * link.value + 1})
        if (m_physical.up(l)) m_rates.setCapacity(l, m_physical.capacityGbps(l)); // nobody is on a dead one
}

void FabricTimeline::learn(FabricState& state, const FabricEvent& e)
{
    switch (e.kind) {
    case FabricEventKind::LinkDown:
    case FabricEventKind::SilentDown:
    case FabricEventKind::LinkUp: state.setLink(LinkId(e.target), m_physical.linkUp(LinkId(e.target))); break;
    case FabricEventKind::SwitchDown:
    case FabricEventKind::SwitchUp: state.setSwitch(e.target, m_physical.switchUp(e.target)); break;
    case FabricEventKind::LinkShare:
    case FabricEventKind::OneWayDown: break;
    }
    m_reroute = true;
}

/// The fault or repair itself; what others learn of it, later, is what holds then.
void FabricTimeline::happen(const FabricEvent& e)
{
    switch (e.kind) {
    case FabricEventKind::LinkDown:
    case FabricEventKind::SilentDown:
        m_physical.setLink(LinkId(e.target), false);
        stallOn(2 * e.target), stallOn(2 * e.target + 1);
        break;
    case FabricEventKind::SwitchDown:
        m_physical.setSwitch(e.target, false);
        for (const auto& arc : m_graph.arcs(e.target)) stallOn(arc.link), stallOn(arc.link ^ 1u);
        for (const LinkId link : m_graph.hostLinks(e.target)) stallOn(2 * link.value), stallOn(2 * link.value + 1);
        break;
    case FabricEventKind::LinkUp:
        m_physical.setLink(LinkId(e.target), true);
        m_physical.setOneWay(2 * e.target, true), m_physical.setOneWay(2 * e.target + 1, true);
        setShareOn(LinkId(e.target));
        break;
    case FabricEventKind::SwitchUp:
        m_physical.setSwitch(e.target, true);
        for (const auto& arc : m_graph.arcs(e.target)) setShareOn(LinkId(arc.link / 2));
        for (const LinkId link : m_graph.hostLinks(e.target)) setShareOn(link);
        break;
    case FabricEventKind::OneWayDown:
        m_physical.setOneWay(e.target, false);
        stallOn(e.target);
        break;
    case FabricEventKind::LinkShare:
        m_physical.setShare(LinkId(e.target), e.share);
        setShareOn(LinkId(e.target));
        break;
    }
}

/// Word of an event: own ports, neighbors, everybody; of a silent fault only by the controller.
void FabricTimeline::spread(const FabricEvent& event, std::uint32_t index)
{
    const auto& c = m_options.convergence;
    const auto tell = [&](double own, double neighbors, double everybody) {
        push(m_now + own, Step::Carrier, index);
        push(m_now + neighbors, Step::Arp, index);
        push(m_now + everybody, Step::Bgp, index);
    };
    switch (event.kind) {
    case FabricEventKind::LinkShare:
    case FabricEventKind::OneWayDown: break; // both ends report the link up
    case FabricEventKind::LinkDown:
        if (!c.hostRoutes && (m_graph.tail(2 * event.target) == FabricGraph::kNone || m_graph.head(2 * event.target) == FabricGraph::kNone)) {
            push(m_now + c.carrierS, Step::Carrier, index); // the subnet is advertised as before
            break;
        }
        tell(c.carrierS, c.arpS, c.bgpS);
        break;
    case FabricEventKind::SwitchDown: tell(c.carrierS, c.arpS, c.bgpS); break;
    case FabricEventKind::LinkUp:
    case FabricEventKind::SwitchUp:
        for (const auto f : std::vector<std::uint32_t>(m_displaced)) // ways that were never given up work again
            if (m_motion[f].stalled && alive(f)) settle(f);
        tell(c.repairS, c.repairS, c.repairS);
        break;
    case FabricEventKind::SilentDown:
        if (c.controllerS > 0) tell(c.controllerS, c.controllerS, c.controllerS);
        if (m_options.dodging.kind != Dodge::None) push(m_now + m_options.dodging.detectS + m_options.dodging.rerouteS, Step::Dodge, 0);
        break;
    }
}

/// False when the entry is of the past (a finish at a rate that no longer holds).
bool FabricTimeline::take(const Entry& entry)
{
    static constexpr TextId kWhat[] = {TextId("link down"), TextId("link up"),      TextId("link degraded"), TextId("switch down"),
                                       TextId("switch up"), TextId("silent fault"), TextId("one-way fault")};
    switch (entry.step) {
    case Step::Arrive: m_starting.push_back(entry.target); return true;
    case Step::Finish:
        if (m_motion[entry.target].version != entry.version || !m_motion[entry.target].running) return false;
        finish(entry.target);
        return true;
    case Step::Fabric: {
        const FabricEvent event = m_events[entry.target];
        happen(event);
        m_what.emplace_back(kWhat[std::size_t(event.kind)]);
        spread(event, entry.target);
        return true;
    }
    case Step::Carrier:
        learn(m_adjacent, m_events[entry.target]);
        m_what.emplace_back(i18n("local ports updated"));
        return true;
    case Step::Arp:
        learn(m_nearRoutes, m_events[entry.target]);
        m_what.emplace_back(i18n("neighbors updated"));
        return true;
    case Step::Bgp:
        learn(m_farRoutes, m_events[entry.target]);
        m_what.emplace_back(i18n("converged"));
        return true;
    case Step::Dodge:
        dodge();
        m_what.emplace_back(i18n("senders reroute"));
        return true;
    }
    return false;
}

/// Every sender that still gets nothing through, though routing knows a way, tries another one.
void FabricTimeline::dodge()
{
    std::vector<std::uint32_t> flows = m_displaced;
    std::sort(flows.begin(), flows.end());
    bool again = false;
    for (const auto f : flows) {
        if (!m_motion[f].stalled || !m_motion[f].arrived || m_flows[f].dodges >= kDodgeTries) continue;
        ++m_flows[f].dodges;
        ++m_result.dodges;
        Flow& flow = m_flows[f];
        follow(f);
        m_motion[f].arrived =
            dodgeWay(near(flow) ? m_near : m_far, flow.spec, flow.way, m_options.dodging.kind, std::uint64_t(f) << 16 | flow.dodges);
        const bool works = alive(f);
        settle(f);
        m_result.dodgesThatWorked += works;
        again = again || !works;
    }
    if (again) push(m_now + m_options.dodging.detectS + m_options.dodging.rerouteS, Step::Dodge, 0);
}

/// Routes all flows again that are not on their usual ways.
void FabricTimeline::rerouteDisplaced()
{
    m_reroute = false;
    m_near.setStates(&m_nearRoutes, &m_adjacent);
    m_far.setStates(&m_farRoutes, &m_adjacent);
    std::vector<std::uint32_t> flows;
    flows.swap(m_displaced);
    std::erase_if(flows, [&](std::uint32_t f) { return !m_motion[f].running && (m_motion[f].displaced = false, true); });
    std::sort(flows.begin(), flows.end());
    sortByDestination(flows);
    std::vector<DirectedLink> before;
    for (const auto f : flows) {
        before = m_flows[f].way;
        m_motion[f].displaced = false;
        if (!healthy()) displace(f);
        follow(f); // on its old way
        route(f);
        if (m_flows[f].way != before || m_motion[f].stalled == alive(f)) settle(f), ++m_result.reroutes;
    }
}

} // namespace fabric
} // namespace hw::sim
