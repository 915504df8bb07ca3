// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/frame.h"
#include "core/foundation/catalog/slugs.h"
#include "core/foundation/model/places.h"
#include "importers/netbox_export/inventory_maker.h"

#include <fmt/format.h>

namespace hw::netbox {

namespace {

/// A connector of a panel as NetBox calls it; it counts no fibers.
std::string panelPortType(const std::string& connector)
{
    if (connector.starts_with("mpo")) return "mpo";
    if (connector.starts_with("lc")) return connector.ends_with("apc") ? "lc-apc" : "lc";
    for (const char* known : {"sc", "cs", "sn", "mdc"})
        if (connector.starts_with(known)) return known;
    return connector.starts_with("rj") ? "8p8c" : "other";
}

} // namespace

std::size_t InventoryMaker::deviceType(PartTypeId id)
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
    if (catalog::isAirflowSlug(spec.airflow)) body["airflow"] = spec.airflow;
    if (spec.weight.value.count() > 0) body["weight"] = inSteps(double(spec.weight.value.count()) / 1000, 100), body["weight_unit"] = "kg";
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

std::size_t InventoryMaker::templateOf(std::size_t type, const char* table, const std::string& name, json body)
{
    m_templates.insert({table, type, name});
    return add(table, m_out.items[type].name + " / " + name, std::move(body));
}

std::size_t InventoryMaker::role(TierId tier)
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

void InventoryMaker::makeDevices()
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
                  {"tags", tags(hw::ref(id))}};
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
        if (m_s.tiers.kind[t.tier[id]] == TierKind::Server) fields["hall_backup"] = t.role[id] == DeviceRole::Backup;
        if (!fields.empty()) body["custom_fields"] = fields;
        m_devices[id.value] = add("dcim/devices", t.name[id], std::move(body), hw::ref(id), {"status"});
    });
}

} // namespace hw::netbox
