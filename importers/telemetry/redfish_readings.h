// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/live/channel.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::telemetry {

/// A value that a Redfish resource shows. States are numbers: Status 1 = works, DetectorState 1 = leak, BreakerState 1 = closed, PowerState 1 = on.
struct RedfishReading {
    std::string property; ///< "FlowLitersPerMinute", "PolyPhaseCurrentAmps/Line1", "Temperatures/0/ReadingCelsius"
    double value = 0;     ///< NaN: it has none at the moment
    std::string unit;     ///< by the name of the property in the schema, or ReadingUnits
    bool good = true;
};
/// What is measured, never what is rated.
[[nodiscard]] std::vector<RedfishReading> redfishReadings(const nlohmann::json& resource);

/// Paths of the resources below this one that can have readings: chassis, power and thermal equipment and what they are made of.
[[nodiscard]] std::vector<std::string> redfishLinks(const nlohmann::json& resource);
/// Paths of the sensors whose values this resource repeats under a better name.
[[nodiscard]] std::vector<std::string> redfishSensors(const nlohmann::json& resource);

/// Labels of a unit (chassis, cooling unit, PDU) for all that is below it; empty: the resource is none.
[[nodiscard]] live::Labels redfishUnit(const nlohmann::json& resource);
/// A text of the resource, empty: it has none of that name.
[[nodiscard]] std::string redfishText(const nlohmann::json& resource, const char* key);

} // namespace hw::telemetry
