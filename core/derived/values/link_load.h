// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"

#include <memory>
#include <span>

namespace hw {

/// What links carry at a moment, by directed link (2 × LinkId + direction): a simulation's result or a measurement,
/// borrowed from whoever has it. A capacity of 0 is a dead link, or none. Empty: nothing was simulated.
struct LinkLoads {
    std::span<const float> loadGbps, capacityGbps;
    std::string source;
    bool stale = false;
    std::optional<double> timeS{};
    [[nodiscard]] bool empty() const { return loadGbps.empty(); }
};

/// Which devices links join, and the racks of those: what turns loads of links into loads of places. Flat, so that
/// half a million links take some milliseconds; made once per design. By id, kNone where there is none.
struct LinkPlaces {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    std::vector<std::uint32_t> low, high; ///< by link: the devices at its ends
    std::vector<std::uint32_t> rack;      ///< by device
    std::uint32_t racks = 0;
    [[nodiscard]] static std::shared_ptr<const LinkPlaces> of(const Snapshot& snapshot);
};

/// Utilization of the busier direction, by link; of the busiest link, by device and by rack.
struct LoadFields {
    ValueField links, devices, racks;
};
[[nodiscard]] LoadFields loadFields(const LinkPlaces& places, const LinkLoads& loads);

} // namespace hw
