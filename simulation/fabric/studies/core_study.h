// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/fabric/studies/study.h"

namespace hw::sim {
inline namespace fabric {

/// S3: which traffic of a job may cross pods under an oversubscribed core. Load is spread evenly over equal ways; where connections can
/// be listed, five-tuple ECMP is computed beside it.
struct CoreStudy {
    std::string network = "backend";
    int pods = 2;                               ///< that the job spans, from the first; it takes all their active hosts
    int tensorParallel = 8, pipelineStages = 8; ///< inside a host; data parallel follows from the number of GPUs
    int microBatches = 32;                      ///< each crosses a boundary forward and back: 2 × so many sends
    double pipelineBytes = 6.0 * 1024 * 1024;   ///< of one micro-batch from GPU to GPU
    double gradientBytes = 5.469e9;             ///< all-reduced by every GPU
    double allToAllBytes = 1e9;                 ///< sent by every GPU
    bool hashed = true;                         ///< also five-tuple ECMP
    std::uint64_t seed = 1;
};

struct CoreResult {
    int gpus = 0, gpusPerPod = 0, dataParallel = 0;
    double accessToCore = 0; ///< host bandwidth of a pod : its bandwidth toward the core
    struct Case {
        Text name;                 ///< "one pod", "two pods" …
        double crossGbps = 0;      ///< what the hosts of one pod could send to others
        double coreGbps = 0;       ///< what the pod's links to the core carry
        double seconds = 0;        ///< of the step
        double freeSeconds = 0;    ///< with host ports as the only limit
        double slowDown = 0;       ///< seconds / freeSeconds
        double coreSlowDown = 0;   ///< that the links to and from the highest tier alone would cause, at least 1
        double hashedSeconds = 0;  ///< five-tuple ECMP, 0 where not computed
        double exposedSeconds = 0; ///< pipeline: what all sends of an iteration take longer, if nothing hides them
        bool certificateOk = true; ///< of the hashed rates
    };
    Case pipelineAcross;                      ///< (a) the stages one after the other over the pods, all of them sending to the next at once
    int boundaries = 0, boundariesAcross = 0; ///< between stages; of them those over which somebody sends to another pod
    int gpusAcross = 0;                       ///< that send to another pod, over all boundaries
    Case gradientContiguous;                  ///< (b) rings that go through a pod before the next
    Case gradientAlternating;                 ///< (c) rings that change pods at every hop
    Case allToAll;                            ///< (d) over all GPUs
    Case allToAllOneSegment;                  ///< (e) over one segment of each pod
    Text verdict;                             ///< computed from the cases
    std::vector<Text> notes;
};
/// Refused when the design has fewer pods, or hosts do not divide by the stages.
[[nodiscard]] Result<CoreResult> runCoreStudy(const Snapshot& snapshot, const CoreStudy& study, const Progress& progress = {});

} // namespace fabric
} // namespace hw::sim
