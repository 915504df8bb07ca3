// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/rule.h"

namespace hw::rules {

/// One link of a card up to a switch.
struct CardLink {
    std::uint64_t card = 0; ///< host and number of the card
    DeviceId upper;
    LinkId link;
};
/// Of data networks, without those of scale-up and management; by card, then switch.
[[nodiscard]] std::vector<CardLink> cardLinks(const RuleInput& input);

} // namespace hw::rules
