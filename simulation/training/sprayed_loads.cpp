// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/sprayed_loads.h"

#include "simulation/fabric/router.h"

#include <algorithm>
#include <array>

namespace hw::sim {
inline namespace training {

namespace {

/// Visits the links of every transfer with their shares. Transfers between the same access switches take the same ways between
/// these, so `ways` comes once for all of a lane's transfers of such a run; links of hosts and GPUs come one by one.
template <class OneLink, class Ways>
class Spraying {
public:
    Spraying(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options, OneLink oneLink, Ways ways)
        : m_fabric(fabric), m_set(set), m_job(job), m_router(*fabric.graph, options.routing, options.state, options.state),
          m_allUp(!options.state || options.state->allUp()), m_failover(options.routing.hostFailover), m_oneLink(oneLink), m_ways(ways)
    {
    }

    std::uint64_t flows = 0, unreachable = 0;
    double insideBytes = 0, networkBytes = 0;

    Result<void> run(const Progress& progress)
    {
        std::vector<std::uint32_t> network;
        for (std::uint32_t i = 0; i < m_set.transfers.size(); ++i)
            if (!inside(m_set.transfers[i], m_set.tag[i])) network.push_back(i);
        std::vector<std::pair<Key, std::uint32_t>> keyed;
        for (const std::uint32_t i : network) keyed.emplace_back(keyOf(i), i);
        std::ranges::sort(keyed);
        for (std::size_t first = 0, k = 0; first < keyed.size(); ++k) {
            if (k % 256 == 0) {
                if (progress.stopRequested()) return fail(ErrorCode::Canceled, "phase", i18n("stopped"));
                progress.report(double(first) / double(keyed.size()), "Routing");
            }
            std::size_t last = first + 1;
            while (last < keyed.size() && m_allUp && keyed[last].first == keyed[first].first) ++last;
            m_run.clear();
            for (; first < last; ++first) m_run.push_back(keyed[first].second);
            spreadRun();
        }
        return {};
    }

private:
    using Key = std::array<std::uint32_t, 5>; ///< lane, first and last access switch of the destination, of the source

    bool inside(const GpuTransfer& t, std::uint32_t lane)
    {
        if (m_fabric.domainOfHost[t.source / m_fabric.gpusPerHost] != m_fabric.domainOfHost[t.destination / m_fabric.gpusPerHost]) return false;
        const bool scaleUp = m_job.accelerator.scaleUpGbps > 0;
        m_oneLink(gpuLink(m_fabric, t.source, scaleUp ? GpuLink::ScaleUpOut : GpuLink::PcieOut), t.bytes, lane);
        m_oneLink(gpuLink(m_fabric, t.destination, scaleUp ? GpuLink::ScaleUpIn : GpuLink::PcieIn), t.bytes, lane);
        insideBytes += t.bytes;
        return true;
    }

    [[nodiscard]] Key keyOf(std::uint32_t i) const
    {
        const auto to = m_fabric.ports(m_set.transfers[i].destination), from = m_fabric.ports(m_set.transfers[i].source);
        return {m_set.tag[i], to.front().access, to.back().access, from.front().access, from.back().access};
    }

    const FabricGraph::HostPort* usable(std::span<const FabricGraph::HostPort> ports, std::size_t wanted)
    {
        for (std::size_t k = 0; k < (m_failover ? ports.size() : 1); ++k)
            if (const auto& port = ports[(wanted + k) % ports.size()]; m_router.usable(port)) return &port;
        return nullptr;
    }

    /// All transfers of m_run, port by port.
    void spreadRun()
    {
        const GpuTransfer& sample = m_set.transfers[m_run.front()];
        const std::uint32_t lane = m_set.tag[m_run.front()];
        const auto to = m_fabric.ports(sample.destination);
        m_router.aimAt(to);
        const std::size_t ports = m_fabric.ports(sample.source).size();
        for (std::size_t p = 0; p < ports; ++p) {
            m_shares.clear();
            const auto* source = usable(m_fabric.ports(sample.source), p);
            if (!source || !m_router.spread(*source, m_shares)) {
                unreachable += m_run.size();
                continue;
            }
            double all = 0;
            for (const std::uint32_t i : m_run) all += ends(i, source - m_fabric.ports(sample.source).data(), to, lane);
            std::erase_if(m_shares, [&](const LinkShare& s) {
                return m_fabric.graph->head(s.link) == FabricGraph::kNone || m_fabric.graph->tail(s.link) == FabricGraph::kNone;
            });
            m_ways(m_shares, all, lane);
        }
    }

    /// The transfer's own links: its GPUs' slots, its port and the ports it comes in by, as the sample's shares have it.
    double ends(std::uint32_t i, std::ptrdiff_t sourcePort, std::span<const FabricGraph::HostPort> sampleTo, std::uint32_t lane)
    {
        const GpuTransfer& t = m_set.transfers[i];
        const auto from = m_fabric.ports(t.source), to = m_fabric.ports(t.destination);
        const double bytes = t.bytes / double(from.size());
        if (m_job.accelerator.pcieGbps > 0) {
            m_oneLink(gpuLink(m_fabric, t.source, GpuLink::PcieOut), bytes, lane);
            m_oneLink(gpuLink(m_fabric, t.destination, GpuLink::PcieIn), bytes, lane);
        }
        m_oneLink(m_fabric.graph->upward(from[std::size_t(sourcePort)]), bytes, lane);
        for (const LinkShare& s : m_shares)
            if (m_fabric.graph->head(s.link) == FabricGraph::kNone)
                for (std::size_t q = 0; q < sampleTo.size(); ++q)
                    if (m_fabric.graph->downward(sampleTo[q]) == s.link) m_oneLink(m_fabric.graph->downward(to[q]), bytes * s.share, lane);
        ++flows;
        networkBytes += bytes;
        return bytes;
    }

    const WorkloadFabric& m_fabric;
    const TransferSet& m_set;
    const TrainingJob& m_job;
    Router m_router;
    const bool m_allUp, m_failover;
    OneLink m_oneLink;
    Ways m_ways;
    std::vector<std::uint32_t> m_run;
    std::vector<LinkShare> m_shares;
};

} // namespace

Result<SprayedLoads> sprayLoads(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options,
                                const Progress& progress)
{
    SprayedLoads r;
    r.bytes.assign(std::size_t(fabric.graph->directedCount()) + 4 * std::size_t(fabric.gpuCount()), 0.0);
    Spraying spraying(
        fabric, set, job, options, [&](std::uint32_t link, double bytes, std::uint32_t) { r.bytes[link] += bytes; },
        [&](std::span<const LinkShare> shares, double bytes, std::uint32_t) {
            for (const LinkShare& s : shares) r.bytes[s.link] += s.share * bytes;
        });
    if (const auto done = spraying.run(progress); !done) return tl::unexpected(done.error());
    r.flows = spraying.flows, r.unreachable = spraying.unreachable;
    r.insideBytes = spraying.insideBytes, r.networkBytes = spraying.networkBytes;
    return r;
}

Result<std::vector<double>> sprayLanes(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options,
                                       std::span<const double> busyS, const Progress& progress)
{
    std::vector<double> lanes(1 + (set.tag.empty() ? 0 : *std::ranges::max_element(set.tag)), 0.0);
    if (lanes.size() == 1) {
        lanes[0] = *std::ranges::max_element(busyS);
        return lanes;
    }
    const auto most = [&](std::uint32_t link, std::uint32_t lane) { lanes[lane] = std::max(lanes[lane], busyS[link]); };
    Spraying spraying(
        fabric, set, job, options, [&](std::uint32_t link, double, std::uint32_t lane) { most(link, lane); },
        [&](std::span<const LinkShare> shares, double, std::uint32_t lane) {
            for (const LinkShare& s : shares) most(s.link, lane);
        });
    if (const auto done = spraying.run(progress); !done) return tl::unexpected(done.error());
    return lanes;
}

} // namespace training
} // namespace hw::sim
