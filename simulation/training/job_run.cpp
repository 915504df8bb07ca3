// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/job_run.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hw::sim {
inline namespace training {

namespace {

/// Hosts of the largest scale-up domain.
std::uint32_t domainHosts(const WorkloadFabric& fabric)
{
    std::uint32_t most = 1, here = 0;
    for (std::size_t h = 0; h < fabric.domainOfHost.size(); ++h) {
        here = h > 0 && fabric.domainOfHost[h] == fabric.domainOfHost[h - 1] ? here + 1 : 1;
        most = std::max(most, here);
    }
    return most;
}

/// Ranks that follow each other and exchange most: the tensor group, with the context and expert groups around it that a domain still holds.
std::uint32_t blockOf(const TrainingJob& job, std::uint32_t domainGpus)
{
    const Parallelism& c = job.cut;
    if (job.order[0] != Dimension::Tensor) return 1;
    std::uint32_t block = std::uint32_t(c.tensor);
    const std::uint32_t context = block * std::uint32_t(c.context), expert = block * std::uint32_t(c.expert);
    if (context > block && job.order[1] == Dimension::Context && context <= domainGpus) block = context;
    const bool expertsNext = job.order[1] == Dimension::Expert || (job.order[1] == Dimension::Context && job.order[2] == Dimension::Expert);
    if (expert > block && expert % block == 0 && expertsNext && expert <= domainGpus) block = expert;
    return block;
}

class Runner {
public:
    Runner(const WorkloadFabric& fabric, const TrainingJob& job, const JobRunOptions& options, const Progress& progress)
        : m_fabric(fabric), m_options(options), m_progress(progress)
    {
        m_run.job = job;
        if (fabric.scaleUpGbps > 0) m_run.job.accelerator.scaleUpGbps = fabric.scaleUpGbps;
        m_connections.assign(fabric.hosts.size(), 0);
    }

    Result<JobRun> run()
    {
        if (auto ok = prepare(); !ok) return tl::unexpected(ok.error());
        if (auto ok = communicate(); !ok) return tl::unexpected(ok.error());
        for (const PhaseReport& phase : m_run.phases) m_run.unreachable += phase.result.unreachable;
        m_run.iteration = m_run.unreachable > 0 ? standstill() : layOutIteration(m_run.job, m_run.times);
        summarize();
        return std::move(m_run);
    }

private:
    [[nodiscard]] const TrainingJob& job() const { return m_run.job; }

    /// Some ranks cannot reach each other: nothing ever ends.
    static Iteration standstill()
    {
        Iteration never;
        never.iterationS = never.trainingDays = std::numeric_limits<double>::infinity();
        never.exposedShare = 1;
        return never;
    }

    Result<void> prepare()
    {
        auto warnings = checkJob(job());
        if (!warnings) return tl::unexpected(warnings.error());
        m_run.warnings = std::move(*warnings);
        m_run.memory = memoryPerGpu(job());
        if (const auto placed = placeRanks(); !placed) return placed;
        m_run.spread = spreadOf(m_fabric.places, m_run.hosts);
        return {};
    }

    /// Units of whole groups where the free hosts have enough of them; else host by host, and what straddles is reported.
    Result<void> placeRanks()
    {
        const std::uint32_t g = m_fabric.gpusPerHost, wanted = std::uint32_t((job().cut.gpus() + g - 1) / g);
        m_run.unit = {1, g};
        if (m_options.hosts.empty()) {
            const DomainUnit unit = unitOf(m_fabric, job());
            const DomainUnits units(m_fabric.domainOfHost, m_fabric.places, m_options.free, unit);
            const bool whole = unit != m_run.unit && units.gpus() >= job().cut.gpus();
            auto hosts = whole ? units.place(job().cut.gpus(), job().placement, job().placementSeed)
                               : placeHosts(m_fabric.places, m_options.free, wanted, job().placement, job().placementSeed);
            if (!hosts) return tl::unexpected(hosts.error());
            m_run.hosts = std::move(*hosts);
            if (whole) m_run.unit = unit;
        } else {
            m_run.hosts = m_options.hosts;
            if (m_options.unit) m_run.unit = *m_options.unit;
            if (m_run.hosts.size() < wanted)
                return fail(ErrorCode::Refused, "hosts", i18n("the job requires {}, but {} are specified", wanted, m_run.hosts.size()),
                            i18n("specify more hosts"));
            for (const std::uint32_t h : m_run.hosts)
                if (h >= m_fabric.hosts.size())
                    return fail(ErrorCode::Refused, "hosts", i18n("host {} does not exist", h), i18n("use hosts of the fabric"));
        }
        m_run.places = RankPlaces(m_run.hosts, g, m_run.unit);
        if (m_run.unit != DomainUnit{1, g}) m_run.idleGpus = idleGpus();
        return {};
    }

    /// What units leave of their hosts, and of domains in which no further unit fits.
    std::uint32_t idleGpus() const
    {
        const std::uint32_t g = m_fabric.gpusPerHost, units = std::uint32_t((job().cut.gpus() + m_run.unit.ranks - 1) / m_run.unit.ranks);
        std::vector<std::uint32_t> all(m_fabric.domainOfHost.empty() ? 0 : *std::ranges::max_element(m_fabric.domainOfHost) + 1, 0), used = all;
        for (const std::uint32_t d : m_fabric.domainOfHost) ++all[d];
        for (const std::uint32_t h : m_run.hosts) ++used[m_fabric.domainOfHost[h]];
        std::uint32_t idle = units * (m_run.unit.hosts * g - m_run.unit.ranks);
        for (std::size_t d = 0; d < all.size(); ++d)
            if (used[d] > 0 && all[d] - used[d] < m_run.unit.hosts) idle += (all[d] - used[d]) * g;
        return idle;
    }

    Result<void> communicate()
    {
        const auto grid = RankGrid::make(job().cut, job().order);
        if (!grid) return tl::unexpected(grid.error());
        const TrainingVolume v = trainingVolume(job().model, job().cut, job().recompute);
        const CommunicationCounts n = communicationCounts(job().cut, job().recompute, fullestStage(job().model, job().cut));
        const double batches = job().cut.microBatches, passes = batches * job().cut.virtualStages;
        const auto stages = std::size_t(job().cut.pipeline);
        m_run.times.gradientS.assign(stages, 0.0);
        const Algorithms& way = job().algorithms;

        Operation op{Collective::AllReduce, way.tensor, way.expert, v.tensorBytes};
        if (auto t = collective(*grid, Communicator::Tensor, op, batches * (n.tensorForward + n.tensorBackward)); !t)
            return tl::unexpected(t.error());
        else
            m_run.times.tensorS = *t;
        op.collective = Collective::AllGather, op.allReduce = AllReduceAlgorithm::Ring, op.bytes = contextBytes(job());
        if (auto t = collective(*grid, Communicator::Context, op, batches * (n.contextForward + n.contextBackward)); !t)
            return tl::unexpected(t.error());
        else
            m_run.times.contextS = *t;
        op.collective = Collective::AllToAll, op.bytes = v.expertBytes, op.visited = job().model.topK, op.nodeLimit = job().model.nodeLimit;
        if (auto t = collective(*grid, Communicator::Expert, op, batches * (n.expertForward + n.expertBackward)); !t)
            return tl::unexpected(t.error());
        else
            m_run.times.expertS = *t;
        for (const auto& [communicator, bytes] :
             {std::pair(Communicator::Gradient, v.gradientDenseBytes), std::pair(Communicator::ExpertGradient, v.gradientExpertBytes)}) {
            op = {way.shardedOptimizer ? Collective::ReduceScatter : Collective::AllReduce, way.gradient, way.expert, bytes};
            if (auto t = collective(*grid, communicator, op, 1); !t) return tl::unexpected(t.error());
            if (m_run.phases.empty() || m_run.phases.back().name != name(communicator)) continue;
            const PhaseResult& result = m_run.phases.back().result;
            const bool apart = result.laneS.size() == stages && way.gradient != AllReduceAlgorithm::InNetwork; // reducing trees have no lanes
            for (std::size_t s = 0; s < stages; ++s) m_run.times.gradientS[s] += apart ? result.laneS[s] : result.durationS;
        }
        return sends(*grid, v, passes);
    }

    /// Runs all groups at once; the duration of one operation. Nothing to do gives 0 and no report.
    Result<double> collective(const RankGrid& grid, Communicator communicator, Operation op, double times)
    {
        const GroupSet groups = grid.groups(communicator);
        if (groups.size() < 2 || !(op.bytes > 0) || !(times > 0)) return 0.0;
        if (op.allReduce == AllReduceAlgorithm::Automatic)
            op.allReduce = op.collective == Collective::AllReduce ? chosenWay(groups, op.bytes) : AllReduceAlgorithm::Ring;
        CollectivePlan plan = planCommunicator(m_fabric, grid, m_run.places, communicator, op);
        if (op.collective == Collective::ReduceScatter) { // the parameters come back on the same ways
            const TransferSet scattered = plan.front();
            plan.push_back(scattered);
        }
        PhaseReport report{name(communicator), op.collective, op.bytes, groups.groups(), groups.size(), times, op.allReduce, {}};
        const auto duration = keep(std::move(report), plan);
        if (duration && communicator <= Communicator::Expert) tellStraddling(communicator, groups, op, *duration, times);
        return duration;
    }

    /// By the shape of the first group; the others are cut alike.
    AllReduceAlgorithm chosenWay(const GroupSet& groups, double bytes) const
    {
        std::vector<std::uint32_t> gpus(groups.size());
        for (std::uint32_t i = 0; i < groups.size(); ++i) gpus[i] = m_run.places.gpu(groups.rank(0, i));
        const GroupShape shape = CollectivePlanner(m_fabric.domainOfHost, m_fabric.gpusPerHost).shape(gpus);
        return chooseAllReduce(shape, bytes, {job().latency.insideS, insideBytesPerS()},
                               {job().latency.outsideS + job().latency.hopS, nicBytesPerS(gpus.front())});
    }

    double insideBytesPerS() const
    {
        const Accelerator& a = job().accelerator;
        return bytesPerSOfGbps(a.scaleUpGbps > 0 ? a.scaleUpGbps : a.pcieGbps) * job().libraryFactor;
    }

    /// A GPU's share of its NIC's ports.
    double nicBytesPerS(std::uint32_t gpu) const
    {
        double gbps = 0;
        for (const auto& port : m_fabric.ports(gpu)) gbps += double(m_fabric.graph->capacityGbps()[m_fabric.graph->upward(port)]);
        return std::max(1.0, bytesPerSOfGbps(gbps) * m_fabric.nicsPerHost / m_fabric.gpusPerHost * job().libraryFactor);
    }

    /// Groups over several domains though one could hold them, of tensor ranks at all, or in unequal parts; what the network costs them.
    void tellStraddling(Communicator communicator, const GroupSet& groups, const Operation& op, double duration, double times)
    {
        Straddling s{communicator, groups.groups(), 0, groupFits(communicator), groups.size(), 0, 0};
        std::vector<std::uint32_t> domains(groups.size());
        for (std::uint32_t g = 0; g < groups.groups(); ++g) {
            for (std::uint32_t i = 0; i < groups.size(); ++i) domains[i] = m_fabric.domainOfHost[m_run.places.host(groups.rank(g, i))];
            std::ranges::sort(domains);
            s.straddling += domains.front() != domains.back();
            for (std::size_t i = 0, from = 0; i < domains.size(); ++i)
                if (i + 1 == domains.size() || domains[i + 1] != domains[i]) {
                    const auto part = std::uint32_t(i + 1 - from);
                    s.leastPart = std::min(s.leastPart, part), s.mostPart = std::max(s.mostPart, part);
                    from = i + 1;
                }
        }
        if (s.straddling == 0 || (!s.fits && communicator != Communicator::Tensor && s.leastPart == s.mostPart)) return;
        const double n = groups.size(), rounds = op.collective == Collective::AllReduce ? 2 : 1;
        const double inside = rounds * (n - 1) / n * op.bytes / insideBytesPerS() + rounds * (n - 1) * job().latency.insideS;
        s.extraS = times * (duration - inside);
        m_run.straddling.push_back(s);
    }

    /// Whether a domain could hold a group with the ranks that stand between its members.
    bool groupFits(Communicator communicator) const
    {
        const Parallelism& c = job().cut;
        const std::int64_t span =
            communicator == Communicator::Tensor ? c.tensor : std::int64_t(c.tensor) * (communicator == Communicator::Context ? c.context : c.expert);
        return span <= std::int64_t(domainHosts(m_fabric)) * m_fabric.gpusPerHost;
    }

    Result<double> keep(PhaseReport report, const CollectivePlan& plan)
    {
        auto result = runPlan(m_fabric, plan, job(), m_options.phase, m_progress);
        if (!result) return tl::unexpected(result.error());
        for (const TransferSet& set : plan) countConnections(set);
        report.result = std::move(*result);
        const double duration = report.result.durationS;
        m_run.phases.push_back(std::move(report));
        return duration;
    }

    Result<void> sends(const RankGrid& grid, const TrainingVolume& v, double passes)
    {
        if (job().cut.pipeline < 2) return {};
        const bool round = job().cut.virtualStages > 1;
        const double p = job().cut.pipeline, lanes = round ? p : p - 1;
        const double times =
            ((p - 1) * passes + (round ? passes - job().cut.microBatches : 0)) / lanes; // the last stage's last chunk sends nothing on
        for (const bool backward : {false, true}) {
            PhaseReport report{backward ? "send backward" : "send forward", // no text
                               Collective::SendRecv,
                               v.pipelineBytes,
                               std::uint32_t(grid.ranks() / std::uint32_t(p)),
                               std::uint32_t(p),
                               times,
                               AllReduceAlgorithm::Ring,
                               {}};
            const auto done = keep(std::move(report), {planSends(m_fabric, grid, m_run.places, v.pipelineBytes, backward, round)});
            if (!done) return tl::unexpected(done.error());
            (backward ? m_run.times.sendBackwardS : m_run.times.sendForwardS) = m_run.phases.back().result.laneS;
        }
        return {};
    }

    void countConnections(const TransferSet& set)
    {
        for (const GpuTransfer& t : set.transfers) {
            const std::uint32_t host = t.source / m_fabric.gpusPerHost;
            if (m_fabric.domainOfHost[host] != m_fabric.domainOfHost[t.destination / m_fabric.gpusPerHost])
                m_connections[host] +=
                    std::uint32_t(m_fabric.ports(t.source).size()) * std::uint32_t(std::max(1, m_options.phase.connectionsPerPort));
        }
    }

    void summarize()
    {
        double hidden = 0, total = 0;
        for (PhaseReport& phase : m_run.phases) {
            PhaseResult& r = phase.result;
            m_run.insideBytes += phase.timesPerIteration * r.insideBytes;
            m_run.networkBytes += phase.timesPerIteration * r.networkBytes;
            if (m_run.tiers.size() < r.tiers.size()) m_run.tiers.resize(r.tiers.size());
            for (std::size_t t = 0; t < r.tiers.size(); ++t) {
                m_run.tiers[t].level = r.tiers[t].level;
                m_run.tiers[t].upBytes += phase.timesPerIteration * r.tiers[t].upBytes;
                m_run.tiers[t].downBytes += phase.timesPerIteration * r.tiers[t].downBytes;
                m_run.tiers[t].busiestShare = std::max(m_run.tiers[t].busiestShare, r.tiers[t].busiestShare);
            }
            m_run.flows += r.flows;
            if (r.flows > 0) m_run.networkS += phase.timesPerIteration * r.durationS;
            if (!m_options.keepLinkBytes) r.linkBytes = {};
        }
        const Iteration& it = m_run.iteration;
        const auto exposed = [&](const char* of, double full, double shown) {
            const auto* report = m_run.phase(of);
            if (report && report->result.flows > 0) total += full, hidden += full - shown;
        };
        exposed("tensor", it.tensorS, it.exposedTensorS);
        exposed("context", it.contextS, it.exposedContextS);
        exposed("expert", it.expertS, it.exposedExpertS);
        exposed("gradient", it.gradientS, it.exposedGradientS);
        exposed("send forward", it.pipelineS, it.exposedPipelineS); // no text
        m_run.exposedNetworkS = std::max(0.0, total - hidden);
        const double used = double(m_run.hosts.size());
        m_run.connectionsPerHost = double(std::accumulate(m_connections.begin(), m_connections.end(), std::uint64_t(0))) / used;
        m_run.mostConnections = *std::ranges::max_element(m_connections);
    }

    const WorkloadFabric& m_fabric;
    const JobRunOptions& m_options;
    const Progress& m_progress;
    JobRun m_run;
    std::vector<std::uint32_t> m_connections; ///< by host of the fabric
};

} // namespace

DomainUnit unitOf(const WorkloadFabric& fabric, const TrainingJob& job)
{
    const std::uint32_t hosts = domainHosts(fabric), g = fabric.gpusPerHost, block = blockOf(job, hosts * g);
    return job.keepInDomains && block <= hosts * g ? domainUnit(block, g, hosts) : DomainUnit{1, g};
}

std::int64_t usableGpus(const WorkloadFabric& fabric, const TrainingJob& job, std::span<const std::uint8_t> free)
{
    return DomainUnits(fabric.domainOfHost, fabric.places, free, unitOf(fabric, job)).gpus();
}

const PhaseReport* JobRun::phase(std::string_view wanted) const
{
    const auto found = std::ranges::find(phases, wanted, &PhaseReport::name);
    return found == phases.end() ? nullptr : &*found;
}

CollectivePlan planCommunicator(const WorkloadFabric& fabric, const RankGrid& grid, const RankPlaces& places, Communicator communicator,
                                Operation operation)
{
    const GroupSet groups = grid.groups(communicator);
    CollectivePlanner planner(fabric.domainOfHost, fabric.gpusPerHost);
    CollectivePlan plan;
    std::vector<std::uint32_t> gpus(groups.size());
    for (std::uint32_t g = 0; g < groups.groups(); ++g) {
        for (std::uint32_t i = 0; i < groups.size(); ++i) gpus[i] = places.gpu(groups.rank(g, i));
        operation.lane = grid.pipelineStage(groups.rank(g, 0));
        planner.add(operation, gpus, plan);
    }
    return plan;
}

TransferSet planSends(const WorkloadFabric& fabric, const RankGrid& grid, const RankPlaces& places, double bytes, bool backward, bool round)
{
    const GroupSet groups = grid.groups(Communicator::Pipeline);
    const std::uint32_t p = groups.size();
    TransferSet set;
    for (std::uint32_t g = 0; g < groups.groups(); ++g)
        for (std::uint32_t s = 0; s < (round ? p : p - 1); ++s) {
            const std::uint32_t a = places.gpu(groups.rank(g, s)), b = places.gpu(groups.rank(g, (s + 1) % p));
            backward ? set.add(b, a, bytes, (s + 1) % p) : set.add(a, b, bytes, s);
            const bool inside = fabric.domainOfHost[a / fabric.gpusPerHost] == fabric.domainOfHost[b / fabric.gpusPerHost];
            (inside ? set.insideSteps : set.outsideSteps) = 1;
        }
    if (set.outsideSteps > 0) set.insideSteps = 0; // a send is one message
    return set;
}

std::vector<float> meanLoads(const JobRun& run)
{
    std::vector<float> gbps;
    if (run.unreachable > 0 || !(run.iteration.iterationS > 0)) return gbps;
    for (const auto& phase : run.phases) {
        const auto& bytes = phase.result.linkBytes;
        if (gbps.size() < bytes.size()) gbps.resize(bytes.size(), 0.0f);
        const double factor = phase.timesPerIteration * 8e-9 / run.iteration.iterationS;
        for (std::size_t l = 0; l < bytes.size(); ++l) gbps[l] += float(double(bytes[l]) * factor);
    }
    return gbps;
}

double crossPodShare(const WorkloadFabric& fabric, const RankGrid& grid, const RankPlaces& places, Communicator communicator)
{
    const GroupSet groups = grid.groups(communicator);
    std::uint64_t crossing = 0, pairs = 0;
    for (std::uint32_t g = 0; g < groups.groups(); ++g)
        for (std::uint32_t i = 0; i + 1 < groups.size(); ++i, ++pairs)
            crossing += fabric.places[places.host(groups.rank(g, i))].pod != fabric.places[places.host(groups.rank(g, i + 1))].pod;
    return pairs ? double(crossing) / double(pairs) : 0;
}

Result<JobRun> runJob(const WorkloadFabric& fabric, const TrainingJob& job, const JobRunOptions& options, const Progress& progress)
{
    return Runner(fabric, job, options, progress).run();
}

} // namespace training
} // namespace hw::sim
