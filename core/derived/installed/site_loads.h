// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <optional>

namespace hw {

/// Equipment of a plant room or yard, filled with coolant and fuel. Cables and pipes are not counted.
struct RoomMass {
    HallId room{};
    double kg = 0, liters = 0; ///< of the kilograms so many are liters of water, 1 kg each
    double areaM2 = 0;
    DeviceId densest{}; ///< with the highest load on its own footprint
    double densestKg = 0, densestKgM2 = 0;
    friend bool operator==(const RoomMass&, const RoomMass&) = default;
};
/// Rooms with power or cooling equipment outside racks and rows, in the order of rooms.
[[nodiscard]] std::vector<RoomMass> roomMasses(const Figures& figures);

/// A-weighted sound pressure at the site boundary: the energetic sum of all outdoor sources, each L7 - 20 log10(r / 7 m), without screening,
/// ground or directivity. Settings "site.generator_noise_dba", "site.cooler_noise_dba", "site.boundary_m", "site.noise_limit_dba".
struct SiteNoise {
    double boundaryM = 0;                ///< from the outermost buildings and yards
    std::int64_t sets = 0, coolers = 0;  ///< sources
    double normalDba = 0, outageDba = 0; ///< heat rejection alone; with all generator sets
    double limitDba = 0;                 ///< 0: none
    friend bool operator==(const SiteNoise&, const SiteNoise&) = default;
};
[[nodiscard]] std::optional<SiteNoise> siteNoise(const Figures& figures); ///< none without sources

/// The generator set that is closest to outdoor heat rejection, whose air intake its exhaust may reach; setting "site.exhaust_gap_m".
struct ExhaustGap {
    DeviceId set{}, intake{};
    double meters = 0, leastM = 0;
    [[nodiscard]] bool tooClose() const { return meters < leastM; }
    friend bool operator==(const ExhaustGap&, const ExhaustGap&) = default;
};
[[nodiscard]] std::optional<ExhaustGap> exhaustGap(const Figures& figures);

} // namespace hw
