// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/simulators/sim_fabric.h"

namespace hw::importers {

/// GPUs above which a platform gives links and leaves the routes to SimGrid.
inline constexpr std::uint32_t kMostRoutedGpus = 256;

struct SimgridPlatform {
    std::string xml, links; ///< links.csv: id, ends, rate
    std::uint32_t gpus = 0;
    bool routed = true; ///< every route is stated, as our routing chooses it
};

/// GPUs as hosts "SERVER-gpuN", every cable as a split-duplex link (up: away from the servers), scale-up links. `segment`: "S" or "POD/SEGMENT"
/// from 1; empty: all. Up to kMostRoutedGpus GPUs get a route each to each other by the project's hashing, more a graph of links.
/// Errors: Refused for a segment that is not there; as routingOptions().
[[nodiscard]] Result<SimgridPlatform> simgridPlatform(const SimFabric& fabric, const std::string& segment, const Progress& progress = {});

} // namespace hw::importers
