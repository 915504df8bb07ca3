// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace hw::telemetry {

/// A value that a Redfish resource shows. States are numbers: Status 1 = works, DetectorState 1 = leak, BreakerState 1 = closed, PowerState 1 = on.
struct RedfishReading {
    std::string property; ///< "FlowLitersPerMinute", "PolyPhaseCurrentAmps/Line1", "Temperatures/0/ReadingCelsius"
    double value = 0;     ///< NaN: it has none at the moment
    std::string unit;     ///< by the name of the property in the schema, or ReadingUnits
    bool good = true;
    std::string member = {}; ///< what an entry of a list is called: "Inlet Temp", whose place in the list says nothing; empty: no list, no name
    std::string sensor = {}; ///< path of the sensor whose value this repeats (DataSourceUri); empty: it is its own
};
/// A value of a report of the TelemetryService, which says many at once.
struct RedfishMetric {
    std::string path;     ///< of the resource: "/redfish/v1/Chassis/1/Sensors/Inlet"
    std::string property; ///< as in RedfishReading
    double value = 0;     ///< NaN: it has none at the moment
    std::int64_t timeMs = 0;
};
/// What a MetricReport (Redfish schema of that name) says; values without a time are left out. Empty for other resources.
[[nodiscard]] std::vector<RedfishMetric> redfishMetrics(const nlohmann::json& resource);
[[nodiscard]] bool isMetricReport(const nlohmann::json& resource);
/// A state by the last part of its property and its word, as in RedfishReading; NaN: it has none at the moment. Nothing: no state that is known.
[[nodiscard]] std::optional<double> redfishState(std::string_view property, const std::string& word);
/// The unit that a part of the name of a property ends with, the last that has one; empty: none.
[[nodiscard]] std::string redfishUnitOf(std::string_view property);

/// What is measured, never what is rated.
[[nodiscard]] std::vector<RedfishReading> redfishReadings(const nlohmann::json& resource);

/// Where a resource was read: what its links are relative to.
struct RedfishPlace {
    std::string server; ///< "https://cdu-7:8443"; links that name another are not followed
    std::string path;   ///< "/redfish/v1/Chassis"
};
/// Paths of the resources below this one that can have readings: chassis, power and thermal equipment and what they are made of; the next page
/// of a collection, too.
[[nodiscard]] std::vector<std::string> redfishLinks(const nlohmann::json& resource, const RedfishPlace& place);

/// Labels of a unit (chassis, cooling unit, PDU) for all that is below it; empty: the resource is none.
[[nodiscard]] bindings::Labels redfishUnit(const nlohmann::json& resource);
/// A text of the resource, empty: it has none of that name.
[[nodiscard]] std::string redfishText(const nlohmann::json& resource, const char* key);

} // namespace hw::telemetry
