// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/formulas/training_volume.h"

namespace hw::sim {
inline namespace formulas {

/// Floating-point operations of one token, forward and backward: those of the matrix products, each forward one and two backward.
/// A plain GPT: 72 L h² (1 + s / (6 h)) + 6 V h, and with full recompute 96 L h² (1 + s / (6 h)) + 6 V h, as Narayanan et al. 2021,
/// formula 3: the output layer is never repeated. Selective recompute adds 4 L h s. Causal attention halves all terms with s. What
/// FlashAttention repeats inside its backward pass is not counted.
struct TokenFlops {
    double model = 0, hardware = 0;
};
[[nodiscard]] TokenFlops flopsPerToken(const TransformerModel& model, Recompute recompute);

/// Forward operations of one token by where they happen.
struct ForwardFlops {
    double attention = 0;   ///< the products with weights of a layer's attention
    double core = 0;        ///< scores and their sum over values
    double feedForward = 0; ///< of a layer with one MLP
    double experts = 0;     ///< of a layer with experts: those that a token visits, shared ones, and the router
    double output = 0;      ///< logits, once
    [[nodiscard]] double of(const PieceLayers& p) const
    {
        return p.layers() * (attention + core) + p.plain * feedForward + p.expert * experts + (p.output ? output : 0.0);
    }
};
[[nodiscard]] ForwardFlops forwardFlops(const TransformerModel& model);

/// C = 6 N D, attention left out, in petaflop/s-days (8.64e19 operations): 3,646 for GPT-3 on 300e9 tokens (OpenAI states 3,640).
[[nodiscard]] double petaflopDays(double activeParameters, double tokens);
/// Days of `gpus` with `peakFlops` each at model FLOPs utilization `mfu`.
[[nodiscard]] double trainingDays(double petaflopDays, double gpus, double peakFlops, double mfu);

/// Idle share of an iteration of the (interleaved) 1F1B schedule: (p - 1) / (v m + p - 1). Over the ideal time: (p - 1) / (v m).
[[nodiscard]] double pipelineBubbleShare(const Parallelism& cut);

} // namespace formulas
} // namespace hw::sim
