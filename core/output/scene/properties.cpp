// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/entity.h"
#include "core/output/scene/scene.h"

namespace hw::scene {

namespace {

class PropertyList {
public:
    std::vector<Property> list;

    void text(const char* name, const char* key, std::string value)
    {
        if (!value.empty()) list.push_back({name, key, std::move(value)});
    }
    void number(const char* name, const char* key, double value, Measure measure)
    {
        if (value > 0) list.push_back({name, key, value, measure});
    }
    void count(const char* name, const char* key, std::int64_t value)
    {
        if (value > 0) list.push_back({name, key, value});
    }
    void load(const Load& load)
    {
        number("TypicalPower", "typical_power_w", toWatts(load.at(PowerBasis::Typical)), Measure::Power);
        number("DesignPower", "design_power_w", toWatts(load.at(PowerBasis::Design)), Measure::Power);
        number("NameplatePower", "nameplate_power_w", toWatts(load.at(PowerBasis::Nameplate)), Measure::Power);
        const auto design = std::size_t(PowerBasis::Design);
        if (load.power[design].count() > 0)
            number("LiquidShare", "liquid_share", double(load.liquid[design].count()) / double(load.power[design].count()), Measure::Ratio);
    }
};

void addStage(PropertyList& out, Stage stage, const std::string& serial)
{
    out.text("Stage", "stage", std::string(wordOf(stage)));
    out.text("SerialNumber", "serial", serial);
}

void addDevice(PropertyList& out, const Figures& f, DeviceId id)
{
    const Snapshot& s = *f.snapshot;
    const DeviceSpec& spec = f.parts->device(s.devices.type[id]);
    out.text("Tier", "tier", s.tiers.name[s.devices.tier[id]]);
    if (s.devices.rack[id]) out.count("RackUnit", "rack_unit", s.devices.u[id]);
    out.load(f.power->device(id));
    out.number("Capacity", "capacity_w", toWatts(spec.capacity.value), Measure::Power);
    out.number("ApparentPower", "apparent_power_va", double(spec.power.apparent.value.count()) / 1000, Measure::Power);
    out.count("Accelerators", "accelerators", spec.accelerators);
    out.number("Mass", "mass_kg", double(spec.weight.value.count()) / 1000, Measure::Mass);
    if (const char side = f.get<PowerFeedsNode>().side(id); side && spec.power.element != PowerElement::None)
        out.text("Feed", "feed", std::string(1, side));
    addStage(out, s.devices.stage[id], s.devices.serial[id]);
}

void addTray(PropertyList& out, const Figures& f, TrayId id)
{
    const Snapshot& s = *f.snapshot;
    out.text("TrayKind", "tray_kind", std::string(wordOf(s.trays.kind[id])));
    out.text("Carries", "carries", std::string(wordOf(s.trays.carries[id])));
    out.count("Trays", "trays", s.trays.count[id]);
    if (s.trays.plane[id] >= 0) out.count("Plane", "plane", s.trays.plane[id] + 1);
    if (s.trays.side[id] != PowerSide::None) out.text("Feed", "feed", std::string(1, char('A' + int(s.trays.side[id]) - 1)));
}

} // namespace

PropertySource::PropertySource(const Figures& figures) : m_figures(figures), m_racks(figures.snapshot->racks.nextId())
{
    const Snapshot& s = *figures.snapshot;
    s.racks.forEach([&](RackId id) { m_racks[id.value].grams = figures.parts->rack(s.racks.type[id]).weight.value.count(); });
    s.devices.forEach([&](DeviceId id) {
        const auto rack = s.devices.rack[id];
        if (!rack) return;
        const DeviceSpec& spec = figures.parts->device(s.devices.type[id]);
        m_racks[(*rack).value].accelerators += spec.accelerators;
        m_racks[(*rack).value].grams += spec.weight.value.count();
    });
}

std::vector<Property> propertiesOf(const ProjectParts& parts, PartTypeId type)
{
    PropertyList out;
    const Part& part = parts[type];
    out.text("Type", "type", part.slug);
    out.text("Model", "model", part.model);
    if (const auto* device = std::get_if<DeviceSpec>(&part.spec)) {
        out.text("Manufacturer", "manufacturer", device->manufacturer);
        out.text("PartNumber", "part_number", device->partNumber);
    }
    return std::move(out.list);
}

std::vector<Property> PropertySource::of(const Element& e) const
{
    const Figures& f = m_figures;
    const Snapshot& s = *f.snapshot;
    PropertyList out;
    out.text("Key", "key", stableName(s, e.entity));
    switch (e.kind) {
    case ElementKind::Rack: {
        const RackId id(e.entity.id);
        out.text("Use", "use", std::string(rackKindText(f.get<RackKindsNode>().ofRack[id.value]).id));
        out.text("Row", "row", s.rows.name[s.racks.row[id]]);
        out.count("RackUnits", "rack_units", f.parts->rack(s.racks.type[id]).heightU);
        out.load(f.power->rack(id));
        out.count("Accelerators", "accelerators", m_racks[id.value].accelerators);
        out.number("Mass", "mass_kg", double(m_racks[id.value].grams) / 1000, Measure::Mass);
        out.number("PowerLimit", "power_limit_w", toWatts(rackPowerLimit(s, *f.parts, id)), Measure::Power);
        addStage(out, s.racks.stage[id], s.racks.serial[id]);
        break;
    }
    case ElementKind::Device: addDevice(out, f, DeviceId(e.entity.id)); break;
    case ElementKind::Tray: addTray(out, f, TrayId(e.entity.id)); break;
    default: break;
    }
    return std::move(out.list);
}

} // namespace hw::scene
