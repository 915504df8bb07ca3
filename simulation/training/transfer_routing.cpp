// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/flow_router.h"
#include "simulation/training/phase.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

/// Transfers by destination: all NICs of one access switch after each other, so that routing aims at that switch once. Least load
/// places by GPU.
std::vector<std::uint32_t> byDestination(const WorkloadFabric& fabric, const std::vector<GpuTransfer>& transfers, PathSelection selection)
{
    const std::uint32_t gpus = fabric.gpuCount();
    std::vector<std::uint32_t> place(gpus);
    std::iota(place.begin(), place.end(), 0u);
    if (selection != PathSelection::LeastLoad) {
        std::vector<std::uint32_t> access(gpus), byAccess(place);
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
            if (const auto ports = fabric.ports(gpu); !ports.empty()) access[gpu] = ports.front().access;
        std::ranges::stable_sort(byAccess, {}, [&](std::uint32_t gpu) { return access[gpu]; });
        for (std::uint32_t i = 0; i < gpus; ++i) place[byAccess[i]] = i;
    }
    std::vector<std::uint32_t> start(gpus + 1, 0), order(transfers.size());
    for (const auto& t : transfers) ++start[place[t.destination] + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (std::uint32_t i = 0; i < transfers.size(); ++i) order[start[place[transfers[i].destination]]++] = i;
    return order;
}

class TransferRouting {
public:
    TransferRouting(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options)
        : m_fabric(fabric), m_set(set), m_job(job), m_options(options), m_router(*fabric.graph, options.routing, options.state, options.state),
          m_allUp(!options.state || options.state->allUp())
    {
        if (!options.placed.empty()) m_router.preload(options.placed, idealGbitTime());
    }

    Result<TransferFlows> run(const Progress& progress)
    {
        m_out.transfers = m_set.transfers.size();
        reserve();
        std::size_t done = 0;
        for (const std::uint32_t i : byDestination(m_fabric, m_set.transfers, m_options.routing.selection)) {
            if (done++ % 8192 == 0) {
                if (progress.stopRequested()) return fail(ErrorCode::Canceled, "phase", i18n("stopped"));
                if (m_out.bytes.size() > m_options.mostFlows) return tooMany();
                progress.report(double(done) / double(m_set.transfers.size()), "Routing");
            }
            const GpuTransfer& t = m_set.transfers[i];
            m_current = i;
            if (m_fabric.domainOfHost[t.source / m_fabric.gpusPerHost] == m_fabric.domainOfHost[t.destination / m_fabric.gpusPerHost])
                inside(t, m_set.tag[i]);
            else
                network(t, m_set.tag[i]);
        }
        if (m_set.inNetwork) addTrees();
        return std::move(m_out);
    }

private:
    Result<TransferFlows> tooMany() const
    {
        return fail(ErrorCode::Refused, "phase", i18n("creates more than {} flows", m_options.mostFlows),
                    i18n("use forwarded all-to-all, a smaller expert group or a smaller job"));
    }

    /// Bytes / Gb/s that the NIC with most to send needs for it.
    double idealGbitTime() const
    {
        std::map<std::uint32_t, double> bytes; // by GPU
        for (const GpuTransfer& t : m_set.transfers) bytes[t.source] += t.bytes;
        double most = 0;
        for (const auto& [gpu, sent] : bytes) {
            double gbps = 0;
            for (const auto& port : m_fabric.ports(gpu))
                if (port.access != FabricGraph::kNone) gbps += double(m_fabric.graph->capacityGbps()[m_fabric.graph->upward(port)]);
            if (gbps > 0) most = std::max(most, sent / gbps);
        }
        return most;
    }

    /// Room for what most transfers need: a flow a port, over two switches.
    void reserve()
    {
        const std::size_t ports = m_fabric.gpuCount() > 0 ? std::max<std::size_t>(m_fabric.ports(0).size(), 1) : 1;
        const std::size_t flows =
            std::min(m_set.transfers.size() * ports * std::size_t(std::max(1, m_options.connectionsPerPort)), m_options.mostFlows);
        m_out.bytes.reserve(flows), m_out.offset.reserve(flows + 1), m_out.lane.reserve(flows);
        m_out.inside.reserve(flows), m_out.transfer.reserve(flows), m_out.link.reserve(flows * 4);
    }

    void finish(double bytes, std::uint32_t lane, bool isInside)
    {
        m_out.bytes.push_back(bytes);
        m_out.offset.push_back(std::uint32_t(m_out.link.size()));
        m_out.lane.push_back(lane);
        m_out.inside.push_back(isInside);
        m_out.transfer.push_back(m_current);
    }

    void inside(const GpuTransfer& t, std::uint32_t tag)
    {
        const bool fabric = m_job.accelerator.scaleUpGbps > 0;
        m_out.link.push_back(gpuLink(m_fabric, t.source, fabric ? GpuLink::ScaleUpOut : GpuLink::PcieOut));
        m_out.link.push_back(gpuLink(m_fabric, t.destination, fabric ? GpuLink::ScaleUpIn : GpuLink::PcieIn));
        finish(t.bytes, m_set.inNetwork ? 0 : tag, true);
    }

    /// Both ends under one switch, everything up and one port of the NIC there: no choice to make.
    bool neighbors(const FabricGraph::HostPort& from, std::span<const FabricGraph::HostPort> to)
    {
        if (!m_allUp || from.access == FabricGraph::kNone) return false;
        const FabricGraph::HostPort* found = nullptr;
        for (const auto& port : to) {
            if (port.access != from.access) continue;
            if (found) return false;
            found = &port;
        }
        if (!found) return false;
        m_out.link.push_back(m_fabric.graph->upward(from));
        m_out.link.push_back(m_fabric.graph->downward(*found));
        return true;
    }

    bool way(const GpuTransfer& t, std::size_t port, std::uint32_t connection, double bytes)
    {
        const auto from = m_fabric.ports(t.source), to = m_fabric.ports(t.destination);
        if (neighbors(from[port], to)) return true;
        const std::uint32_t g = m_fabric.gpusPerHost;
        FlowSpec flow;
        flow.source = m_fabric.hosts[t.source / g], flow.destination = m_fabric.hosts[t.destination / g];
        flow.sourceNic = std::int16_t(m_fabric.nicOf(t.source)), flow.destinationNic = std::int16_t(m_fabric.nicOf(t.destination));
        flow.sourcePort = std::int16_t(port);
        flow.connection = std::uint16_t(port * std::size_t(std::max(1, m_options.connectionsPerPort)) + connection);
        flow.bytes = bytes;
        if (!m_router.route(flow, m_way)) return false;
        m_out.link.insert(m_out.link.end(), m_way.begin(), m_way.end());
        return true;
    }

    void network(const GpuTransfer& t, std::uint32_t tag)
    {
        const std::size_t ports = m_fabric.ports(t.source).size();
        const std::uint32_t connections = m_set.inNetwork ? 1 : std::uint32_t(std::max(1, m_options.connectionsPerPort));
        const bool slot = m_job.accelerator.pcieGbps > 0;
        for (std::size_t p = 0; p < ports; ++p)
            for (std::uint32_t c = 0; c < connections; ++c) {
                const std::size_t start = m_out.link.size();
                if (slot) m_out.link.push_back(gpuLink(m_fabric, t.source, GpuLink::PcieOut));
                const double bytes = t.bytes / double(ports) / connections;
                if (!way(t, p, c, bytes)) {
                    m_out.link.resize(start);
                    ++m_out.unreachable;
                    continue;
                }
                if (slot) m_out.link.push_back(gpuLink(m_fabric, t.destination, GpuLink::PcieIn));
                if (m_set.inNetwork)
                    keepTree(tag, bytes, start);
                else
                    finish(bytes, tag, false);
            }
    }

    /// What a reducing tree crosses; its links become flows of their own, each with the bytes once.
    void keepTree(std::uint32_t tree, double bytes, std::size_t start)
    {
        for (std::size_t i = start; i < m_out.link.size(); ++i) m_treeLinks.push_back({tree, m_out.link[i], bytes});
        m_out.link.resize(start);
    }

    void addTrees()
    {
        const auto key = [](const TreeLink& l) { return std::pair(l.tree, l.link); };
        std::ranges::sort(m_treeLinks, {}, key);
        const auto [first, last] = std::ranges::unique(m_treeLinks, {}, key);
        m_treeLinks.erase(first, last);
        m_current = ~0u;
        for (const TreeLink& l : m_treeLinks) {
            m_out.link.push_back(l.link);
            finish(l.bytes, 0, false);
        }
    }

    struct TreeLink {
        std::uint32_t tree, link;
        double bytes;
    };
    const WorkloadFabric& m_fabric;
    const TransferSet& m_set;
    const TrainingJob& m_job;
    const PhaseOptions& m_options;
    FlowRouter m_router;
    const bool m_allUp;
    std::vector<DirectedLink> m_way;
    TransferFlows m_out;
    std::uint32_t m_current = 0; ///< transfer that is being routed
    std::vector<TreeLink> m_treeLinks;
};

} // namespace

Result<TransferFlows> routeTransfers(const WorkloadFabric& fabric, const TransferSet& set, const TrainingJob& job, const PhaseOptions& options,
                                     const Progress& progress)
{
    if (options.routing.selection == PathSelection::Spray)
        return fail(ErrorCode::Refused, "path_selection", i18n("sprayed flows have no individual paths"), i18n("choose another path selection"));
    return TransferRouting(fabric, set, job, options).run(progress);
}

double workloadCapacity(const WorkloadFabric& f, const Accelerator& a, const FabricState* state, std::uint32_t link)
{
    if (link < f.graph->directedCount()) return state ? state->capacityGbps(link) : double(f.graph->capacityGbps()[link]);
    const auto kind = GpuLink((link - f.graph->directedCount()) % 4);
    const double gbps = kind == GpuLink::ScaleUpOut || kind == GpuLink::ScaleUpIn ? a.scaleUpGbps : a.pcieGbps;
    return gbps > 0 ? gbps : std::numeric_limits<double>::infinity();
}

std::vector<double> workloadCapacities(const WorkloadFabric& f, const Accelerator& a, const FabricState* state)
{
    std::vector<double> capacity(workloadLinks(f));
    for (std::uint32_t l = 0; l < capacity.size(); ++l) capacity[l] = workloadCapacity(f, a, state, l);
    return capacity;
}

} // namespace training
} // namespace hw::sim
