// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/job_run.h"

#include <string>
#include <string_view>
#include <vector>

namespace hw::sim {
inline namespace training {

/// Who takes part in a collective of an AICB line: a suffix of its name says so, else the column does.
enum class AicbGroup : std::uint8_t { Default, Expert, ExpertData };

/// "ALLREDUCE", "ALLTOALL_EP", "REDUCESCATTER_DP_EP" …; `none` for NONE.
struct AicbCommunication {
    bool none = true;
    Collective collective = Collective::AllReduce;
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

/// What an AICB iteration takes on a fabric.
struct AicbRun {
    struct Kind {
        std::string name;
        double bytes = 0, seconds = 0;
        std::uint64_t operations = 0;
    }; ///< sums over the layers
    double computeS = 0, communicationS = 0;
    double bubbleS = 0;      ///< of a pipeline: (pp - 1) micro-batches' work
    double pipelineS = 0;    ///< sends that fill and drain it: 2 (pp - 1) of the header's pp_comm
    double iterationS = 0;   ///< the sum
    std::vector<Kind> kinds; ///< collective and group, in the order of their first use
    std::uint64_t flows = 0; ///< network flows of one operation of each kind
    bool certified = true;
    TrainingJob job; ///< the cut it ran with
};

/// All layers forward, then backward from the last to the first (input gradients, weight gradients, updates), each communication
/// after its computing and before what follows, all its groups on the fabric at once: nothing is hidden, as in the file's own model.
/// Columns without a suffix: forward and input gradient in the tensor group, weight gradient in the data group. With a pipeline the
/// file holds the layers of one stage, of all `ga` micro-batches, as AICB writes them; what a stage waits for comes on top.
/// `base` gives placement, rank order, accelerator (rates only), latency, library and algorithms; `gpus` is used where the file
/// states none, `options.free` says which hosts. Errors: Refused when ranks do not divide or hosts are too few; as runTransfers().
[[nodiscard]] Result<AicbRun> runAicb(const WorkloadFabric& fabric, const AicbWorkload& workload, const TrainingJob& base = {}, std::int64_t gpus = 0,
                                      const JobRunOptions& options = {}, const Progress& progress = {});

} // namespace training
} // namespace hw::sim
