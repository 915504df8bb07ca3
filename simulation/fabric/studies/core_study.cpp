// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/fabric/studies/core_study.h"

#include "simulation/fabric/spray.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::sim {
inline namespace fabric {

namespace {

constexpr double kCheap = 1.05; ///< slow-down that counts as none
constexpr double kDear = 2.0;

/// Bytes from a GPU's NIC to one of another host.
struct Step {
    DeviceId source, destination;
    double bytes;
};

class Core {
public:
    Core(const Snapshot& s, const CoreStudy& study, const StudyFabric& fabric, const Progress& progress)
        : m_s(s), m_study(study), m_fabric(fabric), m_graph(fabric.graph), m_progress(progress)
    {
        for (int pod = 0; pod < study.pods; ++pod) m_hosts.push_back(fabric.serversOf(s, pod, -1));
        for (std::uint32_t v = 0; v < m_graph.switchCount(); ++v) m_top = std::max<int>(m_top, m_graph.at(v).level);
        for (DirectedLink l = 0; l < m_graph.directedCount(); ++l) {
            const auto tail = m_graph.tail(l), head = m_graph.head(l);
            if (tail == FabricGraph::kNone || head == FabricGraph::kNone) continue;
            if (m_graph.at(head).level == m_top && m_graph.at(tail).level < m_top && m_graph.at(tail).pod == 0)
                m_coreGbps += double(m_graph.capacityGbps()[l]);
        }
        m_nicGbps = 0;
        for (const DeviceId host : m_hosts[0]) // the whole ones: others may have lost ports
            for (int nic = 0; nic < fabric.layout.nics; ++nic) m_nicGbps = std::max(m_nicGbps, gbpsOf(host, nic));
    }

    Result<CoreResult> run();

private:
    [[nodiscard]] double gbpsOf(DeviceId host, int nic) const
    {
        double gbps = 0;
        for (const auto& port : m_graph.nicPorts(host, nic))
            if (port.access != FabricGraph::kNone) gbps += double(m_graph.capacityGbps()[m_graph.upward(port)]);
        return gbps;
    }
    /// Hosts in the order of pods.
    std::vector<DeviceId> inOrder() const
    {
        std::vector<DeviceId> all;
        for (const auto& pod : m_hosts) all.insert(all.end(), pod.begin(), pod.end());
        return all;
    }
    /// One host of each pod in turn.
    std::vector<DeviceId> alternating() const
    {
        std::vector<DeviceId> all;
        for (std::size_t i = 0; i < m_hosts[0].size(); ++i)
            for (const auto& pod : m_hosts) all.push_back(pod[i]);
        return all;
    }
    std::vector<Step> pipeline(CoreResult& out) const;
    std::vector<Step> rings(const std::vector<DeviceId>& order, bool byPod) const;
    Result<CoreResult::Case> steps(Text name, const std::vector<Step>& list);
    Result<CoreResult::Case> allToAll(Text name, const std::vector<DeviceId>& hosts);
    Result<void> spread(CoreResult::Case& result, std::vector<Demand> demands, double hostSeconds);
    Result<void> hash(CoreResult::Case& result, const std::vector<Step>& list);
    [[nodiscard]] bool demandsOf(const Step& step, std::map<std::pair<std::uint32_t, std::uint32_t>, double>& sums, std::vector<double>& ports) const;
    Text verdict(const CoreResult& r) const;

    const Snapshot& m_s;
    const CoreStudy& m_study;
    const StudyFabric& m_fabric;
    const FabricGraph& m_graph;
    const Progress& m_progress;
    std::vector<std::vector<DeviceId>> m_hosts; ///< by pod
    int m_top = 0, m_replicas = 0;
    double m_coreGbps = 0, m_nicGbps = 0;
};

/// Stage i of n stands on the i-th n-th of the hosts, wherever pods end; every stage but the last sends to the next one.
std::vector<Step> Core::pipeline(CoreResult& out) const
{
    const auto order = inOrder();
    const auto stages = std::size_t(m_study.pipelineStages), perStage = order.size() / stages;
    std::vector<Step> list;
    out.boundaries = int(stages) - 1;
    for (std::size_t stage = 0; stage + 1 < stages; ++stage) {
        int across = 0;
        for (std::size_t i = stage * perStage; i < (stage + 1) * perStage; ++i) {
            list.push_back({order[i], order[i + perStage], m_study.pipelineBytes});
            across += m_s.devices.pod[order[i]] != m_s.devices.pod[order[i + perStage]];
        }
        out.boundariesAcross += across > 0;
        out.gpusAcross += across * m_fabric.layout.nics;
    }
    return list;
}

/// One ring per stage and tensor-parallel rank over the hosts that hold it, with a channel for each NIC that the ring has in a host.
std::vector<Step> Core::rings(const std::vector<DeviceId>& order, bool byPod) const
{
    const auto stages = std::size_t(m_study.pipelineStages);
    const double n = double(m_replicas), channels = double(m_fabric.layout.nics) / m_study.tensorParallel,
                 bytes = m_study.gradientBytes * 2 * (n - 1) / n / channels;
    std::vector<Step> list;
    const std::size_t perStage = order.size() / stages, inPod = m_hosts[0].size() / stages;
    for (std::size_t stage = 0; stage < stages; ++stage) {
        std::vector<DeviceId> ring;
        if (byPod) {
            for (const auto& pod : m_hosts)
                ring.insert(ring.end(), pod.begin() + std::ptrdiff_t(stage * inPod), pod.begin() + std::ptrdiff_t((stage + 1) * inPod));
        } else
            ring.assign(order.begin() + std::ptrdiff_t(stage * perStage), order.begin() + std::ptrdiff_t((stage + 1) * perStage));
        for (std::size_t i = 0; i < ring.size(); ++i) list.push_back({ring[i], ring[(i + 1) % ring.size()], bytes});
    }
    return list;
}

/// Every port sends to the NIC's ports of its own plane, or to all of them where the fabric knows no planes; what a port has lost the others of
/// its NIC send. False where a NIC has none left.
bool Core::demandsOf(const Step& step, std::map<std::pair<std::uint32_t, std::uint32_t>, double>& sums, std::vector<double>& ports) const
{
    for (int nic = 0; nic < m_fabric.layout.nics; ++nic) {
        const auto from = m_graph.nicPorts(step.source, nic), to = m_graph.nicPorts(step.destination, nic);
        const auto meet = [&](const FabricGraph::HostPort& a, const FabricGraph::HostPort& b) {
            return a.access != FabricGraph::kNone && b.access != FabricGraph::kNone &&
                   (m_graph.at(a.access).plane < 0 || m_graph.at(b.access).plane < 0 || m_graph.at(a.access).plane == m_graph.at(b.access).plane);
        };
        const auto sends =
            std::ranges::count_if(from, [&](const auto& a) { return std::ranges::any_of(to, [&](const auto& b) { return meet(a, b); }); });
        if (sends == 0) return false;
        for (const auto& a : from) {
            const auto fits = [&](const FabricGraph::HostPort& b) { return meet(a, b); };
            const auto count = std::count_if(to.begin(), to.end(), fits);
            if (count == 0) continue;
            const double bytes = step.bytes / double(sends);
            ports[m_graph.upward(a)] += bytes;
            for (const auto& b : to)
                if (fits(b)) {
                    sums[{a.access, b.access}] += bytes / double(count);
                    ports[m_graph.downward(b)] += bytes / double(count);
                }
        }
    }
    return true;
}

Result<void> Core::spread(CoreResult::Case& result, std::vector<Demand> demands, double hostSeconds)
{
    const auto load = spreadLoads(m_graph, nullptr, std::move(demands), {m_progress.stop, {}});
    if (!load) return tl::unexpected(load.error());
    result.coreGbps = m_coreGbps;
    double worst = 0, core = 0;
    for (DirectedLink l = 0; l < load->size(); ++l) {
        if ((*load)[l] <= 0) continue;
        const double seconds = (*load)[l] / kBytesPerGbit / double(m_graph.capacityGbps()[l]);
        worst = std::max(worst, seconds);
        if (m_graph.at(m_graph.tail(l)).level == m_top || m_graph.at(m_graph.head(l)).level == m_top) core = std::max(core, seconds);
    }
    result.freeSeconds = hostSeconds;
    result.seconds = std::max(worst, hostSeconds);
    result.slowDown = result.seconds / hostSeconds;
    result.coreSlowDown = std::max(core / hostSeconds, 1.0);
    return {};
}

Result<void> Core::hash(CoreResult::Case& result, const std::vector<Step>& list)
{
    RoutingOptions options;
    options.seed = m_study.seed;
    std::vector<FlowSpec> flows;
    for (const Step& step : list)
        for (int k = 0; k < m_fabric.layout.nics * m_fabric.layout.portsPerNic; ++k) {
            FlowSpec f;
            f.source = step.source, f.destination = step.destination;
            f.sourceNic = f.destinationNic = std::int16_t(k / m_fabric.layout.portsPerNic);
            f.sourcePort = std::int16_t(k % m_fabric.layout.portsPerNic);
            f.connection = std::uint16_t(f.sourcePort);
            f.bytes = step.bytes / m_fabric.layout.portsPerNic;
            flows.push_back(f);
        }
    const auto routed = routeFlows(m_graph, options, std::move(flows), nullptr, nullptr, nullptr, {m_progress.stop, {}});
    if (!routed) return tl::unexpected(routed.error());
    if (routed->unreachable > 0) return noPath(i18np(routed->unreachable, "{:L} flow has no path", "{:L} flows have no path"));
    const ProvedRates proved = proveRates(routed->problem);
    result.certificateOk = proved.ok;
    // Rings and stages wait for their slowest flow; its rate at the start bounds the step.
    for (std::uint32_t f = 0; f < routed->flows.size(); ++f)
        result.hashedSeconds = std::max(result.hashedSeconds, routed->problem.size[f] / proved.gbps[f]);
    return {};
}

Result<CoreResult::Case> Core::steps(Text name, const std::vector<Step>& list)
{
    CoreResult::Case result;
    result.name = std::move(name);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> sums;
    std::vector<double> ports(m_graph.directedCount(), 0.0);
    for (const Step& step : list) {
        if (!demandsOf(step, sums, ports)) return noPath(i18n("a NIC of {} has no path to its partner", m_s.devices.name[step.source]));
        if (m_s.devices.pod[step.source] == 0 && m_s.devices.pod[step.destination] != 0) result.crossGbps += m_nicGbps * m_fabric.layout.nics;
    }
    double host = 0;
    for (DirectedLink l = 0; l < ports.size(); ++l)
        if (ports[l] > 0) host = std::max(host, ports[l] / kBytesPerGbit / double(m_graph.capacityGbps()[l]));
    std::vector<Demand> demands;
    for (const auto& [ends, bytes] : sums)
        if (ends.first != ends.second) demands.push_back({ends.first, ends.second, bytes});
    if (auto done = spread(result, std::move(demands), host); !done) return tl::unexpected(done.error());
    if (m_study.hashed)
        if (auto done = hash(result, list); !done) return tl::unexpected(done.error());
    return result;
}

/// Uniform: every GPU sends the same to every other one on other hosts, over all rails of its plane.
Result<CoreResult::Case> Core::allToAll(Text name, const std::vector<DeviceId>& hosts)
{
    CoreResult::Case result;
    result.name = std::move(name);
    std::map<std::uint32_t, double> nicPorts; // by access switch: its host ports that take part; what one has lost the others of its NIC carry
    double slowest = m_nicGbps;
    for (const auto host : hosts)
        for (int nic = 0; nic < m_fabric.layout.nics; ++nic) {
            const auto ports = m_graph.nicPorts(host, nic);
            const auto left = std::ranges::count_if(ports, [](const auto& port) { return port.access != FabricGraph::kNone; });
            if (left == 0) return noPath(i18n("a NIC of {} has no path to its partner", m_s.devices.name[host]));
            for (const auto& port : ports)
                if (port.access != FabricGraph::kNone) nicPorts[port.access] += double(ports.size()) / double(left);
            slowest = std::min(slowest, gbpsOf(host, nic));
        }
    const double gpus = double(hosts.size()) * m_fabric.layout.nics, perPort = m_study.allToAllBytes / m_fabric.layout.portsPerNic;
    std::vector<Demand> demands;
    for (const auto& [a, sending] : nicPorts) {
        double reachable = 0;
        const auto plane = m_graph.at(a).plane;
        const auto fits = [&](std::uint32_t b) { return plane < 0 || m_graph.at(b).plane < 0 || m_graph.at(b).plane == plane; };
        for (const auto& [b, receiving] : nicPorts) reachable += fits(b) ? receiving : 0;
        for (const auto& [b, receiving] : nicPorts)
            if (a != b && fits(b)) demands.push_back({a, b, sending * perPort * receiving / reachable});
    }
    double inOwnPod = 0;
    for (const auto host : hosts) inOwnPod += m_s.devices.pod[host] == 0;
    result.crossGbps = inOwnPod * m_fabric.layout.nics * m_nicGbps * (1 - inOwnPod / double(hosts.size()));
    const double host = m_study.allToAllBytes * (gpus - m_fabric.layout.nics) / gpus / kBytesPerGbit / slowest; // what leaves the host
    if (auto done = spread(result, std::move(demands), host); !done) return tl::unexpected(done.error());
    return result;
}

/// What the numbers say; nothing is assumed about the design.
Text Core::verdict(const CoreResult& r) const
{
    const auto word = [](double slow) { return slow <= kCheap ? TextId("free") : slow < kDear ? TextId("low-cost") : TextId("expensive"); };
    const Text pipeline = i18n("Pipeline parallelism across pods ({} of {} stage boundaries) adds {:.3g} ms per send ({:.3g} ms per "
                               "iteration without overlap).",
                               r.boundariesAcross, r.boundaries, (r.pipelineAcross.seconds - r.pipelineAcross.freeSeconds) * 1e3,
                               r.pipelineAcross.exposedSeconds * 1e3);
    const Text data = i18n("Data parallelism across pods is {} with rings that complete one pod before the next ({:.2f}x) and "
                           "{} with rings that alternate between pods ({:.2f}x).",
                           word(r.gradientContiguous.slowDown), r.gradientContiguous.slowDown, word(r.gradientAlternating.slowDown),
                           r.gradientAlternating.slowDown);
    const Text all = i18n("All-to-all across all pods is {} ({:.2f}x); with one segment per pod, the core slows it down {:.2f}x.",
                          word(r.allToAll.slowDown), r.allToAll.slowDown, r.allToAllOneSegment.coreSlowDown);
    return together({pipeline, data, all});
}

Result<CoreResult> Core::run()
{
    CoreResult out;
    out.gpusPerPod = int(m_hosts[0].size()) * m_fabric.layout.nics;
    out.gpus = out.gpusPerPod * m_study.pods;
    m_replicas = out.dataParallel = out.gpus / (m_study.tensorParallel * m_study.pipelineStages);
    out.accessToCore = out.gpusPerPod * m_nicGbps / m_coreGbps;
    std::vector<DeviceId> oneSegment;
    for (int pod = 0; pod < m_study.pods; ++pod) {
        const auto hosts = m_fabric.serversOf(m_s, pod, 0);
        oneSegment.insert(oneSegment.end(), hosts.begin(), hosts.end());
    }
    const auto take = [&](CoreResult::Case& into, Result<CoreResult::Case> from, double fraction) -> Result<void> {
        if (!from) return tl::unexpected(from.error());
        into = std::move(*from);
        m_progress.report(fraction, words(into.name));
        return {};
    };
    if (auto r = take(out.pipelineAcross, steps(i18n("pipeline, consecutive stages across the pods"), pipeline(out)), 0.2); !r)
        return tl::unexpected(r.error());
    if (auto r = take(out.gradientContiguous, steps(i18n("gradient rings, contiguous within pods"), rings(inOrder(), true)), 0.4); !r)
        return tl::unexpected(r.error());
    if (auto r = take(out.gradientAlternating, steps(i18n("gradient rings, alternating pods"), rings(alternating(), false)), 0.6); !r)
        return tl::unexpected(r.error());
    if (auto r = take(out.allToAll, allToAll(i18n("all-to-all over all GPUs"), inOrder()), 0.9); !r) return tl::unexpected(r.error());
    if (auto r = take(out.allToAllOneSegment, allToAll(i18n("all-to-all over one segment per pod"), oneSegment), 1.0); !r)
        return tl::unexpected(r.error());
    out.pipelineAcross.exposedSeconds = 2 * m_study.microBatches * (out.pipelineAcross.seconds - out.pipelineAcross.freeSeconds);
    out.verdict = verdict(out);
    out.notes = {kFluidNote, i18n("Load is spread evenly over equal-cost paths; a step ends when its most loaded link is done."),
                 i18n("Five-tuple ECMP: rates at the start of the step, an upper bound for its duration; not computed for "
                      "all-to-all, which has too many connections.")};
    return out;
}

} // namespace

Result<CoreResult> runCoreStudy(const Snapshot& s, const CoreStudy& study, const Progress& progress)
{
    const auto fabric = studyFabric(s, study.network);
    if (!fabric) return tl::unexpected(fabric.error());
    if (study.pods < 2) return fail(ErrorCode::Refused, "pods", i18n("a core connects two or more pods"), i18n("use 2 or more"));
    std::size_t hosts = 0;
    for (int pod = 0; pod < study.pods; ++pod) {
        const auto there = fabric->serversOf(s, pod, -1).size();
        if (there == 0 || (pod > 0 && there != hosts))
            return fail(ErrorCode::Refused, "pods", i18n("pod {} has {} active hosts, but the first pod has {}", pod + 1, there, hosts),
                        i18n("choose existing pods of equal size"));
        hosts = there;
    }
    if (study.tensorParallel < 1 || fabric->layout.nics % study.tensorParallel)
        return fail(ErrorCode::Refused, "tensor_parallel", i18n("does not divide the {} GPUs of a host evenly", fabric->layout.nics),
                    i18n("use a divisor"));
    if (study.pipelineStages < 2 || hosts % std::size_t(study.pipelineStages))
        return fail(ErrorCode::Refused, "pipeline_stages",
                    i18n("{} hosts per pod cannot be divided evenly into {} stages", hosts, study.pipelineStages),
                    i18n("choose a divisor of 2 or more"));
    return Core(s, study, *fabric, progress).run();
}

} // namespace fabric
} // namespace hw::sim
