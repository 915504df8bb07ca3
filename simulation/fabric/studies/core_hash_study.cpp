// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/core_hash_study.h"

#include "simulation/fabric/hash.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

/// The switch under study, with the ports that face each pod.
class Crossing {
public:
    Crossing(const FabricGraph& graph, std::uint32_t core, std::span<const FabricGraph::HostPort> destination)
        : m_graph(graph), m_core(core), m_destination(destination)
    {
    }

    std::vector<DirectedLink> ingress(int pod) const
    {
        std::vector<DirectedLink> links;
        for (const auto& arc : m_graph.downArcs(m_core))
            if (m_graph.at(arc.to).pod == pod) links.push_back(arc.link ^ 1u);
        return links;
    }

    /// Egress links of one flow per ingress; kNone where it is dropped.
    std::vector<DirectedLink> route(const std::vector<DirectedLink>& in, HashKind kind, std::uint64_t seed, const FabricState* state) const
    {
        RoutingOptions options;
        options.seed = seed;
        options.setTier(m_graph.at(m_core).level, {kind, 0});
        Router router(m_graph, options, state, state);
        router.aimAt(m_destination);
        std::vector<DirectedLink> out;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const auto* arc = router.nextHop(m_core, false, in[i], mix(std::uint64_t(i) + 1)); // a five-tuple of its own
            out.push_back(arc ? arc->link : FabricGraph::kNone);
        }
        return out;
    }

private:
    const FabricGraph& m_graph;
    std::uint32_t m_core;
    std::span<const FabricGraph::HostPort> m_destination;
};

/// Rates of the flows over their ingress and egress links, added to a case.
class Meter {
public:
    Meter(const FabricGraph& graph, CoreHashResult& out) : m_graph(graph), m_out(out) {}

    std::vector<double> add(const std::vector<DirectedLink>& in, const std::vector<DirectedLink>& egress)
    {
        SmallProblem small(m_graph);
        std::map<DirectedLink, int> load;
        std::vector<std::size_t> carried;
        double line = 0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            line += double(m_graph.capacityGbps()[in[i]]);
            if (egress[i] == FabricGraph::kNone) continue; // dropped: the switch has no other link there
            const DirectedLink way[] = {in[i], egress[i]};
            small.add(1.0, way);
            ++load[egress[i]];
            carried.push_back(i);
        }
        const ProvedRates proved = proveRates(small.problem());
        m_out.certificateOk = m_out.certificateOk && proved.ok;
        m_out.certificateGap = std::max(m_out.certificateGap, proved.gap);
        double sum = 0;
        for (const double r : proved.gbps) sum += r;
        int most = 0;
        for (const auto& [link, flows] : load) most = std::max(most, flows);
        m_share.add(sum / line);
        m_most.add(most);
        m_free.add(most <= 1);
        std::vector<double> gbps(in.size(), 0.0);
        for (std::size_t k = 0; k < carried.size(); ++k) gbps[carried[k]] = proved.gbps[k];
        return gbps;
    }
    CoreHashResult::Case result() const { return {m_share.mean(), m_most.mean(), m_free.mean()}; }

private:
    const FabricGraph& m_graph;
    CoreHashResult& m_out;
    Sample m_share, m_most, m_free;
};

Result<std::uint32_t> coreSwitch(const FabricGraph& graph, int wanted)
{
    int top = 0;
    for (std::uint32_t v = 0; v < graph.switchCount(); ++v) top = std::max<int>(top, graph.at(v).level);
    int n = 0;
    for (std::uint32_t v = 0; v < graph.switchCount(); ++v)
        if (graph.at(v).level == top && n++ == wanted) return v;
    return fail(ErrorCode::Refused, "core", i18n("the top tier has {} switches", n), i18n("choose one of them"));
}

} // namespace

Result<CoreHashResult> runCoreHashStudy(const Snapshot& s, const CoreHashStudy& study, const Progress& progress)
{
    const auto fabric = studyFabric(s, study.network);
    if (!fabric) return tl::unexpected(fabric.error());
    const FabricGraph& graph = fabric->graph;
    const auto core = coreSwitch(graph, study.core);
    if (!core) return tl::unexpected(core.error());
    const auto targets = fabric->serversOf(s, study.toPod, -1);
    if (targets.empty()) return fail(ErrorCode::Refused, "to_pod", i18n("pod {} does not exist", study.toPod + 1), i18n("choose another"));
    const Crossing crossing(graph, *core, graph.nicPorts(targets.front(), 0));
    const auto in = crossing.ingress(study.fromPod), back = crossing.ingress(study.toPod);
    if (in.empty() || back.empty() || study.fromPod == study.toPod)
        return fail(ErrorCode::Refused, "from_pod", i18n("the two pods do not connect to the same top-tier switch"),
                    i18n("choose two pods of a design with a core"));
    if (study.seeds < 1) return fail(ErrorCode::Refused, "seeds", i18n("at least one required"), i18n("use 1,000"));

    CoreHashResult out;
    out.ports = int(in.size());
    out.noCollisionProbability = 1;
    for (int i = 0; i < out.ports; ++i) out.noCollisionProbability *= double(out.ports - i) / out.ports;
    auto both = in;
    if (study.secondFromPod >= 0) {
        const auto second = crossing.ingress(study.secondFromPod);
        both.insert(both.end(), second.begin(), second.end());
    }
    Meter port(graph, out), tuple(graph, out), portDown(graph, out), tupleDown(graph, out), two(graph, out);
    Sample untouched;
    for (int i = 0; i < study.seeds; ++i) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, "core hash study", i18n("canceled")); // no text
        const std::uint64_t seed = study.firstSeed + std::uint64_t(i);
        const auto nominal = crossing.route(in, HashKind::SourcePort, seed, nullptr);
        if (std::count(nominal.begin(), nominal.end(), FabricGraph::kNone))
            return fail(ErrorCode::Refused, "to_pod", i18n("no path from this switch to the pod"), i18n("choose another core switch"));
        port.add(in, nominal);
        tuple.add(in, crossing.route(in, HashKind::FiveTuple, seed, nullptr));
        FabricState state(graph);
        state.setLink(LinkId(nominal[std::size_t(i) % nominal.size()] / 2), false); // each egress in turn
        const auto moved = crossing.route(in, HashKind::SourcePort, seed, &state);
        const auto rates = portDown.add(in, moved);
        int same = 0;
        for (std::size_t f = 0; f < in.size(); ++f) same += moved[f] == nominal[f] && rates[f] > double(graph.capacityGbps()[in[f]]) * (1 - 1e-9);
        untouched.add(same);
        tupleDown.add(in, crossing.route(in, HashKind::FiveTuple, seed, &state));
        if (both.size() > in.size()) two.add(both, crossing.route(both, HashKind::SourcePort, seed, nullptr));
        if (i % 64 == 0) progress.report(double(i) / study.seeds, "Sampling hash seeds");
    }
    out.portHash = port.result(), out.fiveTuple = tuple.result();
    out.portHashLinkDown = portDown.result(), out.fiveTupleLinkDown = tupleDown.result();
    out.twoPodsPortHash = two.result();
    out.untouchedFlows = untouched.mean();
    out.notes.push_back(kFluidNote);
    out.notes.push_back(i18n("Port hashing separates flows from one pod; flows from two pods to the same pod can still collide."));
    return out;
}

} // namespace fabric
} // namespace hw::sim
