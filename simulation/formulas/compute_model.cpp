// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/formulas/compute_model.h"

#include <algorithm>

namespace hw::sim {
inline namespace formulas {

namespace {

constexpr double kTileRows = 128, kTileColumns = 256;
constexpr double kValueBytes = 2; // 16-bit values; fp8 keeps its activations in 16 bits

/// One micro-batch of one layer on one GPU.
class Layer {
public:
    Layer(const TransformerModel& model, const Parallelism& way, const ComputeUnit& on, const ComputeCalibration& fitted)
        : m(model), cut(way), unit(on), c(fitted), tokens(double(cut.microBatch) * m.sequence / cut.context), hidden(m.hidden),
          width(m.feedForwardWidth() / cut.tensor)
    {
    }

    /// Seconds forward and backward.
    struct Time {
        double forwardS = 0, backwardS = 0;
        Time& operator+=(const Time& o) { return forwardS += o.forwardS, backwardS += o.backwardS, *this; }
    };

    [[nodiscard]] Time projections() const
    {
        Time t = product(tokens, hidden, (hidden + 2 * m.keyValueWidth()) / cut.tensor);
        t += product(tokens, hidden / cut.tensor, hidden);
        return t;
    }

    [[nodiscard]] Time plainFeedForward() const { return feedForward(tokens, 1, m.feedForwardWidth() / cut.tensor); }

    /// Tokens of all ranks of the expert group, spread evenly over its experts.
    [[nodiscard]] Time expertFeedForward() const
    {
        const double here = double(m.experts) / cut.expert, visits = tokens * m.topK / here;
        Time t = feedForward(visits, here, width);
        t += product(tokens, hidden, m.experts);
        t += streamed(4 * tokens * m.topK * hidden * kValueBytes, 4 * tokens * m.topK * hidden * kValueBytes); // handed out and collected
        return t;
    }

    [[nodiscard]] Time core() const
    {
        const double half = m.causalAttention ? 0.5 : 1.0, queries = double(m.sequence) / cut.context, head = hidden / m.heads;
        const double batch = double(cut.microBatch) * m.heads / cut.tensor, scores = batch * queries * m.sequence * half;
        if (m.flashAttention) {
            const double forward = 4 * scores * head / (unit.peakFlops * unit.sustained * c.flashShare);
            return {forward, 2.5 * forward};
        }
        const double products = half * (productS(queries, head, m.sequence, unit, c, batch) + productS(queries, m.sequence, head, unit, c, batch));
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
        Time t = product(tokens, hidden, double(m.vocabulary) / cut.tensor);
        t += streamed(8 * logits, 12 * logits); // loss in 32 bits
        return t;
    }

private:
    [[nodiscard]] Time product(double rows, double inner, double columns, double batch = 1) const
    {
        return {productS(rows, inner, columns, unit, c, batch),
                productS(rows, columns, inner, unit, c, batch) + productS(inner, rows, columns, unit, c, batch)};
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
    const ComputeCalibration& c;
    double tokens, hidden, width;
};

} // namespace

double productS(double m, double k, double n, const ComputeUnit& unit, const ComputeCalibration& c, double batch)
{
    const double waves = batch * (m / kTileRows) * (n / kTileColumns) / unit.processors;
    const double share = c.matrixShare * waves / (waves + c.wave) * k / (k + c.depth);
    const double bytes = kValueBytes * batch * (m * k + k * n + m * n);
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
