// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/flow_router.h"

#include "simulation/fabric/common_switches.h"

#include "simulation/fabric/hash.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr int kDisjointEffort = 16;     ///< the last free one of n ways is found by one hash in n
constexpr int kDodgeSearch = 1000;      ///< source ports that a sender that knows the hash looks through
constexpr std::uint64_t kBond = 0xb04d; ///< the host's own hash over its NIC's ports

std::uint64_t pairOf(const FlowSpec& f)
{
    return mix((std::uint64_t(f.source.value) << 32 | f.destination.value) ^ mix(std::uint64_t(f.sourceNic) << 16 | std::uint64_t(f.destinationNic)));
}

} // namespace

std::uint64_t hashOf(const FlowSpec& f, std::uint32_t udpPort)
{
    return fiveTuple(f.source.value, f.sourceNic, f.destination.value, f.destinationNic, udpPort);
}

FlowRouter::FlowRouter(const FabricGraph& graph, RoutingOptions options, const FabricState* routes, const FabricState* adjacent)
    : m_router(graph, std::move(options), routes, adjacent)
{
    if (m_router.options().selection == PathSelection::LeastLoad) m_load.assign(graph.directedCount(), 0.0);
}

void FlowRouter::preload(std::span<const float> share, double busy)
{
    for (std::size_t l = 0; l < std::min(share.size(), m_load.size()); ++l) m_load[l] += double(share[l]) * busy;
}

const FabricGraph::HostPort* FlowRouter::sourcePort(const FlowSpec& flow, std::uint32_t udpPort)
{
    m_router.aimAt(graph().nicPorts(flow.destination, flow.destinationNic));
    const auto ports = graph().nicPorts(flow.source, flow.sourceNic);
    if (ports.empty()) return nullptr;
    const std::size_t first = flow.sourcePort >= 0 ? std::size_t(flow.sourcePort) % ports.size() : mix(hashOf(flow, udpPort) ^ kBond) % ports.size();
    if (m_router.usable(ports[first])) return &ports[first];
    const bool cabled = ports[first].access != FabricGraph::kNone;
    for (std::size_t i = 1; i < ports.size() && (m_router.options().hostFailover || !cabled); ++i)
        if (const auto& other = ports[(first + i) % ports.size()]; m_router.usable(other)) return &other;
    return nullptr;
}

bool FlowRouter::walk(const FlowSpec& flow, std::uint32_t udpPort, std::vector<DirectedLink>& way)
{
    way.clear();
    const auto* port = sourcePort(flow, udpPort);
    return port && m_router.walk(*port, hashOf(flow, udpPort), way, int(port - graph().nicPorts(flow.source, flow.sourceNic).data())).arrived;
}

bool FlowRouter::route(const FlowSpec& flow, std::vector<DirectedLink>& way)
{
    m_udpPort = flow.connection;
    switch (m_router.options().selection) {
    case PathSelection::Hash: return walk(flow, flow.connection, way);
    case PathSelection::Disjoint:
    case PathSelection::LeastLoad: return search(flow, way);
    case PathSelection::Spray: assert(!"sprayed flows have no single way"); break;
    }
    return false;
}

/// What selection wants low. Disjoint: links between switches shared with the pair's other ways. LeastLoad: the loads of all links of the
/// way, the fullest first; those of the NICs' own ports too, for where a NIC is reached by two ports the way decides between them, and where
/// all ways end on one port its load is the same for all and the next link decides.
void FlowRouter::price(const std::vector<DirectedLink>& way, Price& result) const
{
    result.clear();
    if (m_load.empty()) {
        double shared = 0;
        for (std::size_t i = 1; i + 1 < way.size(); ++i) shared += double(std::count(m_taken.begin(), m_taken.end(), way[i]));
        result.push_back(shared);
        return;
    }
    for (const DirectedLink l : way) result.push_back(m_load[l]);
    std::sort(result.begin(), result.end(), std::greater<>());
}

void FlowRouter::remember(const FlowSpec& flow, const std::vector<DirectedLink>& way)
{
    if (m_load.empty()) {
        if (way.size() > 2) m_taken.insert(m_taken.end(), way.begin() + 1, way.end() - 1);
        return;
    }
    const double bytes = flow.bytes > 0 ? flow.bytes : 1.0;
    for (const DirectedLink l : way)
        if (graph().capacityGbps()[l] > 0) m_load[l] += bytes / double(graph().capacityGbps()[l]);
}

/// Source ports are tried from the connection's own range on, until one costs nothing; the first of the cheapest wins.
bool FlowRouter::search(const FlowSpec& flow, std::vector<DirectedLink>& way)
{
    if (const auto pair = pairOf(flow); pair != m_pair) m_pair = pair, m_taken.clear();
    const int tries = std::max(m_router.options().searchedPorts, 1) * (m_load.empty() ? kDisjointEffort : 1);
    bool found = false, arrived = false;
    for (int k = 0; k < tries; ++k) {
        const auto port = std::uint32_t(flow.connection) * std::uint32_t(tries) + std::uint32_t(k);
        const bool there = walk(flow, port, m_trial);
        price(m_trial, m_trialPrice);
        if (found && (arrived && !there)) continue;
        if (found && arrived == there && m_trialPrice >= m_price) continue;
        found = true, arrived = there;
        std::swap(m_price, m_trialPrice);
        way = m_trial;
        m_udpPort = port;
        if (there && (m_price.empty() || m_price.front() == 0)) break;
    }
    remember(flow, way);
    return arrived;
}

const char* name(Dodge kind)
{
    switch (kind) {
    case Dodge::Offset: return "offset";
    case Dodge::Rehash: return "rehash";
    case Dodge::None: return "none";
    }
    return "";
}

bool dodgeWay(FlowRouter& router, FlowSpec& flow, std::vector<DirectedLink>& way, Dodge kind, std::uint64_t draw)
{
    if (kind == Dodge::None) return false;
    if (kind == Dodge::Rehash) {
        flow.connection = std::uint16_t(mix(draw));
        return router.route(flow, way);
    }
    const std::vector<DirectedLink> dead = way;
    const std::uint16_t own = flow.connection;
    const FabricGraph& graph = router.graph();
    bool arrived = false;
    for (const bool nodes : {true, false}) // without a common switch; else without a common link
        for (int k = 1; k <= kDodgeSearch; ++k) {
            flow.connection = std::uint16_t(own + k);
            arrived = router.route(flow, way);
            const bool shares =
                nodes ? commonSwitches(graph, dead, way) > 0 : way.size() > 2 && std::any_of(way.begin() + 1, way.end() - 1, [&](DirectedLink l) {
                                                                   return std::find(dead.begin(), dead.end(), l) != dead.end();
                                                               });
            if (arrived && !shares) return true;
        }
    return arrived;
}

namespace {

/// The order in which ways are sought: by destination, so that a router aims seldom; one pair's connections stay together. Least
/// load places in the order given.
std::vector<std::uint32_t> routingOrder(const FabricGraph& graph, const RoutingOptions& options, const std::vector<FlowSpec>& flows)
{
    std::vector<std::uint32_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0u);
    if (options.selection == PathSelection::LeastLoad) return order;
    const auto key = [&](std::uint32_t f) {
        const FlowSpec& spec = flows[f];
        const auto ports = graph.nicPorts(spec.destination, spec.destinationNic);
        return std::tuple(ports.empty() ? FabricGraph::kNone : ports.front().access, spec.destination.value, spec.destinationNic, spec.source.value,
                          spec.sourceNic);
    };
    std::vector<std::pair<decltype(key(0)), std::uint32_t>> keyed;
    keyed.reserve(flows.size());
    for (const auto f : order) keyed.emplace_back(key(f), f);
    std::sort(keyed.begin(), keyed.end());
    std::transform(keyed.begin(), keyed.end(), order.begin(), [](const auto& k) { return k.second; });
    return order;
}

/// Every connection gets a link of its own: the even share of its source port.
void pace(const FabricGraph& graph, RoutedFlows& routed)
{
    std::vector<std::uint32_t> connections(graph.directedCount(), 0);
    for (std::uint32_t f = 0; f < routed.flows.size(); ++f)
        connections[routed.problem.linksOf(f).front()] += routed.problem.linksOf(f).front() != routed.nowhere;
    FlowProblem limited;
    limited.capacity = routed.problem.capacity;
    std::vector<std::uint32_t> way;
    for (std::uint32_t f = 0; f < routed.flows.size(); ++f) {
        const auto links = routed.problem.linksOf(f);
        way.assign(links.begin(), links.end());
        if (links.front() != routed.nowhere) {
            way.push_back(std::uint32_t(limited.capacity.size()));
            limited.capacity.push_back(double(graph.capacityGbps()[links.front()]) / double(connections[links.front()]));
        }
        limited.addFlow(routed.problem.size[f], way, routed.problem.weightOf(f));
    }
    routed.problem = std::move(limited);
}

} // namespace

Result<RoutedFlows> routeFlows(const FabricGraph& graph, const RoutingOptions& options, std::vector<FlowSpec> flows, const FabricState* physical,
                               const FabricState* routes, const FabricState* adjacent, const Progress& progress)
{
    if (options.selection == PathSelection::Spray)
        return fail(ErrorCode::Refused, "path_selection", i18n("spray has no individual paths"),
                    i18n("use evenly spread loads, or another path selection"));
    FlowRouter router(graph, options, routes, adjacent);
    std::vector<std::vector<DirectedLink>> ways(flows.size());
    std::vector<std::uint8_t> arrived(flows.size(), 0);
    std::size_t done = 0;
    for (const auto f : routingOrder(graph, options, flows)) {
        if (++done % 4096 == 0) {
            if (progress.stopRequested()) return fail(ErrorCode::Canceled, "routing", i18n("canceled"));
            progress.report(double(done) / double(flows.size()), "Routing");
        }
        arrived[f] = router.route(flows[f], ways[f]);
    }
    RoutedFlows result;
    result.problem.capacity = physical ? physical->capacities() : std::vector<double>(graph.capacityGbps().begin(), graph.capacityGbps().end());
    result.nowhere = std::uint32_t(result.problem.capacity.size());
    result.problem.capacity.push_back(0.0);
    for (std::uint32_t f = 0; f < flows.size(); ++f) {
        auto& way = ways[f];
        for (const DirectedLink l : way)
            if (result.problem.capacity[l] <= 0) {
                ++result.blackHoled;
                break;
            }
        if (!arrived[f]) ++result.unreachable, way.push_back(result.nowhere);
        result.problem.addFlow(flows[f].bytes / kBytesPerGbit, way, flows[f].weight);
        std::vector<DirectedLink>().swap(way);
    }
    result.flows = std::move(flows);
    if (options.rateControl == RateControl::Paced) pace(graph, result);
    return result;
}

} // namespace fabric
} // namespace hw::sim
