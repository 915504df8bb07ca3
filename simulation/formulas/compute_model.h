// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/formulas/training_time.h"

namespace hw::sim {
inline namespace formulas {

/// An accelerator as the compute model sees it.
struct ComputeUnit {
    double peakFlops = 989.5e12;      ///< dense, at the training precision
    double memoryBytesPerS = 3.35e12; ///< of its own memory
    int processors = 132;             ///< streaming multiprocessors and the like: tiles that are computed at once
    double sustained = 0.85;          ///< share of the peak's clock that it keeps up under matrix work, against that of an A100
    double valueBytes = 2;            ///< of a factor of the products with weights at that precision: 1 in FP8, 0.5 in FP4
    double widePeakFlops = 0;         ///< dense, in 16 bits, of what narrow formats do not compute; 0: as peakFlops
    /// The same unit at 16 bits.
    [[nodiscard]] ComputeUnit wide() const
    {
        ComputeUnit u = *this;
        if (widePeakFlops > 0) u.peakFlops = widePeakFlops;
        u.valueBytes = 2;
        return u;
    }
};

/// The compute model. A matrix product m × k × n takes the longer of
///   its operations / (peak · sustained · matrixShare · w / (w + wave) · k / (k + depth)), w = (m / 128) (n / 256) / processors waves of tiles, and
///   its bytes (both factors and the product, once) / (memory rate · memoryShare).
/// A product with weights is computed three times: forward, and backward for its input and its weights; the gradient of the weights is
/// added to a sum in 32 bits. In FP8 and FP4 these products alone have the narrow peak; attention, router and output layer stay in
/// 16 bits, and the factors that are no weights are cast: read for their largest value, read again, and written by row and by column.
/// Grouped products of experts have the waves of all groups together, and move the weights and their gradients of all of them.
/// w / (w + 1/2) is the mean loss to a last wave that is half full, k / (k + depth) that of starting and ending a tile. Both grow with
/// each side of the product: hidden size, micro-batch and sequence raise the share of the peak, cutting over more tensor ranks lowers it.
/// What is no product (norms, dropout, activations, softmax of unfused attention, loss, optimizer) takes its bytes over the memory rate.
/// Three constants are calibrated: `matrixShare` and `depth` are fitted to the calibration rows of resources/workloads/published.yaml
/// and to nothing else (a test fits them again), `sustained` of each accelerator is taken from measured products of its generation
/// (resources/workloads/accelerators.yaml). The others are assumed.
struct ComputeCalibration {
    double matrixShare = 0.775;
    double depth = 288;
    double wave = 0.5;
    double memoryShare = 0.85;  ///< of the data sheet's rate that streaming reaches
    double flashShare = 0.5;    ///< of the peak, in FlashAttention; its backward pass has 2.5 times the operations
    double optimizerBytes = 30; ///< that a parameter's Adam step moves: gradient, master copy, two moments, the new weight
    double gradientBytes = 8;   ///< that adding to a weight's gradient moves: a sum in 32 bits, read and written
    double castReads = 4;       ///< bytes that a cast reads of a 16-bit value: once for the scale, once for the cast
};

/// Seconds of one product, `batch` of its kind at once; `resultBytes` of memory traffic for each element of the result.
[[nodiscard]] double productS(double m, double k, double n, const ComputeUnit& unit, const ComputeCalibration& c = {}, double batch = 1,
                              double resultBytes = 2);

/// Computing of one micro-batch in one piece of the model on one GPU, without communication; recomputing is in `backwardS`.
struct PieceCompute {
    double forwardS = 0, backwardS = 0;
};
[[nodiscard]] PieceCompute pieceCompute(const TransformerModel& model, const Parallelism& cut, Recompute recompute, const PieceLayers& piece,
                                        const ComputeUnit& unit, const ComputeCalibration& c = {});

/// The optimizer's step over `parameters` of one GPU.
[[nodiscard]] double optimizerStepS(double parameters, const ComputeUnit& unit, const ComputeCalibration& c = {});

} // namespace formulas
} // namespace hw::sim
