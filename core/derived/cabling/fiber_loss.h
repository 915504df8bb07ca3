// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/part.h"
#include "core/foundation/model/snapshot.h"

namespace hw {

/// What fiber, connectors and splices take off the light, in 1/1000 dB, from the settings of a project.
struct FiberLoss {
    std::int32_t multimode850 = 0, multimode953 = 0; ///< a kilometer
    std::int32_t singleMode = 0, singleModeOs1 = 0;  ///< a kilometer, 1310 to 1550 nm
    std::int32_t mpo = 0, lc = 0;                    ///< a mated pair
    std::int32_t splice = 0;
    int trunkSplices = 0; ///< in a trunk; pre-terminated ones have none
    int atModules = 0;    ///< mated pairs at the modules that count, of both ends together
    friend bool operator==(const FiberLoss&, const FiberLoss&) = default;

    [[nodiscard]] static FiberLoss of(const Snapshot& snapshot);
    /// Of a kilometer of a medium (NetBox cable slug) for a signal ("850nm-100g-pam4"); 0 for what is no fiber.
    [[nodiscard]] std::int32_t perKilometer(const std::string& medium, const std::string& signal) const;
    /// Of a mated pair; 0 for plugs that are no fiber connectors.
    [[nodiscard]] std::int32_t pair(const std::string& connector) const;
    /// Of a length, rounded up.
    [[nodiscard]] static std::int32_t ofLength(std::int32_t perKilometer, std::int64_t lengthMm)
    {
        return std::int32_t((lengthMm * perKilometer + 999'999) / 1'000'000);
    }
};

/// The loss that two modules leave to fiber, connectors and splices over a medium, 1/1000 dB: the lower of the two; nothing
/// where neither states one.
[[nodiscard]] std::optional<std::int32_t> lossBudget(const TransceiverSpec& a, const TransceiverSpec& b, const std::string& medium);

/// Settings that `FiberLoss::of` reads.
#define HW_LOSS_SETTINGS                                                                                                                             \
    "cabling.mm_850_db_km", "cabling.mm_953_db_km", "cabling.sm_db_km", "cabling.sm_os1_db_km", "cabling.mpo_db", "cabling.lc_db",                   \
        "cabling.splice_db", "cabling.trunk_splices", "cabling.module_pairs"

} // namespace hw
