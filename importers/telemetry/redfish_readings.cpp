// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/redfish_readings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace hw::telemetry {

namespace {

using nlohmann::json;

constexpr double kNoReading = std::numeric_limits<double>::quiet_NaN();

/// Names of properties end with their unit (Redfish specification DSP0266, property names).
std::string unitOf(std::string_view property)
{
    constexpr std::pair<std::string_view, std::string_view> kUnits[] = {{"Celsius", "°C"},
                                                                        {"LitersPerMinute", "L/min"},
                                                                        {"CubicMetersPerMinute", "m³/min"},
                                                                        {"kPa", "kPa"},
                                                                        {"Pascals", "Pa"},
                                                                        {"kWh", "kWh"},
                                                                        {"WattHours", "Wh"},
                                                                        {"kW", "kW"},
                                                                        {"Watts", "W"},
                                                                        {"VA", "VA"},
                                                                        {"Percent", "%"},
                                                                        {"Amps", "A"},
                                                                        {"Volts", "V"},
                                                                        {"Voltage", "V"},
                                                                        {"Hz", "Hz"},
                                                                        {"RPM", "RPM"}};
    for (const auto& [end, unit] : kUnits)
        if (property.ends_with(end)) return std::string(unit);
    return {};
}

/// Numbers that stand alone and are measured; others of their kind are ratings and limits.
constexpr std::array kMeasured = std::to_array<std::string_view>(
    {"ReadingCelsius", "ReadingVolts", "PowerConsumedWatts", "PowerInputWatts", "PowerOutputWatts", "LastPowerOutputWatts", "LineInputVoltage",
     "FlowLitersPerMinute", "SupplyTemperatureCelsius", "ReturnTemperatureCelsius", "DeltaTemperatureCelsius", "SupplyPressurekPa",
     "ReturnPressurekPa", "DeltaPressurekPa", "HeatRemovedkW", "ValvePositionPercent"});
/// Parts of a resource that hold no readings.
constexpr std::array kSkipped = std::to_array<std::string_view>(
    {"Links", "Actions", "Oem", "RelatedItem", "Thresholds", "Location", "Status", "Redundancy", "PowerLimit", "PowerMetrics", "Coolant", "Members"});
constexpr std::array kLinks = std::to_array<std::string_view>({"Chassis",
                                                               "PowerEquipment",
                                                               "ThermalEquipment",
                                                               "Sensors",
                                                               "EnvironmentMetrics",
                                                               "PowerSubsystem",
                                                               "ThermalSubsystem",
                                                               "PowerSupplies",
                                                               "Batteries",
                                                               "Fans",
                                                               "ThermalMetrics",
                                                               "Metrics",
                                                               "RackPDUs",
                                                               "FloorPDUs",
                                                               "Switchgear",
                                                               "TransferSwitches",
                                                               "PowerShelves",
                                                               "ElectricalBuses",
                                                               "Mains",
                                                               "Branches",
                                                               "Feeders",
                                                               "Subfeeds",
                                                               "Outlets",
                                                               "OutletGroups",
                                                               "CDUs",
                                                               "CoolingLoops",
                                                               "HeatExchangers",
                                                               "ImmersionUnits",
                                                               "PrimaryCoolantConnectors",
                                                               "SecondaryCoolantConnectors",
                                                               "Pumps",
                                                               "Filters",
                                                               "Reservoirs",
                                                               "LeakDetection",
                                                               "LeakDetectors"});

template <class List>
bool has(const List& list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

bool isSensor(const json& resource) { return redfishText(resource, "@odata.type").starts_with("#Sensor."); }

/// A word as a number; nothing: no state that is known here.
std::optional<double> stateOf(std::string_view property, const std::string& word)
{
    if (property == "DetectorState") return word == "OK" ? 0 : word == "Warning" || word == "Critical" ? 1 : kNoReading;
    if (property == "BreakerState") return word == "Normal" || word == "Closed" ? 1 : 0;
    if (property == "PowerState") return word == "On" ? 1 : 0;
    return std::nullopt;
}

class Readings {
public:
    explicit Readings(std::vector<RedfishReading>& out) : m_out(out) {}

    void object(const json& node, const std::string& path, const std::string& unit, int depth)
    {
        for (const auto& [key, value] : node.items()) {
            if (key.find('@') != std::string::npos || has(kSkipped, key)) continue;
            const std::string place = path.empty() ? key : path + '/' + key, own = unitOf(key);
            property(key, value, place, own.empty() ? unit : own, depth);
        }
    }

private:
    void property(const std::string& key, const json& value, const std::string& place, const std::string& unit, int depth)
    {
        if (value.is_object() && value.contains("Reading")) return excerpt(value, place, unit);
        if (value.is_object() && depth > 0) return object(value, place, unit, depth - 1);
        if (value.is_array() && depth > 0) {
            for (std::size_t i = 0; i < value.size(); ++i)
                if (value[i].is_object()) element(value[i], place + '/' + std::to_string(i), unit, depth - 1);
        } else if (has(kMeasured, key) && (value.is_number() || value.is_null()))
            add(place, value, unit);
        else if (value.is_string())
            if (const auto state = stateOf(key, value.get_ref<const std::string&>())) m_out.push_back({place, *state, {}, *state == *state});
    }
    void element(const json& value, const std::string& place, const std::string& unit, int depth)
    {
        if (value.contains("Status") && redfishText(value["Status"], "State") == "Absent") return;
        if (value.contains("Reading")) return excerpt(value, place, unit); // also a fan of the deprecated Thermal
        object(value, place, unit, depth);
    }
    void excerpt(const json& value, const std::string& place, const std::string& unit)
    {
        const std::string stated = redfishText(value, "ReadingUnits");
        add(place, value["Reading"], stated.empty() ? unit : stated);
        for (const auto& [key, of] : {std::pair("ApparentVA", "VA"), std::pair("PowerFactor", "")})
            if (value.contains(key)) add(place + '/' + key, value[key], of);
    }
    void add(const std::string& place, const json& value, const std::string& unit)
    {
        if (value.is_number())
            m_out.push_back({place, value.get<double>(), unit, true});
        else if (value.is_null())
            m_out.push_back({place, kNoReading, unit, false});
    }
    std::vector<RedfishReading>& m_out;
};

void addSensors(const json& node, std::vector<std::string>& out)
{
    if (node.is_array())
        for (const auto& entry : node) addSensors(entry, out);
    if (!node.is_object()) return;
    if (const auto path = redfishText(node, "DataSourceUri"); !path.empty()) out.push_back(path);
    for (const auto& [key, value] : node.items())
        if (value.is_structured() && key != "Oem") addSensors(value, out);
}

void addLink(const json& node, std::vector<std::string>& out)
{
    // A path on the same server: anything else is not followed.
    if (const auto path = redfishText(node, "@odata.id"); path.starts_with("/redfish/") && path.find('#') == std::string::npos) out.push_back(path);
}

} // namespace

std::string redfishText(const json& resource, const char* key)
{
    if (!resource.is_object()) return {};
    const auto found = resource.find(key);
    return found != resource.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<RedfishReading> redfishReadings(const json& resource)
{
    std::vector<RedfishReading> out;
    if (!resource.is_object()) return out;
    const json status = resource.contains("Status") ? resource["Status"] : json();
    const std::string state = redfishText(status, "State");
    if (state == "Absent") return out;
    if (isSensor(resource)) {
        const json reading = resource.contains("Reading") ? resource["Reading"] : json();
        const bool good = reading.is_number() && (state.empty() || state == "Enabled");
        return {{"Reading", reading.is_number() ? reading.get<double>() : kNoReading, redfishText(resource, "ReadingUnits"), good}};
    }
    Readings(out).object(resource, {}, {}, 3);
    if (!state.empty())
        out.push_back({"Status", (state == "Enabled" || state == "StandbySpare") && redfishText(status, "Health") != "Critical" ? 1. : 0., {}, true});
    return out;
}

std::vector<std::string> redfishLinks(const json& resource)
{
    std::vector<std::string> out;
    if (!resource.is_object()) return out;
    for (const auto& [key, value] : resource.items()) {
        const bool older = (key == "Power" && !resource.contains("PowerSubsystem")) || (key == "Thermal" && !resource.contains("ThermalSubsystem"));
        if (key == "Members" && value.is_array())
            for (const auto& member : value) addLink(member, out);
        else if (older || has(kLinks, key))
            addLink(value, out);
    }
    return out;
}

std::vector<std::string> redfishSensors(const json& resource)
{
    std::vector<std::string> out;
    addSensors(resource, out);
    return out;
}

live::Labels redfishUnit(const json& resource)
{
    const std::string type = redfishText(resource, "@odata.type");
    constexpr std::array kTypes = std::to_array<std::string_view>({"#Chassis.", "#CoolingUnit.", "#CoolingLoop.", "#PowerDistribution."});
    live::Labels labels;
    if (std::ranges::none_of(kTypes, [&](std::string_view one) { return type.starts_with(one); })) return labels;
    for (const auto* key : {"AssetTag", "Id", "Name", "SerialNumber", "UserLabel"})
        if (auto value = redfishText(resource, key); !value.empty()) labels.emplace_back(key, std::move(value));
    return labels;
}

} // namespace hw::telemetry
