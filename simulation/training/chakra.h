// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/training/chakra_trace.h"
#include "simulation/training/job_run.h"

namespace hw::sim {
inline namespace training {

using importers::ChakraWorkload;

/// What the traces of an iteration take on a fabric.
struct ChakraRun {
    struct Kind {
        std::string name; ///< collective or "send", group size
        double bytes = 0, seconds = 0;
        std::uint64_t operations = 0;
    };
    double iterationS = 0;              ///< until the last node of the last rank ends
    double computeS = 0, waitS = 0;     ///< of the rank that ends last: computing; the rest of the iteration
    std::vector<Kind> kinds;            ///< in the order of their first use
    std::uint64_t nodes = 0, flows = 0; ///< of all ranks; network flows of one operation of each kind
    std::uint64_t unreachable = 0;      ///< transfers without a path: then the iteration is infinite
    std::uint64_t byPeak = 0;           ///< computing nodes without a duration: their operations at the accelerator's peak
    bool certified = true;
    std::uint32_t lastRank = 0;
};

/// Nodes start when what they wait for has ended: on each rank one computing on the GPU at a time, one on the CPU, one collective
/// of each process group, the lowest id of those that are ready first; sends and receives as they come. A collective starts when all its ranks have
/// come to it (their n-th on that group), and takes what it takes with all disjoint groups of its size at once; a send and its receive end together.
/// Sizes as ASTRA-sim has them: of all-gather what one rank gives, of the others the whole buffer. `base` gives placement, accelerator, latency,
/// library, algorithms. Errors: Refused for traces that wait for each other, for groups and peers that are not there, and as placeHosts() and
/// runTransfers().
[[nodiscard]] Result<ChakraRun> runChakra(const WorkloadFabric& fabric, const ChakraWorkload& workload, const TrainingJob& base = {},
                                          const JobRunOptions& options = {}, const Progress& progress = {});

} // namespace training
} // namespace hw::sim
