// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/analytic/collectives.h"
#include "simulation/analytic/training_volume.h"

namespace hw::sim {

enum class Recompute : std::uint8_t {
    None,
    Selective, ///< the attention core only: + 4 L h s (V. Korthikanti et al., "Reducing Activation Recomputation", 2022)
    Full       ///< the forward pass once more
};

/// Floating-point operations of one token, forward and backward.
/// `model`: 6 N_active + 12 L h s (A. Chowdhery et al., PaLM, appendix B; attention counted without the causal half).
/// `hardware`: with what is computed twice, 8 N + 16 L h s for Full.
struct TokenFlops {
    double model = 0, hardware = 0;
};
[[nodiscard]] TokenFlops flopsPerToken(const TransformerModel& model, Recompute recompute);

/// C = 6 N D, attention left out, in petaflop/s-days (8.64e19 operations): 3,646 for GPT-3 on 300e9 tokens (OpenAI states 3,640).
[[nodiscard]] double petaflopDays(double activeParameters, double tokens);
/// Days of `gpus` with `peakFlops` each at model FLOPs utilisation `mfu`.
[[nodiscard]] double trainingDays(double petaflopDays, double gpus, double peakFlops, double mfu);

/// Idle share of an iteration of the (interleaved) 1F1B schedule: (p - 1) / (v m + p - 1). Over the ideal time: (p - 1) / (v m).
[[nodiscard]] double pipelineBubbleShare(const Parallelism& cut);

/// One kind of accelerator and the ways between them as one GPU sees them.
struct TrainingMachine {
    double peakFlops = 989e12;      ///< dense, at the training precision (H100 and H800 data sheet, bf16)
    double computeEfficiency = 0.55; ///< of the peak, in matrix work without communication: assumed, one number per type
    AlphaBeta inside{3e-6, 450e9};  ///< NVLink: TP
    AlphaBeta outside{10e-6, 50e9}; ///< NIC: PP, DP, EP
    double libraryFactor = 1.0;     ///< on bus bandwidth; 1.4 is what TCCL states over NCCL (SOURCES C10)
    double gradientOverlap = 0.5;   ///< share of DP time hidden behind the backward pass
    double tensorOverlap = 0.0, pipelineOverlap = 0.5, expertOverlap = 0.0;
};

/// One iteration by closed forms: no contention, all ranks alike. What contention adds, the flow simulation tells.
struct IterationEstimate {
    double computeS = 0, bubbleS = 0;
    double tensorS = 0, pipelineS = 0, dataS = 0, expertS = 0;         ///< full times
    double exposedTensorS = 0, exposedPipelineS = 0, exposedDataS = 0, exposedExpertS = 0;
    double iterationS = 0;
    double exposedShare = 0;     ///< communication that is not hidden, of the iteration
    double tokensPerS = 0, mfu = 0, hfu = 0;
};

/// Compute and the communication inside micro-batches stretch with the bubble; the gradient reduction comes once, at the end.
[[nodiscard]] IterationEstimate estimateIteration(const TransformerModel& model, const Parallelism& cut, const TrainingMachine& machine,
                                                  Recompute recompute);

} // namespace hw::sim
