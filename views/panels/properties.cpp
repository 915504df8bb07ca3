// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/properties.h"

#include "core/design/template/template.h"
#include "core/foundation/model/label.h"
#include "core/foundation/model/tags.h"
#include "core/foundation/money/phases.h"
#include "core/foundation/money/price_book.h"
#include "views/plan/rack_facts.h"
#include "views/style/format.h"
#include "views/style/units.h"

#include <algorithm>
#include <functional>

namespace hw::views {
namespace {

QString place(Millimeters x, Millimeters y) { return lengthText(x) + ",  " + lengthText(y); }

QString roomName(RoomKind kind)
{
    switch (kind) {
    case RoomKind::Hall: return QObject::tr("Hall");
    case RoomKind::Network: return QObject::tr("Network room");
    case RoomKind::Electrical: return QObject::tr("Electrical room");
    case RoomKind::Battery: return QObject::tr("Battery room");
    case RoomKind::Plant: return QObject::tr("Mechanical room");
    case RoomKind::Store: return QObject::tr("Storage room");
    case RoomKind::Yard: return QObject::tr("Yard");
    }
    return {};
}

template <class Table, class IdT>
void addStageOf(PropertySection& section, const Snapshot& s, const Table& table, IdT id)
{
    const bool begun = table.stage[id] != Stage::Planned || !table.stageDate[id].empty();
    const QString stage = text(words(stageText(table.stage[id])));
    if (begun)
        section.rows.push_back(
            {QObject::tr("Stage"), table.stageDate[id].empty() ? stage : QString("%1, %2").arg(stage, text(table.stageDate[id])), {}, 0, {}});
    if (const PhaseIndex phases(s); !phases.single()) {
        const int number = phases.of(id);
        const auto phase = phaseOfNumber(s, number);
        section.rows.push_back({QObject::tr("Phase"), text(words(phaseText(s, number))), {}, 0, phase ? ref(*phase) : EntityRef()});
    }
    if (!table.serial[id].empty()) section.rows.push_back({QObject::tr("Serial number"), text(table.serial[id]), {}, 0, {}});
}

std::vector<PropertySection> rackSections(const DocumentBridge& bridge, RackId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    const auto devices = bridge.index().devicesOfRack[id.value];
    PropertySection what{QObject::tr("Rack"), {}};
    what.rows.push_back({QObject::tr("Row"), text(s.rows.name[s.racks.row[id]]), {}, 0, ref(s.racks.row[id])});
    what.rows.push_back({QObject::tr("Devices"), count(std::int64_t(devices.size())), {}, 0, {}});
    what.rows.push_back({QObject::tr("Position in row"), place(s.racks.along[id], s.racks.across[id]), {}, 0, {}});
    addStage(what, s, id);
    PropertySection inside{QObject::tr("Devices"), {}};
    std::vector<DeviceId> topDown(devices.begin(), devices.end());
    std::ranges::stable_sort(topDown, std::greater(), [&](DeviceId device) { return s.devices.u[device]; });
    for (const DeviceId device : topDown)
        inside.rows.push_back({s.devices.u[device] > 0 ? "U" + QString::number(s.devices.u[device]) : QObject::tr("0U"),
                               text(s.devices.name[device]),
                               {},
                               0,
                               ref(device)});
    return {what, loadSection(f, f.power->rack(id), rackLimit(f, id)), partSection(*f.parts, s.racks.type[id]), inside};
}

std::vector<PropertySection> rowSections(const DocumentBridge& bridge, RowId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    const Box& box = f.placement->row(id);
    PropertySection what{QObject::tr("Row"), {}};
    what.rows.push_back({QObject::tr("Hall"), text(s.halls.name[s.rows.hall[id]]), {}, 0, ref(s.rows.hall[id])});
    what.rows.push_back({QObject::tr("Racks"), count(std::int64_t(bridge.index().racksOfRow[id.value].size())), {}, 0, {}});
    what.rows.push_back({QObject::tr("Size"),
                         QString("%1 × %2").arg(lengthText(Millimeters(box.high.x - box.low.x)), lengthText(Millimeters(box.high.y - box.low.y))),
                         {},
                         0,
                         {}});
    what.rows.push_back({QObject::tr("Cell"), QString::number(s.rows.cell[id] + 1), {}, 0, {}});
    return {what, loadSection(f, f.power->row(id), {})};
}

std::vector<PropertySection> hallSections(const DocumentBridge& bridge, HallId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    PropertySection what{QObject::tr("Hall"), {}};
    std::int64_t rows = 0, racks = 0;
    s.rows.forEach([&](RowId row) {
        if (s.rows.hall[row] != id) return;
        ++rows;
        racks += std::int64_t(bridge.index().racksOfRow[row.value].size());
    });
    what.rows.push_back({QObject::tr("Building"), text(s.buildings.name[s.halls.building[id]]), {}, 0, ref(s.halls.building[id])});
    what.rows.push_back({QObject::tr("Floor"), QString("%1 × %2").arg(lengthText(s.halls.sizeX[id]), lengthText(s.halls.sizeY[id])), {}, 0, {}});
    what.rows.push_back({QObject::tr("Use"), roomName(s.halls.kind[id]), {}, 0, {}});
    const Millimeters clear = s.halls.clearHeight[id].count() > 0 ? s.halls.clearHeight[id] : s.halls.sizeZ[id];
    what.rows.push_back({QObject::tr("Clear height"), lengthText(clear), {}, 0, {}});
    if (const auto bears = s.halls.floorLoad[id].count(); bears > 0)
        what.rows.push_back({s.halls.floor[id] == FloorKind::Raised ? QObject::tr("Raised floor rating") : QObject::tr("Slab rating"),
                             QObject::tr("%1 kg/m²").arg(count(bears)),
                             {},
                             0,
                             {}});
    what.rows.push_back({QObject::tr("Rows, racks"), QString("%1,  %2").arg(count(rows), count(racks)), {}, 0, {}});
    return {what, loadSection(f, f.power->hall(id), s.halls.itLimit[id])};
}

std::vector<PropertySection> siteSections(const DocumentBridge& bridge, SiteId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    PropertySection what{QObject::tr("Site"), {}};
    Load load;
    std::int64_t buildings = 0;
    s.buildings.forEach([&](BuildingId building) {
        if (!(s.buildings.site[building] == Maybe<SiteId>(id))) return;
        ++buildings;
        load += f.power->building(building);
    });
    what.rows.push_back({QObject::tr("Buildings"), count(buildings), {}, 0, {}});
    return {what, loadSection(f, load, s.sites.contract[id])};
}

std::vector<PropertySection> structureSections(const DocumentBridge& bridge, StructureId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    const StructureShape& shape = f.placement->structure(id);
    PropertySection what{kindName(s, ref(id)), {}};
    what.rows.push_back({QObject::tr("Hall"), text(s.halls.name[s.structures.hall[id]]), {}, 0, ref(s.structures.hall[id])});
    what.rows.push_back({QObject::tr("Starts at"), place(s.structures.x1[id], s.structures.y1[id]), {}, 0, {}});
    what.rows.push_back({QObject::tr("Ends at"), place(s.structures.x2[id], s.structures.y2[id]), {}, 0, {}});
    what.rows.push_back({QObject::tr("Width"), lengthText(Millimeters(shape.width)), {}, 0, {}});
    what.rows.push_back({QObject::tr("Height"), lengthText(Millimeters(shape.height)), {}, 0, {}});
    return {what};
}

std::vector<PropertySection> underlaySections(const DocumentBridge& bridge, UnderlayId id)
{
    const Snapshot& s = *bridge.figures()->snapshot;
    PropertySection what{QObject::tr("Drawing"), {}};
    what.rows.push_back({QObject::tr("Hall"), text(s.halls.name[s.underlays.hall[id]]), {}, 0, ref(s.underlays.hall[id])});
    what.rows.push_back({QObject::tr("File"), text(s.underlays.source[id]), {}, 0, {}});
    what.rows.push_back({QObject::tr("Lines"), count(std::ranges::count(s.underlays.lines[id], ';')), {}, 0, {}});
    return {what};
}

std::vector<PropertySection> buildingSections(const DocumentBridge& bridge, BuildingId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    PropertySection what{QObject::tr("Building"), {}};
    what.rows.push_back({QObject::tr("Use"),
                         s.buildings.kind[id] == BuildingKind::Pod     ? QObject::tr("Pod")
                         : s.buildings.kind[id] == BuildingKind::Plant ? QObject::tr("Plant")
                                                                       : QObject::tr("Network core"),
                         {},
                         0,
                         {}});
    what.rows.push_back(
        {QObject::tr("Footprint"), QString("%1 × %2").arg(lengthText(s.buildings.sizeX[id]), lengthText(s.buildings.sizeY[id])), {}, 0, {}});
    what.rows.push_back({QObject::tr("Position"), place(s.buildings.x[id], s.buildings.y[id]), {}, 0, {}});
    return {what, loadSection(f, f.power->building(id), s.buildings.itLimit[id])};
}

std::vector<PropertySection> traySections(const DocumentBridge& bridge, TrayId id)
{
    const Figures& f = *bridge.figures();
    const Snapshot& s = *f.snapshot;
    const TrayLine& line = f.placement->tray(id);
    PropertySection what{QObject::tr("Tray"), {}};
    const auto run = std::abs(line.b.x - line.a.x) + std::abs(line.b.y - line.a.y) + std::abs(line.b.z - line.a.z);
    what.rows.push_back({QObject::tr("Length"), lengthText(Millimeters(run)), {}, 0, {}});
    what.rows.push_back({QObject::tr("Height above floor"), lengthText(Millimeters(line.a.z)), {}, 0, {}});
    what.rows.push_back({QObject::tr("Parallel trays"), QString::number(s.trays.count[id]), {}, 0, {}});
    if (s.trays.plane[id] >= 0) what.rows.push_back({QObject::tr("Plane"), QString::number(s.trays.plane[id] + 1), {}, 0, {}});
    return {what, partSection(*f.parts, s.trays.type[id])};
}

/// The parameters of the project's own template, read once per template.
const std::vector<Parameter>& parametersOfTemplate(const Snapshot& s)
{
    static std::string readFrom;
    static std::vector<Parameter> parameters;
    const std::string source = s.setting("template.text");
    if (source == readFrom) return parameters;
    const auto design = templateOf(s);
    parameters = design ? design->parameters() : std::vector<Parameter>{};
    readFrom = source;
    return parameters;
}

QString choiceText(const Parameter& p, std::int64_t value)
{
    if (p.flag) return value ? QObject::tr("yes") : QObject::tr("no");
    return p.choices.empty() ? count(value) + (p.unit.empty() ? QString() : " " + text(resourceText(p.unitOf(value)))) : text(p.textOf(value));
}

} // namespace

std::vector<PropertySection> designSections(const DocumentBridge& bridge)
{
    const Snapshot& s = *bridge.figures()->snapshot;
    PropertySection what{QObject::tr("Design"), {}}, parameters{QObject::tr("Template parameters"), {}}, sizes{QObject::tr("Contents"), {}},
        places{QObject::tr("Buildings"), {}};
    what.rows.push_back({QObject::tr("Name"), text(s.setting("project.name", "untitled")), {}, 0, {}});
    what.rows.push_back({QObject::tr("Template"), text(s.setting("template.name", "none")), {}, 0, {}});
    for (const auto& [name, value] : parametersOf(s)) {
        const auto& known = parametersOfTemplate(s);
        const auto parameter = std::ranges::find(known, name, &Parameter::name);
        if (parameter == known.end())
            parameters.rows.push_back({text(name), count(value), {}, 0, {}});
        else
            parameters.rows.push_back(
                {text(resourceText(parameter->label)), choiceText(*parameter, value), text(resourceText(parameter->help)), 0, {}});
    }
    const std::pair<QString, std::int64_t> counts[] = {{QObject::tr("Racks"), s.racks.size()},   {QObject::tr("Devices"), s.devices.size()},
                                                       {QObject::tr("Ports"), s.ports.size()},   {QObject::tr("Links"), s.links.size()},
                                                       {QObject::tr("Cables"), s.cables.size()}, {QObject::tr("Waivers"), s.waivers.size()}};
    for (const auto& [label, n] : counts) sizes.rows.push_back({label, count(n), {}, 0, {}});
    s.buildings.forEach([&](BuildingId id) {
        places.rows.push_back({power(bridge.figures()->power->building(id).at(powerBasisOf(s))), text(s.buildings.name[id]), {}, 0, ref(id)});
    });
    return {what, parameters, sizes, places};
}

QString kindName(const Snapshot& s, EntityRef entity)
{
    switch (entity.kind) {
    case EntityKind::None: return {};
    case EntityKind::Network: return QObject::tr("Network");
    case EntityKind::Site: return QObject::tr("Site");
    case EntityKind::Structure: {
        const QString names[] = {QObject::tr("Wall"), QObject::tr("Column"), QObject::tr("Door"), QObject::tr("Ramp"), QObject::tr("Keep-out area")};
        return names[std::size_t(s.structures.kind[StructureId(entity.id)])];
    }
    case EntityKind::Underlay: return QObject::tr("Drawing");
    case EntityKind::Phase: return QObject::tr("Phase");
    case EntityKind::Price: return QObject::tr("Price");
    case EntityKind::BindingRule: return QObject::tr("Binding rule");
    case EntityKind::Building: return QObject::tr("Building");
    case EntityKind::Hall: return QObject::tr("Hall");
    case EntityKind::Row: return QObject::tr("Row");
    case EntityKind::Rack: return QObject::tr("Rack");
    case EntityKind::Tray: return QObject::tr("Tray");
    case EntityKind::Tier: return QObject::tr("Tier");
    case EntityKind::Device: {
        const TierId tier = s.devices.tier[DeviceId(entity.id)];
        return text(labelText(s.tiers, tier));
    }
    case EntityKind::Cage: return QObject::tr("Cage");
    case EntityKind::Port: return QObject::tr("Port");
    case EntityKind::Link: return QObject::tr("Link");
    case EntityKind::Cable: return QObject::tr("Cable");
    case EntityKind::PartType: return QObject::tr("Part type");
    }
    return {};
}

PropertySection loadSection(const Figures& figures, const Load& load, Milliwatts limit)
{
    const PowerBasis basis = powerBasisOf(*figures.snapshot);
    PropertySection section{QObject::tr("Power and heat"), {}};
    section.rows.push_back({QObject::tr("Typical"), power(load.at(PowerBasis::Typical)), {}, 0, {}});
    section.rows.push_back({QObject::tr("Design"), power(load.at(PowerBasis::Design)), {}, 0, {}});
    section.rows.push_back({QObject::tr("Nameplate"), power(load.at(PowerBasis::Nameplate)), {}, 0, {}});
    if (limit.count() > 0) {
        const double share = double(load.at(basis).count()) / double(limit.count());
        section.rows.push_back({QObject::tr("Limit"), QString("%1  (%2)").arg(power(limit), percent(share)), {}, 0, {}});
    }
    const Milliwatts liquid = load.liquid[std::size_t(basis)];
    if (liquid.count() > 0)
        section.rows.push_back({QObject::tr("To liquid, %1").arg(text(std::string(powerBasisName(basis)))), heat(liquid), {}, 0, {}});
    return section;
}

void addStage(PropertySection& section, const Snapshot& s, RackId rack) { addStageOf(section, s, s.racks, rack); }
void addStage(PropertySection& section, const Snapshot& s, DeviceId device) { addStageOf(section, s, s.devices, device); }

std::vector<PropertySection> phaseSections(const Snapshot& s, PhaseId id)
{
    const PhaseIndex phases(s);
    const int number = s.phases.number[id];
    std::int64_t racks = 0, devices = 0;
    s.racks.forEach([&](RackId rack) { racks += phases.of(rack) == number; });
    s.devices.forEach([&](DeviceId device) { devices += phases.of(device) == number; });
    PropertySection what{QObject::tr("Phase"), {}};
    what.rows.push_back({QObject::tr("Number"), count(number), {}, 0, {}});
    if (!s.phases.date[id].empty()) what.rows.push_back({QObject::tr("Complete on"), text(s.phases.date[id]), {}, 0, {}});
    what.rows.push_back({QObject::tr("Racks"), count(racks), {}, 0, {}});
    what.rows.push_back({QObject::tr("Devices"), count(devices), {}, 0, {}});
    return {what};
}

std::vector<PropertySection> bindingRuleSections(const Snapshot& s, BindingRuleId id)
{
    const BindingRules& rules = s.bindingRules;
    PropertySection what{QObject::tr("Binding rule"), {}};
    const auto add = [&](const QString& label, const std::string& value) {
        if (!value.empty()) what.rows.push_back({label, text(value), {}, 0, {}});
    };
    add(QObject::tr("Channel"), rules.channel[id]);
    add(QObject::tr("Labels"), rules.labels[id]);
    add(QObject::tr("Entity"), rules.entity[id]);
    add(QObject::tr("Element"), rules.element[id]);
    add(QObject::tr("Measure"), rules.measure[id]);
    add(QObject::tr("Unit"), rules.unit[id]);
    return {what};
}

std::vector<PropertySection> priceSections(const Snapshot& s, PriceId id)
{
    const Prices& p = s.prices;
    PropertySection what{QObject::tr("Price"), {}};
    const auto add = [&](const QString& label, const QString& value) {
        if (!value.isEmpty()) what.rows.push_back({label, value, {}, 0, {}});
    };
    add(QObject::tr("Part"), text(p.part[id]));
    if (p.each[id].count() != 0) add(QObject::tr("Unit price"), moneyExact(p.each[id], text(p.currency[id])));
    if (p.perMeter[id].count() != 0) add(QObject::tr("Price per meter"), moneyExact(p.perMeter[id], text(p.currency[id])));
    add(QObject::tr("Price basis"), text(words(trustText(p.trust[id]))));
    add(QObject::tr("Source"), text(p.source[id]));
    add(QObject::tr("Supplier"), text(p.supplier[id]));
    add(QObject::tr("Date"), text(p.date[id]));
    if (p.leadDays[id] > 0) add(QObject::tr("Lead time"), QObject::tr("%1 days").arg(count(p.leadDays[id])));
    return {what};
}

namespace {

std::vector<PropertySection> sectionsOf(const DocumentBridge& bridge, EntityRef e)
{
    if (!bridge.figures()) return {};
    const Snapshot& s = *bridge.figures()->snapshot;
    switch (e.kind) {
    case EntityKind::None: return {};
    case EntityKind::Network:
    case EntityKind::Tier: return fabricSections(bridge, e);
    case EntityKind::Site: return siteSections(bridge, SiteId(e.id));
    case EntityKind::Phase: return phaseSections(s, PhaseId(e.id));
    case EntityKind::BindingRule: return bindingRuleSections(s, BindingRuleId(e.id));
    case EntityKind::Price: return priceSections(s, PriceId(e.id));
    case EntityKind::Structure: return structureSections(bridge, StructureId(e.id));
    case EntityKind::Underlay: return underlaySections(bridge, UnderlayId(e.id));
    case EntityKind::Building: return buildingSections(bridge, BuildingId(e.id));
    case EntityKind::Hall: return hallSections(bridge, HallId(e.id));
    case EntityKind::Row: return rowSections(bridge, RowId(e.id));
    case EntityKind::Rack: return rackSections(bridge, RackId(e.id));
    case EntityKind::Tray: return traySections(bridge, TrayId(e.id));
    case EntityKind::Device: return deviceSections(bridge, DeviceId(e.id));
    case EntityKind::Cage: return deviceSections(bridge, s.cages.device[CageId(e.id)]);
    case EntityKind::Port: {
        const auto link = bridge.index().linkOfPort[e.id];
        return link == DesignIndex::kNone ? deviceSections(bridge, s.ports.device[PortId(e.id)]) : linkSections(bridge, LinkId(link));
    }
    case EntityKind::Link: return linkSections(bridge, LinkId(e.id));
    case EntityKind::Cable: {
        const auto links = bridge.figures()->cabling->linksOf(CableId(e.id));
        return links.empty() ? std::vector<PropertySection>{} : linkSections(bridge, links.front());
    }
    case EntityKind::PartType: return {partSection(*bridge.figures()->parts, PartTypeId(e.id))};
    }
    return {};
}

} // namespace

std::vector<PropertySection> propertiesOf(const DocumentBridge& bridge, EntityRef entity)
{
    auto sections = sectionsOf(bridge, entity);
    if (sections.empty()) return sections;
    QStringList tags;
    for (const auto& name : tagNamesOf(*bridge.figures()->snapshot, entity)) tags << text(name);
    if (!tags.isEmpty()) sections.front().rows.push_back({QObject::tr("Tags"), tags.join(", "), {}, 0, {}});
    return sections;
}

} // namespace hw::views
