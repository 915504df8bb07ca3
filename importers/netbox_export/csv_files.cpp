// SPDX-License-Identifier: GPL-3.0-or-later
// An inventory as files that NetBox imports: columns are those of its import forms, related objects are said by name or slug.
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"
#include "importers/netbox_export/netbox_export.h"

#include <fmt/format.h>

namespace hw::netbox {

namespace {

using nlohmann::json;

struct CsvTable {
    const char* table;
    const char* file;
    std::vector<std::string> columns; ///< fields; "cf_…" of custom ones
};

const std::vector<CsvTable>& csvTables()
{
    static const std::vector<CsvTable> all{
        {"extras/tags", "tags.csv", {"name", "slug", "color"}},
        {"extras/custom-fields", "custom-fields.csv", {"name", "type", "object_types", "group_name", "description"}},
        {"dcim/sites", "sites.csv", {"name", "slug", "status", "tags"}},
        {"dcim/locations",
         "locations.csv",
         {"site", "parent", "name", "slug", "status", "tags", "cf_hall_x_mm", "cf_hall_y_mm", "cf_hall_size_x_mm", "cf_hall_size_y_mm"}},
        {"dcim/manufacturers", "manufacturers.csv", {"name", "slug"}},
        {"dcim/device-roles", "device-roles.csv", {"name", "slug", "color"}},
        {"dcim/rack-types",
         "rack-types.csv",
         {"manufacturer", "model", "slug", "form_factor", "width", "u_height", "starting_unit", "desc_units", "outer_width", "outer_height",
          "outer_depth", "outer_unit", "weight", "max_weight", "weight_unit"}},
        {"dcim/device-types", "device-types.yaml", {}},
        {"dcim/racks",
         "racks.csv",
         {"site", "location", "name", "rack_type", "status", "serial", "tags", "cf_hall_x_mm", "cf_hall_y_mm", "cf_hall_rotation", "cf_hall_row"}},
        {"dcim/power-panels", "power-panels.csv", {"site", "location", "name", "description", "tags"}},
        {"dcim/power-feeds",
         "power-feeds.csv",
         {"site", "power_panel", "name", "status", "type", "supply", "phase", "voltage", "amperage", "max_utilization", "tags"}},
        {"dcim/cooling-sources", "cooling-sources.csv", {"site", "location", "name", "type", "status", "fluid_type", "cooling_capacity", "tags"}},
        {"dcim/cooling-feeds", "cooling-feeds.csv", {"site", "cooling_source", "location", "rack", "name", "status", "tags"}},
        {"dcim/devices",
         "devices.csv",
         {"name", "role", "manufacturer", "device_type", "serial", "status", "site", "location", "rack", "position", "face", "tags", "cf_hall_x_mm",
          "cf_hall_y_mm", "cf_hall_z_mm", "cf_hall_rotation", "cf_hall_row", "cf_hall_mount", "cf_hall_backup"}},
        {"dcim/interfaces", "interfaces.csv", {"device", "name", "type", "speed"}},
        {"dcim/power-ports", "power-ports.csv", {"device", "name", "type"}},
        {"dcim/power-outlets", "power-outlets.csv", {"device", "name", "type"}},
        {"dcim/cooling-outflows", "cooling-outflows.csv", {"device", "name"}},
        {"dcim/cooling-intakes", "cooling-intakes.csv", {"device", "name", "cooling_outflow_device", "cooling_outflow"}},
        {"dcim/cable-bundles", "cable-bundles.csv", {"name", "tags"}},
    };
    return all;
}

std::string scalar(const json& value)
{
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{}", value.get<double>());
    return value.dump();
}

class CsvWriter {
public:
    CsvWriter(const Inventory& inventory, const std::filesystem::path& folder) : m_in(inventory), m_folder(folder) {}

    Result<void> all(const Progress& progress)
    {
        for (const CsvTable& table : csvTables()) {
            if (progress.stopRequested()) return fail(ErrorCode::Canceled, m_folder.string(), i18n("stopped"));
            const auto& items = m_in.ofTable[tableIndex(table.table)];
            if (items.empty()) continue;
            const auto written = table.columns.empty() ? put(table.file, deviceTypes(items)) : put(table.file, rows(table, items));
            if (!written) return written;
        }
        if (const auto written = cables(); !written) return written;
        return writeFile(m_folder / "README.txt", readme());
    }

private:
    Result<void> put(const std::string& name, const std::string& bytes)
    {
        const std::string file = fmt::format("{:02}-{}", ++m_number, name);
        m_files.push_back(file);
        return writeFile(m_folder / file, bytes);
    }

    const Item* target(const json& value) const
    {
        if (!value.is_object()) return nullptr;
        const auto item = value.find("$");
        return item == value.end() ? nullptr : &m_in.items[item->get<std::size_t>()];
    }

    /// By what the import form looks a related object up.
    std::string cell(const Item& item, const std::string& column) const
    {
        const json& body = item.body;
        const auto field = [&](const char* name) { return body.contains(name) ? body[name] : json(); };
        if (column.starts_with("cf_")) {
            const json fields = field("custom_fields");
            return fields.is_object() && fields.contains(column.substr(3)) ? scalar(fields[column.substr(3)]) : std::string();
        }
        if (column == "tags" || column == "object_types") {
            std::string all;
            for (const json& one : field(column.c_str()))
                all += (all.empty() ? "" : ",") + (target(one) ? target(one)->body["slug"].get<std::string>() : scalar(one));
            return all;
        }
        if (column == "manufacturer" && !body.contains("manufacturer")) {
            const Item* type = target(field("device_type"));
            return type ? target(type->body["manufacturer"])->body["name"].get<std::string>() : std::string();
        }
        if (column == "site" && !body.contains("site")) { // of a feed: that of its panel or source
            const Item* of = target(body.contains("power_panel") ? field("power_panel") : field("cooling_source"));
            return of ? cell(*of, "site") : std::string();
        }
        if (column == "location" && !body.contains("location")) {
            const Item* rack = target(field("rack")); // the form finds a rack by its location
            return rack ? cell(*rack, "location") : std::string();
        }
        if (column == "cooling_outflow_device") {
            const Item* outflow = target(field("cooling_outflow"));
            return outflow ? cell(*outflow, "device") : std::string();
        }
        const json value = field(column.c_str());
        if (const Item* other = target(value)) return scalar(other->body.contains("model") ? other->body["model"] : other->body["name"]);
        return scalar(value);
    }

    std::string rows(const CsvTable& table, const std::vector<std::size_t>& items) const
    {
        std::string out;
        for (const auto& column : table.columns) out += (out.empty() ? "" : ",") + column;
        out += '\n';
        std::vector<std::size_t> order = items; // a location follows the one that it stands in
        std::ranges::stable_sort(order, {}, [&](std::size_t item) { return m_in.items[item].body.contains("parent"); });
        for (const std::size_t item : order) {
            for (std::size_t i = 0; i < table.columns.size(); ++i) {
                if (i > 0) out += ',';
                appendCsv(out, cell(m_in.items[item], table.columns[i]));
            }
            out += '\n';
        }
        return out;
    }

    /// Device types with their components: NetBox imports them as YAML, several documents in one file. JSON values are YAML.
    std::string deviceTypes(const std::vector<std::size_t>& types) const
    {
        static constexpr std::pair<const char*, const char*> kLists[] = {{"dcim/interface-templates", "interfaces"},
                                                                         {"dcim/power-port-templates", "power-ports"},
                                                                         {"dcim/power-outlet-templates", "power-outlets"},
                                                                         {"dcim/rear-port-templates", "rear-ports"},
                                                                         {"dcim/front-port-templates", "front-ports"}};
        std::map<std::pair<std::string, std::size_t>, std::vector<const Item*>> ofType;
        for (const auto& [table, key] : kLists)
            for (const std::size_t item : m_in.ofTable[tableIndex(table)])
                ofType[{key, m_in.items[item].body["device_type"].value("$", std::size_t(0))}].push_back(&m_in.items[item]);
        std::string out;
        for (const std::size_t type : types) {
            out += "---\n";
            for (const auto& [name, value] : m_in.items[type].body.items()) {
                const Item* other = target(value);
                out += fmt::format("{}: {}\n", name, (other ? other->body["name"] : value).dump());
            }
            std::vector<json> mappings;
            for (const auto& [table, key] : kLists) {
                const auto list = ofType.find({key, type});
                if (list == ofType.end()) continue;
                out += fmt::format("{}:\n", key);
                for (const Item* one : list->second) {
                    json row = one->body;
                    row.erase("device_type");
                    if (row.contains("rear_ports"))
                        for (const json& map : row["rear_ports"])
                            mappings.push_back({{"front_port", row["name"]},
                                                {"front_port_position", map["position"]},
                                                {"rear_port", target(map["rear_port"])->body["name"]},
                                                {"rear_port_position", map["rear_port_position"]}});
                    row.erase("rear_ports");
                    for (auto& [name, value] : row.items())
                        if (const Item* other = target(value)) value = json(other->body["name"]);
                    out += "  - " + row.dump() + '\n';
                }
            }
            if (!mappings.empty()) out += "port-mappings:\n";
            for (const json& map : mappings) out += "  - " + map.dump() + '\n';
        }
        return out;
    }

    /// Cables with one port at either end, and in a file of their own those with several: NetBox imports them from 4.7 on.
    Result<void> cables()
    {
        std::string one, several;
        const std::string head =
            "side_a_site,side_a_device,side_a_power_panel,side_a_type,side_a_name,side_b_site,side_b_device,side_b_power_panel,side_b_type,"
            "side_b_name,type,status,profile,bundle,label,length,length_unit,tags\n";
        for (const std::size_t index : m_in.ofTable[tableIndex("dcim/cables")]) {
            const Item& item = m_in.items[index];
            std::string& out = item.a.size() == 1 && item.b.size() == 1 ? one : several;
            for (const auto* side : {&item.a, &item.b}) {
                std::string sites, devices, panels, names;
                const auto join = [](std::string& all, const std::string& more) { all += (all.empty() ? "" : ",") + more; };
                for (const Termination& end : *side) {
                    const Item& owner = m_in.items[end.owner];
                    if (end.table == "dcim/power-feeds") {
                        const Item* panel = target(owner.body["power_panel"]);
                        join(sites, cell(*panel, "site")), join(panels, scalar(panel->body["name"])), join(names, scalar(owner.body["name"]));
                    } else {
                        if (sites.empty()) sites = cell(owner, "site");
                        join(devices, scalar(owner.body["name"])), join(names, end.name);
                    }
                }
                for (const std::string& text : {sites, devices, panels, objectType(side->front().table), names}) appendCsv(out, text), out += ',';
            }
            for (const char* column : {"type", "status", "profile", "bundle", "label", "length", "length_unit", "tags"}) {
                appendCsv(out, cell(item, column));
                out += std::string_view(column) == "tags" ? '\n' : ',';
            }
        }
        if (!one.empty())
            if (const auto written = put("cables.csv", head + one); !written) return written;
        if (!several.empty())
            if (const auto written = put("cables-breakout.csv", head + several); !written) return written;
        return {};
    }

    std::string readme() const
    {
        std::string out = words(i18n("Import these files into NetBox in the order of their numbers. Cables with several ports at one end "
                                     "(cables-breakout) need NetBox 4.7.")) +
                          "\n\n";
        for (const auto& file : m_files) out += file + '\n';
        return out;
    }

    const Inventory& m_in;
    std::filesystem::path m_folder;
    std::vector<std::string> m_files;
    int m_number = 0;
};

} // namespace

Result<void> writeCsvFolder(const Inventory& inventory, const std::filesystem::path& folder, const Progress& progress)
{
    return CsvWriter(inventory, folder).all(progress);
}

} // namespace hw::netbox
