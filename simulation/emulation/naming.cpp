// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/emulation/naming.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/model/places.h"
#include "simulation/emulation/state.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::emulation {

namespace {

using json = nlohmann::json;

constexpr const char* kPublished = "BMS/v1/PUB/";

/// Fit for a level of a topic.
std::string level(std::string text)
{
    for (char& c : text)
        if (c == ' ' || c == '/' || c == '+' || c == '#') c = '-';
    return text;
}

/// As the driver of the NIC names it, below hw_counters.
const char* counterOf(const Sensor& sensor) { return sensor.part == 0 ? "packet_seq_err" : "out_of_sequence"; }

struct States {
    const char *off, *on;
};

} // namespace

/// A point of the building management in its words.
struct Naming::Point {
    std::string objectType, pointType, unit;
    std::vector<std::string> area;
    std::string phase;
    States states{nullptr, nullptr};
    enum class As { Rack, Object, Associate } as = As::Object;
};

bool Naming::isPoint(SensorNo sensor) const
{
    const Reading r = m_hall.sensors()[sensor].reading;
    return r < Reading::GpuPower || r == Reading::Heartbeat;
}

DeviceId Naming::deviceOf(const Sensor& sensor) const
{
    return sensor.entity.kind == EntityKind::Port ? m_hall.model().s->ports.device[PortId(sensor.entity.id)] : DeviceId(sensor.entity.id);
}

std::string Naming::portOf(const Sensor& sensor) const
{
    const std::string whole = portName(*m_hall.model().s, *m_hall.model().parts, PortId(sensor.entity.id));
    return whole.substr(whole.rfind(':') + 1);
}

/// Servers and nodes have a node exporter, switches SNMP.
bool Naming::isHost(const Sensor& sensor) const
{
    const Snapshot& s = *m_hall.model().s;
    return s.tiers.kind[s.devices.tier[deviceOf(sensor)]] != TierKind::Switch;
}

namespace {

/// The type of object that cooling equipment is.
const char* coolingObject(CoolingElement element)
{
    using enum CoolingElement;
    switch (element) {
    case Cdu: return "CDU";
    case Pump: return "Pump";
    case Exchanger:
    case DryCooler: return "HX";
    case Tank: return "Tank";
    case Chiller: return "Chiller";
    case Tower: return "CoolingTower";
    case FanWall:
    case Crah:
    case InRow:
    case RearDoor: return "CRAH";
    case None:
    case Manifold:
    case Header:
    case Valve: break;
    }
    return "GenericObject";
}

const char* powerObject(PowerElement element)
{
    if (element == PowerElement::Ups) return "UPS";
    if (element == PowerElement::Generator) return "Generator";
    return "ATS";
}

} // namespace

Naming::Point Naming::pointOf(SensorNo no) const
{
    using enum Reading;
    const Sensor& sensor = m_hall.sensors()[no];
    const impact::Model& m = m_hall.model();
    Point p;
    if (sensor.entity.kind == EntityKind::Rack) {
        p.as = Point::As::Rack, p.objectType = "Rack";
        switch (sensor.reading) {
        case ActivePower: p.pointType = "RackPower", p.unit = "kW"; break;
        case SupplyTemperature: p.pointType = "RackLiquidSupplyTemperature", p.unit = "C"; break;
        case ReturnTemperature: p.pointType = "RackLiquidReturnTemperature", p.unit = "C"; break;
        case Flow: p.pointType = "RackLiquidFlow", p.unit = "LPM"; break;
        case DifferentialPressure: p.pointType = "RackLiquidDifferentialPressure", p.unit = "kPa"; break;
        case Leak: p.pointType = "RackLeakDetect", p.states = {"NoLeak", "Leak"}; break;
        default: // no point of a rack: a sensor on its face
            p.as = Point::As::Associate, p.objectType = "Sensor", p.pointType = "AirTemperature", p.unit = "C";
            p.area = {sensor.reading == AirInlet ? "Inlet" : "Outlet"};
        }
        return p;
    }
    if (sensor.entity.kind == EntityKind::Hall) {
        p.objectType = "Sensor";
        p.pointType = sensor.reading == Humidity ? "AirRelativeHumidity" : "AirTemperature", p.unit = sensor.reading == Humidity ? "%" : "C";
        return p;
    }
    if (sensor.reading == Heartbeat) {
        p.objectType = "System", p.pointType = "HeartbeatTimestampBms", p.unit = "ms";
        return p;
    }
    const DeviceId id(sensor.entity.id);
    if (isPower(m, id)) {
        p.objectType = "PowerMeter";
        switch (sensor.reading) {
        case ActivePower: p.pointType = "ActivePower", p.unit = "kW"; break;
        case ApparentPower: p.pointType = "ApparentPower", p.unit = "kVA"; break;
        case Current: p.pointType = "Current", p.unit = "A"; break;
        case PhaseCurrent: p.pointType = "PhaseCurrent", p.unit = "A", p.phase = std::string(1, char('A' + sensor.part - 1)); break;
        case Voltage: p.pointType = "Voltage", p.unit = "V"; break;
        case PowerFactor: p.pointType = "PowerFactor"; break;
        case Frequency: p.pointType = "Frequency", p.unit = "Hz"; break;
        case StateOfCharge:
            p.as = Point::As::Associate, p.objectType = "UPS", p.pointType = "GenericPoint", p.unit = "%", p.area = {"Battery", "StateOfCharge"};
            break;
        default: p.as = Point::As::Associate, p.objectType = powerObject(elementOf(m, id)), p.pointType = "Status", p.states = {"Fault", "Normal"};
        }
        return p;
    }
    const CoolingElement element = m.coolant.chain->unit(id)->element;
    const bool two = element == CoolingElement::Cdu || element == CoolingElement::Exchanger; // its own loop is the secondary one
    const bool far = sensor.part == 1, air = std::string_view(coolingObject(element)) == "CRAH";
    p.objectType = coolingObject(element);
    switch (sensor.reading) {
    case SupplyTemperature:
        p.pointType = "LiquidTemperature", p.unit = "C";
        p.area = far   ? std::vector<std::string>{"Primary", "Inlet"}
                 : two ? std::vector<std::string>{"Secondary", "Supply"}
                       : std::vector<std::string>{"Supply"};
        break;
    case ReturnTemperature:
        p.pointType = "LiquidTemperature", p.unit = "C";
        p.area = far   ? std::vector<std::string>{"Primary", "Outlet"}
                 : two ? std::vector<std::string>{"Secondary", "Return"}
                       : std::vector<std::string>{"Return"};
        break;
    case Flow:
        p.pointType = "LiquidFlow", p.unit = "LPM";
        if (far || two) p.area = {far ? "Primary" : "Secondary"};
        break;
    case DifferentialPressure: p.pointType = "LiquidDifferentialPressure", p.unit = "kPa", p.area = {"Secondary"}; break;
    case ValvePosition:
        p.pointType = "ValvePosition", p.unit = "%";
        if (!air) p.area = {"Primary"};
        break;
    case PumpSpeed:
        p.pointType = "PumpSpeed", p.unit = "%";
        if (element != CoolingElement::Pump) p.area = {fmt::format("Pump {}", int(sensor.part))};
        break;
    case FanSpeed: p.pointType = "FanSpeed", p.unit = "%"; break;
    case AirInlet: p.pointType = "AirTemperature", p.unit = "C", p.area = {"Supply"}; break; // what it blows out
    case AirOutlet: p.pointType = "AirTemperature", p.unit = "C", p.area = {"Return"}; break;
    case AirFlow: p.pointType = "AirFlow", p.unit = "m3/s"; break;
    case Leak: p.pointType = "LeakDetect", p.states = {"NoLeak", "Leak"}; break;
    case Available: p.pointType = "Available", p.states = {"Unavailable", "Available"}; break;
    default: p.pointType = "Status", p.states = {"Fault", "Running"};
    }
    return p;
}

std::string Naming::tagPath(SensorNo no, const Point& point) const
{
    const Sensor& sensor = m_hall.sensors()[no];
    const Snapshot& s = *m_hall.model().s;
    std::string path;
    const auto add = [&](const std::string& name) { path += (path.empty() ? "" : "/") + level(name); };
    if (sensor.entity.kind == EntityKind::None) add("BMS");
    for (const EntityRef place : ancestry(s, sensor.entity))
        if (place.kind == EntityKind::Hall || place.kind == EntityKind::Row || place.kind == EntityKind::Rack || place == sensor.entity)
            add(entityName(s, *m_hall.model().parts, place));
    for (const auto& area : point.area) add(area);
    if (!point.phase.empty()) add("L" + std::to_string(sensor.part));
    return path + m_hall.renamed(no);
}

/// What hangs right below: by power links and cords of power equipment, by coolant links of cooling equipment. Racks stand for what is in them.
std::vector<std::string> Naming::serves(EntityRef entity) const
{
    std::vector<std::string> out;
    if (entity.kind != EntityKind::Device) return out;
    const impact::Model& m = m_hall.model();
    const Snapshot& s = *m.s;
    const DeviceId id(entity.id);
    const auto add = [&](DeviceId below, bool metered) {
        const auto rack = s.devices.rack[below];
        const std::string& name = !metered && rack ? s.racks.name[*rack] : s.devices.name[below];
        if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    };
    if (isPower(m, id)) {
        for (const auto& use : m.chain->network.uses(id.value)) add(DeviceId(use.consumer), isPower(m, DeviceId(use.consumer)));
        return out;
    }
    for (const CoolantPath& way : m.coolant.chain->ways)
        if (way.feeder == id && way.link) {
            const CoolingUnit* unit = m.coolant.chain->unit(way.taker);
            add(way.taker, unit && unit->element != CoolingElement::Manifold);
        }
    return out;
}

std::string Naming::topic(SensorNo no) const
{
    if (isPoint(no)) {
        const Point point = pointOf(no);
        return fmt::format("{}Value/{}/{}/{}", kPublished, point.objectType, point.pointType, tagPath(no, point));
    }
    const Sensor& sensor = m_hall.sensors()[no];
    const std::string host = level(m_hall.model().s->devices.name[deviceOf(sensor)]) + m_hall.renamed(no);
    if (sensor.reading == Reading::Retransmits) return fmt::format("telemetry/{}/port/{}/rdma/{}", host, level(portOf(sensor)), counterOf(sensor));
    if (sensor.entity.kind == EntityKind::Port) return fmt::format("telemetry/{}/port/{}/{}", host, level(portOf(sensor)), metric(no));
    if (sensor.reading == Reading::HostPower) return fmt::format("telemetry/{}/host/{}", host, metric(no));
    return fmt::format("telemetry/{}/gpu/{}/{}", host, int(sensor.part), metric(no));
}

std::string Naming::metadataTopic(SensorNo no) const
{
    const Point point = pointOf(no);
    return fmt::format("{}Metadata/{}/{}/{}", kPublished, point.objectType, point.pointType, tagPath(no, point));
}

std::string Naming::metadata(SensorNo no) const
{
    const Sensor& sensor = m_hall.sensors()[no];
    const Point point = pointOf(no);
    const std::string name = sensor.entity.kind == EntityKind::None ? "BMS" : entityName(*m_hall.model().s, *m_hall.model().parts, sensor.entity);
    json out{{"objectType", point.objectType}, {"pointType", point.pointType}};
    if (point.as == Point::As::Rack) out["rackLocationName"] = out["rackLocationId"] = name;
    if (point.as == Point::As::Object) out["objectName"] = out["objectId"] = name;
    if (point.as == Point::As::Associate) out["associateId"] = name;
    if (const auto below = serves(sensor.entity); point.as == Point::As::Object && !below.empty()) out["servesId"] = below;
    if (!point.unit.empty()) out["engUnit"] = point.unit;
    if (point.states.off) out["stateText"] = {{{"value", 0}, {"text", point.states.off}}, {{"value", 1}, {"text", point.states.on}}};
    if (!point.area.empty()) out["processArea"] = point.area;
    if (!point.phase.empty()) out["phase"] = point.phase;
    return out.dump();
}

Naming::Fields Naming::fields(SensorNo no) const
{
    Fields out;
    if (!isPoint(no)) return out;
    const json said = json::parse(metadata(no));
    for (const auto& [key, value] : said.items()) {
        if (value.is_string()) {
            out.emplace_back(key, value.get<std::string>());
            continue;
        }
        std::string joined;
        for (const auto& item : value) {
            const std::string text =
                item.is_object() ? fmt::format("{}={}", item["value"].get<int>(), item["text"].get<std::string>()) : item.get<std::string>();
            joined += (joined.empty() ? "" : ",") + text;
        }
        out.emplace_back(key, joined);
    }
    return out;
}

std::string Naming::unit(SensorNo no) const { return isPoint(no) ? pointOf(no).unit : std::string(); }

std::string Naming::metric(SensorNo no) const
{
    using enum Reading;
    const Sensor& sensor = m_hall.sensors()[no];
    const auto either = [&](const char* host, const char* other) { return isHost(sensor) ? host : other; };
    switch (sensor.reading) {
    case GpuPower: return "DCGM_FI_DEV_POWER_USAGE";
    case GpuTemperature: return "DCGM_FI_DEV_GPU_TEMP";
    case GpuUtilization: return "DCGM_FI_DEV_GPU_UTIL";
    case GpuXid: return "DCGM_FI_DEV_XID_ERRORS";
    case HostPower: return "node_hwmon_power_average_watt";
    case ReceivedOctets: return either("node_network_receive_bytes_total", "ifHCInOctets");
    case SentOctets: return either("node_network_transmit_bytes_total", "ifHCOutOctets");
    case ReceiveErrors: return either("node_network_receive_errs_total", "ifInErrors");
    case ReceiveDrops: return either("node_network_receive_drop_total", "ifInDiscards");
    case LinkUp: return either("node_network_up", "ifOperStatus");
    case LinkRate: return either("node_network_speed_bytes", "ifHighSpeed");
    case LinkLanes: return "hallwright_port_lanes";
    case LinkChanges: return "node_network_carrier_changes_total";
    case Retransmits: return "rdma_port_hw_stat_total"; // rdma_exporter
    default: return "bms_point";
    }
}

Naming::Fields Naming::labels(SensorNo no) const
{
    const Sensor& sensor = m_hall.sensors()[no];
    if (isPoint(no)) {
        Fields out = fields(no);
        std::erase_if(out, [](const auto& field) { return field.first == "servesId" || field.first == "stateText"; });
        for (auto& [key, value] : out)
            if (key == "processArea") std::ranges::replace(value, ',', '/');
        if (const auto& suffix = m_hall.renamed(no); !suffix.empty()) {
            for (auto& [key, value] : out)
                if (key.ends_with("Id")) value += suffix;
        }
        return out;
    }
    const impact::Model& m = m_hall.model();
    const DeviceId id = deviceOf(sensor);
    const std::string host = m.s->devices.name[id] + m_hall.renamed(no);
    if (sensor.reading == Reading::HostPower) return {{"chip", "lnxsybus:00_acpi000d:00"}, {"instance", host}, {"sensor", "power1"}};
    if (sensor.entity.kind != EntityKind::Port) {
        const std::string gpu = std::to_string(sensor.part);
        return {{"Hostname", host},
                {"UUID", fmt::format("GPU-{:08x}-0000-0000-0000-{:012x}", id.value, int(sensor.part))},
                {"device", "nvidia" + gpu},
                {"gpu", gpu},
                {"modelName", m.s->partTypes.slug[m.s->devices.type[id]]}};
    }
    const std::string port = portOf(sensor);
    if (sensor.reading == Reading::LinkLanes) return {{"ifName", port}, {"instance", host}};
    if (sensor.reading == Reading::Retransmits) return {{"device", port}, {"instance", host}, {"port", "1"}, {"stat", counterOf(sensor)}};
    if (isHost(sensor)) return {{"device", port}, {"instance", host}};
    return {{"ifDescr", port}, {"ifIndex", std::to_string(sensor.entity.id + 1)}, {"ifName", port}, {"instance", host}};
}

bool Naming::isCounter(SensorNo no) const
{
    const Reading r = m_hall.sensors()[no].reading;
    return (r >= Reading::ReceivedOctets && r <= Reading::ReceiveDrops) || r == Reading::LinkChanges || r == Reading::Retransmits;
}

double Naming::said(SensorNo no, double value) const
{
    const Sensor& sensor = m_hall.sensors()[no];
    if (std::isnan(value)) return value; // no state either
    const bool watts = sensor.reading == Reading::ActivePower || sensor.reading == Reading::ApparentPower;
    if (watts) return value / 1000;
    if (sensor.reading == Reading::LinkUp && !isHost(sensor)) return value > 0 ? 1 : 2;
    if (sensor.reading == Reading::LinkRate) return isHost(sensor) ? value / 8 : value / 1e6;
    return value;
}

std::string numberOrNull(double value) { return std::isnan(value) ? "null" : fmt::format("{}", value); }

} // namespace hw::emulation
