// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/training/training_job.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::sim {
inline namespace training {

namespace {

using Check = Result<void>;

Check refuse(const char* where, Text what, Text todo) { return fail(ErrorCode::Refused, where, std::move(what), std::move(todo)); }

Check divides(const char* where, const char* whole, std::int64_t n, const char* part, std::int64_t d)
{
    if (d < 1 || n < 1) return refuse(where, i18n("{} and {} must be at least 1", whole, part), i18n("correct the values"));
    if (n % d == 0) return {};
    return refuse(where, i18n("{} {} cannot be divided by {} {}", whole, n, part, d), i18n("choose {} so that it divides {}", part, whole));
}

Check checkModel(const TransformerModel& m)
{
    if (m.layers < 1 || m.hidden < 1 || m.heads < 1 || m.vocabulary < 1 || m.sequence < 1 || m.expertEvery < 1 || m.bytesPerValue < 1)
        return refuse("model", i18n("layers, hidden size, heads, vocabulary and sequence must be at least 1"), i18n("correct the values"));
    if (const auto ok = divides("model.heads", "hidden", m.hidden, "heads", m.heads); !ok) return ok;
    if (!m.mixture()) return {};
    if (m.topK < 1 || m.topK > m.experts)
        return refuse("model.top_k", i18n("{} of {} experts cannot be chosen", m.topK, m.experts), i18n("use 1 up to the number of experts"));
    return divides("model.expert_every", "layers", m.layers, "expert_every", m.expertEvery);
}

Check checkCut(const TrainingJob& job)
{
    const TransformerModel& m = job.model;
    const Parallelism& c = job.cut;
    if (c.microBatch < 1 || c.microBatches < 1 || c.virtualStages < 1)
        return refuse("parallelism", i18n("micro-batches and virtual stages must be at least 1"), i18n("correct the values"));
    if (std::int64_t(c.pipeline) * c.virtualStages * c.microBatches > 20'000'000)
        return refuse("parallelism.micro_batches", i18n("make a schedule of more than 20 million passes"), i18n("use fewer micro-batches or stages"));
    if (const auto grid = RankGrid::make(c, job.order); !grid) return tl::unexpected(grid.error());
    if (const auto ok = divides("parallelism.tensor", "heads", m.heads, "tensor", c.tensor); !ok) return ok;
    if (std::int64_t(c.pipeline) * c.virtualStages > m.layers + (c.virtualStages > 1 ? 2LL : 0LL))
        return refuse("parallelism.pipeline", i18n("{} stages of {} pieces are more than the {} layers", c.pipeline, c.virtualStages, m.layers),
                      i18n("use fewer stages or pieces"));
    if (c.virtualStages > 1) {
        if (c.pipeline < 2)
            return refuse("parallelism.virtual_stages", i18n("interleaving needs a pipeline"), i18n("use 1, or a pipeline of 2 or more"));
        if (const auto ok = divides("parallelism.micro_batches", "micro_batches", c.microBatches, "pipeline", c.pipeline); !ok) return ok;
    }
    if (c.context > 1) {
        if (const auto ok = divides("parallelism.context", "sequence", m.sequence, "2 x context", 2LL * c.context); !ok) return ok;
    } else if (c.tensor > 1 && c.sequenceParallel) {
        if (const auto ok = divides("parallelism.tensor", "sequence", m.sequence, "tensor", c.tensor); !ok) return ok;
    }
    if (c.expert > 1 && !m.mixture()) return refuse("parallelism.expert", i18n("the model has no experts"), i18n("use 1, or a mixture model"));
    return m.mixture() ? divides("parallelism.expert", "experts", m.experts, "expert", c.expert) : Check{};
}

Check checkRates(const TrainingJob& job)
{
    const Accelerator& a = job.accelerator;
    if (!(a.peakFlops[std::size_t(job.precision)] > 0))
        return refuse("precision", i18n("{} cannot compute in {}", a.name, name(job.precision)), i18n("choose another precision or accelerator"));
    if (!(a.efficiency >= 0) || a.efficiency > 1)
        return refuse("accelerator.efficiency", i18n("must be above 0 and at most 1"), i18n("correct the value"));
    if (!(a.memoryBytesPerS > 0) || a.processors < 1 || !(a.sustained > 0))
        return refuse("accelerator", i18n("memory rate, processors and sustained share must be above 0"), i18n("correct the values"));
    if (!(job.libraryFactor > 0) || job.libraryFactor > 1)
        return refuse("library_factor", i18n("must be above 0 and at most 1 (the line rate)"), i18n("correct the value"));
    if (!(a.scaleUpGbps >= 0) || !(a.pcieGbps >= 0) || !(job.latency.insideS >= 0) || !(job.latency.outsideS >= 0))
        return refuse("accelerator", i18n("rates and latencies cannot be below 0"), i18n("correct the values"));
    if (a.scaleUpGbps == 0 && a.pcieGbps == 0)
        return refuse("accelerator", i18n("has neither a scale-up nor a PCIe rate, so its GPUs cannot meet"), i18n("state one of them"));
    for (const double share : {job.overlap.tensor, job.overlap.context, job.overlap.expert, job.overlap.gradient})
        if (!(share >= 0) || share > 1) return refuse("overlap", i18n("must be from 0 to 1"), i18n("correct the value"));
    return {};
}

/// Bytes of activations of one layer for one micro-batch on one GPU. A plain GPT layer in full: s b h (34 + 5 a s / h) / t with sequence
/// parallelism, s b h (10 + 24 / t + 5 a s / (h t)) without; FlashAttention keeps no scores; half of them where attention is causal.
double layerActivationBytes(const TrainingJob& job)
{
    const TransformerModel& m = job.model;
    const double s = double(m.sequence) / job.cut.context, value = s * job.cut.microBatch * m.hidden; // of one byte
    const double t = job.cut.tensor, around = job.cut.sequenceParallel ? t : 1;
    if (job.recompute == Recompute::Full) return 2 * value / around; // the layer's input
    const double dropout = m.gatedFeedForward ? 0 : 2, kv = m.keyValueWidth() / m.hidden, wide = m.feedForwardWidth() / m.hidden;
    const double visits = m.mixture() ? (m.topK + m.expertEvery - 1.0) / m.expertEvery : 1; // MLPs that a token passes, a mean over layers
    const double norms = 8 + dropout;                                                       // inputs of both norms, of QKV and MLP; masks
    const double core = 2 + 4 * kv + 2, feedForward = (m.gatedFeedForward ? 6 : 4) * wide * visits;
    const double scores =
        job.recompute == Recompute::Selective || m.flashAttention ? 0 : 5.0 * m.heads * m.sequence / m.hidden * (m.causalAttention ? 0.5 : 1);
    return value * (norms / around + (core + feedForward + scores) / t);
}

} // namespace

const char* name(Precision p)
{
    switch (p) {
    case Precision::Fp16: return "fp16";
    case Precision::Bf16: return "bf16";
    case Precision::Fp8: return "fp8";
    }
    return "";
}

MemoryEstimate memoryPerGpu(const TrainingJob& job)
{
    const ShardedParameters own = parametersPerGpu(job.model, job.cut);
    const Parallelism& c = job.cut;
    const double replicas = double(c.data) * c.context;
    const auto bytes = [&](double parameters, double copies) { return parameters * (4 + 12 / (job.algorithms.shardedOptimizer ? copies : 1.0)); };
    MemoryEstimate e;
    e.statesBytes = bytes(own.dense, replicas) + bytes(own.expert, std::max(1.0, replicas / c.expert));
    // Micro-batches in flight on the first stage, in units of a whole stage; interleaving keeps (p - 1) / (p v) more.
    const auto inFlight = [&](int stage) {
        return std::min(double(c.microBatches), double(c.pipeline - stage)) *
               (c.virtualStages > 1 ? 1 + (c.pipeline - 1.0) / (double(c.pipeline) * c.virtualStages) : 1.0);
    };
    e.layerActivationBytes = layerActivationBytes(job);
    const auto pieces = cutLayers(job.model, c);
    for (int s = 0; s < c.pipeline; ++s) {
        int layers = 0;
        for (int v = 0; v < c.virtualStages; ++v) layers += pieces[std::size_t(v * c.pipeline + s)].layers();
        e.activationBytes = std::max(e.activationBytes, e.layerActivationBytes * layers * inFlight(s));
    }
    return e;
}

Result<Warnings> checkJob(const TrainingJob& job)
{
    if (const auto ok = checkModel(job.model); !ok) return tl::unexpected(ok.error());
    if (const auto ok = checkCut(job); !ok) return tl::unexpected(ok.error());
    if (const auto ok = checkRates(job); !ok) return tl::unexpected(ok.error());
    Warnings warnings;
    const MemoryEstimate memory = memoryPerGpu(job);
    if (memory.totalBytes() > job.accelerator.memoryBytes)
        warnings.push_back(i18n("the first pipeline stage needs about {:.0f} GB a GPU ({:.0f} states, {:.0f} activations), {} has {:.0f} GB: "
                                "split further or recompute more",
                                memory.totalBytes() / 1e9, memory.statesBytes / 1e9, memory.activationBytes / 1e9, job.accelerator.name,
                                job.accelerator.memoryBytes / 1e9));
    if (job.model.keyValueHeads > 0 && job.model.keyValueHeads % job.cut.tensor != 0)
        warnings.push_back(i18n("{} key-value heads on {} tensor ranks: some are kept more than once", job.model.keyValueHeads, job.cut.tensor));
    return warnings;
}

Result<TrainingJob> fitToGpus(TrainingJob job, std::int64_t gpus, std::int64_t samples)
{
    Parallelism& c = job.cut;
    const std::int64_t replica = std::int64_t(c.tensor) * c.pipeline * c.context;
    std::int64_t data = replica > 0 ? gpus / replica : 0;
    while (data > 0 && (data * c.context) % std::max(1, c.expert) != 0) --data;
    if (data < 1)
        return fail(ErrorCode::Refused, "parallelism",
                    i18n("one replica needs {} GPUs (with whole expert groups {}), {} are there", replica,
                         std::max(replica, std::int64_t(c.tensor) * c.pipeline * c.expert), gpus),
                    i18n("use smaller degrees or a larger design"));
    c.data = int(data);
    if (samples > 0) {
        const std::int64_t m = std::max<std::int64_t>(1, samples / (data * c.microBatch));
        c.microBatches = int(
            std::max<std::int64_t>(c.pipeline, c.virtualStages > 1 ? m / c.pipeline * c.pipeline : m)); // interleaving goes in rounds of one a stage
    }
    return job;
}

} // namespace training
} // namespace hw::sim
