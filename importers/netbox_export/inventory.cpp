// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox_export/inventory.h"

#include "core/derived/figures/supply.h"
#include "core/foundation/model/tags.h"
#include "importers/netbox_export/inventory_maker.h"

namespace hw::netbox {

namespace {

constexpr std::size_t kComponentName = 64, kName = 100;

} // namespace

InventoryMaker::InventoryMaker(const Figures& figures, const InventoryOptions& options)
    : m_f(figures), m_s(*figures.snapshot), m_parts(*figures.parts), m_o(options), m_types(m_s.partTypes.nextId(), kNone),
      m_roles(m_s.tiers.nextId(), kNone), m_buildings(m_s.buildings.nextId(), kNone), m_halls(m_s.halls.nextId(), kNone),
      m_racks(m_s.racks.nextId(), kNone), m_devices(m_s.devices.nextId(), kNone), m_siteOfBuilding(m_s.buildings.nextId(), kNone),
      m_feedOfLink(m_s.links.nextId(), kNone), m_panels(m_s.devices.nextId(), kNone)
{
    m_out.ofTable.resize(tableList().size());
}

Result<Inventory> InventoryMaker::make(const Progress& progress)
{
    makeCommon();
    makePlaces();
    makeRacks();
    makePanels();
    makeDevices();
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, "netbox", i18n("stopped"));
    makeComponentIndex();
    makeCoolant();
    makePowerCables();
    makeDataCables();
    if (m_o.cords) makeCords();
    checkNames();
    return std::move(m_out);
}

std::size_t InventoryMaker::add(std::string_view table, std::string name, json body, EntityRef source, std::vector<const char*> once)
{
    Item item;
    item.table = tableIndex(table), item.name = std::move(name), item.body = std::move(body), item.source = source, item.once = std::move(once);
    m_out.items.push_back(std::move(item));
    m_out.ofTable[m_out.items.back().table].push_back(m_out.items.size() - 1);
    return m_out.items.size() - 1;
}

nlohmann::json InventoryMaker::tags(EntityRef entity) const
{
    json all = json::array({ref(m_tag)});
    if (const auto own = m_tagsOf.find(entity); own != m_tagsOf.end())
        for (const std::size_t tag : own->second) all.push_back(ref(tag));
    return all;
}

void InventoryMaker::makeCommon()
{
    m_tag = add("extras/tags", kExportTag, {{"name", kExportTag}, {"slug", kExportTag}, {"color", "3b82f6"}});
    for (const ObjectTag& tag : objectTags(m_s)) {
        if (tag.slug == kExportTag) continue;
        const bool color = tag.color.size() == 6 && tag.color.find_first_not_of("0123456789abcdef") == std::string::npos;
        const std::size_t item = add("extras/tags", tag.name, {{"name", tag.name}, {"slug", tag.slug}, {"color", color ? tag.color : "9e9e9e"}});
        for (const EntityRef entity : tag.on) m_tagsOf[entity].push_back(item);
    }
    const auto field = [&](const char* name, const char* type, std::initializer_list<const char*> types, const char* help) {
        json objectTypes = json::array();
        for (const char* one : types) objectTypes.push_back(one);
        add("extras/custom-fields", name,
            {{"name", name}, {"type", type}, {"object_types", objectTypes}, {"group_name", "Hallwright"}, {"description", help}});
    };
    field("hall_x_mm", "integer", {"dcim.location", "dcim.rack", "dcim.device"},
          "Lower corner of the footprint in the hall, mm along x"); // no text: words of NetBox
    field("hall_y_mm", "integer", {"dcim.location", "dcim.rack", "dcim.device"},
          "Lower corner of the footprint in the hall, mm along y");                   // no text: words of NetBox
    field("hall_z_mm", "integer", {"dcim.device"}, "Lower edge above the floor, mm"); // no text: words of NetBox
    field("hall_rotation", "integer", {"dcim.rack", "dcim.device"},
          "Degrees counter-clockwise; 0: the front faces -y");                                                   // no text: words of NetBox
    field("hall_row", "text", {"dcim.rack", "dcim.device"}, "Row of racks");                                     // no text: words of NetBox
    field("hall_size_x_mm", "integer", {"dcim.location"}, "Size along x, mm");                                   // no text: words of NetBox
    field("hall_size_y_mm", "integer", {"dcim.location"}, "Size along y, mm");                                   // no text: words of NetBox
    field("hall_backup", "boolean", {"dcim.device"}, "Server that replaces a failed one");                       // no text: words of NetBox
    field("hall_mount", "text", {"dcim.device"}, "Side of the rack of a 0U device: front, rear, left or right"); // no text: words of NetBox
}

Termination InventoryMaker::componentOf(const char* table, DeviceId device, const std::string& name, const std::function<void(json&)>& complete)
{
    const Termination end{table, m_devices[device.value], name};
    const std::string from = std::string(table).substr(0, std::string(table).size() - 1) + "-templates";
    if (!m_templates.contains({from, m_types[m_s.devices.type[device].value], name}) && m_extra.insert(end).second) {
        json body{{"device", ref(end.owner)}, {"name", name}, {"type", "other"}};
        complete(body);
        add(table, m_s.devices.name[device] + " / " + name, std::move(body));
    }
    return end;
}

nlohmann::json InventoryMaker::cableBody(const std::string& type, std::int32_t lengthMm, const std::string& label, EntityRef cable) const
{
    json body{{"status", "planned"}, {"label", label}, {"tags", tags(cable)}};
    if (!type.empty()) body["type"] = type;
    if (lengthMm > 0) body["length"] = inSteps(lengthMm / 1000.0, 100), body["length_unit"] = "m";
    return body;
}

void InventoryMaker::addCable(std::string name, json body, std::vector<Termination> a, std::vector<Termination> b, EntityRef source)
{
    const std::size_t item = add("dcim/cables", std::move(name), std::move(body), source, {"status"});
    m_out.items[item].a = std::move(a), m_out.items[item].b = std::move(b);
}

void InventoryMaker::checkNames()
{
    std::map<std::pair<std::string, std::string>, std::size_t> devices;
    for (std::size_t i = 0; i < m_out.items.size(); ++i) {
        Item& item = m_out.items[i];
        const std::string table = tableList()[item.table].name;
        const auto name = item.body.find(table == "dcim/cables" ? "label" : "name");
        if (name == item.body.end() || !name->is_string()) continue;
        const std::string text = name->get<std::string>();
        const bool shortName = table == "dcim/devices" || item.body.contains("device") || item.body.contains("device_type");
        const std::size_t most = shortName ? kComponentName : kName;
        std::size_t characters = 0;
        for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
        if (characters > most) item.flaw = i18n("name has {} characters; NetBox accepts {}", characters, most);
        if (text.empty()) item.flaw = i18n("no name");
        if (table != "dcim/devices") continue;
        std::string lower = text;
        std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        const auto [other, isNew] = devices.insert({{item.body["site"].dump(), lower}, i});
        if (!isNew) item.flaw = i18n("another device of the site has this name: {}", m_out.items[other->second].name);
    }
}

Result<Inventory> inventoryOf(const Figures& figures, const InventoryOptions& options, const Progress& progress)
{
    if (const auto made = figures.prepare<PlacementNode, CablingNode, SupplyNode>(progress); !made) return tl::unexpected(made.error());
    return InventoryMaker(figures, options).make(progress);
}

} // namespace hw::netbox
