// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/catalog.h"

#include <vector>

namespace hw {

/// One link of a host's network card up to a switch.
struct CardLink {
    std::uint64_t card = 0; ///< host and number of the card
    DeviceId upper;
    LinkId link;
    [[nodiscard]] DeviceId host() const { return DeviceId(std::uint32_t(card >> 16)); }
    friend bool operator==(const CardLink&, const CardLink&) = default;
};
/// Of every network but those of scale-up, which are one machine; by card, then switch, then link. Ports that are no interface of their
/// device's type are left out.
[[nodiscard]] std::vector<CardLink> cardLinks(const Snapshot& snapshot, const ProjectParts& parts);

} // namespace hw
