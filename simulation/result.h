// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/model/snapshot.h"

#include <string>
#include <vector>

namespace hw::sim {

/// What a flow simulation found. Immutable, stamped with the revision it belongs to.
/// Directed link index = 2 × LinkId + direction (0: from the lower to the higher tier, 1: down).
struct FlowResult {
    std::uint64_t revision = 0;
    std::string scenarioName;
    std::vector<float> loadGbps;     ///< by directed link, 0 where unused
    std::vector<float> capacityGbps; ///< by directed link, 0 where the link is dead
    struct Flow {
        DeviceId source, destination;
        std::int16_t rail = -1, plane = -1;
        double bytes = 0, rateGbps = 0, finishS = 0;
        std::uint32_t job = 0, sourceRank = 0, destinationRank = 0; ///< ranks within the job, from 0
    };
    std::vector<Flow> flows;
    std::vector<std::uint32_t> flowLinkOffset, flowLinks; ///< directed links of every flow (offset has one more entry)
    struct HotLink {
        std::uint32_t directedLink = 0;
        double utilization = 0;
        std::uint32_t flows = 0;
    };
    std::vector<HotLink> hottest;  ///< most loaded first
    double completionS = 0;        ///< of the last flow, all starting at 0; infinite when one never ends
    std::uint64_t unreachable = 0; ///< flows without a path, left out
    double meanRateGbps = 0, minRateGbps = 0;
    bool certificateOk = false; ///< the rates were proved max-min
    double certificateGap = 0;
    std::vector<Text> notes; ///< what the model leaves out, what was assumed
    [[nodiscard]] double utilization(std::uint32_t directed) const
    {
        return capacityGbps[directed] > 0 ? double(loadGbps[directed]) / double(capacityGbps[directed]) : 0.0;
    }
};

} // namespace hw::sim
