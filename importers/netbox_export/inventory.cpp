// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox_export/inventory.h"

#include "core/derived/cooling/chain.h"
#include "core/derived/figures/cords.h"
#include "core/derived/figures/supply.h"
#include "core/derived/geometry/frame.h"
#include "core/derived/topology/cable_runs.h"
#include "core/foundation/base/hash.h"
#include "core/foundation/catalogue/entity.h"
#include "core/foundation/catalogue/slugs.h"
#include "core/foundation/catalogue/sockets.h"
#include "core/foundation/model/places.h"
#include "core/foundation/model/references.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace hw::netbox {

namespace {

using nlohmann::json;

constexpr const char* kTag = "hallwright";
constexpr int kMostVolts = 32767, kMostAmperes = 32767; // small integers of NetBox
constexpr std::size_t kComponentName = 64, kName = 100;

std::vector<TableInfo> madeTables()
{
    const auto templates = [](const char* name, TextId what) { return TableInfo{name, what, "device_type_id", {"device_type", "name"}, true}; };
    return {
        {"extras/tags", TextId("tags"), "slug", {"slug"}, true},
        {"extras/custom-fields", TextId("custom fields"), "name", {"name"}, true, true},
        {"dcim/sites", TextId("sites"), "slug", {"slug"}, true},
        {"dcim/locations", TextId("locations"), "site_id", {"site", "parent", "name"}},
        {"dcim/manufacturers", TextId("manufacturers"), "slug", {"slug"}, true},
        {"dcim/device-roles", TextId("device roles"), "slug", {"slug"}, true},
        {"dcim/rack-types", TextId("rack types"), "slug", {"slug"}, true},
        {"dcim/device-types", TextId("device types"), "slug", {"manufacturer", "slug"}, true},
        templates("dcim/interface-templates", TextId("interface templates")),
        templates("dcim/power-port-templates", TextId("power port templates")),
        templates("dcim/power-outlet-templates", TextId("power outlet templates")),
        templates("dcim/rear-port-templates", TextId("rear port templates")),
        templates("dcim/front-port-templates", TextId("front port templates")),
        {"dcim/racks", TextId("racks"), "site_id", {"location", "name"}},
        {"dcim/power-panels", TextId("power panels"), "site_id", {"site", "name"}},
        {"dcim/power-feeds", TextId("power feeds"), "power_panel_id", {"power_panel", "name"}},
        {"dcim/cooling-sources", TextId("cooling sources"), "site_id", {"site", "name"}, false, false, 7},
        {"dcim/cooling-feeds", TextId("cooling feeds"), "cooling_source_id", {"cooling_source", "name"}, false, false, 7},
        {"dcim/devices", TextId("devices"), "site_id", {"site", "name"}},
        {"dcim/interfaces", TextId("interfaces"), "device_id", {"device", "name"}},
        {"dcim/power-ports", TextId("power ports"), "device_id", {"device", "name"}},
        {"dcim/power-outlets", TextId("power outlets"), "device_id", {"device", "name"}},
        {"dcim/rear-ports", TextId("rear ports"), "device_id", {"device", "name"}},
        {"dcim/front-ports", TextId("front ports"), "device_id", {"device", "name"}},
        {"dcim/cooling-outflows", TextId("coolant outflows"), "device_id", {"device", "name"}, false, false, 7},
        {"dcim/cooling-intakes", TextId("coolant intakes"), "device_id", {"device", "name"}, false, false, 7},
        {"dcim/cable-bundles", TextId("cable bundles"), "name", {"name"}, false, false, 6},
        {"dcim/cables", TextId("cables"), "site_id", {"label"}, false, false, 4, 200},
    };
}

json ref(std::size_t item) { return {{"$", item}}; }

double rounded(double value, double steps) { return std::round(value * steps) / steps; }

/// What the NetBox document of a definition says besides what our parts keep.
std::string wordOf(const std::string& definition, const char* key, const char* otherwise)
{
    try {
        for (const YAML::Node& document : YAML::LoadAll(definition))
            if (document.IsMap() && document[key] && document[key].IsScalar() && !document["kind"]) return document[key].Scalar();
    } catch (const YAML::Exception&) { // has been read before; a foreign one says nothing
    }
    return otherwise;
}

std::string powerPlug(const std::string& type, bool outlet)
{
    if (type.empty()) return "other";
    return (outlet ? catalogue::isPowerOutletSlug(type) : catalogue::isPowerPortSlug(type)) ? type : "other";
}

/// A connector of a panel as NetBox calls it; it counts no fibers.
std::string panelPortType(const std::string& connector)
{
    if (connector.starts_with("mpo")) return "mpo";
    if (connector.starts_with("lc")) return connector.ends_with("apc") ? "lc-apc" : "lc";
    for (const char* known : {"sc", "cs", "sn", "mdc"})
        if (connector.starts_with(known)) return known;
    return connector.starts_with("rj") ? "8p8c" : "other";
}

const char* coolingSourceType(CoolingElement element)
{
    switch (element) {
    case CoolingElement::Chiller: return "chiller";
    case CoolingElement::Tower: return "cooling-tower";
    case CoolingElement::DryCooler: return "dry-cooler";
    case CoolingElement::Crah:
    case CoolingElement::FanWall:
    case CoolingElement::InRow: return "crah";
    default: return nullptr;
    }
}

class Maker {
public:
    Maker(const Figures& figures, const InventoryOptions& options)
        : m_f(figures), m_s(*figures.snapshot), m_parts(*figures.parts), m_o(options), m_types(m_s.partTypes.nextId(), kNone),
          m_roles(m_s.tiers.nextId(), kNone), m_buildings(m_s.buildings.nextId(), kNone), m_halls(m_s.halls.nextId(), kNone),
          m_racks(m_s.racks.nextId(), kNone), m_devices(m_s.devices.nextId(), kNone), m_siteOfBuilding(m_s.buildings.nextId(), kNone),
          m_feedOfLink(m_s.links.nextId(), kNone), m_panels(m_s.devices.nextId(), kNone)
    {
        m_out.ofTable.resize(tableList().size());
    }

    Result<Inventory> make(const Progress& progress)
    {
        makeCommon();
        makePlaces();
        makeRacks();
        makePanels();
        makeDevices();
        if (progress.stopRequested()) return fail(ErrorCode::Cancelled, "netbox", i18n("stopped"));
        makeComponentIndex();
        makeCoolant();
        makePowerCables();
        makeDataCables();
        if (m_o.cords) makeCords();
        checkNames();
        return std::move(m_out);
    }

private:
    static constexpr std::size_t kNone = std::size_t(-1);

    std::size_t add(std::string_view table, std::string name, json body, EntityRef source = {}, std::vector<const char*> once = {})
    {
        Item item;
        item.table = tableIndex(table), item.name = std::move(name), item.body = std::move(body), item.source = source, item.once = std::move(once);
        m_out.items.push_back(std::move(item));
        m_out.ofTable[m_out.items.back().table].push_back(m_out.items.size() - 1);
        return m_out.items.size() - 1;
    }

    json tags() const { return json::array({ref(m_tag)}); }

    void makeCommon()
    {
        m_tag = add("extras/tags", kTag, {{"name", kTag}, {"slug", kTag}, {"color", "3b82f6"}});
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
        field("hall_mount", "text", {"dcim.device"}, "Side of the rack of a 0U device: front, rear, left or right"); // no text: words of NetBox
    }

    std::size_t siteNamed(const std::string& name, EntityRef source)
    {
        const auto known = m_sites.find(name);
        if (known != m_sites.end()) return known->second;
        return m_sites[name] = add("dcim/sites", name, {{"name", name}, {"slug", slugOf(name)}, {"status", "planned"}}, source, {"status"});
    }

    void makePlaces()
    {
        const std::string project = m_s.setting("project.name");
        const std::string common = !m_o.site.empty() ? m_o.site : !project.empty() ? project : "Hallwright";
        m_s.buildings.forEach([&](BuildingId id) {
            const auto site = m_s.buildings.site[id];
            m_siteOfBuilding[id.value] = site ? siteNamed(m_s.sites.name[*site], hw::ref(*site)) : siteNamed(common, {});
            const auto& t = m_s.buildings;
            const std::string& name = t.name[id];
            m_buildings[id.value] = add("dcim/locations", name,
                                        {{"site", ref(m_siteOfBuilding[id.value])},
                                         {"name", name},
                                         {"slug", slugOf(name)},
                                         {"status", "planned"},
                                         {"tags", tags()},
                                         {"custom_fields", placeFields(t.x[id], t.y[id], t.sizeX[id], t.sizeY[id])}},
                                        hw::ref(id), {"status", "slug"});
        });
        m_s.halls.forEach([&](HallId id) {
            const auto& t = m_s.halls;
            const BuildingId building = t.building[id];
            m_halls[id.value] = add("dcim/locations", m_s.buildings.name[building] + " / " + t.name[id],
                                    {{"site", ref(m_siteOfBuilding[building.value])},
                                     {"parent", ref(m_buildings[building.value])},
                                     {"name", t.name[id]},
                                     {"slug", slugOf(t.name[id])},
                                     {"status", "planned"},
                                     {"tags", tags()},
                                     {"custom_fields", placeFields(t.x[id], t.y[id], t.sizeX[id], t.sizeY[id])}},
                                    hw::ref(id), {"status", "slug"});
        });
        m_anySite = m_out.ofTable[tableIndex("dcim/sites")].empty() ? siteNamed(common, {}) : m_out.ofTable[tableIndex("dcim/sites")].front();
    }

    static json placeFields(Millimetres x, Millimetres y, Millimetres sizeX, Millimetres sizeY)
    {
        return {{"hall_x_mm", x.count()}, {"hall_y_mm", y.count()}, {"hall_size_x_mm", sizeX.count()}, {"hall_size_y_mm", sizeY.count()}};
    }

    std::size_t manufacturer(const std::string& given)
    {
        const std::string name = given.empty() ? "Generic" : given, slug = slugOf(name);
        const auto known = m_manufacturers.find(slug);
        if (known != m_manufacturers.end()) return known->second;
        return m_manufacturers[slug] = add("dcim/manufacturers", name, {{"name", name}, {"slug", slug}});
    }

    std::size_t siteOf(Maybe<HallId> hall) const { return hall ? m_siteOfBuilding[m_s.halls.building[*hall].value] : m_anySite; }

    std::size_t rackType(PartTypeId id)
    {
        std::size_t& item = m_types[id.value];
        if (item != kNone) return item;
        const Part& part = m_parts[id];
        const RackSpec& spec = m_parts.rack(id);
        json body{{"manufacturer", ref(manufacturer(wordOf(part.definition, "manufacturer", "Generic")))},
                  {"model", part.model.empty() ? part.slug : part.model},
                  {"slug", part.slug},
                  {"form_factor", wordOf(part.definition, "form_factor", "4-post-cabinet")},
                  {"width", std::atoi(wordOf(part.definition, "width", "19").c_str())},
                  {"u_height", spec.heightU},
                  {"starting_unit", 1},
                  {"desc_units", false}};
        const auto size = [&](const char* name, Millimetres value) {
            if (value.count() > 0 && value.count() <= kMostVolts) body[name] = value.count(), body["outer_unit"] = "mm";
        };
        size("outer_width", spec.width.value), size("outer_depth", spec.depth.value), size("outer_height", spec.height.value);
        if (spec.weight.value.count() > 0) body["weight"] = rounded(double(spec.weight.value.count()) / 1000, 100), body["weight_unit"] = "kg";
        if (spec.maxWeight.value.count() > 0) body["max_weight"] = spec.maxWeight.value.count() / 1000, body["weight_unit"] = "kg";
        item = add("dcim/rack-types", part.slug, std::move(body));
        if (spec.heightU < 1 || spec.heightU > 100) m_out.items[item].flaw = i18n("height {} U; NetBox accepts 1 to 100 U", spec.heightU);
        return item;
    }

    void makeRacks()
    {
        m_s.racks.forEach([&](RackId id) {
            const RowId row = m_s.racks.row[id];
            const HallId hall = m_s.rows.hall[row];
            const Frame frame = hallFrame(m_s, hall);
            const Box& box = m_f.placement->rack(id);
            json body{{"site", ref(siteOf(hall))},
                      {"location", ref(m_halls[hall.value])},
                      {"name", m_s.racks.name[id]},
                      {"rack_type", ref(rackType(m_s.racks.type[id]))},
                      {"status", "planned"},
                      {"tags", tags()},
                      {"custom_fields",
                       {{"hall_x_mm", box.low.x - frame.x},
                        {"hall_y_mm", box.low.y - frame.y},
                        {"hall_rotation", quarterOf(m_s.rows.angle[row]) * 90},
                        {"hall_row", m_s.rows.name[row]}}}};
            body["serial"] = m_s.racks.serial[id];
            m_racks[id.value] = add("dcim/racks", m_s.racks.name[id], std::move(body), hw::ref(id), {"status"});
        });
    }

    /// Of a power link: what feeds it, where that becomes a panel.
    [[nodiscard]] Maybe<DeviceId> panelOf(LinkId link) const
    {
        const DeviceId supplier = m_s.ports.device[m_s.links.to[link]];
        return m_panels[supplier.value] != kNone ? Maybe<DeviceId>(supplier) : Maybe<DeviceId>();
    }

    /// Utilities become power panels, and each of their links a feed; but not where the voltage is more than NetBox can hold.
    void makePanels()
    {
        const Supply& supply = m_f.get<SupplyNode>();
        std::set<std::uint32_t> fed, tooHigh;
        std::vector<LinkId> links;
        m_s.links.forEach([&](LinkId link) {
            if (m_s.ports.medium[m_s.links.from[link]] != Medium::Power) return;
            fed.insert(m_s.ports.device[m_s.links.from[link]].value);
            const DeviceId supplier = m_s.ports.device[m_s.links.to[link]];
            if (m_parts.device(m_s.devices.type[supplier]).power.element != PowerElement::Utility) return;
            links.push_back(link);
            const SupplyLine* line = supply.of(link);
            if (!line || line->size.volts > kMostVolts) tooHigh.insert(supplier.value);
        });
        for (const LinkId link : links) {
            const DeviceId panel = m_s.ports.device[m_s.links.to[link]], consumer = m_s.ports.device[m_s.links.from[link]];
            if (tooHigh.contains(panel.value) || fed.contains(panel.value)) continue;
            const auto hall = hallOf(m_s, panel);
            std::size_t& item = m_panels[panel.value];
            if (item == kNone) {
                json body{{"site", ref(siteOf(hall))}, {"name", m_s.devices.name[panel]}, {"tags", tags()}};
                if (hall) body["location"] = ref(m_halls[(*hall).value]);
                body["description"] = m_parts[m_s.devices.type[panel]].slug;
                item = add("dcim/power-panels", m_s.devices.name[panel], std::move(body), hw::ref(panel));
            }
            const SupplyLine* line = supply.of(link);
            const std::int64_t carries = line->size.needMa > 0 ? line->size.needMa : line->size.carriesMa;
            const double volts = line->size.volts;
            const int amperes = int(std::clamp<std::int64_t>((carries + 999) / 1000, 1, kMostAmperes));
            const bool direct = takesDirectCurrent(m_parts.device(m_s.devices.type[consumer]));
            m_feedOfLink[link.value] = add("dcim/power-feeds", m_s.devices.name[panel] + " / " + portName(m_s, m_parts, m_s.links.to[link]),
                                           {{"power_panel", ref(item)},
                                            {"name", portName(m_s, m_parts, m_s.links.to[link])},
                                            {"status", "planned"},
                                            {"type", m_s.links.role[link] == LinkRole::Backup ? "redundant" : "primary"},
                                            {"supply", direct ? "dc" : "ac"},
                                            {"phase", direct ? "single-phase" : "three-phase"},
                                            {"voltage", int(std::lround(volts))},
                                            {"amperage", amperes},
                                            {"max_utilization", 100},
                                            {"tags", tags()}},
                                           hw::ref(link), {"status"});
        }
        if (!tooHigh.empty())
            m_out.notes.push_back(i18np(tooHigh.size(),
                                        "{:L} utility connection above 32,767 V is written as a device: NetBox holds no higher voltage of a feed",
                                        "{:L} utility connections above 32,767 V are written as devices: NetBox holds no higher voltage of a feed"));
    }

    std::size_t deviceType(PartTypeId id)
    {
        std::size_t& item = m_types[id.value];
        if (item != kNone) return item;
        const Part& part = m_parts[id];
        const DeviceSpec& spec = m_parts.device(id);
        json body{{"manufacturer", ref(manufacturer(spec.manufacturer))},
                  {"model", part.model.empty() ? part.slug : part.model},
                  {"slug", part.slug},
                  {"u_height", spec.halfUnits / 2.0},
                  {"is_full_depth", spec.fullDepth}};
        if (!spec.partNumber.empty()) body["part_number"] = spec.partNumber;
        if (catalogue::isAirflowSlug(spec.airflow)) body["airflow"] = spec.airflow;
        if (spec.weight.value.count() > 0) body["weight"] = rounded(double(spec.weight.value.count()) / 1000, 100), body["weight_unit"] = "kg";
        if (m_o.minor >= 7 && spec.liquidPermille.value > 0) body["cooling_method"] = spec.liquidPermille.value >= 1000 ? "liquid" : "hybrid";
        item = add("dcim/device-types", part.slug, std::move(body));
        const std::size_t type = item;
        for (const Interface& one : spec.interfaces) {
            json row{{"device_type", ref(type)}, {"name", one.name}, {"type", interfaceType(one, m_o.minor)}};
            if (one.management) row["mgmt_only"] = true;
            templateOf(type, "dcim/interface-templates", one.name, std::move(row));
        }
        std::map<std::string, std::size_t> inlets;
        for (const PowerInlet& one : spec.inlets) {
            json row{{"device_type", ref(type)}, {"name", one.name}, {"type", powerPlug(one.type, false)}};
            const std::int64_t draw = one.maximumDraw.count() / 1000;
            if (draw >= 1 && draw <= 2147483647) row["maximum_draw"] = draw;
            inlets[one.name] = templateOf(type, "dcim/power-port-templates", one.name, std::move(row));
        }
        for (const PowerOutlet& one : spec.outlets) {
            json row{{"device_type", ref(type)}, {"name", one.name}, {"type", powerPlug(one.type, true)}};
            if (const auto inlet = inlets.find(one.inlet); inlet != inlets.end()) row["power_port"] = ref(inlet->second);
            if (one.leg >= 'A' && one.leg <= 'C') row["feed_leg"] = std::string(1, one.leg);
            templateOf(type, "dcim/power-outlet-templates", one.name, std::move(row));
        }
        const PanelSpec& panel = spec.panel;
        const int each = std::max(1, panel.perRear);
        std::vector<std::size_t> rears;
        for (int i = 0; i * each < panel.positions; ++i) {
            const std::string name = rearName(i);
            rears.push_back(templateOf(type, "dcim/rear-port-templates", name,
                                       {{"device_type", ref(type)}, {"name", name}, {"type", panelPortType(panel.behind())}, {"positions", each}}));
        }
        for (int i = 0; i < panel.positions; ++i) {
            const std::string name = frontName(i);
            json row{{"device_type", ref(type)}, {"name", name}, {"type", panelPortType(panel.connector)}};
            const std::size_t rear = rears[std::size_t(i / each)];
            if (m_o.minor >= 5) {
                row["positions"] = 1;
                row["rear_ports"] = json::array({{{"position", 1}, {"rear_port", ref(rear)}, {"rear_port_position", i % each + 1}}});
            } else
                row["rear_port"] = ref(rear), row["rear_port_position"] = i % each + 1;
            templateOf(type, "dcim/front-port-templates", name, std::move(row));
        }
        return type;
    }

    std::size_t templateOf(std::size_t type, const char* table, const std::string& name, json body)
    {
        m_templates.insert({table, type, name});
        return add(table, m_out.items[type].name + " / " + name, std::move(body));
    }
    static std::string rearName(int index) { return fmt::format("Rear {}", index + 1); }
    static std::string frontName(int index) { return fmt::format("Front {}", index + 1); }

    std::size_t role(TierId tier)
    {
        std::size_t& item = m_roles[tier.value];
        if (item != kNone) return item;
        const std::string name = m_s.tiers.name[tier], slug = slugOf(name);
        const auto known = m_roleSlugs.find(slug);
        if (known != m_roleSlugs.end()) return item = known->second;
        const auto network = m_s.tiers.network[tier];
        const std::uint32_t color = network ? m_s.networks.color[*network] : 0x9e9e9e;
        return item = m_roleSlugs[slug] = add("dcim/device-roles", name, {{"name", name}, {"slug", slug}, {"color", fmt::format("{:06x}", color)}});
    }

    void makeDevices()
    {
        m_s.devices.forEach([&](DeviceId id) {
            if (m_panels[id.value] != kNone) return;
            const auto& t = m_s.devices;
            const auto hall = hallOf(m_s, id);
            const PartTypeId type = t.type[id];
            const DeviceSpec& spec = m_parts.device(type);
            json body{{"name", t.name[id]},
                      {"device_type", ref(deviceType(type))},
                      {"role", ref(role(t.tier[id]))},
                      {"site", ref(siteOf(hall))},
                      {"status", "planned"},
                      {"tags", tags()}};
            body["serial"] = t.serial[id];
            if (m_o.minor >= 7 && spec.liquidPermille.value > 0) body["cooling_method"] = spec.liquidPermille.value >= 1000 ? "liquid" : "hybrid";
            json fields = json::object();
            if (const auto rack = t.rack[id]) {
                body["rack"] = ref(m_racks[(*rack).value]);
                const Face face = t.face[id];
                if (t.u[id] > 0 && spec.halfUnits > 0) {
                    body["position"] = double(t.u[id]);
                    body["face"] = face == Face::Rear ? "rear" : "front";
                } else if (face == Face::Front || face == Face::Rear)
                    body["face"] = face == Face::Rear ? "rear" : "front";
                if (spec.halfUnits == 0) fields["hall_mount"] = hw::wordOf(face);
            } else if (hall) {
                body["location"] = ref(m_halls[(*hall).value]);
                const Box box = m_f.placement->device(m_s, m_parts, id);
                const Frame frame = hallFrame(m_s, *hall);
                fields = {{"hall_x_mm", box.low.x - frame.x}, {"hall_y_mm", box.low.y - frame.y}, {"hall_z_mm", box.low.z}};
                if (const auto row = t.row[id]) {
                    fields["hall_row"] = m_s.rows.name[*row];
                    fields["hall_rotation"] = (quarterOf(m_s.rows.angle[*row]) + quarterOf(t.angle[id])) % 4 * 90;
                } else
                    fields["hall_rotation"] = ((t.angle[id] % 360) + 360) % 360;
            }
            if (!fields.empty()) body["custom_fields"] = fields;
            m_devices[id.value] = add("dcim/devices", t.name[id], std::move(body), hw::ref(id), {"status"});
        });
    }

    /// Cables at every cage, and the first port of a cage that is on a cable: names of what a cage becomes.
    void makeComponentIndex()
    {
        m_cablesOfCage.resize(m_s.cages.nextId());
        const CableRuns& runs = m_f.cabling->runs();
        m_s.links.forEach([&](LinkId link) {
            if (m_s.ports.medium[m_s.links.from[link]] != Medium::Data) return;
            const auto own = runs.of(link);
            const auto first = m_s.links.cable[link];
            const auto last = own.empty() ? first : Maybe<CableId>(m_s.runs.cable[own.back()]);
            const auto put = [&](PortId port, Maybe<CableId> cable) {
                if (!cable) return;
                auto& all = m_cablesOfCage[m_s.ports.cage[port].value];
                const auto found = std::ranges::find(all, *cable, &std::pair<CableId, PortId>::first);
                if (found == all.end())
                    all.emplace_back(*cable, port);
                else if (m_s.ports.lane[port] < m_s.ports.lane[found->second])
                    found->second = port;
            };
            put(m_s.links.from[link], first), put(m_s.links.to[link], last);
        });
    }

    /// A component that no template of the device's type makes becomes an object of its own.
    Termination componentOf(const char* table, DeviceId device, const std::string& name, const std::function<void(json&)>& complete)
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

    /// The interface of a port: its cage, or, where several cables leave the cage, one for each of them.
    Termination interfaceOf(PortId port, CableId cable)
    {
        const CageId cage = m_s.ports.cage[port];
        const DeviceId device = m_s.ports.device[port];
        const DeviceSpec& spec = m_parts.device(m_s.devices.type[device]);
        const std::size_t number = m_s.cages.number[cage];
        const auto& all = m_cablesOfCage[cage.value];
        std::string name = number < spec.interfaces.size() ? spec.interfaces[number].name : fmt::format("if{}", number + 1);
        if (all.size() > 1) {
            const auto found = std::ranges::find(all, cable, &std::pair<CableId, PortId>::first);
            if (found != all.end()) name = portName(m_s, m_parts, found->second);
        }
        return componentOf("dcim/interfaces", device, name, [&](json& body) {
            if (number < spec.interfaces.size()) body["type"] = interfaceType(spec.interfaces[number], m_o.minor);
            const std::int64_t kbps = std::int64_t(m_s.ports.rate[port].count()) * 1'000'000;
            if (kbps > 0 && kbps <= 2147483647) body["speed"] = kbps;
        });
    }

    /// One outlet or inlet has one cable: a second one gets a component of its own.
    Termination onlyOnce(const char* table, DeviceId device, const std::string& name, const std::string& plug)
    {
        std::string own = name;
        for (int n = 2; m_used.contains({table, m_devices[device.value], own}); ++n) own = fmt::format("{}/{}", name, n);
        m_used.insert({table, m_devices[device.value], own});
        return componentOf(table, device, own, [&](json& body) { body["type"] = plug; });
    }

    json cableBody(const std::string& type, std::int32_t lengthMm, const std::string& label) const
    {
        json body{{"status", "planned"}, {"label", label}, {"tags", tags()}};
        if (!type.empty()) body["type"] = type;
        if (lengthMm > 0) body["length"] = rounded(lengthMm / 1000.0, 100), body["length_unit"] = "m";
        return body;
    }

    void addCable(std::string name, json body, std::vector<Termination> a, std::vector<Termination> b, EntityRef source)
    {
        const std::size_t item = add("dcim/cables", std::move(name), std::move(body), source, {"status"});
        m_out.items[item].a = std::move(a), m_out.items[item].b = std::move(b);
    }

    void makePowerCables()
    {
        const Supply& supply = m_f.get<SupplyNode>();
        for (const SupplyLine& line : supply.lines()) {
            if (line.medium != Medium::Power) continue;
            const PortId from = m_s.links.from[line.link], to = m_s.links.to[line.link];
            const DeviceId consumer = m_s.ports.device[from], supplier = m_s.ports.device[to];
            const DeviceSpec &fed = m_parts.device(m_s.devices.type[consumer]), &feeds = m_parts.device(m_s.devices.type[supplier]);
            const std::size_t in = m_s.ports.number[from], out = m_s.ports.number[to];
            const std::size_t feed = m_feedOfLink[line.link.value];
            if (m_devices[consumer.value] == kNone || (feed == kNone && m_devices[supplier.value] == kNone)) continue;
            const Termination a = onlyOnce("dcim/power-ports", consumer, portName(m_s, m_parts, from),
                                           in < fed.inlets.size() ? powerPlug(fed.inlets[in].type, false) : "other");
            const Termination b = feed != kNone ? Termination{"dcim/power-feeds", feed, {}}
                                                : onlyOnce("dcim/power-outlets", supplier, portName(m_s, m_parts, to),
                                                           out < feeds.outlets.size() ? powerPlug(feeds.outlets[out].type, true) : "other");
            const auto cable = m_s.links.cable[line.link];
            const std::string label = cable ? entityName(m_s, m_parts, hw::ref(*cable)) : fmt::format("power-{:06}", line.link.value + 1);
            addCable(label, cableBody("power", line.lengthMm, label), {a}, {b}, cable ? hw::ref(*cable) : hw::ref(line.link));
        }
    }

    void makeCords()
    {
        int number = 0;
        Cords::forCords(m_s, m_parts, m_f.get<PowerFeedsNode>(), [&](const Cord& cord) {
            ++number;
            if (!cord.supplier || cord.inlet < 0 || cord.outlet < 0) return;
            const DeviceSpec &fed = m_parts.device(m_s.devices.type[cord.device]), &feeds = m_parts.device(m_s.devices.type[*cord.supplier]);
            if (std::size_t(cord.inlet) >= fed.inlets.size() || std::size_t(cord.outlet) >= feeds.outlets.size()) return;
            const PowerInlet& inlet = fed.inlets[std::size_t(cord.inlet)];
            const PowerOutlet& outlet = feeds.outlets[std::size_t(cord.outlet)];
            const std::string label = fmt::format("cord-{:06}", number);
            addCable(label, cableBody("power", cord.lengthMm, label),
                     {onlyOnce("dcim/power-ports", cord.device, inlet.name, powerPlug(inlet.type, false))},
                     {onlyOnce("dcim/power-outlets", *cord.supplier, outlet.name, powerPlug(outlet.type, true))}, {});
        });
    }

    [[nodiscard]] bool isTrunk(CableId cable) const
    {
        const auto type = (*m_f.cabling)[cable].type;
        return type && m_parts.cable(*type).positions > 1;
    }

    Termination panelEnd(RunId run, CableId cable, bool behind)
    {
        const DeviceId panel = m_s.runs.panel[run];
        const int position = m_s.runs.position[run], each = std::max(1, m_parts.device(m_s.devices.type[panel]).panel.perRear);
        const bool rear = isTrunk(cable) || behind;
        return {rear ? "dcim/rear-ports" : "dcim/front-ports", m_devices[panel.value], rear ? rearName(position / each) : frontName(position)};
    }

    void makeDataCables()
    {
        const Cabling& cabling = *m_f.cabling;
        const CableRuns& runs = cabling.runs();
        m_s.cables.forEach([&](CableId cable) {
            if (m_s.cables.medium[cable] != Medium::Data) return;
            std::vector<std::array<Termination, 2>> pairs;
            std::map<Termination, int> lanes; // the order of legs
            bool panel = false;
            for (const LinkId link : cabling.linksOf(cable)) {
                const auto own = runs.of(link);
                const bool run = cabling.isRun(cable);
                const auto at = run ? std::ranges::find_if(own, [&](RunId r) { return m_s.runs.cable[r] == cable; }) : own.begin();
                if (run && at == own.end()) continue;
                std::array<Termination, 2> ends;
                if (run) {
                    const auto before = at == own.begin() ? m_s.links.cable[link] : Maybe<CableId>(m_s.runs.cable[*(at - 1)]);
                    ends[0] = panelEnd(*at, cable, before && !isTrunk(*before)), panel = true;
                } else
                    ends[0] = interfaceOf(m_s.links.from[link], cable);
                const auto next = run ? at + 1 : at;
                if (next != own.end())
                    ends[1] = panelEnd(*next, cable, false), panel = true;
                else
                    ends[1] = interfaceOf(m_s.links.to[link], cable);
                lanes.try_emplace(ends[1], m_s.ports.lane[m_s.links.from[link]]), lanes.try_emplace(ends[0], m_s.ports.lane[m_s.links.to[link]]);
                if (std::ranges::find(pairs, ends) == pairs.end()) pairs.push_back(ends);
            }
            if (!pairs.empty()) addDataCable(cable, pairs, lanes, panel);
        });
    }

    void addDataCable(CableId cable, const std::vector<std::array<Termination, 2>>& pairs, const std::map<Termination, int>& lanes, bool panel)
    {
        const Cabling::Cable& made = (*m_f.cabling)[cable];
        const std::string label = entityName(m_s, m_parts, hw::ref(cable));
        const std::string medium = made.type ? m_parts.cable(*made.type).medium : std::string();
        const std::string type = catalogue::isCableSlug(medium) && medium != "coolant" ? medium : std::string();
        std::array<std::vector<Termination>, 2> sides;
        for (const auto& pair : pairs)
            for (std::size_t i = 0; i < 2; ++i)
                if (std::ranges::find(sides[i], pair[i]) == sides[i].end()) sides[i].push_back(pair[i]);
        if (panel && pairs.size() > 1 && sides[0].size() == pairs.size() && sides[1].size() == pairs.size()) {
            // a trunk of several connectors: one cable for each pair of ports, in a bundle, so that every path stays traceable
            std::size_t bundle = kNone;
            if (m_o.minor >= 6) bundle = add("dcim/cable-bundles", label, {{"name", label}, {"tags", tags()}});
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                const std::string own = fmt::format("{}/{}", label, i + 1);
                json body = cableBody(type, made.lengthMm, own);
                if (bundle != kNone) body["bundle"] = ref(bundle);
                addCable(own, std::move(body), {pairs[i][0]}, {pairs[i][1]}, hw::ref(cable));
            }
            return;
        }
        if (sides[0].size() > sides[1].size()) std::swap(sides[0], sides[1]);
        std::ranges::stable_sort(sides[1], {}, [&](const Termination& end) {
            const auto found = lanes.find(end);
            return found == lanes.end() ? 0 : found->second;
        });
        json body = cableBody(type, made.lengthMm, label);
        const std::size_t legs = sides[1].size();
        const bool ports = std::ranges::all_of(sides[1], [](const Termination& end) { return end.table == "dcim/interfaces"; });
        if (m_o.minor >= 5 && sides[0].size() == 1 && ports && (legs == 2 || legs == 4 || legs == 6 || legs == 8))
            body["profile"] = fmt::format("breakout-1c{}p-{}c1p", legs, legs);
        addCable(label, std::move(body), std::move(sides[0]), std::move(sides[1]), hw::ref(cable));
    }

    /// Sources, feeds, outflows and intakes of NetBox 4.7; older ones cannot say how coolant runs.
    void makeCoolant()
    {
        std::size_t links = 0;
        m_s.links.forEach([&](LinkId link) { links += m_s.ports.medium[m_s.links.from[link]] == Medium::Coolant; });
        if (m_o.minor < 7) {
            if (links > 0)
                m_out.notes.push_back(i18np(links, "{:L} coolant connection is left out: NetBox has cooling models from 4.7 on",
                                            "{:L} coolant connections are left out: NetBox has cooling models from 4.7 on"));
            return;
        }
        std::vector<std::size_t> sources(m_s.devices.nextId(), kNone);
        m_s.devices.forEach([&](DeviceId id) {
            const DeviceSpec& spec = m_parts.device(m_s.devices.type[id]);
            const char* type = coolingSourceType(spec.cooling.element);
            if (!type) return;
            const auto hall = hallOf(m_s, id);
            json body{{"site", ref(siteOf(hall))}, {"name", m_s.devices.name[id]}, {"type", type}, {"status", "planned"}, {"tags", tags()}};
            if (hall) body["location"] = ref(m_halls[(*hall).value]);
            const std::string& coolant = spec.cooling.coolant.value;
            if (coolant == "water")
                body["fluid_type"] = "water";
            else if (coolant.starts_with("pg") || coolant.starts_with("eg"))
                body["fluid_type"] = "water-glycol";
            if (spec.capacity.value.count() > 0) body["cooling_capacity"] = rounded(toWatts(spec.capacity.value) / 1000, 100);
            sources[id.value] = add("dcim/cooling-sources", m_s.devices.name[id], std::move(body), hw::ref(id), {"status"});
        });
        std::set<std::pair<std::size_t, std::string>> outflows, intakes, feeds;
        const auto unique = [](std::set<std::pair<std::size_t, std::string>>& used, std::size_t owner, const std::string& name) {
            std::string own = name;
            for (int n = 2; !used.insert({owner, own}).second; ++n) own = fmt::format("{}/{}", name, n);
            return own;
        };
        m_s.links.forEach([&](LinkId link) {
            const PortId from = m_s.links.from[link], to = m_s.links.to[link];
            if (m_s.ports.medium[from] != Medium::Coolant) return;
            const DeviceId consumer = m_s.ports.device[from], supplier = m_s.ports.device[to];
            const std::size_t source = sources[supplier.value];
            const std::string outName = unique(outflows, m_devices[supplier.value], portName(m_s, m_parts, to));
            const std::string inName = unique(intakes, m_devices[consumer.value], portName(m_s, m_parts, from));
            if (source != kNone) {
                const std::string feed = unique(feeds, source, m_s.devices.name[consumer]);
                json body{{"cooling_source", ref(source)}, {"name", feed}, {"status", "planned"}, {"tags", tags()}};
                if (const auto rack = m_s.devices.rack[consumer]) body["rack"] = ref(m_racks[(*rack).value]);
                add("dcim/cooling-feeds", m_s.devices.name[supplier] + " / " + feed, std::move(body), hw::ref(link), {"status"});
            }
            const std::size_t out = add("dcim/cooling-outflows", m_s.devices.name[supplier] + " / " + outName,
                                        {{"device", ref(m_devices[supplier.value])}, {"name", outName}}, hw::ref(link));
            add("dcim/cooling-intakes", m_s.devices.name[consumer] + " / " + inName,
                {{"device", ref(m_devices[consumer.value])}, {"name", inName}, {"cooling_outflow", ref(out)}}, hw::ref(link));
        });
    }

    /// What NetBox would refuse: names that are too long, and devices of one site whose names differ in case alone.
    void checkNames()
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

    const Figures& m_f;
    const Snapshot& m_s;
    const ProjectParts& m_parts;
    const InventoryOptions& m_o;
    Inventory m_out;
    std::size_t m_tag = 0, m_anySite = 0;
    std::map<std::string, std::size_t> m_sites, m_manufacturers, m_roleSlugs;
    std::vector<std::size_t> m_types, m_roles, m_buildings, m_halls, m_racks, m_devices, m_siteOfBuilding, m_feedOfLink, m_panels;
    std::set<std::tuple<std::string, std::size_t, std::string>> m_templates; ///< table, type, name
    std::set<Termination> m_extra, m_used;
    std::vector<std::vector<std::pair<CableId, PortId>>> m_cablesOfCage;
};

} // namespace

std::span<const TableInfo> tableList()
{
    static const auto all = madeTables();
    return all;
}

std::size_t tableIndex(std::string_view name)
{
    const auto all = tableList();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].name == name) return i;
    return 0;
}

std::string objectType(std::string_view table)
{
    std::string type(table);
    std::ranges::replace(type, '/', '.');
    std::erase(type, '-');
    if (type.ends_with('s')) type.pop_back();
    return type;
}

std::string slugOf(std::string_view name)
{
    std::string slug;
    bool lost = false;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        lost = lost || byte > 127;
        if (byte < 128 && std::isalnum(byte))
            slug += char(std::tolower(byte));
        else if (c == '_')
            slug += c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    while (slug.ends_with('-')) slug.pop_back();
    if (lost || slug.empty() || slug.size() > 100) { // letters of other scripts are left out: a number keeps it apart
        std::uint32_t hash = 2166136261U;
        for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
        slug = fmt::format("{}{}{:08x}", slug.substr(0, 80), slug.empty() ? "x" : "-", hash);
    }
    return slug;
}

std::string interfaceType(const Interface& interface, int minor)
{
    const auto known = [&](const std::string& slug) {
        if (minor == 7 && slug == "100gbase-x-sfp112") return false; // missing in 4.7.0-beta1
        return catalogue::isInterfaceSlug(slug) || catalogue::isUncabled(slug);
    };
    std::string slug = interface.slug;
    if (known(slug)) return slug;
    if (slug.ends_with("-rhs")) { // the flat-top cage of 800G: the same without
        slug.resize(slug.size() - 4);
        if (known(slug)) return slug;
    }
    switch (interface.rate.count()) {
    case 100: return "100gbase-x-qsfp28";
    case 200: return "200gbase-x-qsfp56";
    case 400: return "400gbase-x-qsfp112";
    case 800: return "800gbase-x-osfp";
    case 1600: return "1.6tbase-x-osfp1600";
    default: return "other";
    }
}

Result<Inventory> inventoryOf(const Figures& figures, const InventoryOptions& options, const Progress& progress)
{
    if (const auto made = figures.prepare<PlacementNode, CablingNode, SupplyNode>(progress); !made) return tl::unexpected(made.error());
    return Maker(figures, options).make(progress);
}

} // namespace hw::netbox
