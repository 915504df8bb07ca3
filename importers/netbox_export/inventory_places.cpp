// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/geometry/frame.h"
#include "core/foundation/base/yaml_tree.h"
#include "importers/netbox_export/inventory_maker.h"

namespace hw::netbox {

namespace {

/// What the NetBox document of a definition says besides what our parts keep.
std::string wordOf(const std::string& definition, const char* key, const char* otherwise)
{
    try {
        for (const YamlNode& document : readYamlDocuments(definition))
            if (document[key].isScalar() && !document["kind"]) return document[key].scalar();
    } catch (const YamlProblem&) { // has been read before; a foreign one says nothing
    }
    return otherwise;
}

} // namespace

std::size_t InventoryMaker::siteNamed(const std::string& name, EntityRef source)
{
    const auto known = m_sites.find(name);
    if (known != m_sites.end()) return known->second;
    json body{{"name", name}, {"slug", slugOf(name)}, {"status", "planned"}};
    if (m_tagsOf.contains(source)) body["tags"] = tags(source);
    return m_sites[name] = add("dcim/sites", name, std::move(body), source, {"status"});
}

void InventoryMaker::makePlaces()
{
    const std::string project = m_s.setting("project.name");
    const std::string common = !m_o.site.empty() ? m_o.site : !project.empty() ? project : "Hallwright";
    m_s.buildings.forEach([&](BuildingId id) {
        const auto site = m_s.buildings.site[id];
        m_siteOfBuilding[id.value] = site ? siteNamed(m_s.sites.name[*site], hw::ref(*site)) : siteNamed(common, {});
        const auto& t = m_s.buildings;
        const std::string& name = t.name[id];
        if (site && name == m_s.sites.name[*site] + "-building") return; // as an import makes it for halls that are locations of a site itself
        m_buildings[id.value] = add("dcim/locations", name,
                                    {{"site", ref(m_siteOfBuilding[id.value])},
                                     {"name", name},
                                     {"slug", slugOf(name)},
                                     {"status", "planned"},
                                     {"tags", tags(hw::ref(id))},
                                     {"custom_fields", placeFields(t.x[id], t.y[id], t.sizeX[id], t.sizeY[id])}},
                                    hw::ref(id), {"status", "slug"});
    });
    m_s.halls.forEach([&](HallId id) {
        const auto& t = m_s.halls;
        const BuildingId building = t.building[id];
        json body{{"site", ref(m_siteOfBuilding[building.value])},
                  {"name", t.name[id]},
                  {"slug", slugOf(t.name[id])},
                  {"status", "planned"},
                  {"tags", tags(hw::ref(id))},
                  {"custom_fields", placeFields(t.x[id], t.y[id], t.sizeX[id], t.sizeY[id])}};
        if (m_buildings[building.value] != kNone) body["parent"] = ref(m_buildings[building.value]);
        m_halls[id.value] =
            add("dcim/locations", m_s.buildings.name[building] + " / " + t.name[id], std::move(body), hw::ref(id), {"status", "slug"});
    });
    m_anySite = m_out.ofTable[tableIndex("dcim/sites")].empty() ? siteNamed(common, {}) : m_out.ofTable[tableIndex("dcim/sites")].front();
}

nlohmann::json InventoryMaker::placeFields(Millimeters x, Millimeters y, Millimeters sizeX, Millimeters sizeY)
{
    return {{"hall_x_mm", x.count()}, {"hall_y_mm", y.count()}, {"hall_size_x_mm", sizeX.count()}, {"hall_size_y_mm", sizeY.count()}};
}

std::size_t InventoryMaker::manufacturer(const std::string& given)
{
    const std::string name = given.empty() ? "Generic" : given, slug = slugOf(name);
    const auto known = m_manufacturers.find(slug);
    if (known != m_manufacturers.end()) return known->second;
    return m_manufacturers[slug] = add("dcim/manufacturers", name, {{"name", name}, {"slug", slug}});
}

std::size_t InventoryMaker::rackType(PartTypeId id)
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
    const auto size = [&](const char* name, Millimeters value) {
        if (value.count() > 0 && value.count() <= kMostSmall) body[name] = value.count(), body["outer_unit"] = "mm";
    };
    size("outer_width", spec.width.value), size("outer_depth", spec.depth.value), size("outer_height", spec.height.value);
    if (spec.weight.value.count() > 0) body["weight"] = inSteps(double(spec.weight.value.count()) / 1000, 100), body["weight_unit"] = "kg";
    if (spec.maxWeight.value.count() > 0) body["max_weight"] = spec.maxWeight.value.count() / 1000, body["weight_unit"] = "kg";
    item = add("dcim/rack-types", part.slug, std::move(body));
    if (spec.heightU < 1 || spec.heightU > 100) m_out.items[item].flaw = i18n("height {} U; NetBox accepts 1 to 100 U", spec.heightU);
    return item;
}

void InventoryMaker::makeRacks()
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
                  {"tags", tags(hw::ref(id))},
                  {"custom_fields",
                   {{"hall_x_mm", box.low.x - frame.x},
                    {"hall_y_mm", box.low.y - frame.y},
                    {"hall_rotation", quarterOf(m_s.rows.angle[row]) * 90},
                    {"hall_row", m_s.rows.name[row]}}}};
        body["serial"] = m_s.racks.serial[id];
        m_racks[id.value] = add("dcim/racks", m_s.racks.name[id], std::move(body), hw::ref(id), {"status"});
    });
}

} // namespace hw::netbox
