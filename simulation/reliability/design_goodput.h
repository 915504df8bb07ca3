// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/snapshot.h"
#include "simulation/reliability/goodput.h"
#include "simulation/reliability/storage_path.h"

#include <string>

namespace hw::sim {
inline namespace reliability {

/// A long job on a design, whose faults and saves follow from the design's own parts.
struct DesignJob {
    double gpus = 0, gpusPerHost = 8;
    FaultLog log;
    double linkFailuresShare = kLinkFailuresPerMonth;  ///< of access links, in a month
    double parameters = 175e9, bytesPerParameter = 14; ///< the state, where there is no dump of every GPU
    double dumpGBytesPerGpu = 30;                      ///< 0: only the state
    std::string storageTier;                           ///< empty: that with the most nodes
    double storageEfficiency = 0.8;                    ///< of the links, that writing reaches (assumed)
    bool twoStage = false;
    double hostMemoryGBytesPerS = 25; ///< of a GPU to host memory, for the first stage
    double intervalS = 0;             ///< between saves; 0: the best
    double detectS = 120, restartS = 420;
    GroupInit groupInit = GroupInit::Ordered;
    int readers = 0;              ///< hosts that read the save and pass it on; 0: every host reads what it needs
    int replicas = 1;             ///< that need the same state, and without `readers` each read it; without effect on a dump of every GPU
    double storageGBytesPerS = 0; ///< of all storage nodes together, to read or write; 0: what their links carry
    double toleratedStallS = 10;  ///< of a link failure with dual-homed NICs
    double recall = 0, precision = 1;
    double dataGBytesPerS = 0; ///< training data that the job reads, every piece counted once; 0: left out
    int dataCopies = 1;        ///< ranks that each read the same piece; 1: one reads it and passes it on
};

/// What can stop the job, and how often.
struct DesignFaults {
    double links = 0, perMonth = 0, linkPerMonth = 0;
    bool dualHomed = false; ///< a link failure only stalls
    int backupHosts = 0;
};

/// The job as a case of goodput, and what it was made from.
struct DesignGoodputCase {
    GoodputCase goodput;
    DesignFaults faults;
    StoragePath path;
    double hosts = 0;
    double pathShare = 1; ///< of the path's hosts that the job has
    double bytes = 0, drainS = 0;
    double readBytes = 0; ///< from the storage, to restore
    /// Training data: requested from the storage and delivered at most, bytes per second; share of the time that the job waits for it.
    double dataBytesPerS = 0, dataFromStorage = 0, dataWait = 0;
};
/// Errors: Refused, the place is `storage_tier`, where servers have no way to storage nodes.
[[nodiscard]] Result<DesignGoodputCase> designGoodput(const Snapshot& snapshot, const ProjectParts& parts, const DesignJob& job);

} // namespace reliability
} // namespace hw::sim
