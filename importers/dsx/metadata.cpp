// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/dsx/metadata.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/bindings/names.h"
#include "importers/dsx/objects.h"

#include <unordered_set>

namespace hw::importers {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Area = std::vector<std::string>;

/// A part of a topic: without what MQTT or a path would read as a sign.
std::string part(std::string_view name)
{
    std::string out;
    for (const char c : name) out += std::string_view("/+#$ ").find(c) != std::string_view::npos || static_cast<unsigned char>(c) < 0x20 ? '-' : c;
    return out;
}

OrderedJson states(const char* zero, const char* one) { return OrderedJson::array({{{"value", 0}, {"text", zero}}, {{"value", 1}, {"text", one}}}); }

/// Makes the messages of one object after the other.
class Writer {
public:
    Writer(const Figures& design, const DsxObjects& objects) : m_figures(design), m_s(*design.snapshot), m_objects(objects) {}

    [[nodiscard]] std::vector<DsxMessage> run()
    {
        m_s.racks.forEach([&](RackId id) { rack(id); });
        for (const DeviceId id : m_objects.devices()) device(id);
        m_s.halls.forEach([&](HallId id) {
            if (m_s.halls.kind[id] == RoomKind::Hall) hall(id);
        });
        return std::move(m_out);
    }

private:
    /// How the object that is being written is named in payloads.
    enum class Mode { Rack, Named, Associate };
    struct Object {
        EntityRef entity;
        std::string type, place;
        Mode mode = Mode::Named;
    };

    [[nodiscard]] std::string placeOf(EntityRef entity) const
    {
        std::string place;
        for (const EntityRef e : ancestry(m_s, entity)) {
            if (e.kind == EntityKind::Site || e.kind == EntityKind::Building || e.kind == EntityKind::Tier) continue;
            place += (place.empty() ? "" : "/") + part(entityName(m_s, *m_figures.parts, e));
        }
        return place;
    }
    [[nodiscard]] Object object(EntityRef entity, const char* type, Mode mode = Mode::Named) const { return {entity, type, placeOf(entity), mode}; }
    [[nodiscard]] const DeviceSpec& spec(DeviceId id) const { return m_figures.parts->device(m_s.devices.type[id]); }

    /// A payload with everything but unit and states.
    OrderedJson& message(const Object& o, const char* point, const Area& area, const std::string& suffix = {})
    {
        std::string tag = o.place + '/' + part(point);
        for (const auto& word : area) tag += '-' + part(word);
        tag += suffix;
        const std::string wanted = tag;
        for (int n = 2; !m_tags.insert(tag).second; ++n) tag = wanted + '-' + std::to_string(n);
        OrderedJson json{{"objectType", o.type}, {"pointType", point}};
        const std::string name = entityName(m_s, *m_figures.parts, o.entity), id = bindings::objectIdOf(o.entity);
        if (o.mode == Mode::Rack) json["rackLocationName"] = name, json["rackLocationId"] = id;
        if (o.mode == Mode::Named) json["objectName"] = name, json["objectId"] = id;
        if (o.mode == Mode::Associate) json["associateId"] = id;
        if (const auto& fed = m_objects.fedBy(o.entity); o.mode == Mode::Named && (!fed.empty() || o.type == "PowerMeter")) {
            json["servesId"] = OrderedJson::array();
            for (const EntityRef to : fed) json["servesId"].push_back(bindings::objectIdOf(to));
        }
        if (!area.empty()) json["processArea"] = area;
        m_out.push_back({"BMS/v1/PUB/Metadata/" + o.type + '/' + point + '/' + tag, std::move(json)});
        return m_out.back().payload;
    }
    OrderedJson& value(const Object& o, const char* point, const char* unit, const Area& area = {}, const std::string& suffix = {})
    {
        OrderedJson& json = message(o, point, area, suffix);
        json["engUnit"] = unit;
        return json;
    }
    void state(const Object& o, const char* point, const char* zero, const char* one, const Area& area = {})
    {
        message(o, point, area)["stateText"] = states(zero, one);
    }

    void rack(RackId id)
    {
        const Object o = object(ref(id), "Rack", Mode::Rack);
        value(o, "RackPower", "kW");
        if (isLiquid(id)) {
            value(o, "RackLiquidSupplyTemperature", "C");
            value(o, "RackLiquidReturnTemperature", "C");
            value(o, "RackLiquidFlow", "LPM");
            value(o, "RackLiquidDifferentialPressure", "kPa");
            value(o, "RackControlValvePosition", "%");
            state(o, "RackLeakDetect", "NoLeak", "Leak");
        }
        const Object air{o.entity, "Sensor", o.place, Mode::Associate};
        value(air, "AirTemperature", "C", {"Inlet"});
        value(air, "AirTemperature", "C", {"Outlet"});
    }

    /// Something of the rack is cooled by liquid.
    [[nodiscard]] bool isLiquid(RackId id)
    {
        if (m_liquid.empty()) {
            m_liquid.assign(m_s.racks.nextId() + 1, 0);
            for (const CooledLoad& taker : m_figures.get<CoolingChainNode>().takers)
                if (taker.rack) m_liquid[(*taker.rack).value] = 1;
        }
        return m_liquid[id.value] != 0;
    }

    void hall(HallId id)
    {
        const Object o = object(ref(id), "Sensor");
        value(o, "AirTemperature", "C");
        value(o, "AirRelativeHumidity", "%");
    }

    void device(DeviceId id)
    {
        const PowerElement power = spec(id).power.element;
        const CoolingElement cooling = coolingElement(spec(id));
        if (power != PowerElement::None) meter(id, power);
        if (power == PowerElement::None && cooling != CoolingElement::None) equipment(id, cooling);
        if (power == PowerElement::None && cooling == CoolingElement::None)
            value(object(ref(id), "GenericObject"), "GenericPoint", "kW", {"ActivePower"});
    }

    void meter(DeviceId id, PowerElement element)
    {
        const Object o = object(ref(id), "PowerMeter");
        value(o, "ActivePower", "kW");
        value(o, "ApparentPower", "kVA");
        value(o, "Voltage", "V");
        value(o, "Current", "A");
        message(o, "PowerFactor", {});
        value(o, "Frequency", "Hz");
        for (const char* phase : {"A", "B", "C"}) value(o, "PhaseCurrent", "A", {}, std::string("-") + phase)["phase"] = phase;
        const auto associate = [&](const char* type) { return Object{o.entity, type, o.place, Mode::Associate}; };
        const bool battery = spec(id).power.battery.value.count() > 0;
        switch (element) {
        case PowerElement::Ups:
            running(associate("UPS"), "Stopped");
            value(associate("UPS"), "GenericPoint", "%", {"Battery", "StateOfCharge"});
            return;
        case PowerElement::Generator: return running(associate("Generator"), "Stopped");
        case PowerElement::StaticSwitch: return running(associate("ATS"), "Fault");
        case PowerElement::Switchgear:
        case PowerElement::Switchboard: return state(associate("Breaker"), "Status", "Open", "Closed");
        default:
            if (battery) value(associate("BESS"), "GenericPoint", "%", {"Battery", "StateOfCharge"});
        }
    }
    void running(const Object& o, const char* not_)
    {
        state(o, "Status", not_, "Running");
        state(o, "Available", "NotAvailable", "Available");
    }

    /// Both sides of what stands between two loops.
    void twoLoops(const Object& o)
    {
        value(o, "LiquidTemperature", "C", {"Primary", "Inlet"});
        value(o, "LiquidTemperature", "C", {"Primary", "Outlet"});
        value(o, "LiquidTemperature", "C", {"Secondary", "Supply"});
        value(o, "LiquidTemperature", "C", {"Secondary", "Return"});
        value(o, "LiquidFlow", "LPM", {"Primary"});
        value(o, "LiquidFlow", "LPM", {"Secondary"});
        value(o, "LiquidDifferentialPressure", "kPa", {"Secondary"});
        value(o, "GenericPoint", "kW", {"Heat"});
    }
    void oneLoop(const Object& o)
    {
        value(o, "LiquidTemperature", "C", {"Supply"});
        value(o, "LiquidTemperature", "C", {"Return"});
        value(o, "LiquidFlow", "LPM");
    }

    void equipment(DeviceId id, CoolingElement element)
    {
        const auto typed = [&](const char* type) { return object(ref(id), type); };
        switch (element) {
        case CoolingElement::None: return;
        case CoolingElement::Cdu: return cdu(typed("CDU"), spec(id).cooling);
        case CoolingElement::Exchanger: twoLoops(typed("HX")); return running(typed("HX"), "Stopped");
        case CoolingElement::DryCooler: return rejecter(typed("HX"));
        case CoolingElement::Tower: return rejecter(typed("CoolingTower"));
        case CoolingElement::Chiller: oneLoop(typed("Chiller")); return running(typed("Chiller"), "Stopped");
        case CoolingElement::Tank:
            oneLoop(typed("Tank"));
            value(typed("Tank"), "GenericPoint", "%", {"Level"});
            return;
        case CoolingElement::Pump: value(typed("Pump"), "PumpSpeed", "%"); return state(typed("Pump"), "Available", "NotAvailable", "Available");
        case CoolingElement::Valve: value(typed("Valve"), "ValvePosition", "%"); return;
        case CoolingElement::FanWall:
        case CoolingElement::Crah:
        case CoolingElement::InRow:
        case CoolingElement::RearDoor: return air(typed("CRAH"));
        case CoolingElement::Manifold:
        case CoolingElement::Header:
            oneLoop(typed("GenericObject"));
            value(typed("GenericObject"), "LiquidDifferentialPressure", "kPa");
            return;
        }
    }
    void cdu(const Object& o, const CoolingSpec& cooling)
    {
        twoLoops(o);
        value(o, "LiquidTemperature", "C", {"Secondary", "Supply"}, "-Sp")["isSetpoint"] = true;
        value(o, "ValvePosition", "%", {"Primary"});
        for (int n = 1; n <= std::max(1, cooling.pumps); ++n) value(o, "PumpSpeed", "%", {"Pump " + std::to_string(n)});
        state(o, "LeakDetect", "NoLeak", "Leak");
        running(o, "Stopped");
    }
    void rejecter(const Object& o)
    {
        oneLoop(o);
        value(o, "FanSpeed", "%");
        running(o, "Stopped");
    }
    void air(const Object& o)
    {
        value(o, "AirTemperature", "C", {"Supply"});
        value(o, "AirTemperature", "C", {"Return"});
        value(o, "AirFlow", "m3/s");
        value(o, "FanSpeed", "%");
        value(o, "ValvePosition", "%");
        running(o, "Stopped");
    }

    const Figures& m_figures;
    const Snapshot& m_s;
    const DsxObjects& m_objects;
    std::vector<DsxMessage> m_out;
    std::unordered_set<std::string> m_tags;
    std::vector<char> m_liquid; ///< by rack
};

} // namespace

std::vector<DsxMessage> dsxMetadata(const Figures& design)
{
    const DsxObjects objects(design);
    return Writer(design, objects).run();
}

std::string dsxText(const std::vector<DsxMessage>& messages, bool lines)
{
    std::string out = lines ? "" : "[\n";
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const OrderedJson json{{"topic", messages[i].topic}, {"retain", true}, {"payload", messages[i].payload}};
        out += json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
        out += lines || i + 1 == messages.size() ? "\n" : ",\n";
    }
    return lines ? out : out + "]\n";
}

} // namespace hw::importers
