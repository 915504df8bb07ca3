// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/simulators/sim_fabric.h"

namespace hw::importers {

/// A fat tree as htsim makes it out of a few numbers: everything is the same everywhere, hosts have one link.
struct HtsimTopology {
    std::string name;                 ///< plane1, plane1-2
    std::vector<std::uint32_t> hosts; ///< GPUs in the order of htsim's hosts: by pod and access switch
    struct Tier {
        std::int64_t gbps = 0;                                                    ///< of a link down from it
        std::uint32_t radixDown = 0, radixUp = 0, bundle = 1, oversubscribed = 1; ///< radixUp 0: the top
    };
    std::vector<Tier> tiers; ///< two or three
    std::uint32_t podSize = 0;
};

/// One for every part of the fabric that the n-th ports of all NICs reach. Errors: Refused, with the condition of htsim that does not hold.
[[nodiscard]] Result<std::vector<HtsimTopology>> htsimTopologies(const SimFabric& fabric);

/// What htsim asks of a topology; the text of its .topo file says the same.
[[nodiscard]] Result<void> checkHtsim(const HtsimTopology& topology);
[[nodiscard]] std::string htsimText(const HtsimTopology& topology, double linkNs);
/// Every host sends `bytes` to the host `shift` after it, all at once.
[[nodiscard]] std::string htsimConnections(std::size_t hosts, std::size_t shift, std::int64_t bytes);

} // namespace hw::importers
