// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hw::importers {

/// What a workload is, by the first word of its file: which columns communicate, and in which group.
enum class AicbPolicy : std::uint8_t {
    Transformer, ///< HYBRID_TRANSFORMER[_FWD_IN_BCKWD]: forward and input gradient in the tensor group, weight gradient in the data group
    Data,        ///< only weight gradients, among all GPUs
    Model,       ///< only forward and input gradients, among all GPUs
    Micro        ///< only the weight gradient of the first layer, among all GPUs
};
enum class AicbCollective : std::uint8_t { AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast };
/// Who takes part in a collective of an AICB line: a suffix of its name says so, else the column does.
enum class AicbGroup : std::uint8_t { Default, Expert, ExpertData };

/// "ALLREDUCE", "ALLTOALL_EP", "REDUCESCATTER_DP_EP" …; `none` for NONE.
struct AicbCommunication {
    bool none = true;
    AicbCollective collective = AicbCollective::AllReduce;
    AicbGroup group = AicbGroup::Default;
    std::uint64_t bytes = 0;
    bool operator==(const AicbCommunication&) const = default;
};

/// One pass of a layer: computing, then communicating. Times in ns.
struct AicbPass {
    std::uint64_t computeNs = 0;
    AicbCommunication communication;
    bool operator==(const AicbPass&) const = default;
};

struct AicbLayer {
    std::string id;
    std::int64_t dependency = -1;
    AicbPass forward, inputGradient, weightGradient;
    std::uint64_t updateNs = 0;
    bool operator==(const AicbLayer&) const = default;
};

/// A training workload as AICB writes it and SimAI reads it (github.com/aliyun/SimAI, Apache-2.0; format in its text only).
struct AicbWorkload {
    AicbPolicy policy = AicbPolicy::Transformer;
    bool forwardInBackward = true; ///< of transformers: SimAI plays the forward pass again from checkpoints
    int tensor = 1, expert = 1, pipeline = 1;
    int virtualPipeline = 1; ///< AICB writes the number of layers here
    int gradientAccumulation = 1;
    std::int64_t gpus = 0; ///< 0: not stated (older files)
    int checkpoints = 0, checkpointInitiates = 0;
    std::vector<std::int64_t> checkpointLayers, initiateLayers; ///< numbers that follow the counts
    std::uint64_t pipelineBytes = 0;                            ///< 0: not stated
    std::vector<AicbLayer> layers;
    bool operator==(const AicbWorkload&) const = default;
};

/// Whether a text begins as one.
[[nodiscard]] bool looksLikeAicb(std::string_view text);
/// Reads the text: header, number of layers, 12 columns a layer; blanks or tabs, any line end. Errors: Unreadable at `where:LINE`.
[[nodiscard]] Result<AicbWorkload> parseAicb(std::string_view text, const std::string& where);
/// Writes it so that parsing gives the same workload.
[[nodiscard]] std::string toText(const AicbWorkload& workload);

} // namespace hw::importers
