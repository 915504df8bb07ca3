// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/compute_model.h"

#include <algorithm>

namespace hw::sim {
inline namespace formulas {

namespace {

constexpr double kTileRows = 128, kTileColumns = 256;
constexpr double kValueBytes = 2; // 16-bit values; narrow formats keep their activations in 16 bits

/// One micro-batch of one layer on one GPU.
class Layer {
public:
    Layer(const TransformerModel& model, const Parallelism& way, const ComputeUnit& on, const ComputeCalibration& fitted)
        : m(model), cut(way), unit(on), wide(on.wide()), c(fitted), tokens(double(cut.microBatch) * m.sequence / cut.context), hidden(m.hidden),
          ownTokens(tokens / (cut.sequenceParallel ? cut.tensor : 1))
    {
    }

    /// Seconds forward and backward.
    struct Time {
        double forwardS = 0, backwardS = 0;
        Time& operator+=(const Time& o) { return forwardS += o.forwardS, backwardS += o.backwardS, *this; }
    };

    [[nodiscard]] Time projections() const
    {
        Time t = product(tokens, m.attentionWidth() / cut.tensor, hidden);
        if (m.latent.used()) {
            t += latentProjections();
            return t;
        }
        t += product(tokens, hidden, (m.queryWidth() + 2 * m.keyValueWidth()) / cut.tensor);
        if (!m.learnedPositions) {
            const double turned = 2 * tokens * (m.queryWidth() + m.keyValueWidth()) / cut.tensor * kValueBytes; // rotary positions
            t += streamed(turned, turned);
        }
        return t;
    }

    [[nodiscard]] Time plainFeedForward() const { return feedForward(tokens, 1, m.feedForwardWidth() / cut.tensor); }

    /// Tokens of all ranks of the expert group, spread evenly over its experts; those of the shared experts; the router.
    [[nodiscard]] Time expertFeedForward() const
    {
        const double here = double(m.experts) / cut.expert, visits = tokens * m.topK / here;
        Time t = feedForward(visits, here, m.expertWidth() / cut.tensor);
        if (m.sharedFeedForward > 0) t += feedForward(tokens, 1, double(m.sharedFeedForward) / cut.tensor);
        t += wideProduct(ownTokens, hidden, m.experts);
        const double moved = 4 * ownTokens * m.topK * hidden * kValueBytes; // sorted by expert and back, each read and written
        t += streamed(moved, moved);
        return t;
    }

    [[nodiscard]] Time core() const
    {
        const double half = m.causalAttention ? 0.5 : 1.0, queries = double(m.sequence) / cut.context, qk = m.queryHead(), value = m.valueHead();
        const double batch = double(cut.microBatch) * m.heads / cut.tensor, scores = batch * queries * m.sequence * half;
        if (m.flashAttention) {
            const double forward = 2 * scores * (qk + value) / (wide.peakFlops * wide.sustained * c.flashShare);
            return {forward, 2.5 * forward};
        }
        const double products = half * (productS(queries, qk, m.sequence, wide, c, batch) + productS(queries, m.sequence, value, wide, c, batch));
        Time t{products, 2 * products};
        t += streamed(9 * scores, 13 * scores); // mask, softmax, dropout: read and written in 16 bits, masks in 8
        return t;
    }

    /// Norms, dropout and sums beside the residual: whole on every tensor rank unless they are cut over the sequence.
    [[nodiscard]] Time around() const
    {
        const double value = tokens * hidden * kValueBytes / (cut.sequenceParallel ? cut.tensor : 1), dropout = m.gatedFeedForward ? 0 : 0.5;
        return streamed((4 + 2 * (3 + dropout)) * value, (6 + 2 * (2 + dropout)) * value);
    }

    [[nodiscard]] Time output() const
    {
        const double logits = tokens * m.vocabulary / cut.tensor;
        Time t = wideProduct(tokens, hidden, double(m.vocabulary) / cut.tensor);
        t += streamed(8 * logits, 12 * logits); // loss in 32 bits
        return t;
    }

private:
    [[nodiscard]] Time latentProjections() const
    {
        const LatentAttention& l = m.latent;
        const double perHead = double(m.heads) / cut.tensor;
        Time t = product(ownTokens, hidden, l.query + l.keyValue + l.rotary); // down: whole on every tensor rank
        t += product(tokens, l.query > 0 ? l.query : hidden, perHead * m.queryHead());
        t += product(tokens, l.keyValue, perHead * (l.head + l.value));
        const double put = kValueBytes * (2 * ownTokens * (l.query + l.keyValue)                         // norms of the latents
                                          + tokens * perHead * 2 * (2 * m.queryHead() + m.valueHead())); // heads put together, rotary positions
        t += streamed(put, 1.5 * put);
        return t;
    }
    /// With weights, at the precision of the training.
    [[nodiscard]] Time product(double rows, double inner, double columns, double batch = 1) const
    {
        Time t = productOn(unit, rows, inner, columns, batch);
        if (unit.valueBytes < kValueBytes) {
            const double cast = batch * rows * (c.castReads + 2 * unit.valueBytes); // by row for one product, by column for the other
            t += streamed(cast * inner, cast * columns);
        }
        return t;
    }
    [[nodiscard]] Time wideProduct(double rows, double inner, double columns) const { return productOn(wide, rows, inner, columns, 1); }
    [[nodiscard]] Time productOn(const ComputeUnit& on, double rows, double inner, double columns, double batch) const
    {
        return {productS(rows, inner, columns, on, c, batch),
                productS(rows, columns, inner, on, c, batch) + productS(inner, rows, columns, on, c, batch, c.gradientBytes)};
    }
    [[nodiscard]] Time streamed(double forwardBytes, double backwardBytes) const
    {
        const double rate = unit.memoryBytesPerS * c.memoryShare;
        return {forwardBytes / rate, backwardBytes / rate};
    }
    [[nodiscard]] Time feedForward(double rows, double batch, double columns) const
    {
        const double values = rows * batch * columns * kValueBytes, passes = m.gatedFeedForward ? 3 : 2;
        Time t = product(rows, hidden, (m.gatedFeedForward ? 2 : 1) * columns, batch);
        t += product(rows, columns, hidden, batch);
        t += streamed(passes * values, 1.5 * passes * values); // the activation
        return t;
    }

    const TransformerModel& m;
    const Parallelism& cut;
    const ComputeUnit& unit;
    const ComputeUnit wide;
    const ComputeCalibration& c;
    double tokens, hidden;
    double ownTokens; ///< of one tensor rank, where norms and routing are cut over them
};

} // namespace

double productS(double m, double k, double n, const ComputeUnit& unit, const ComputeCalibration& c, double batch, double resultBytes)
{
    const double waves = batch * (m / kTileRows) * (n / kTileColumns) / unit.processors;
    const double share = c.matrixShare * waves / (waves + c.wave) * k / (k + c.depth);
    const double bytes = batch * (unit.valueBytes * (m * k + k * n) + resultBytes * m * n);
    return std::max(2 * m * k * n * batch / (unit.peakFlops * unit.sustained * share), bytes / (unit.memoryBytesPerS * c.memoryShare));
}

PieceCompute pieceCompute(const TransformerModel& m, const Parallelism& cut, Recompute recompute, const PieceLayers& piece, const ComputeUnit& unit,
                          const ComputeCalibration& c)
{
    const Layer layer(m, cut, unit, c);
    PieceCompute p;
    const auto add = [&](double count, const Layer::Time& t, bool again) {
        p.forwardS += count * t.forwardS;
        p.backwardS += count * (t.backwardS + (again ? t.forwardS : 0.0));
    };
    const bool full = recompute == Recompute::Full;
    if (piece.layers() > 0) {
        add(piece.layers(), layer.projections(), full);
        add(piece.layers(), layer.around(), full);
        add(piece.layers(), layer.core(), full || (recompute == Recompute::Selective && !m.flashAttention));
    }
    if (piece.plain > 0) add(piece.plain, layer.plainFeedForward(), full);
    if (piece.expert > 0) add(piece.expert, layer.expertFeedForward(), full);
    if (piece.output) add(1, layer.output(), false);
    return p;
}

double optimizerStepS(double parameters, const ComputeUnit& unit, const ComputeCalibration& c)
{
    return parameters * c.optimizerBytes / (unit.memoryBytesPerS * c.memoryShare);
}

} // namespace formulas
} // namespace hw::sim
