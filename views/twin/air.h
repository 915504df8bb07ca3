// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simulation/air/picture.h"

#include <memory>
#include <optional>

namespace hw::views {

/// How the air of a hall is drawn.
struct TwinAirLook {
    sim::air::Quantity quantity = sim::air::Quantity::Celsius; ///< of slice and streamlines
    int sliceAxis = 2;                                         ///< perpendicular to it; −1: no slice
    double sliceAt = 1.5;                                      ///< m from the corner of the room
    std::optional<sim::air::PathStart> paths;                  ///< streamlines from there
    std::size_t pathCount = 500;
    bool flow = false;              ///< the air moves along the streamlines
    std::optional<double> surfaceC; ///< surface of this temperature
    friend bool operator==(const TwinAirLook&, const TwinAirLook&) = default;
};

/// The air of a hall in the 3D twin; without a result nothing is drawn.
struct TwinAir {
    std::shared_ptr<const sim::air::HallAir> air, before; ///< `before`: for changes
    TwinAirLook look;
    bool stale = false; ///< of an earlier state of the design
};

} // namespace hw::views
