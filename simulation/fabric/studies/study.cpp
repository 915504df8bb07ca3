// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/study.h"

#include "core/foundation/model/find_network.h"
#include "simulation/fairshare/certificate.h"
#include "simulation/fairshare/max_min.h"

#include <algorithm>

namespace hw::sim {
inline namespace fabric {

std::vector<DeviceId> StudyFabric::serversOf(const Snapshot& s, int pod, int segment) const
{
    std::vector<DeviceId> chosen;
    std::copy_if(servers.begin(), servers.end(), std::back_inserter(chosen),
                 [&](DeviceId id) { return (pod < 0 || s.devices.pod[id] == pod) && (segment < 0 || s.devices.segment[id] == segment); });
    return chosen;
}

Result<StudyFabric> studyFabric(const Snapshot& s, const std::string& network, FabricVariant variant)
{
    const auto id = findNetwork(s, network);
    if (!id) return fail(ErrorCode::Refused, "network", i18n("the design has no network '{}'", network), i18n("specify a network of the design"));
    auto servers = activeServers(s);
    const auto layout = hostLayout(s, *id, servers);
    if (!layout) return tl::unexpected(layout.error());
    FabricOptions options;
    options.variant = variant;
    options.portsPerNic = layout->portsPerNic;
    return StudyFabric{*id, std::move(servers), *layout, FabricGraph(s, *id, options)};
}

tl::unexpected<Error> noPath(Text what)
{
    return fail(ErrorCode::Refused, "network", std::move(what), i18n("choose hosts that the network connects"));
}

Result<void> checkPod(const StudyFabric& fabric, const Snapshot& s, int pod)
{
    if (fabric.serversOf(s, pod, -1).empty())
        return fail(ErrorCode::Refused, "pod", i18n("the design has no pod {} with active hosts", pod + 1), i18n("choose another"));
    return {};
}

void SmallProblem::add(double gbit, std::span<const DirectedLink> way, double limitGbps)
{
    m_way.clear();
    for (const DirectedLink l : way) {
        const auto [entry, isNew] = m_local.emplace(l, std::uint32_t(m_problem.capacity.size()));
        const bool inside = m_graph->tail(l) != FabricGraph::kNone && m_graph->head(l) != FabricGraph::kNone;
        if (isNew) m_problem.capacity.push_back(inside && m_betweenSwitchesGbps > 0 ? m_betweenSwitchesGbps : double(m_graph->capacityGbps()[l]));
        m_way.push_back(entry->second);
    }
    if (limitGbps > 0) {
        m_way.push_back(std::uint32_t(m_problem.capacity.size()));
        m_problem.capacity.push_back(limitGbps);
    }
    m_problem.addFlow(gbit, m_way);
}

ProvedRates proveRates(const FlowProblem& problem)
{
    MaxMinSolver solver(problem);
    const auto rates = solver.solve();
    ProvedRates result;
    result.gbps.assign(rates.begin(), rates.end());
    const Certificate proof = certify(problem, result.gbps);
    result.ok = proof.ok;
    result.gap = std::max(proof.overload, proof.worstGap);
    return result;
}

} // namespace fabric
} // namespace hw::sim
