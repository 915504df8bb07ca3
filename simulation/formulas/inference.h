// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace hw::sim {
inline namespace formulas {

/// A transformer that answers requests, on replicas of so many GPUs: tensor parallel, experts spread over the same GPUs. Roofline: what takes longer
/// of computing and reading memory, then communication, which nothing hides.
struct InferenceCase {
    double parameters = 1.8e12, activeParameters = 2.8e11; ///< the same for a dense model
    double layers = 120, hidden = 16384, keyValueHeads = 8, headSize = 128;
    double bytesPerParameter = 1, bytesPerKeyValue = 1, bytesPerActivation = 2;
    double gpuMemoryBytes = 180e9, memoryBytesPerS = 8e12, peakFlops = 4.5e15;
    double memoryShare = 0.9;                                ///< of the memory, for weights and keys and values
    double memoryEfficiency = 0.7, efficiency = 0.5;         ///< of bandwidth in decode, of the peak in prefill (assumed)
    double kwPerGpu = 1.9;                                   ///< of a GPU with its share of host and rack
    int domainGpus = 72;                                     ///< of the scale-up domain
    double insideBytesPerS = 900e9, outsideBytesPerS = 50e9; ///< of a GPU, one direction
    double insideS = 3e-6, outsideS = 10e-6;                 ///< latency of one collective
    double promptTokens = 2000, answerTokens = 500;
    double firstTokenS = 1, tokenS = 0.05; ///< latency budget
};

struct InferencePoint {
    int gpus = 0; ///< of a replica
    bool fits = false, meetsBudget = false;
    double batch = 0;                            ///< requests in decode at once
    double prefillS = 0, stepS = 0, answerS = 0; ///< first token, one token, a whole answer
    double weightsBytesPerGpu = 0, keyValueBytesPerRequest = 0;
    double tokensPerSPerGpu = 0, tokensPerSPerKw = 0;
    double communicationShare = 0; ///< of a decode step
    bool straddles = false;        ///< the replica is larger than the domain
};
/// With the largest batch that memory and budget allow.
[[nodiscard]] InferencePoint inferenceOn(const InferenceCase& c, int gpus);
/// The replica size, powers of 2, 9 times them (as in racks of 36 and 72) and the domain itself, with most tokens per GPU within the budget; nothing
/// where none is.
[[nodiscard]] std::optional<InferencePoint> bestReplica(const InferenceCase& c, int mostGpus);

} // namespace formulas
} // namespace hw::sim
