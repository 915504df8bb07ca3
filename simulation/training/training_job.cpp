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
    if (m.headWidth == 0 && !m.latent.used())
        if (const auto ok = divides("model.heads", "hidden", m.hidden, "heads", m.heads); !ok) return ok;
    if (m.latent.used() && (m.latent.head < 1 || m.latent.value < 1))
        return refuse("model.latent", i18n("head width and value width must be at least 1"), i18n("correct the values"));
    if (m.latent.used() && (m.headWidth > 0 || m.keyValueHeads > 0))
        return refuse(m.headWidth > 0 ? "model.head_width" : "model.key_value_heads", i18n("has no effect on latent attention"), i18n("omit it"));
    if (!m.mixture()) return {};
    if (m.denseFirst >= m.layers)
        return refuse("model.dense_first", i18n("{} of {} layers leave no layer with experts", m.denseFirst, m.layers), i18n("use fewer"));
    if (m.topK < 1 || m.topK > m.experts)
        return refuse("model.top_k", i18n("{} of {} experts cannot be selected", m.topK, m.experts), i18n("use 1 up to the number of experts"));
    return divides("model.expert_every", "layers", m.layers - m.denseFirst, "expert_every", m.expertEvery);
}

Check checkCut(const TrainingJob& job)
{
    const TransformerModel& m = job.model;
    const Parallelism& c = job.cut;
    if (c.microBatch < 1 || c.microBatches < 1 || c.virtualStages < 1)
        return refuse("parallelism", i18n("micro-batches and virtual stages must be at least 1"), i18n("correct the values"));
    if (std::int64_t(c.pipeline) * c.virtualStages * c.microBatches > 20'000'000)
        return refuse("parallelism.micro_batches", i18n("result in a schedule of more than 20 million passes"),
                      i18n("use fewer micro-batches or stages"));
    if (const auto grid = RankGrid::make(c, job.order); !grid) return tl::unexpected(grid.error());
    if (const auto ok = divides("parallelism.tensor", "heads", m.heads, "tensor", c.tensor); !ok) return ok;
    if (std::int64_t(c.pipeline) * c.virtualStages > m.layers + (c.virtualStages > 1 ? 2LL : 0LL))
        return refuse("parallelism.pipeline", i18n("{} stages of {} chunks exceed the {} layers", c.pipeline, c.virtualStages, m.layers),
                      i18n("use fewer stages or chunks"));
    if (c.virtualStages > 1) {
        if (c.pipeline < 2)
            return refuse("parallelism.virtual_stages", i18n("interleaving requires a pipeline"), i18n("use 1, or a pipeline of 2 or more"));
        if (const auto ok = divides("parallelism.micro_batches", "micro_batches", c.microBatches, "pipeline", c.pipeline); !ok) return ok;
    }
    if (c.context > 1) {
        if (const auto ok = divides("parallelism.context", "sequence", m.sequence, "2 x context", 2LL * c.context); !ok) return ok;
    } else if (c.tensor > 1 && c.sequenceParallel) {
        if (const auto ok = divides("parallelism.tensor", "sequence", m.sequence, "tensor", c.tensor); !ok) return ok;
    }
    if (c.expert > 1 && !m.mixture())
        return refuse("parallelism.expert", i18n("the model has no experts"), i18n("use 1, or a mixture-of-experts model"));
    return m.mixture() ? divides("parallelism.expert", "experts", m.experts, "expert", c.expert) : Check{};
}

Check checkRates(const TrainingJob& job)
{
    const Accelerator& a = job.accelerator;
    if (!(a.peakFlops[std::size_t(job.precision)] > 0))
        return refuse("precision", i18n("{} does not support {}", a.name, name(job.precision)), i18n("choose another precision or accelerator"));
    if (!(a.efficiency >= 0) || a.efficiency > 1)
        return refuse("accelerator.efficiency", i18n("must be above 0 and no more than 1"), i18n("correct the value"));
    if (!(a.memoryBytesPerS > 0) || a.processors < 1 || !(a.sustained > 0))
        return refuse("accelerator", i18n("memory rate, processors and sustained share must be above 0"), i18n("correct the values"));
    if (!(job.libraryFactor > 0) || job.libraryFactor > 1)
        return refuse("library_factor", i18n("must be above 0 and no more than 1 (line rate)"), i18n("correct the value"));
    if (!(a.scaleUpGbps >= 0) || !(a.pcieGbps >= 0) || !(job.latency.insideS >= 0) || !(job.latency.outsideS >= 0))
        return refuse("accelerator", i18n("rates and latencies must not be negative"), i18n("correct the values"));
    if (a.scaleUpGbps == 0 && a.pcieGbps == 0)
        return refuse("accelerator", i18n("has neither a scale-up nor a PCIe rate, so its GPUs cannot communicate"),
                      i18n("specify only one of them"));
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
    const double dropout = m.gatedFeedForward ? 0 : 2, experts = m.expertLayers();
    const double kv = m.keyValueWidth() / m.hidden, queries = m.queryWidth() / m.hidden, attention = m.attentionWidth() / m.hidden;
    const double wide = ((m.layers - experts) * m.feedForwardWidth() + experts * (m.topK * m.expertWidth() + m.sharedFeedForward)) / m.layers /
                        m.hidden;     // of all MLPs that a token passes, a mean over layers
    const double norms = 8 + dropout; // inputs of both norms, of QKV and MLP; masks
    const double core = 2 * queries + 4 * kv + 2 * attention, feedForward = (m.gatedFeedForward ? 6 : 4) * wide;
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
    case Precision::Fp4: return "fp4";
    }
    return "";
}

double valueBytes(Precision p) { return p == Precision::Fp8 ? 1 : p == Precision::Fp4 ? 0.5 : 2; }

ComputeUnit TrainingJob::computeUnit() const
{
    const double left = 1 - double(communicationProcessors) / accelerator.processors, wide = accelerator.peakFlops[std::size_t(Precision::Bf16)];
    return {peakFlops() * left,    accelerator.memoryBytesPerS, accelerator.processors - communicationProcessors,
            accelerator.sustained, valueBytes(precision),       (wide > 0 ? wide : accelerator.peakFlops[std::size_t(Precision::Fp16)]) * left};
}

MemoryEstimate memoryPerGpu(const TrainingJob& job)
{
    const ShardedParameters own = parametersPerGpu(job.model, job.cut);
    const Parallelism& c = job.cut;
    const double replicas = double(c.data) * c.context;
    const Algorithms& a = job.algorithms;
    const auto bytes = [&](double parameters, double copies) {
        const double optimizer = a.shardedOptimizer ? copies : 1, gradients = a.shardedOptimizer && a.shardedGradients ? copies : 1;
        return parameters * (2 + 2 / gradients + 12 / optimizer);
    };
    MemoryEstimate e;
    e.availableBytes = job.accelerator.memoryBytes;
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

namespace {

/// Changes of one key after which the job can still be cut and needs less memory, with what it needs then.
class MemoryRemedies {
public:
    MemoryRemedies(const TrainingJob& of, double bytes) : m_job(of), m_bytes(bytes) {}

    template <class Change>
    void offer(const Change& change, Text what)
    {
        TrainingJob changed = m_job;
        change(changed);
        const double gpus = double(m_job.cut.gpus()) / (double(changed.cut.gpus()) / changed.cut.data);
        changed.cut.data = std::max(1, int(gpus));
        const double bytes = memoryPerGpu(changed).totalBytes();
        if (checkCut(changed) && bytes < 0.98 * m_bytes) m_all.push_back(i18n("{} ({:.0f} GB)", what, bytes / 1e9));
    }

    [[nodiscard]] Text text() const
    {
        if (m_all.empty()) return i18n("use an accelerator with more memory, or a smaller model");
        Text out = m_all.front();
        for (std::size_t i = 1; i < m_all.size(); ++i) out = i18n("{}, or {}", out, m_all[i]);
        return out;
    }

private:
    const TrainingJob& m_job;
    double m_bytes;
    std::vector<Text> m_all;
};

} // namespace

Text memoryShortfall(const TrainingJob& job, const MemoryEstimate& memory)
{
    const Parallelism& c = job.cut;
    MemoryRemedies remedies(job, memory.totalBytes());
    remedies.offer([](TrainingJob& j) { j.algorithms.shardedOptimizer = true; }, i18n("shard the optimizer"));
    remedies.offer([](TrainingJob& j) { j.algorithms.shardedOptimizer = j.algorithms.shardedGradients = true; }, i18n("shard the gradients too"));
    remedies.offer([](TrainingJob& j) { j.recompute = Recompute::Full; }, i18n("recompute all activations"));
    remedies.offer([](TrainingJob& j) { j.cut.tensor *= 2; }, i18n("raise tensor to {}", 2 * c.tensor));
    remedies.offer([](TrainingJob& j) { j.cut.pipeline *= 2; }, i18n("raise pipeline to {}", 2 * c.pipeline));
    if (job.model.mixture()) remedies.offer([](TrainingJob& j) { j.cut.expert *= 2; }, i18n("raise expert to {}", 2 * c.expert));
    remedies.offer([](TrainingJob& j) { j.cut.microBatch = 1; }, i18n("lower micro_batch to 1"));
    return i18n("memory: {:.0f} GB needed on each accelerator of the most loaded pipeline stage ({:.0f} GB states, {:.0f} GB activations), {} has "
                "{:.0f} GB; {}",
                memory.totalBytes() / 1e9, memory.statesBytes / 1e9, memory.activationBytes / 1e9, job.accelerator.name, memory.availableBytes / 1e9,
                remedies.text());
}

Result<Warnings> checkJob(const TrainingJob& job)
{
    if (const auto ok = checkModel(job.model); !ok) return tl::unexpected(ok.error());
    if (const auto ok = checkCut(job); !ok) return tl::unexpected(ok.error());
    if (const auto ok = checkRates(job); !ok) return tl::unexpected(ok.error());
    Warnings warnings;
    if (const MemoryEstimate memory = memoryPerGpu(job); !memory.fits()) warnings.push_back(memoryShortfall(job, memory));
    if (job.model.keyValueHeads > 0 && job.model.keyValueHeads % job.cut.tensor != 0)
        warnings.push_back(i18n("{} key-value heads on {} tensor ranks: some are stored more than once", job.model.keyValueHeads, job.cut.tensor));
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
                    i18n("one replica requires {} GPUs (with whole expert groups: {}), but {} are available", replica,
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
