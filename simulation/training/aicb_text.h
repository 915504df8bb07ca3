// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hw::importers {

enum class AicbCollective : std::uint8_t { AllReduce, AllGather, ReduceScatter, AllToAll };
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
    int tensor = 1, expert = 1, pipeline = 1;
    int virtualPipeline = 1; ///< AICB writes the number of layers here
    int gradientAccumulation = 1;
    std::int64_t gpus = 0; ///< 0: not stated (older files)
    int checkpoints = 0, checkpointInitiates = 0;
    std::uint64_t pipelineBytes = 0; ///< 0: not stated
    std::vector<AicbLayer> layers;
    bool operator==(const AicbWorkload&) const = default;
};

/// Reads the text: header, number of layers, 12 columns a layer; blanks or tabs, any line end. Errors: Unreadable at `where:LINE`.
[[nodiscard]] Result<AicbWorkload> parseAicb(std::string_view text, const std::string& where);
/// Writes it so that parsing gives the same workload.
[[nodiscard]] std::string toText(const AicbWorkload& workload);

} // namespace hw::importers
