// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/closed_form.h"

#include "simulation/formulas/collectives.h"

#include <algorithm>

namespace hw::sim {
inline namespace training {

namespace {

/// A group of ranks on plain hosts.
struct Group {
    int ranks = 1;
    int inHost = 1; ///< of them, in one host
};

class ClosedForm {
public:
    ClosedForm(const TrainingJob& of, const PlainHosts& on)
        : job(of), hosts(on),
          insideBytesPerS(bytesPerSOfGbps(of.accelerator.scaleUpGbps > 0 ? of.accelerator.scaleUpGbps : of.accelerator.pcieGbps) * of.libraryFactor),
          outsideBytesPerS(bytesPerSOfGbps(on.nicGbps) * of.libraryFactor), outsideAlphaS(of.latency.outsideS + of.latency.hopS)
    {
    }

    /// Members are `stride` ranks apart.
    [[nodiscard]] Group group(int ranks, int stride) const { return {ranks, std::clamp(hosts.gpusPerHost / std::max(1, stride), 1, ranks)}; }

    /// `rounds` of n - 1 steps, each of S / n: 2 for an all-reduce.
    [[nodiscard]] double ringS(const Group& g, double bytes, double rounds) const
    {
        if (g.ranks < 2 || bytes <= 0) return 0;
        const double moved = rounds * (g.ranks - 1.0) / g.ranks * bytes, steps = rounds * (g.ranks - 1);
        if (g.inHost >= g.ranks) return moved / insideBytesPerS + steps * job.latency.insideS;
        const double crossing = 1.0 / g.inHost;
        const double inside = g.inHost > 1 ? moved / insideBytesPerS : 0;
        return std::max(inside, moved * crossing / outsideBytesPerS) + steps * (crossing * outsideAlphaS + (1 - crossing) * job.latency.insideS);
    }

    [[nodiscard]] double allToAllS(const Group& g, double bytes) const
    {
        if (g.ranks < 2 || bytes <= 0) return 0;
        const double part = bytes / g.ranks;
        double inside = (g.inHost - 1) * part, outside = (g.ranks - g.inHost) * part;
        if (job.algorithms.expert == AllToAllAlgorithm::Deduplicated) { // the host of the experts passes on what has come to one of its GPUs
            outside *= deduplicatedShare(job.model.topK, job.model.nodeLimit, std::size_t(g.ranks / g.inHost));
            inside = (g.inHost - 1.0) / g.inHost * bytes;
        }
        return std::max(inside / insideBytesPerS, outside / outsideBytesPerS) + (g.inHost - 1) * job.latency.insideS +
               (g.ranks - g.inHost) * outsideAlphaS;
    }

    [[nodiscard]] double sendS(double bytes) const
    {
        const bool inside = job.cut.gpus() <= hosts.gpusPerHost;
        return bytes / (inside ? insideBytesPerS : outsideBytesPerS) + (inside ? job.latency.insideS : outsideAlphaS);
    }

private:
    const TrainingJob& job;
    const PlainHosts& hosts;
    double insideBytesPerS, outsideBytesPerS;
    double outsideAlphaS; ///< through one switch
};

} // namespace

CommunicationTimes closedFormTimes(const TrainingJob& job, const PlainHosts& hosts)
{
    const TrainingVolume v = trainingVolume(job.model, job.cut, job.recompute);
    const ClosedForm form(job, hosts);
    const Parallelism& c = job.cut;
    const int replicas = c.data * c.context;
    CommunicationTimes t;
    t.tensorS = form.ringS(form.group(c.tensor, 1), v.tensorBytes, 2);
    t.contextS = c.context > 1 ? form.ringS(form.group(c.context, c.tensor), contextBytes(job), 1) : 0;
    t.expertS = form.allToAllS(form.group(c.expert, c.tensor * c.context), v.expertBytes);
    const double gradient = form.ringS(form.group(replicas, c.tensor), v.gradientDenseBytes, 2);
    const double expert =
        v.gradientExpertBytes > 0 ? form.ringS(form.group(std::max(1, replicas / c.expert), c.tensor * c.expert), v.gradientExpertBytes, 2) : 0;
    t.gradientS.assign(std::size_t(c.pipeline), gradient + expert);
    if (c.pipeline > 1) t.sendForwardS.assign(std::size_t(c.pipeline), form.sendS(v.pipelineBytes)), t.sendBackwardS = t.sendForwardS;
    return t;
}

Iteration estimateIteration(const TrainingJob& job, const PlainHosts& hosts) { return layOutIteration(job, closedFormTimes(job, hosts)); }

} // namespace training
} // namespace hw::sim
