// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/rule.h"

namespace hw::rules {

inline constexpr Threshold kNsPerMeter{"rule.n14.ns_per_m", TextId("signal delay"), 4.9, TextId("ns/m"),
                                       TextId("group index 1.468 of single-mode fiber over the speed of light; 4.5 to 5 in copper and fiber")};
inline constexpr Threshold kDelaySkew{"rule.n14.skew_ns", TextId("maximum delay difference"), 2000.0, TextId("ns"),
                                      TextId("assumed: links between the same two tiers, about 400 m apart in length")};
inline constexpr Threshold kEntryArea{"rule.k5.entry_cm2", TextId("cable entries of a rack"), 500.0, TextId("cm²"),
                                      TextId("assumed: openings in the top panel of a 600 mm cabinet; 0: not checked")};
inline constexpr Threshold kEntryFill{"rule.k5.fill_percent", TextId("maximum fill of cable entries"), 50.0, TextId("%"),
                                      TextId("as trays, TIA-569: maximum fill of 50 %")};

std::vector<Finding> linkDelays(const RuleInput&);   // N14
std::vector<Finding> rackEntries(const RuleInput&);  // K5
std::vector<Finding> serviceLoops(const RuleInput&); // K8
std::vector<Finding> namePatterns(const RuleInput&); // D2

/// True where a name fits a pattern: # a digit, @ a letter, * any text, everything else itself.
[[nodiscard]] bool fitsPattern(std::string_view name, std::string_view pattern);

} // namespace hw::rules
