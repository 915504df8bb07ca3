// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/tables.h"

#include <functional>
#include <vector>

namespace hw::impact {

/// What of the networks is lost, whatever the reason.
struct NetworkLoss {
    std::vector<DeviceId> hosts; ///< that take no part; ascending
    std::vector<LinkId> links;   ///< of data, that are down; ascending
    [[nodiscard]] bool none() const { return hosts.empty() && links.empty(); }
    friend bool operator==(const NetworkLoss&, const NetworkLoss&) = default;
};

/// What links carry once so much is lost: Gb/s by directed link (2 × LinkId + direction, 0: from lower to upper end). Empty: what went over them
/// does not go on. The same for the same loss; any thread, one at a time.
using LoadsAfter = std::function<std::vector<float>(const NetworkLoss&)>;

} // namespace hw::impact
