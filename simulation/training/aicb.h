// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/aicb_text.h"
#include "simulation/training/job_run.h"

#include <string>
#include <vector>

namespace hw::sim {
inline namespace training {

using importers::AicbWorkload;

/// What an AICB iteration takes on a fabric.
struct AicbRun {
    struct Kind {
        std::string name;
        double bytes = 0, seconds = 0;
        std::uint64_t operations = 0;
    }; ///< sums over the layers
    double computeS = 0, communicationS = 0;
    double bubbleS = 0;            ///< of a pipeline: (pp - 1) micro-batches' work
    double pipelineS = 0;          ///< sends that fill and drain it: 2 (pp - 1) of the header's pp_comm
    double iterationS = 0;         ///< the sum
    std::vector<Kind> kinds;       ///< collective and group, in the order of their first use
    std::uint64_t flows = 0;       ///< network flows of one operation of each kind
    std::uint64_t unreachable = 0; ///< of them without a path: then it does not run, and its times are infinite
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
