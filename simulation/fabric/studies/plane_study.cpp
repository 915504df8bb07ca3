// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/plane_study.h"

#include "simulation/fairshare/completion.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr double kUnlimitedGbps = 1e9;

/// One variant of the fabric, all numbers of connections, all seeds.
class Rows {
public:
    Rows(const Snapshot& s, const PlaneStudy& study, const StudyFabric& fabric, PlaneResult& out)
        : m_s(s), m_study(study), m_fabric(fabric), m_out(out), m_from(fabric.serversOf(s, study.pod, study.fromSegment)),
          m_to(fabric.serversOf(s, study.pod, study.toSegment))
    {
    }

    Result<std::vector<PlaneResult::Row>> run(const Progress& progress, double from, double to)
    {
        std::vector<PlaneResult::Row> rows;
        for (const int m : m_study.connections) {
            Sample paced, ideal, slowest, slowestPaced, imbalance;
            for (int seed = 0; seed < m_study.seeds; ++seed) {
                if (progress.stopRequested()) return fail(ErrorCode::Canceled, "plane study", i18n("canceled")); // no text
                const auto ways = route(m, m_study.firstSeed + std::uint64_t(seed));
                if (!ways) return tl::unexpected(ways.error());
                measure(*ways, m, RateControl::Ideal, ideal, slowest);
                measure(*ways, m, RateControl::Paced, paced, slowestPaced);
                addImbalance(*ways, m, imbalance);
            }
            rows.push_back({m, paced.mean(), ideal.mean(), slowest.mean(), slowestPaced.mean(), imbalance.mean(), fullRateS()});
            progress.report(from + (to - from) * double(rows.size()) / double(m_study.connections.size()), "Sampling hash seeds");
        }
        return rows;
    }

private:
    std::vector<FlowSpec> flows(int m) const
    {
        std::vector<FlowSpec> result;
        for (int h = 0; h < m_study.hosts; ++h)
            for (int k = 0; k < m; ++k) {
                FlowSpec f;
                f.source = m_from[std::size_t(h)], f.destination = m_to[std::size_t(h)];
                f.sourceNic = f.destinationNic = std::int16_t(m_study.nic);
                f.sourcePort = std::int16_t(k % m_fabric.layout.portsPerNic);
                f.connection = std::uint16_t(k);
                f.bytes = m_study.bytesPerNic / m;
                f.group = std::uint32_t(h);
                result.push_back(f);
            }
        return result;
    }

    using Ways = std::vector<std::vector<DirectedLink>>; ///< host by host

    Result<Ways> route(int m, std::uint64_t seed) const
    {
        RoutingOptions options;
        options.seed = seed;
        FlowRouter router(m_fabric.graph, options);
        const auto specs = flows(m);
        Ways ways(specs.size());
        for (std::size_t f = 0; f < specs.size(); ++f)
            if (!router.route(specs[f], ways[f]))
                return noPath(i18n("NIC {} of {} has no path to that of {}", m_study.nic + 1, m_s.devices.name[specs[f].source],
                                   m_s.devices.name[specs[f].destination]));
        return ways;
    }

    void measure(const Ways& ways, int m, RateControl control, Sample& rate, Sample& slowest)
    {
        SmallProblem small(m_fabric.graph, m_study.uplinksUncontended ? kUnlimitedGbps : 0);
        for (const auto& way : ways) {
            const double share = double(m_fabric.graph.capacityGbps()[way.front()]) * m_fabric.layout.portsPerNic / m;
            small.add(m_study.bytesPerNic / m / kBytesPerGbit, way, control == RateControl::Paced ? share : 0);
        }
        const ProvedRates proved = proveRates(small.problem());
        m_out.certificateOk = m_out.certificateOk && proved.ok;
        m_out.certificateGap = std::max(m_out.certificateGap, proved.gap);
        double sum = 0;
        for (const double r : proved.gbps) sum += r;
        rate.add(sum / m_study.hosts);
        const auto finish = runToCompletion(small.problem()).finish;
        slowest.add(*std::max_element(finish.begin(), finish.end()) / fullRateS());
    }

    double fullRateS() const
    {
        double gbps = 0;
        for (const auto& port : m_fabric.graph.nicPorts(m_from.front(), m_study.nic))
            if (port.access != FabricGraph::kNone) gbps += double(m_fabric.graph.capacityGbps()[m_fabric.graph.upward(port)]);
        return m_study.bytesPerNic / kBytesPerGbit / gbps;
    }

    /// Ways come host by host, `m` each; all carry as much.
    void addImbalance(const Ways& ways, int m, Sample& imbalance) const
    {
        for (std::size_t h = 0; h < std::size_t(m_study.hosts); ++h) {
            int most = 0;
            for (const auto& port : m_fabric.graph.nicPorts(m_to[h], m_study.nic)) {
                if (port.access == FabricGraph::kNone) continue;
                const auto first = ways.begin() + std::ptrdiff_t(h) * m;
                most = std::max(most,
                                int(std::count_if(first, first + m, [&](const auto& way) { return way.back() == m_fabric.graph.downward(port); })));
            }
            imbalance.add(double(most) * m_fabric.layout.portsPerNic / m);
        }
    }

    const Snapshot& m_s;
    const PlaneStudy& m_study;
    const StudyFabric& m_fabric;
    PlaneResult& m_out;
    std::vector<DeviceId> m_from, m_to;
};

/// As many flows of one pair of hosts as their ToR has uplinks, each at the rate of an uplink: how many uplinks they use.
void drawUplinks(const StudyFabric& fabric, DeviceId from, DeviceId to, const PlaneStudy& study, PlaneResult::Uplinks& out)
{
    const auto ports = fabric.graph.nicPorts(from, study.nic);
    const auto cabled = std::ranges::find_if(ports, [](const auto& p) { return p.access != FabricGraph::kNone; });
    if (cabled == ports.end() || fabric.graph.upArcs(cabled->access).empty()) return; // has lost its way up
    const auto& port = *cabled;
    out.links = int(fabric.graph.upArcs(port.access).size());
    const auto use = [&](PathSelection selection, std::uint64_t seed, Sample& busy, Sample& most) {
        RoutingOptions options;
        options.seed = seed;
        options.selection = selection;
        FlowRouter router(fabric.graph, options);
        std::map<DirectedLink, int> flows;
        std::vector<DirectedLink> way;
        FlowSpec f;
        f.source = from, f.destination = to, f.sourceNic = f.destinationNic = std::int16_t(study.nic),
        f.sourcePort = std::int16_t(cabled - ports.begin());
        for (int k = 0; k < out.links; ++k) {
            f.connection = std::uint16_t(k);
            if (router.route(f, way) && way.size() > 2) ++flows[way[1]];
        }
        int max = 0;
        for (const auto& [link, count] : flows) max = std::max(max, count);
        busy.add(double(flows.size()) / out.links);
        most.add(max);
    };
    Sample busy, most, disjoint, ignored;
    for (int seed = 0; seed < study.seeds; ++seed) use(PathSelection::Hash, study.firstSeed + std::uint64_t(seed), busy, most);
    for (int seed = 0; seed < std::max(study.seeds / 100, 1); ++seed)
        use(PathSelection::Disjoint, study.firstSeed + std::uint64_t(seed), disjoint, ignored);
    out.busyShare = busy.mean();
    out.meanMaxLoad = most.mean();
    out.disjointBusyShare = disjoint.least();
}

Result<void> check(const Snapshot& s, const PlaneStudy& study, const StudyFabric& fabric)
{
    if (const auto pod = checkPod(fabric, s, study.pod); !pod) return pod;
    for (const auto& [segment, key] : {std::pair(study.fromSegment, "from_segment"), std::pair(study.toSegment, "to_segment")})
        if (const auto there = fabric.serversOf(s, study.pod, segment).size(); there < std::size_t(study.hosts) || study.hosts < 1)
            return fail(ErrorCode::Refused, key,
                        i18n("segment {} of pod {} has {} active hosts; {} required", segment + 1, study.pod + 1, there, study.hosts),
                        i18n("choose another segment or fewer hosts"));
    if (study.fromSegment == study.toSegment) return fail(ErrorCode::Refused, "to_segment", i18n("is the sending segment"), i18n("choose another"));
    if (study.nic < 0 || study.nic >= fabric.layout.nics)
        return fail(ErrorCode::Refused, "nic", i18n("hosts have {} NICs in this network", fabric.layout.nics), i18n("choose one of them"));
    for (const int m : study.connections)
        if (m < 1 || m % fabric.layout.portsPerNic)
            return fail(ErrorCode::Refused, "connections",
                        i18n("{} connections cannot be distributed evenly over {} ports", m, fabric.layout.portsPerNic), i18n("use a multiple"));
    if (study.seeds < 1) return fail(ErrorCode::Refused, "seeds", i18n("at least one required"), i18n("use 1,000"));
    return {};
}

} // namespace

Result<PlaneResult> runPlaneStudy(const Snapshot& s, const PlaneStudy& study, const Progress& progress)
{
    auto designed = studyFabric(s, study.network);
    if (!designed) return tl::unexpected(designed.error());
    if (const auto checked = check(s, study, *designed); !checked) return tl::unexpected(checked.error());
    PlaneResult out;
    auto rows = Rows(s, study, *designed, out).run(progress, 0.0, 0.45);
    if (!rows) return tl::unexpected(rows.error());
    out.designed = std::move(*rows);
    out.designIsDual = s.networks.planes[designed->network] > 1 && designed->layout.portsPerNic > 1; // whatever has failed of it
    const auto single = studyFabric(s, study.network, FabricVariant::SinglePlane);
    rows = Rows(s, study, *single, out).run(progress, 0.45, 0.9);
    if (!rows) return tl::unexpected(rows.error());
    out.singlePlane = std::move(*rows);
    drawUplinks(*designed, designed->serversOf(s, study.pod, study.fromSegment).front(), designed->serversOf(s, study.pod, study.toSegment).front(),
                study, out.uplinks);
    out.notes.push_back(kFluidNote);
    if (study.uplinksUncontended)
        out.notes.push_back(i18n("Links between switches are treated as unlimited: only the selection of the receiving port is evaluated."));
    if (!out.designIsDual && designed->layout.portsPerNic > 1)
        out.notes.push_back(i18n("The design has a single plane: a hash selects the receiving NIC port."));
    out.notes.push_back(i18n("Two planes do not prevent flow collisions on ToR uplinks; disjoint path selection does."));
    return out;
}

} // namespace fabric
} // namespace hw::sim
