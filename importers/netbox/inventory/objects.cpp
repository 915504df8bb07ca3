// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of NetBox 4.4 to 4.7 as their serializers write them; rows of CSV files come in the same form.
#include "importers/netbox/inventory/objects.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hw::importers::netbox_in {

namespace {

constexpr List kLists[] = {
    {Kind::Sites, "dcim/sites", "id,name,slug,status,tags"},
    {Kind::Locations, "dcim/locations", "id,name,slug,site,parent,status,custom_fields,tags"},
    {Kind::RackTypes, "dcim/rack-types",
     "id,manufacturer,model,slug,form_factor,width,u_height,starting_unit,desc_units,outer_width,outer_height,outer_depth,outer_unit,mounting_depth,"
     "weight,max_weight,weight_unit"},
    {Kind::Racks, "dcim/racks",
     "id,name,site,location,group,status,serial,rack_type,form_factor,width,u_height,starting_unit,desc_units,outer_width,outer_height,outer_depth,"
     "outer_unit,mounting_depth,weight,max_weight,weight_unit,custom_fields,tags"},
    {Kind::DeviceTypes, "dcim/device-types",
     "id,manufacturer,model,slug,part_number,u_height,is_full_depth,subdevice_role,airflow,weight,weight_unit"},
    {Kind::Devices, "dcim/devices",
     "id,name,device_type,role,site,location,rack,position,face,parent_device,status,serial,airflow,cooling_method,custom_fields,tags"},
    {Kind::Interfaces, "dcim/interfaces", "id,device,name,label,type,speed,mgmt_only,mac_address", true},
    {Kind::PowerPorts, "dcim/power-ports", "id,device,name,label,type,maximum_draw,allocated_draw", true},
    {Kind::PowerOutlets, "dcim/power-outlets", "id,device,name,label,type,power_port,feed_leg", true},
    {Kind::RearPorts, "dcim/rear-ports", "id,device,name,label,type,positions", true},
    {Kind::FrontPorts, "dcim/front-ports", "id,device,name,label,type,positions,rear_port,rear_port_position,rear_ports", true},
    {Kind::CoolingOutflows, "dcim/cooling-outflows", "id,device,name,type,cooling_intake", true, 47},
    {Kind::CoolingIntakes, "dcim/cooling-intakes", "id,device,name,type,cooling_outflow", true, 47},
    {Kind::InventoryItems, "dcim/inventory-items", "id,device,name,part_id,component_type,component_id,component", true},
    {Kind::PowerPanels, "dcim/power-panels", "id,site,location,name,description,tags"},
    {Kind::PowerFeeds, "dcim/power-feeds", "id,power_panel,rack,name,type,supply,phase,voltage,amperage,max_utilization,status,tags"},
    {Kind::CoolingSources, "dcim/cooling-sources", "id,site,location,name,type,fluid_type,cooling_capacity,status,tags", false, 47},
    {Kind::CoolingFeeds, "dcim/cooling-feeds", "id,cooling_source,rack,name,cooling_capacity,status", false, 47},
    {Kind::Cables, "dcim/cables", "id,type,a_terminations,b_terminations,status,profile,label,length,length_unit,bundle,tags"},
    {Kind::Floorplans, "plugins/floorplan/floorplans", ""}};

/// Lists that NetBox has, too, and from which nothing is taken.
constexpr std::string_view kOthers[] = {"regions",
                                        "site-groups",
                                        "manufacturers",
                                        "device-roles",
                                        "rack-roles",
                                        "rack-groups",
                                        "platforms",
                                        "custom-fields",
                                        "custom-field-choice-sets",
                                        "rack-reservations",
                                        "module-types",
                                        "modules",
                                        "module-bays",
                                        "device-bays",
                                        "console-ports",
                                        "console-server-ports",
                                        "cable-bundles",
                                        "virtual-chassis",
                                        "mac-addresses",
                                        "tenants",
                                        "vlans",
                                        "prefixes",
                                        "ip-addresses",
                                        "circuits",
                                        "providers",
                                        "contacts",
                                        "cable-terminations",
                                        "module-bay-types",
                                        "inventory-item-roles",
                                        "interface-templates",
                                        "power-port-templates",
                                        "power-outlet-templates",
                                        "front-port-templates",
                                        "rear-port-templates"};

std::string listName(std::string_view path) { return bare(path.substr(path.rfind('/') + 1)); }

PortKind portKindOf(std::string word)
{
    word = lower(word);
    if (const auto dot = word.rfind('.'); dot != word.npos) word = word.substr(dot + 1);
    word = bare(word);
    static constexpr std::pair<std::string_view, PortKind> kWordsOfPorts[] = {
        {"interface", PortKind::Interface},        {"frontport", PortKind::Front},         {"rearport", PortKind::Rear},
        {"powerport", PortKind::PowerPort},        {"poweroutlet", PortKind::PowerOutlet}, {"powerfeed", PortKind::Feed},
        {"circuittermination", PortKind::Circuit}, {"consoleport", PortKind::Console},     {"consoleserverport", PortKind::Console}};
    for (const auto& [name, kind] : kWordsOfPorts)
        if (word == name) return kind;
    return PortKind::Unknown;
}

void readObject(const Json& json, const std::string& where, Object& to)
{
    to.id = wholeOf(member(json, "id"));
    to.name = textOf(member(json, "name"));
    to.slug = textOf(member(json, "slug"));
    to.where = where;
}

RackSize sizeOf(const Json& json)
{
    const auto real = [&](const char* key) { return std::clamp(numberOf(member(json, key)).value_or(0), 0.0, 1e6); };
    const auto whole = [&](const char* key, int fallback) { return int(std::clamp<std::int64_t>(wholeOf(member(json, key), fallback), 0, 10'000)); };
    RackSize size;
    size.formFactor = choiceOf(member(json, "form_factor"));
    size.width = whole("width", 0), size.units = whole("u_height", 0), size.startingUnit = whole("starting_unit", 1);
    size.fromTop = flagOf(member(json, "desc_units"), false);
    size.outerWidth = real("outer_width"), size.outerHeight = real("outer_height"), size.outerDepth = real("outer_depth");
    size.mountingDepth = real("mounting_depth"), size.weight = real("weight"), size.maxWeight = real("max_weight");
    size.outerUnit = choiceOf(member(json, "outer_unit")), size.weightUnit = choiceOf(member(json, "weight_unit"));
    return size;
}

/// A custom field, by its name; in CSV files as "cf_NAME".
std::optional<double> customNumber(const Json& json, const std::string& field)
{
    if (const auto own = numberOf(member(member(json, "custom_fields"), field.c_str()))) return own;
    return numberOf(member(json, ("cf_" + field).c_str()));
}
Spot spotOf(const Json& json, const PlaceFields& fields)
{
    const auto word = [&](const char* field) {
        const std::string own = textOf(member(member(json, "custom_fields"), field));
        return own.empty() ? textOf(member(json, (std::string("cf_") + field).c_str())) : own;
    };
    const Json* flag = &member(member(json, "custom_fields"), "hall_backup");
    if (flag->is_null()) flag = &member(json, "cf_hall_backup");
    const bool told = flagOf(*flag, false) || !flagOf(*flag, true); // a word that is neither tells nothing
    const std::optional<bool> backup = told ? std::optional(flagOf(*flag, false)) : std::nullopt;
    return {customNumber(json, fields.x),
            customNumber(json, fields.y),
            customNumber(json, "hall_z_mm"),
            customNumber(json, fields.rotation),
            customNumber(json, "hall_size_x_mm"),
            customNumber(json, "hall_size_y_mm"),
            word("hall_row"),
            lower(word("hall_mount")),
            backup};
}
TagName tagOf(const Json& json)
{
    if (json.is_string()) return {{}, textOf(json), {}}; // "slug" of an import, "Name" of a list
    return {textOf(member(json, "slug")), textOf(member(json, "name")), lower(textOf(member(json, "color")))};
}
void readTags(const Json& json, Tagged& to)
{
    const Json& tags = member(json, "tags");
    if (tags.is_array())
        for (const Json& one : tags) to.tags.push_back(tagOf(one));
    else
        for (const auto& name : namesIn(textOf(tags))) to.tags.push_back({{}, name, {}});
    std::erase_if(to.tags, [](const TagName& tag) { return tag.slug.empty() && tag.name.empty(); });
}

/// The name of the manufacturer, whether it stands beside the model or is a map.
std::string makerOf(const Json& json) { return refOf(member(json, "manufacturer")).name; }

void takeRackType(const Json& json, const std::string& where, Inventory& into)
{
    RackType type;
    readObject(json, where, type);
    type.model = textOf(member(json, "model")), type.manufacturer = makerOf(json);
    if (type.model.empty()) return into.leave(where, i18n("rack type without model: skipped"));
    if (type.slug.empty()) type.slug = slugOf(type.model);
    type.name = type.model;
    type.size = sizeOf(json);
    into.rackTypes.push_back(std::move(type)), ++into.read;
}

void takeDeviceType(const Json& json, const std::string& where, Inventory& into)
{
    DeviceType type;
    readObject(json, where, type);
    type.model = textOf(member(json, "model")), type.manufacturer = makerOf(json);
    if (type.model.empty()) return into.leave(where, i18n("device type without model: skipped"));
    if (type.slug.empty()) type.slug = slugOf(type.model);
    type.name = type.model;
    type.partNumber = textOf(member(json, "part_number")), type.airflow = choiceOf(member(json, "airflow"));
    type.subdeviceRole = choiceOf(member(json, "subdevice_role"));
    type.units = numberOf(member(json, "u_height"));
    type.fullDepth = flagOf(member(json, "is_full_depth"), true);
    type.weight = std::clamp(numberOf(member(json, "weight")).value_or(0), 0.0, 1e6), type.weightUnit = choiceOf(member(json, "weight_unit"));
    into.deviceTypes.push_back(std::move(type)), ++into.read;
}

void takeRack(const Json& json, const std::string& where, const PlaceFields& fields, Inventory& into)
{
    Rack rack;
    readObject(json, where, rack);
    if (rack.name.empty()) return into.leave(where, i18n("rack without name: skipped"));
    rack.site = refOf(member(json, "site")), rack.location = refOf(member(json, "location")), rack.group = refOf(member(json, "group"));
    rack.type = refOf(member(json, "rack_type"));
    rack.size = sizeOf(json);
    rack.status = choiceOf(member(json, "status")), rack.serial = textOf(member(json, "serial"));
    rack.spot = spotOf(json, fields), readTags(json, rack);
    into.racks.push_back(std::move(rack)), ++into.read;
}

void takeDevice(const Json& json, const std::string& where, const PlaceFields& fields, Inventory& into)
{
    Device device;
    readObject(json, where, device);
    device.type = refOf(member(json, "device_type"));
    if (device.type.empty()) return into.leave(where, i18n("device {} without device type: skipped", device.name));
    device.manufacturer = makerOf(member(json, "device_type"));
    if (device.manufacturer.empty()) device.manufacturer = makerOf(json);
    if (member(json, "role").is_null()) // before 4.0
        device.role = refOf(member(json, "device_role"));
    else
        device.role = refOf(member(json, "role"));
    device.site = refOf(member(json, "site")), device.location = refOf(member(json, "location")), device.rack = refOf(member(json, "rack"));
    device.parent = refOf(member(json, member(json, "parent_device").is_null() ? "parent" : "parent_device"));
    device.position = numberOf(member(json, "position"));
    device.face = choiceOf(member(json, "face")), device.status = choiceOf(member(json, "status"));
    device.serial = textOf(member(json, "serial")), device.airflow = choiceOf(member(json, "airflow"));
    device.coolingMethod = choiceOf(member(json, "cooling_method"));
    device.spot = spotOf(json, fields), readTags(json, device);
    into.devices.push_back(std::move(device)), ++into.read;
}

void readMappings(const Json& json, Port& port)
{
    if (const Json& many = member(json, "rear_ports"); many.is_array()) { // since 4.5
        for (const Json& one : many) {
            const Ref rear = refOf(member(one, "rear_port"));
            if (!rear.empty())
                port.mappings.push_back({int(std::clamp<std::int64_t>(wholeOf(member(one, "position"), 1), 1, 1024)), rear,
                                         int(std::clamp<std::int64_t>(wholeOf(member(one, "rear_port_position"), 1), 1, 1024))});
        }
        return;
    }
    const Ref rear = refOf(member(json, "rear_port"));
    if (!rear.empty()) port.mappings.push_back({1, rear, int(std::clamp<std::int64_t>(wholeOf(member(json, "rear_port_position"), 1), 1, 1024))});
}

void takePort(PortKind kind, const Json& json, const std::string& where, Inventory& into)
{
    Port port;
    readObject(json, where, port);
    port.kind = kind, port.device = refOf(member(json, "device"));
    if (port.device.empty() || port.name.empty()) return into.leave(where, i18n("port without device or name: skipped"));
    port.type = kind == PortKind::Interface ? interfaceSlug(textOf(member(json, "type"))) : choiceOf(member(json, "type"));
    port.label = textOf(member(json, "label"));
    const auto watts = [&](const char* key) { return int(std::clamp<std::int64_t>(wholeOf(member(json, key)), 0, 100'000'000)); };
    switch (kind) {
    case PortKind::Interface:
        port.kbps = std::clamp<std::int64_t>(wholeOf(member(json, "speed")), 0, 100'000'000'000);
        port.management = flagOf(member(json, "mgmt_only"), false);
        port.mac = lower(textOf(member(json, "mac_address")));
        break;
    case PortKind::PowerPort: port.maximumDraw = watts("maximum_draw"), port.allocatedDraw = watts("allocated_draw"); break;
    case PortKind::PowerOutlet:
        port.powerPort = refOf(member(json, "power_port"));
        port.leg = textOf(member(json, "feed_leg"));
        break;
    case PortKind::Front: readMappings(json, port); [[fallthrough]];
    case PortKind::Rear: port.positions = int(std::clamp<std::int64_t>(wholeOf(member(json, "positions"), 1), 1, 1024)); break;
    case PortKind::Intake:
        port.outflow = refOf(member(json, "cooling_outflow"));
        port.outflowDevice = textOf(member(json, "cooling_outflow_device"));
        if (port.outflowDevice.empty()) port.outflowDevice = refOf(member(member(json, "cooling_outflow"), "device")).name;
        break;
    default: break;
    }
    into.of(kind).push_back(std::move(port)), ++into.read;
}

void takeFeed(const Json& json, const std::string& where, Inventory& into)
{
    PowerFeed feed;
    readObject(json, where, feed);
    feed.panel = refOf(member(json, "power_panel")), feed.rack = refOf(member(json, "rack"));
    if (feed.name.empty() || feed.panel.empty()) return into.leave(where, i18n("power feed without name or power panel: skipped"));
    feed.type = choiceOf(member(json, "type")), feed.phase = choiceOf(member(json, "phase")), feed.supply = choiceOf(member(json, "supply"));
    const auto real = [&](const char* key, double most) { return std::clamp(std::abs(numberOf(member(json, key)).value_or(0)), 0.0, most); };
    readTags(json, feed);
    feed.voltage = real("voltage", 1e6), feed.amperage = real("amperage", 1e5), feed.maxUtilization = real("max_utilization", 100);
    into.feeds.push_back(std::move(feed)), ++into.read;
}

void takeTerminations(const Json& side, std::vector<CableEnd>& ends)
{
    if (!side.is_array()) return;
    for (const Json& one : side) {
        CableEnd end;
        end.kind = portKindOf(textOf(member(one, "object_type")));
        end.id = wholeOf(member(one, "object_id"));
        const Json& object = member(one, "object");
        end.name = textOf(member(object, "name"));
        end.device = refOf(member(object, "device")).name;
        end.panel = refOf(member(object, "power_panel")).name;
        ends.push_back(std::move(end));
    }
}

void takeCable(const Json& json, const std::string& where, Inventory& into)
{
    Cable cable;
    readObject(json, where, cable);
    cable.name = textOf(member(json, "label"));
    readTags(json, cable);
    takeTerminations(member(json, "a_terminations"), cable.sides[0]);
    takeTerminations(member(json, "b_terminations"), cable.sides[1]);
    if (cable.sides[0].empty() || cable.sides[1].empty()) return into.leave(where, i18n("cable with an open end: skipped"));
    cable.profile = choiceOf(member(json, "profile")), cable.status = choiceOf(member(json, "status")), cable.type = choiceOf(member(json, "type"));
    cable.bundle = refOf(member(json, "bundle")).name;
    const Json& length = member(json, "length");
    std::string unit = choiceOf(member(json, "length_unit"));
    if (unit.empty() && length.is_string()) { // "12.0 Meters", as lists show it
        const std::string shown = textOf(length);
        unit = lower(shown.substr(std::min(shown.find_first_not_of("0123456789., "), shown.size())));
    }
    if (const auto value = numberOf(length); value && *value > 0 && *value < 1e6) cable.meters = metersOf(*value, unit);
    into.cables.push_back(std::move(cable)), ++into.read;
}

void takeOptic(const Json& json, const std::string& where, Inventory& into)
{
    Optic optic;
    readObject(json, where, optic);
    optic.device = refOf(member(json, "device")), optic.part = textOf(member(json, "part_id"));
    if (portKindOf(textOf(member(json, "component_type"))) != PortKind::Interface) return; // a fan, a supply
    optic.component = refOf(member(json, "component"));
    if (optic.component.id == 0) optic.component.id = wholeOf(member(json, "component_id"));
    if (optic.component.name.empty()) optic.component.name = textOf(member(json, "component_name"));
    if (optic.part.empty()) optic.part = optic.name;
    into.optics.push_back(std::move(optic)), ++into.read;
}

/// The middle of what is drawn: fabric.js turns things clockwise around their upper left corner, and the plugin draws 100 pixels to a meter.
void takeDrawn(const Json& object, double height, Inventory& into)
{
    constexpr double kMmPerPixel = 10;
    const Json* meta = &member(object, "custom_meta");
    if (const Json& inside = member(object, "objects"); !meta->is_object() && inside.is_array())
        for (const Json& piece : inside)
            if (const Json& own = member(piece, "custom_meta"); !meta->is_object() && !textOf(member(own, "object_type")).empty()) meta = &own;
    const std::string type = choiceOf(member(*meta, "object_type"));
    if (type != "rack" && type != "device") return;
    const auto real = [&](const char* key, double fallback) { return std::clamp(numberOf(member(object, key)).value_or(fallback), -1e6, 1e6); };
    Drawn drawn{type == "rack", wholeOf(member(*meta, "object_id")), textOf(member(*meta, "object_name")), 0, 0, 0};
    const double turn = real("angle", 0), radians = turn * M_PI / 180;
    double dx = real("width", 0) * real("scaleX", 1) / 2, dy = real("height", 0) * real("scaleY", 1) / 2;
    if (choiceOf(member(object, "originX")) == "center") dx = 0;
    if (choiceOf(member(object, "originY")) == "center") dy = 0;
    drawn.x = (real("left", 0) + dx * std::cos(radians) - dy * std::sin(radians)) * kMmPerPixel;
    drawn.y = height - (real("top", 0) + dx * std::sin(radians) + dy * std::cos(radians)) * kMmPerPixel;
    drawn.rotation = -turn;
    into.drawn.push_back(std::move(drawn));
}

void takeFloorplan(const Json& json, Inventory& into)
{
    const Json& objects = member(member(json, "canvas"), "objects");
    if (!objects.is_array()) return;
    const double unit = choiceOf(member(json, "measurement_unit")) == "ft" ? 304.8 : 1000;
    double height = std::clamp(numberOf(member(json, "height")).value_or(0), 0.0, 1e5) * unit;
    const std::size_t first = into.drawn.size();
    for (const Json& object : objects) takeDrawn(object, height, into);
    if (height > 0) return;
    for (std::size_t i = first; i < into.drawn.size(); ++i) height = std::max(height, -into.drawn[i].y);
    for (std::size_t i = first; i < into.drawn.size(); ++i) into.drawn[i].y += height + 2'000; // no size: a margin under the lowest
}

} // namespace

std::span<const List> lists() { return kLists; }

std::optional<Kind> kindNamed(std::string_view name)
{
    std::string word = lower(name);
    if (const auto slash = word.find_last_of("/\\"); slash != word.npos) word = word.substr(slash + 1);
    word = bare(word);
    word = word.substr(std::min(word.find_first_not_of("0123456789"), word.size()));
    std::optional<Kind> found;
    std::size_t longest = 0; // "netbox_device_types" ends in both "types" and "devicetypes"
    const auto look = [&](const std::string& list, Kind kind) {
        if (list.size() <= longest) return;
        const std::string one = list.ends_with('s') ? list.substr(0, list.size() - 1) : list;
        if (word.ends_with(list) || word.starts_with(list) || word == one) found = kind, longest = list.size();
    };
    for (const List& list : kLists) look(listName(list.path), list.kind);
    look("tags", Kind::Tags);
    for (const auto other : kOthers) look(bare(other), Kind::Other);
    return found;
}

std::optional<Kind> kindOf(const Json& object)
{
    if (!object.is_object()) return std::nullopt;
    if (const std::string url = textOf(member(object, "url")); url.find("/api/") != url.npos) {
        std::string path = url.substr(url.find("/api/") + 5);
        while (!path.empty() && path.ends_with('/')) path.pop_back();
        for (const List& list : kLists)
            if (path.starts_with(std::string(list.path) + "/")) return list.kind;
        return path.starts_with("extras/tags/") ? Kind::Tags : Kind::Other;
    }
    const auto has = [&](const char* key) { return object.contains(key); };
    if (has("a_terminations") || has("side_a_name") || has("termination_a")) return Kind::Cables;
    if (has("device_type") && (has("role") || has("device_role"))) return Kind::Devices;
    if (has("model") && has("form_factor")) return Kind::RackTypes;
    if (has("model") && has("u_height")) return Kind::DeviceTypes;
    if (has("power_panel") && (has("voltage") || has("amperage"))) return Kind::PowerFeeds;
    if (has("cooling_source")) return Kind::CoolingFeeds;
    if (has("fluid_type")) return Kind::CoolingSources;
    if (has("canvas")) return Kind::Floorplans;
    if (has("device") && has("name")) {
        if (has("rear_port") || has("rear_ports")) return Kind::FrontPorts;
        if (has("maximum_draw") || has("allocated_draw")) return Kind::PowerPorts;
        if (has("feed_leg")) return Kind::PowerOutlets;
        if (has("cooling_outflow")) return Kind::CoolingIntakes;
        if (has("cooling_intake")) return Kind::CoolingOutflows;
        if (has("mgmt_only") || has("mtu")) return Kind::Interfaces;
        if (has("positions")) return Kind::RearPorts;
        if (has("part_id")) return Kind::InventoryItems;
    }
    if (has("name") && has("u_height")) return Kind::Racks;
    if (has("name") && has("slug") && has("site")) return Kind::Locations;
    if (has("name") && has("slug") && (has("facility") || has("physical_address") || has("time_zone"))) return Kind::Sites;
    return std::nullopt;
}

void take(Kind kind, const Json& json, const std::string& where, const PlaceFields& fields, Inventory& into)
{
    if (kind == Kind::Other) return;
    if (!json.is_object()) return into.leave(where, i18n("not an object: skipped"));
    switch (kind) {
    case Kind::Sites: {
        Site site;
        readObject(json, where, site), readTags(json, site);
        if (site.name.empty()) return into.leave(where, i18n("site without name: skipped"));
        into.sites.push_back(std::move(site)), ++into.read;
        return;
    }
    case Kind::Locations: {
        Location location;
        readObject(json, where, location), readTags(json, location);
        location.site = refOf(member(json, "site")), location.parent = refOf(member(json, "parent"));
        location.spot = spotOf(json, fields);
        if (location.name.empty()) return into.leave(where, i18n("location without name: skipped"));
        into.locations.push_back(std::move(location)), ++into.read;
        return;
    }
    case Kind::RackTypes: return takeRackType(json, where, into);
    case Kind::Racks: return takeRack(json, where, fields, into);
    case Kind::DeviceTypes: return takeDeviceType(json, where, into);
    case Kind::Devices: return takeDevice(json, where, fields, into);
    case Kind::Interfaces: return takePort(PortKind::Interface, json, where, into);
    case Kind::PowerPorts: return takePort(PortKind::PowerPort, json, where, into);
    case Kind::PowerOutlets: return takePort(PortKind::PowerOutlet, json, where, into);
    case Kind::FrontPorts: return takePort(PortKind::Front, json, where, into);
    case Kind::RearPorts: return takePort(PortKind::Rear, json, where, into);
    case Kind::CoolingIntakes: return takePort(PortKind::Intake, json, where, into);
    case Kind::CoolingOutflows: return takePort(PortKind::Outflow, json, where, into);
    case Kind::PowerPanels: {
        PowerPanel panel;
        readObject(json, where, panel), readTags(json, panel);
        panel.site = refOf(member(json, "site")), panel.location = refOf(member(json, "location"));
        panel.description = textOf(member(json, "description"));
        if (panel.name.empty()) return into.leave(where, i18n("power panel without name: skipped"));
        into.panels.push_back(std::move(panel)), ++into.read;
        return;
    }
    case Kind::PowerFeeds: return takeFeed(json, where, into);
    case Kind::CoolingSources: {
        CoolingSource source;
        readObject(json, where, source), readTags(json, source);
        source.site = refOf(member(json, "site")), source.location = refOf(member(json, "location"));
        source.type = choiceOf(member(json, "type")), source.fluid = choiceOf(member(json, "fluid_type"));
        source.kilowatts = std::clamp(numberOf(member(json, "cooling_capacity")).value_or(0), 0.0, 1e7);
        if (source.name.empty()) return into.leave(where, i18n("cooling source without name: skipped"));
        into.coolingSources.push_back(std::move(source)), ++into.read;
        return;
    }
    case Kind::CoolingFeeds: {
        CoolingFeed feed;
        readObject(json, where, feed);
        feed.source = refOf(member(json, "cooling_source")), feed.rack = refOf(member(json, "rack"));
        feed.kilowatts = std::clamp(numberOf(member(json, "cooling_capacity")).value_or(0), 0.0, 1e7);
        if (feed.source.empty()) return into.leave(where, i18n("cooling feed without cooling source: skipped"));
        into.coolingFeeds.push_back(std::move(feed)), ++into.read;
        return;
    }
    case Kind::Tags: {
        TagName tag = tagOf(json);
        if (tag.slug.empty() && tag.name.empty()) return into.leave(where, i18n("tag without name: skipped"));
        into.tags.push_back(std::move(tag)), ++into.read;
        return;
    }
    case Kind::Cables: return takeCable(json, where, into);
    case Kind::InventoryItems: return takeOptic(json, where, into);
    case Kind::Floorplans: return takeFloorplan(json, into);
    case Kind::Other: return;
    }
}

} // namespace hw::importers::netbox_in
