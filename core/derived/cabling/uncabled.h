// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cabling.h"

namespace hw {

/// Data links of one rule that nothing can be bought for, with the reason: no cable and modules go together, or
/// there is no way through the trays and so no length.
struct Uncabled {
    Maybe<LinkRuleId> rule; ///< none: connected by hand
    NoCableReason why;
    bool noRoute = false;
    std::vector<LinkId> links;
    std::vector<CableId> cables; ///< that they are on
    friend bool operator==(const Uncabled&, const Uncabled&) = default;
};

/// All of them, by link rule and reason. The rules, the bill of materials and the report name the same ones.
[[nodiscard]] std::vector<Uncabled> uncabled(const Snapshot& snapshot, const Cabling& cabling);
/// "server – leaf", "connected by hand".
[[nodiscard]] Text tiersJoined(const Snapshot& snapshot, Maybe<LinkRuleId> rule);

} // namespace hw
