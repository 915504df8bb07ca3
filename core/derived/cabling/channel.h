// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cabling/cabling.h"

namespace hw {

/// What lies between the two modules of a cable: all its runs together.
struct Channel {
    std::int64_t lengthMm = 0;
    std::int32_t fiberMdb = 0, jointsMdb = 0; ///< 1/1000 dB: of the fiber; of mated pairs and splices
    std::optional<std::int32_t> budgetMdb;    ///< that the modules bear; nothing where they state none, or for copper
    std::optional<std::int32_t> reachMm;      ///< of the modules over this medium
    int cables = 1, panels = 0;
    std::string medium;
    [[nodiscard]] std::int32_t lossMdb() const { return fiberMdb + jointsMdb; }
    [[nodiscard]] std::optional<std::int32_t> marginMdb() const { return budgetMdb ? std::optional(*budgetMdb - lossMdb()) : std::nullopt; }
};

/// Of a link's first cable, which has the modules. Copper has no loss.
[[nodiscard]] Channel channelOf(const Snapshot& snapshot, const ProjectParts& parts, const Cabling& cabling, const FiberLoss& loss, CableId first);

} // namespace hw
