// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/ifc_classes.h"

namespace hw::importers::ifc {

namespace {

IfcClass powerClass(PowerElement element)
{
    switch (element) {
    case PowerElement::None: break;
    case PowerElement::Utility: return {"IFCELECTRICDISTRIBUTIONBOARD", "USERDEFINED", "Utility connection"}; // no text
    case PowerElement::Transformer: return {"IFCTRANSFORMER", "VOLTAGE"};
    case PowerElement::Switchgear: return {"IFCELECTRICDISTRIBUTIONBOARD", "SWITCHBOARD", "Switchgear"};
    case PowerElement::Generator: return {"IFCELECTRICGENERATOR", "ENGINEGENERATOR"};
    case PowerElement::Ups: return {"IFCELECTRICFLOWSTORAGEDEVICE", "UPS"};
    case PowerElement::StaticSwitch: return {"IFCSWITCHINGDEVICE", "USERDEFINED", "Static transfer switch"}; // no text
    case PowerElement::Switchboard: return {"IFCELECTRICDISTRIBUTIONBOARD", "SWITCHBOARD"};
    case PowerElement::Busway: return {"IFCCABLESEGMENT", "BUSBARSEGMENT"};
    case PowerElement::Pdu: return {"IFCELECTRICDISTRIBUTIONBOARD", "DISTRIBUTIONBOARD"};
    case PowerElement::Shelf: return {"IFCTRANSFORMER", "RECTIFIER", "Power shelf"}; // no text
    }
    return {"IFCBUILDINGELEMENTPROXY", "ELEMENT"};
}

IfcClass coolingClass(CoolingElement element, bool isolates)
{
    switch (element) {
    case CoolingElement::None: break;
    case CoolingElement::Manifold: return {"IFCPIPEFITTING", "JUNCTION", "Rack manifold"}; // no text
    case CoolingElement::Header: return {"IFCPIPESEGMENT", "RIGIDSEGMENT", "Header"};
    case CoolingElement::Cdu: return {"IFCUNITARYEQUIPMENT", "USERDEFINED", "Coolant distribution unit"}; // no text
    case CoolingElement::Pump: return {"IFCPUMP", "NOTDEFINED"};
    case CoolingElement::Valve: return {"IFCVALVE", isolates ? "ISOLATING" : "NOTDEFINED"};
    case CoolingElement::Exchanger: return {"IFCHEATEXCHANGER", "PLATE"};
    case CoolingElement::Tank: return {"IFCTANK", "STORAGE"};
    case CoolingElement::Chiller: return {"IFCCHILLER", "NOTDEFINED"};
    case CoolingElement::DryCooler: return {"IFCUNITARYEQUIPMENT", "USERDEFINED", "Dry cooler"}; // no text
    case CoolingElement::Tower: return {"IFCCOOLINGTOWER", "NOTDEFINED"};
    case CoolingElement::FanWall: return {"IFCUNITARYEQUIPMENT", "AIRHANDLER", "Fan wall"}; // no text
    case CoolingElement::Crah: return {"IFCUNITARYEQUIPMENT", "AIRHANDLER", "CRAH"};
    case CoolingElement::InRow: return {"IFCUNITARYEQUIPMENT", "AIRHANDLER", "In-row cooler"};             // no text
    case CoolingElement::RearDoor: return {"IFCHEATEXCHANGER", "USERDEFINED", "Rear-door heat exchanger"}; // no text
    }
    return {"IFCBUILDINGELEMENTPROXY", "ELEMENT"};
}

IfcClass deviceClass(const Figures& f, const scene::Element& e)
{
    const Snapshot& s = *f.snapshot;
    const DeviceId id(e.entity.id);
    const DeviceSpec& spec = f.parts->device(s.devices.type[id]);
    if (e.power != PowerElement::None) return powerClass(e.power);
    if (e.cooling != CoolingElement::None) return coolingClass(e.cooling, spec.cooling.isolates);
    if (spec.power.battery.value.count() > 0) return {"IFCELECTRICFLOWSTORAGEDEVICE", "BATTERY"};
    if (spec.panel.positions > 0) return {"IFCJUNCTIONBOX", "DATA", "Patch panel"}; // no text
    switch (s.tiers.kind[s.devices.tier[id]]) {
    case TierKind::Server: return {"IFCCOMMUNICATIONSAPPLIANCE", "COMPUTER", "Server"};
    case TierKind::Switch: return {"IFCCOMMUNICATIONSAPPLIANCE", "NETWORKAPPLIANCE", "Switch"};
    case TierKind::Power: return {"IFCELECTRICDISTRIBUTIONBOARD", "NOTDEFINED"};
    case TierKind::Cooling: return {"IFCUNITARYEQUIPMENT", "NOTDEFINED"};
    case TierKind::Other: break;
    }
    return {"IFCBUILDINGELEMENTPROXY", "ELEMENT", "Equipment"};
}

} // namespace

IfcClass classOf(const Figures& f, const scene::Element& e)
{
    using scene::ElementKind;
    switch (e.kind) {
    case ElementKind::Rack: return {"IFCBUILDINGELEMENTPROXY", "ELEMENT", "Rack"};
    case ElementKind::Device: return deviceClass(f, e);
    case ElementKind::Tray: {
        const std::string& form = f.parts->tray(*e.type).form;
        return {"IFCCABLECARRIERSEGMENT", form == "ladder" ? "CABLELADDERSEGMENT" : form == "duct" ? "CONDUITSEGMENT" : "CABLETRAYSEGMENT"};
    }
    case ElementKind::Pipe: return {"IFCPIPESEGMENT", "RIGIDSEGMENT"};
    case ElementKind::Wall: return {"IFCWALL", "SOLIDWALL"};
    case ElementKind::Column: return {"IFCCOLUMN", "COLUMN"};
    case ElementKind::Door: return {"IFCDOOR", "DOOR"};
    case ElementKind::Ramp: return {"IFCRAMP", "STRAIGHT_RUN_RAMP"};
    case ElementKind::KeepOut: return {"IFCBUILDINGELEMENTPROXY", "PROVISIONFORSPACE", "Keep-out"};
    case ElementKind::Containment: return {"IFCCOVERING", "USERDEFINED", "Aisle containment"}; // no text
    }
    return {"IFCBUILDINGELEMENTPROXY", "ELEMENT"};
}

} // namespace hw::importers::ifc
