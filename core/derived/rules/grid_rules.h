// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/feeders/feeders.h"
#include "core/derived/rules/rule.h"

namespace hw::rules {

inline constexpr Threshold kLowWithstand{"rule.p16.low_ka", TextId("withstand current of low-voltage switchboards"), 100.0, TextId("kA"),
                                         TextId("assumed: 65 to 100 kA for main switchboards of 2.5 to 3.15 MVA transformers; 0: not checked")};
inline constexpr Threshold kMediumWithstand{"rule.p16.medium_ka", TextId("withstand current of medium-voltage switchgear"), 25.0, TextId("kA"),
                                            TextId("IEC 62271-200, common rating; 0: not checked")};
inline constexpr Threshold kPowerFactor{"rule.p17.power_factor", TextId("minimum power factor at the utility"), 0.9, TextId(),
                                        TextId("assumed: 0.90 to 0.95 in connection agreements; 0: not checked")};

/// Withstand current of a board, as rule P16 has it; 0: not checked, or no board.
[[nodiscard]] double withstandAmps(const RuleInput& input, const FaultLevel& level);

std::vector<Finding> faultLevels(const RuleInput&);    // P16
std::vector<Finding> gridConnection(const RuleInput&); // P17

} // namespace hw::rules
