// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/redfish_readings.h"

#include "importers/telemetry/iso_time.h"

#include <algorithm>
#include <array>
#include <charconv>
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
    {"Links", "Actions", "RelatedItem", "Thresholds", "Location", "Status", "Redundancy", "PowerLimit", "PowerMetrics", "Coolant", "Members"});
constexpr std::array kLinks = std::to_array<std::string_view>({"Chassis",
                                                               "PowerEquipment",
                                                               "ThermalEquipment",
                                                               "TelemetryService",
                                                               "MetricReports",
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

/// A number as it is, or as some firmware writes it: in quotes. Other words ("Out of range") and null: none at the moment.
double numberOf(const json& value)
{
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return kNoReading;
    const auto& text = value.get_ref<const std::string&>();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : kNoReading;
}

/// A word as a number; nothing: no state that is known here.
std::optional<double> stateOf(std::string_view property, const std::string& word)
{
    constexpr std::array kDry = std::to_array<std::string_view>({"OK", "Normal", "Dry", "NoLeak"});
    constexpr std::array kNone = std::to_array<std::string_view>({"", "Unavailable", "Absent", "Unknown", "Disabled", "Fault"});
    if (property == "DetectorState") return has(kDry, word) ? 0 : has(kNone, word) ? kNoReading : 1; // no word of a leak is passed over
    if (property == "Status/Health") return word == "OK" ? 0 : word == "Warning" || word == "Critical" ? 1 : kNoReading;
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
        if (value.is_object() && depth > 0) return object(value, place, unit, key == "Oem" ? depth + 1 : depth - 1); // a vendor's part is nested
        if (value.is_array() && depth > 0) {
            for (std::size_t i = 0; i < value.size(); ++i)
                if (value[i].is_object()) element(value[i], place + '/' + std::to_string(i), unit, depth - 1);
        } else if (value.is_boolean() && key.find("Leak") != std::string::npos && key.find("Detected") != std::string::npos)
            m_out.push_back({place, value.get<bool>() ? 1. : 0., {}, true, m_member}); // a vendor's own
        else if (has(kMeasured, key) && (value.is_number() || value.is_null()))
            add(place, value, unit);
        else if (value.is_string())
            if (const auto state = stateOf(key, value.get_ref<const std::string&>()))
                m_out.push_back({place, *state, {}, *state == *state, m_member});
    }
    void element(const json& value, const std::string& place, const std::string& unit, int depth)
    {
        if (value.contains("Status") && redfishText(value["Status"], "State") == "Absent") return;
        std::string name = redfishText(value, "Name");
        if (name.empty()) name = redfishText(value, "DeviceName");
        const std::string before = std::exchange(m_member, name.empty() ? m_member : name);
        entry(value, place, unit, depth);
        m_member = before;
    }
    void entry(const json& value, const std::string& place, const std::string& unit, int depth)
    {
        if (value.contains("Reading")) return excerpt(value, place, unit); // also a fan of the deprecated Thermal
        object(value, place, unit, depth);
    }
    void excerpt(const json& value, const std::string& place, const std::string& unit)
    {
        const std::string stated = redfishText(value, "ReadingUnits");
        const std::string sensor = redfishText(value, "DataSourceUri");
        add(place, value["Reading"], stated.empty() ? unit : stated, sensor);
        for (const auto& [key, of] : {std::pair("ApparentVA", "VA"), std::pair("PowerFactor", ""), std::pair("SpeedRPM", "RPM")})
            if (value.contains(key)) add(place + '/' + key, value[key], of, sensor);
    }
    void add(const std::string& place, const json& value, const std::string& unit, const std::string& sensor = {})
    {
        if (value.is_structured() || value.is_boolean()) return;
        const double number = numberOf(value);
        m_out.push_back({place, number, unit, number == number, m_member, sensor});
    }
    std::vector<RedfishReading>& m_out;
    std::string m_member; ///< of the list that is read
};

/// A link as a path on its server, empty: it leads elsewhere. The specification wants paths; some services write whole or relative addresses.
std::string pathOf(std::string link, const RedfishPlace& at)
{
    for (const std::string_view port : {"", ":443", ":80"}) { // the scheme's own is left out
        const std::string_view server = at.server.ends_with(port) ? std::string_view(at.server).substr(0, at.server.size() - port.size()) : at.server;
        if (!server.empty() && link.starts_with(server) && link[server.size()] == '/') link.erase(0, server.size());
    }
    if (link.empty() || link.find('#') != link.npos || link.find("//") != link.npos || link.find("..") != link.npos) return {};
    if (link.front() != '/' && !at.path.empty()) link = at.path + (at.path.ends_with('/') ? "" : "/") + link;
    return link.starts_with("/redfish/") ? link : std::string();
}

void addLink(const json& node, const RedfishPlace& at, std::vector<std::string>& out)
{
    if (auto path = pathOf(redfishText(node, "@odata.id"), at); !path.empty()) out.push_back(std::move(path));
}

} // namespace

std::string redfishText(const json& resource, const char* key)
{
    if (!resource.is_object()) return {};
    const auto found = resource.find(key);
    return found != resource.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool isMetricReport(const json& resource) { return redfishText(resource, "@odata.type").starts_with("#MetricReport."); }

std::optional<double> redfishState(std::string_view property, const std::string& word)
{
    if (!property.ends_with("Status/Health"))
        if (const auto slash = property.rfind('/'); slash != property.npos) property.remove_prefix(slash + 1);
    return stateOf(property.ends_with("Status/Health") ? "Status/Health" : property, word);
}

std::string redfishUnitOf(std::string_view property)
{
    while (!property.empty()) {
        const auto slash = property.rfind('/');
        if (auto unit = unitOf(property.substr(slash == property.npos ? 0 : slash + 1)); !unit.empty()) return unit;
        property = slash == property.npos ? std::string_view() : property.substr(0, slash);
    }
    return {};
}

std::vector<RedfishMetric> redfishMetrics(const json& resource)
{
    std::vector<RedfishMetric> out;
    if (!isMetricReport(resource) || !resource.contains("MetricValues") || !resource["MetricValues"].is_array()) return out;
    const std::string ofAll = redfishText(resource, "Timestamp");
    for (const json& value : resource["MetricValues"]) {
        const std::string property = redfishText(value, "MetricProperty"), own = redfishText(value, "Timestamp");
        const auto hash = property.find('#');
        const auto time = isoTime(own.empty() ? ofAll : own);
        if (hash == property.npos || !property.starts_with("/redfish/") || !time || !value.contains("MetricValue")) continue;
        std::string path = property.substr(0, hash), place = property.substr(hash + 1);
        if (place.starts_with('/')) place.erase(0, 1);
        if (place.ends_with("/Reading")) place.erase(place.rfind('/')); // an excerpt is called by its own name
        if (path.ends_with('/')) path.pop_back();
        if (!place.empty()) out.push_back({std::move(path), std::move(place), numberOf(value["MetricValue"]), *time});
    }
    return out;
}

std::vector<RedfishReading> redfishReadings(const json& resource)
{
    std::vector<RedfishReading> out;
    if (!resource.is_object()) return out;
    const std::string type = redfishText(resource, "@odata.type");
    if (type.starts_with("#TelemetryService.") || type.starts_with("#MetricReport")) return out; // they say something of others
    const json status = resource.contains("Status") ? resource["Status"] : json();
    const std::string state = redfishText(status, "State");
    if (state == "Absent") return out;
    if (isSensor(resource)) {
        const double reading = resource.contains("Reading") ? numberOf(resource["Reading"]) : kNoReading;
        const bool good = reading == reading && (state.empty() || state == "Enabled");
        return {{"Reading", reading, redfishText(resource, "ReadingUnits"), good}};
    }
    Readings(out).object(resource, {}, {}, 3);
    const bool detects = type.starts_with("#LeakDetector.") || type.starts_with("#LeakDetection.");
    if (const std::string health = redfishText(status, "Health"); detects && !health.empty() && (state.empty() || state == "Enabled"))
        out.push_back({"Status/Health", stateOf("Status/Health", health).value_or(kNoReading), {}, true});
    if (!state.empty())
        out.push_back({"Status", (state == "Enabled" || state == "StandbySpare") && redfishText(status, "Health") != "Critical" ? 1. : 0., {}, true});
    return out;
}

std::vector<std::string> redfishLinks(const json& resource, const RedfishPlace& place)
{
    std::vector<std::string> out;
    if (!resource.is_object()) return out;
    for (const auto& [key, value] : resource.items()) {
        const bool older = (key == "Power" && !(resource.contains("PowerSubsystem") && resource.contains("EnvironmentMetrics"))) ||
                           (key == "Thermal" && !resource.contains("ThermalSubsystem"));
        if (key == "Members" && value.is_array())
            for (const auto& member : value) addLink(member, place, out);
        else if (key == "Members@odata.nextLink" && value.is_string())
            addLink({{"@odata.id", value}}, place, out);
        else if (older || has(kLinks, key))
            addLink(value, place, out);
    }
    return out;
}

bindings::Labels redfishUnit(const json& resource)
{
    const std::string type = redfishText(resource, "@odata.type");
    constexpr std::array kTypes = std::to_array<std::string_view>({"#Chassis.", "#CoolingUnit.", "#CoolingLoop.", "#PowerDistribution."});
    bindings::Labels labels;
    if (std::ranges::none_of(kTypes, [&](std::string_view one) { return type.starts_with(one); })) return labels;
    for (const auto* key : {"AssetTag", "ChassisType", "Id", "Name", "SerialNumber", "UserLabel"})
        if (auto value = redfishText(resource, key); !value.empty()) labels.emplace_back(key, std::move(value));
    return labels;
}

} // namespace hw::telemetry
