// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/cooling/pipe_runs.h"
#include "core/derived/values/value_field.h"

#include <optional>
#include <string_view>

namespace hw {

/// What is shown of coolant in cabinets, equipment, pipes and hoses, at design flow.
enum class CoolantQuantity : std::uint8_t {
    Flow,        ///< L/min
    Velocity,    ///< m/s
    Temperature, ///< of the supply, °C; pipes show their return, too
    Rise,        ///< of the return over the supply, K
    Pressure     ///< of the supply over the return, kPa
};
/// Of an overlay ("coolant-flow", "coolant-velocity", "coolant-supply", "coolant-rise", "coolant-pressure"); nothing for others.
[[nodiscard]] std::optional<CoolantQuantity> coolantQuantity(std::string_view overlay);

/// Racks, devices and coolant links.
[[nodiscard]] std::vector<ValueField> coolantFields(const Figures& figures, CoolantQuantity quantity);
/// At a share of the way along a pair, from 0 to 1 as the supply flows.
[[nodiscard]] double valueAlong(const cooling::PipeRun& run, CoolantQuantity quantity, double share, bool ofReturn);

/// Speed of air before the coils of fan walls and air handlers, m/s.
[[nodiscard]] std::vector<ValueField> faceVelocityFields(const Figures& figures);

} // namespace hw
