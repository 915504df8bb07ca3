// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/subflow_study.h"

#include <map>
#include <set>

namespace hw::sim {
inline namespace fabric {

namespace {

class Subflows {
public:
    Subflows(const Snapshot& s, const SubflowStudy& study, const StudyFabric& fabric, std::vector<DeviceId> from, std::vector<DeviceId> to,
             SubflowResult& out)
        : m_s(s), m_study(study), m_fabric(fabric), m_from(std::move(from)), m_to(std::move(to)), m_out(out)
    {
    }

    Result<SubflowResult::Spread> spread(int subflows, PathSelection selection, const Progress& progress)
    {
        Sample paths, busiest, slowest;
        for (int k = 0; k < m_study.seeds; ++k) {
            if (progress.stopRequested()) return fail(ErrorCode::Canceled, "sub-flows", i18n("canceled")); // no text
            if (auto done = one(subflows, selection, m_study.firstSeed + std::uint64_t(k), paths, busiest, slowest); !done)
                return tl::unexpected(done.error());
        }
        return SubflowResult::Spread{paths.mean(), busiest.mean(), slowest.mean()};
    }

private:
    /// All hosts at once, with one seed of the hash.
    Result<void> one(int subflows, PathSelection selection, std::uint64_t seed, Sample& paths, Sample& busiest, Sample& slowest)
    {
        RoutingOptions options;
        options.seed = seed, options.selection = selection;
        FlowRouter router(m_fabric.graph, options);
        SmallProblem problem(m_fabric.graph);
        std::map<std::uint32_t, double> sent;  // by access switch: Gb/s upward
        std::map<DirectedLink, double> loaded; // uplinks
        std::vector<DirectedLink> way;
        for (int h = 0; h < m_study.hosts; ++h) {
            FlowSpec flow;
            flow.source = m_from[std::size_t(h)], flow.destination = m_to[std::size_t(h)];
            flow.sourceNic = flow.destinationNic = std::int16_t(m_study.nic);
            const auto ports = m_fabric.graph.nicPorts(flow.source, m_study.nic);
            for (std::size_t p = 0; p < ports.size(); ++p) {
                if (ports[p].access == FabricGraph::kNone) continue;
                flow.sourcePort = std::int16_t(p);
                const double gbps = double(m_fabric.graph.capacityGbps()[m_fabric.graph.upward(ports[p])]) / subflows;
                std::set<DirectedLink> used;
                for (int k = 0; k < subflows; ++k) {
                    flow.connection = std::uint16_t(p * std::size_t(subflows) + std::size_t(k));
                    if (!router.route(flow, way))
                        return noPath(i18n("{} has no path to {}", m_s.devices.name[flow.source], m_s.devices.name[flow.destination]));
                    if (way.size() <= 2)
                        return fail(ErrorCode::Refused, "to_segment", i18n("the two hosts share an access switch"), i18n("choose other segments"));
                    sent[ports[p].access] += gbps, loaded[way[1]] += gbps;
                    used.insert(way[1]);
                    problem.add(gbps, way, gbps);
                }
                paths.add(double(used.size()) / double(std::min(std::size_t(subflows), m_fabric.graph.upArcs(ports[p].access).size())));
            }
        }
        measure(problem, subflows, sent, loaded, busiest, slowest);
        return {};
    }

    void measure(const SmallProblem& problem, int subflows, const std::map<std::uint32_t, double>& sent, const std::map<DirectedLink, double>& loaded,
                 Sample& busiest, Sample& slowest)
    {
        double most = 0;
        for (const auto& [link, gbps] : loaded) {
            const std::uint32_t access = m_fabric.graph.tail(link);
            most = std::max(most, gbps / (sent.at(access) / double(m_fabric.graph.upArcs(access).size())));
        }
        busiest.add(most);
        const ProvedRates rates = proveRates(problem.problem());
        m_out.certificateOk = m_out.certificateOk && rates.ok;
        m_out.certificateGap = std::max(m_out.certificateGap, rates.gap);
        const std::size_t perNic = rates.gbps.size() / std::size_t(m_study.hosts);
        double least = m_out.nicGbps;
        for (std::size_t first = 0; perNic > 0 && first < rates.gbps.size(); first += perNic) { // a port is as slow as its slowest sub-flow
            double nic = 0;
            for (std::size_t port = first; port < first + perNic; port += std::size_t(subflows)) {
                const auto begin = rates.gbps.begin() + std::ptrdiff_t(port);
                nic += *std::min_element(begin, begin + subflows) * subflows;
            }
            least = std::min(least, nic);
        }
        slowest.add(least);
    }

    const Snapshot& m_s;
    const SubflowStudy& m_study;
    const StudyFabric& m_fabric;
    std::vector<DeviceId> m_from, m_to;
    SubflowResult& m_out;
};

Result<void> check(const SubflowStudy& study, const StudyFabric& fabric, std::size_t from, std::size_t to)
{
    for (const auto& [there, key] : {std::pair(from, "from_segment"), std::pair(to, "to_segment")})
        if (there < std::size_t(study.hosts))
            return fail(ErrorCode::Refused, key, i18n("the segment has {} active hosts; {} required", there, study.hosts),
                        i18n("choose an existing segment, or fewer hosts"));
    if (study.nic < 0 || study.nic >= fabric.layout.nics)
        return fail(ErrorCode::Refused, "nic", i18n("hosts have {} NICs in this network", fabric.layout.nics), i18n("choose one of them"));
    return {};
}

} // namespace

Result<SubflowResult> runSubflowStudy(const Snapshot& s, const SubflowStudy& asked, const Progress& progress)
{
    SubflowStudy study = asked;
    const auto fabric = studyFabric(s, study.network);
    if (!fabric) return tl::unexpected(fabric.error());
    if (const auto pod = checkPod(*fabric, s, study.pod); !pod) return tl::unexpected(pod.error());
    const int toPod = study.toPod < 0 ? study.pod : study.toPod;
    if (const auto pod = checkPod(*fabric, s, toPod); !pod) return fail(pod.error().code, "to_pod", pod.error().what, pod.error().todo);
    if (study.pod == toPod && study.fromSegment == study.toSegment)
        return fail(ErrorCode::Refused, "to_segment", i18n("is the sending segment"), i18n("choose another"));
    auto from = fabric->serversOf(s, study.pod, study.fromSegment), to = fabric->serversOf(s, toPod, study.toSegment);
    if (const int there = int(std::min(from.size(), to.size())); study.fewerHosts && there > 0) study.hosts = std::min(study.hosts, there);
    if (const auto fine = check(study, *fabric, from.size(), to.size()); !fine) return tl::unexpected(fine.error());
    SubflowResult out;
    for (const auto& port : fabric->graph.nicPorts(from.front(), study.nic)) {
        if (port.access == FabricGraph::kNone) continue;
        if (out.uplinks == 0) out.uplinks = int(fabric->graph.upArcs(port.access).size());
        out.nicGbps += double(fabric->graph.capacityGbps()[fabric->graph.upward(port)]);
    }
    Subflows all(s, study, *fabric, std::move(from), std::move(to), out);
    for (const int n : study.subflows) {
        progress.report(double(out.rows.size()) / double(study.subflows.size()), "Sampling hash seeds");
        auto hash = all.spread(n, PathSelection::Hash, progress);
        if (!hash) return tl::unexpected(hash.error());
        auto offset = all.spread(n, PathSelection::Disjoint, progress);
        if (!offset) return tl::unexpected(offset.error());
        out.rows.push_back({n, *hash, *offset});
    }
    out.notes = {i18n("A NIC port sends the same bytes over each of its sub-flows and waits for the slowest of them. Hash: consecutive source ports; "
                      "offset: the sender uses the source ports at known offsets of the hash, so that its sub-flows take different paths."),
                 i18n("Sub-flows of one port are kept apart, those of different hosts are not: their collisions decrease as more sub-flows share the "
                      "load."),
                 kFluidNote};
    return out;
}

} // namespace fabric
} // namespace hw::sim
