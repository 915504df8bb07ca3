// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/aicb.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

using importers::AicbCollective;
using importers::AicbGroup;

Collective collectiveOf(AicbCollective collective)
{
    switch (collective) {
    case AicbCollective::AllReduce: return Collective::AllReduce;
    case AicbCollective::AllGather: return Collective::AllGather;
    case AicbCollective::ReduceScatter: return Collective::ReduceScatter;
    case AicbCollective::AllToAll: return Collective::AllToAll;
    case AicbCollective::Broadcast: return Collective::Broadcast;
    }
    return Collective::AllReduce;
}

Communicator communicatorOf(AicbGroup group, bool weightGradient)
{
    switch (group) {
    case AicbGroup::Expert: return Communicator::Expert;
    case AicbGroup::ExpertData: return Communicator::ExpertGradient;
    case AicbGroup::Default: break;
    }
    return weightGradient ? Communicator::Gradient : Communicator::Tensor;
}

const char* nameOf(Collective c)
{
    switch (c) {
    case Collective::AllReduce: return "all-reduce";
    case Collective::ReduceScatter: return "reduce-scatter";
    case Collective::AllGather: return "all-gather";
    case Collective::AllToAll: return "all-to-all";
    case Collective::Broadcast: return "broadcast";
    case Collective::SendRecv: return "send";
    }
    return "";
}

class AicbRunner {
public:
    AicbRunner(const WorkloadFabric& fabric, const JobRunOptions& options, const Progress& progress)
        : m_fabric(fabric), m_options(options.phase), m_free(options.free), m_progress(progress)
    {
    }

    Result<AicbRun> run(const AicbWorkload& w, const TrainingJob& base, std::int64_t gpus)
    {
        using importers::AicbPolicy;
        if (auto ok = prepare(w, base, w.gpus > 0 ? w.gpus : gpus); !ok) return tl::unexpected(ok.error());
        m_silentForward = w.policy == AicbPolicy::Data, m_silentGradient = w.policy == AicbPolicy::Model;
        if (w.policy == AicbPolicy::Micro) {
            if (!w.layers.empty())
                if (auto ok = pass(w.layers.front().weightGradient, true); !ok) return tl::unexpected(ok.error());
            m_run.iterationS = m_run.computeS + m_run.communicationS;
            return std::move(m_run);
        }
        for (const importers::AicbLayer& l : w.layers)
            if (auto ok = pass(l.forward, false); !ok) return tl::unexpected(ok.error());
        for (auto l = w.layers.rbegin(); l != w.layers.rend(); ++l) {
            if (auto ok = pass(l->inputGradient, false); !ok) return tl::unexpected(ok.error());
            if (auto ok = pass(l->weightGradient, true); !ok) return tl::unexpected(ok.error());
            m_run.computeS += double(l->updateNs) * 1e-9;
        }
        if (auto ok = pipeline(w); !ok) return tl::unexpected(ok.error());
        m_run.iterationS = m_run.computeS + m_run.communicationS + m_run.bubbleS + m_run.pipelineS;
        return std::move(m_run);
    }

private:
    /// Line-rate time of 1 GB and latency of one collective among all groups of one communicator.
    struct Cost {
        Collective collective;
        Communicator communicator;
        double perByteS, latencyS;
        std::size_t kind;
    };

    Result<void> prepare(const AicbWorkload& w, const TrainingJob& base, std::int64_t gpus)
    {
        TrainingJob& job = m_run.job = base;
        if (m_fabric.scaleUpGbps > 0) job.accelerator.scaleUpGbps = m_fabric.scaleUpGbps;
        const bool whole = w.policy != importers::AicbPolicy::Transformer; // all GPUs are one group
        const bool model = w.policy == importers::AicbPolicy::Model;
        const std::int64_t replica = whole ? (model ? gpus : 1) : std::int64_t(w.tensor) * w.pipeline;
        if (gpus <= 0) return fail(ErrorCode::Refused, "gpus", i18n("is not specified"), i18n("specify the number of GPUs"));
        if (gpus % replica != 0)
            return fail(ErrorCode::Refused, "gpus", i18n("{} GPUs are not a whole number of replicas of {}", gpus, replica),
                        i18n("choose a multiple"));
        job.cut = {};
        job.cut.tensor = whole ? int(replica) : w.tensor, job.cut.pipeline = whole ? 1 : w.pipeline, job.cut.expert = whole ? 1 : w.expert;
        job.cut.data = int(gpus / replica), job.cut.microBatches = w.gradientAccumulation;
        auto grid = RankGrid::make(job.cut, job.order);
        if (!grid) return tl::unexpected(grid.error());
        m_grid = std::move(*grid);
        const std::uint32_t g = m_fabric.gpusPerHost;
        auto hosts = placeHosts(m_fabric.places, m_free, std::uint32_t((gpus + g - 1) / g), job.placement, job.placementSeed);
        if (!hosts) return tl::unexpected(hosts.error());
        m_places = RankPlaces(std::move(*hosts), g);
        return {};
    }

    Result<void> pass(const importers::AicbPass& p, bool weightGradient)
    {
        m_run.computeS += double(p.computeNs) * 1e-9;
        const importers::AicbCommunication& c = p.communication;
        if (c.none || c.bytes == 0 || (weightGradient ? m_silentGradient : m_silentForward)) return {};
        const auto cost = costOf(collectiveOf(c.collective), communicatorOf(c.group, weightGradient));
        if (!cost) return tl::unexpected(cost.error());
        const double seconds = (*cost)->perByteS * double(c.bytes) + (*cost)->latencyS;
        AicbRun::Kind& kind = m_run.kinds[(*cost)->kind];
        kind.bytes += double(c.bytes), kind.seconds += seconds, ++kind.operations;
        m_run.communicationS += seconds;
        const Communicator who = (*cost)->communicator;
        if (who == Communicator::Gradient || who == Communicator::ExpertGradient) m_onceS += seconds;
        return {};
    }

    /// Gradients are reduced once; the rest of the work is that of the micro-batches.
    Result<void> pipeline(const AicbWorkload& w)
    {
        if (m_run.job.cut.pipeline < 2) return {};
        m_run.bubbleS = (w.pipeline - 1.0) * (m_run.computeS + m_run.communicationS - m_onceS) / w.gradientAccumulation;
        if (w.pipelineBytes == 0) return {};
        for (const bool backward : {false, true}) {
            const auto sent = runTransfers(m_fabric, planSends(m_fabric, *m_grid, m_places, double(w.pipelineBytes), backward, false), m_run.job,
                                           m_options, m_progress);
            if (!sent) return tl::unexpected(sent.error());
            m_run.flows += sent->flows, m_run.unreachable += sent->unreachable;
            m_run.certified = m_run.certified && sent->certified;
            m_run.pipelineS += (w.pipeline - 1) * sent->durationS;
        }
        return {};
    }

    Result<const Cost*> costOf(Collective collective, Communicator communicator)
    {
        for (const Cost& c : m_costs)
            if (c.collective == collective && c.communicator == communicator) return &c;
        Operation op{collective, communicator == Communicator::Tensor ? m_run.job.algorithms.tensor : m_run.job.algorithms.gradient,
                     m_run.job.algorithms.expert, 1e9};
        const auto result = runPlan(m_fabric, planCommunicator(m_fabric, *m_grid, m_places, communicator, op), m_run.job, m_options, m_progress);
        if (!result) return tl::unexpected(result.error());
        m_run.flows += result->flows, m_run.unreachable += result->unreachable;
        m_run.certified = m_run.certified && result->certified;
        m_run.kinds.push_back({fmt::format("{} {}", name(communicator), nameOf(collective)), 0, 0, 0});
        m_costs.push_back({collective, communicator, result->fluidS / m_run.job.libraryFactor / 1e9, result->latencyS, m_run.kinds.size() - 1});
        return &m_costs.back();
    }

    const WorkloadFabric& m_fabric;
    const PhaseOptions& m_options;
    const std::vector<std::uint8_t>& m_free;
    const Progress& m_progress;
    std::optional<RankGrid> m_grid;
    RankPlaces m_places;
    std::vector<Cost> m_costs;
    double m_onceS = 0;                                     ///< communication once an iteration
    bool m_silentForward = false, m_silentGradient = false; ///< columns that communicate nothing
    AicbRun m_run;
};

} // namespace

Result<AicbRun> runAicb(const WorkloadFabric& fabric, const AicbWorkload& workload, const TrainingJob& base, std::int64_t gpus,
                        const JobRunOptions& options, const Progress& progress)
{
    return AicbRunner(fabric, options, progress).run(workload, base, gpus);
}

} // namespace training
} // namespace hw::sim
