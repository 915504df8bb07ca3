// SPDX-License-Identifier: GPL-3.0-or-later
// The main document of a definition: a device or rack type in the schema of NetBox's community library. The catalog and every project keep
// their device and rack types in this form themselves, so it is read here and nowhere else; importers/netbox only brings such files in.
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/catalog/yaml_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace hw::catalog {
namespace {

void readHead(MapReader& reader, Part& part)
{
    part.slug = reader.text("slug");
    const auto ok = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
    if (part.slug.empty() || !std::ranges::all_of(part.slug, ok))
        reader.fail("slug", i18n("'{}' contains characters other than a-z, 0-9, - and _", part.slug));
    part.model = reader.text("model");
    part.description = reader.text("description", {});
    (void)reader.text("comments", {});
}

/// Names must be unique within one list; the second of two is doubted.
class UniqueNames {
public:
    void check(MapReader& item, const std::string& name)
    {
        if (!m_seen.insert(name).second) item.doubt("name", i18n("duplicate name '{}'", name));
    }

private:
    std::set<std::string> m_seen;
};

std::string componentName(MapReader& item, UniqueNames& names)
{
    auto name = item.text("name");
    if (name.empty()) item.fail("name", i18n("empty"));
    names.check(item, name);
    for (const char* key : {"label", "description"}) (void)item.text(key, {});
    return name;
}

void doubtSlug(const MapReader& item, const std::string& slug, bool known, bool (*isKnown)(std::string_view))
{
    if (known) return;
    std::string lower = slug;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    item.doubt("type", isKnown(lower) ? i18n("unknown slug '{}', did you mean '{}'?", slug, lower) : i18n("unknown slug '{}'", slug));
}

void readInterfaces(MapReader& reader, DeviceSpec& device)
{
    UniqueNames names;
    for (auto& item : reader.maps("interfaces")) {
        Interface port;
        port.name = componentName(item, names);
        port.slug = item.text("type");
        doubtSlug(item, port.slug, isInterfaceSlug(port.slug), isInterfaceSlug);
        port.rate = rateOfSlug(port.slug);
        port.management = item.flag("mgmt_only", false);
        (void)item.flag("enabled", true);
        for (const char* key : {"bridge", "lag", "parent", "poe_mode", "poe_type", "rf_role"}) (void)item.text(key, {});
        item.finish();
        device.interfaces.push_back(std::move(port));
    }
}

void readPower(MapReader& reader, DeviceSpec& device)
{
    UniqueNames inlets, outlets;
    for (auto& item : reader.maps("power-ports")) {
        PowerInlet inlet{componentName(item, inlets), item.text("type", {}), watts(item.integer("maximum_draw", 0))};
        if (inlet.type.empty()) item.doubt("type", i18n("is not specified")), inlet.type = "other";
        doubtSlug(item, inlet.type, isPowerPortSlug(inlet.type), isPowerPortSlug);
        const auto allocated = watts(item.integer("allocated_draw", 0));
        if (inlet.maximumDraw.count() > 0 && allocated > inlet.maximumDraw) item.doubt("allocated_draw", i18n("exceeds maximum_draw"));
        item.finish();
        device.inlets.push_back(std::move(inlet));
    }
    for (auto& item : reader.maps("power-outlets")) {
        PowerOutlet outlet{componentName(item, outlets), item.text("type", {}), item.text("power_port", {}), 0};
        if (outlet.type.empty()) item.doubt("type", i18n("is not specified")), outlet.type = "other";
        doubtSlug(item, outlet.type, isPowerOutletSlug(outlet.type), isPowerOutletSlug);
        const auto named = [&](const PowerInlet& inlet) { return inlet.name == outlet.inlet; };
        if (!outlet.inlet.empty() && std::ranges::none_of(device.inlets, named))
            item.doubt("power_port", i18n("unknown power port '{}'", outlet.inlet));
        const auto leg = item.text("feed_leg", {});
        if (leg == "A" || leg == "B" || leg == "C")
            outlet.leg = leg[0];
        else if (!leg.empty())
            item.doubt("feed_leg", i18n("'{}' is not A, B or C", leg));
        item.finish();
        device.outlets.push_back(std::move(outlet));
    }
}

/// Lists that we keep in the text but do not use yet; their names are still checked.
void readOtherLists(MapReader& reader)
{
    for (const char* list : {"console-ports", "console-server-ports", "front-ports", "rear-ports", "module-bays", "device-bays", "inventory-items"}) {
        UniqueNames names;
        for (auto& item : reader.maps(list)) {
            (void)componentName(item, names);
            for (const char* key :
                 {"type", "position", "positions", "color", "rear_port", "rear_port_position", "manufacturer", "part_id", "_is_power_source"})
                (void)item.text(key, {});
            item.finish();
        }
    }
}

Fact<Grams> readWeight(MapReader& reader, const char* key)
{
    Fact<Grams> weight;
    if (!reader.has(key)) return weight;
    if (!reader.has("weight_unit")) {
        reader.doubt(key, i18n("weight without weight_unit; kg assumed"));
        weight.value = Grams(reader.scaled(reader.number(key), key, "kg", kWeightUnits));
        return weight;
    }
    weight.value = Grams(reader.scaled(reader.number(key), "weight_unit", reader.text("weight_unit"), kWeightUnits));
    return weight;
}

/// A size that a cabinet must have, where its document states none.
void assume(const MapReader& reader, const char* key, Fact<Millimeters>& fact, std::int32_t mm)
{
    if (fact.value.count() > 0) return;
    fact.value = Millimeters(mm);
    fact.source = "assumed: a usual cabinet"; // no text
    reader.doubt(key, i18n("not specified: {:L} mm assumed", mm));
}

} // namespace

void assumePower(MapReader& reader, DeviceSpec& device)
{
    const bool stated = device.typical.value.count() > 0 || device.design.value.count() > 0 || device.nameplate.value.count() > 0;
    const bool feeds = !device.outlets.empty() || device.power.element != PowerElement::None || device.capacity.value.count() > 0;
    if (stated || feeds || device.inlets.empty()) return;
    Milliwatts allocated, most;
    for (auto& item : reader.maps("power-ports")) {
        const auto own = watts(item.integer("allocated_draw", 0)), maximum = watts(item.integer("maximum_draw", 0));
        allocated += own;
        most += maximum.count() > 0 ? maximum : own;
    }
    if (most.count() == 0) {
        reader.doubt("power-ports", i18n("no power draw specified: the device counts as 0 W; specify typical_power, design_power and "
                                         "nameplate_power in a sidecar"));
        return;
    }
    const auto take = [](Fact<Milliwatts>& fact, Milliwatts value, const char* source) {
        fact.value = value;
        fact.source = source;
    };
    const bool known = allocated.count() > 0;
    take(device.typical, known ? allocated : most, known ? "NetBox: sum of allocated_draw" : "NetBox: sum of maximum_draw"); // no text
    take(device.design, most, "NetBox: sum of maximum_draw");                                                                // no text
    take(device.nameplate, most, "NetBox: sum of maximum_draw");                                                             // no text
    reader.doubt("power-ports", i18n("power is the sum of all {} power ports: typical {:.0f} W, design and nameplate {:.0f} W, assumed; "
                                     "redundant supplies draw less: specify the device's values in a sidecar",
                                     device.inlets.size(), toWatts(device.typical.value), toWatts(most)));
}

void readDevice(MapReader& reader, Part& part)
{
    readHead(reader, part);
    auto& device = part.spec.emplace<DeviceSpec>();
    device.manufacturer = reader.text("manufacturer");
    device.partNumber = reader.text("part_number", {});
    const double units = reader.number("u_height");
    if (units * 2 != std::floor(units * 2) || units > 100) reader.fail("u_height", i18n("not a multiple of 0.5 up to 100"));
    device.halfUnits = int(units * 2);
    (void)reader.text("is_full_depth"); // required by the schema
    device.fullDepth = reader.flag("is_full_depth", true);
    device.airflow = reader.text("airflow", {});
    if (!device.airflow.empty() && !isAirflowSlug(device.airflow)) reader.doubt("airflow", i18n("unknown airflow '{}'", device.airflow));
    device.weight = readWeight(reader, "weight");
    if (reader.has("weight_unit") && !reader.has("weight")) reader.doubt("weight_unit", i18n("weight_unit without weight"));
    for (const char* key : {"front_image", "rear_image", "is_powered", "exclude_from_utilization"}) (void)reader.flag(key, false);
    const auto role = reader.text("subdevice_role", {});
    if (!role.empty() && role != "parent" && role != "child") reader.doubt("subdevice_role", i18n("must be parent or child"));
    if (reader.has("device-bays") && role != "parent") reader.doubt("device-bays", i18n("requires subdevice_role: parent"));
    readInterfaces(reader, device);
    readPower(reader, device);
    readOtherLists(reader);
    reader.finish();
}

void readRack(MapReader& reader, Part& part)
{
    readHead(reader, part);
    auto& rack = part.spec.emplace<RackSpec>();
    (void)reader.text("manufacturer");
    const auto form = reader.text("form_factor");
    if (!isFormFactor(form)) reader.doubt("form_factor", i18n("unknown form factor '{}'", form));
    (void)reader.text("width");
    const auto width = reader.integer("width", 19);
    if (width != 10 && width != 19 && width != 20 && width != 21 && width != 23)
        reader.doubt("width", i18n("{} inches is not a valid rack width", width)); // 20: older schema, 21: NetBox 4.6
    (void)reader.text("u_height");
    rack.heightU = int(reader.integer("u_height", 0));
    if (rack.heightU < 1 || rack.heightU > 100) reader.fail("u_height", i18n("must be between 1 and 100"));
    (void)reader.text("starting_unit");
    if (reader.integer("starting_unit", 1) < 1) reader.fail("starting_unit", i18n("must be at least 1"));
    (void)reader.flag("desc_units", false);
    const auto mounting = std::int32_t(std::min<std::int64_t>(reader.integer("mounting_depth", 0), 10'000));
    const auto unit = reader.text("outer_unit", "mm");
    const auto length = [&](const char* key, Fact<Millimeters>& fact) {
        if (reader.has(key)) fact.value = Millimeters(std::int32_t(reader.scaled(reader.number(key), "outer_unit", unit, kLengthUnits)));
    };
    length("outer_width", rack.width);
    length("outer_depth", rack.depth);
    length("outer_height", rack.height);
    // Usual cabinets: 600 mm for equipment of 19 inches, 1,200 mm deep, 130 mm of frame over and under the units.
    assume(reader, "outer_width", rack.width, width > 21 ? 700 : width < 19 ? 330 : 600);
    assume(reader, "outer_depth", rack.depth, std::max(1200, mounting + 200));
    assume(reader, "outer_height", rack.height, std::int32_t(std::lround(rack.heightU * 44.45)) + 130);
    rack.weight = readWeight(reader, "weight");
    rack.maxWeight = readWeight(reader, "max_weight");
    reader.finish();
}

} // namespace hw::catalog
