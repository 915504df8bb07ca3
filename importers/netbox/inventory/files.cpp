// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox/inventory/files.h"

#include "core/foundation/files/csv_table.h"
#include "importers/netbox/inventory/objects.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace hw::importers::netbox_in {

namespace {

namespace fs = std::filesystem;
using exchange::ImportSource;

/// The file's name without ".csv", ".json", ".json.gz".
std::string stem(fs::path path)
{
    path = path.filename();
    if (lower(path.extension().string()) == ".gz") path = path.stem();
    return path.stem().string();
}

bool looksLikeJson(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != text.npos && (text[first] == '{' || text[first] == '[');
}

/// "Termination A" → "termination_a", "Position (U)" → "position".
std::string columnKey(const std::string& shown)
{
    std::string key = lower(shown);
    if (const auto open = key.find(" ("); open != key.npos) key.resize(open);
    std::ranges::replace(key, ' ', '_');
    return key;
}

/// A row as an object, its cells under the names of their columns. Columns of lists are called as those of imports.
Json objectOf(const std::vector<std::string>& keys, const CsvTable::Row& row)
{
    Json object = Json::object();
    for (std::size_t i = 0; i < keys.size() && i < row.cells.size(); ++i)
        if (!row.cells[i].empty()) object[keys[i]] = row.cells[i];
    return object;
}

void rename(Json& object, const char* from, const char* to)
{
    if (object.contains(to) || !object.contains(from)) return;
    object[to] = object[from];
}

/// One side of a cable: its names in the order of connectors, one parent for all or one for each.
Json sideOf(const Json& row, char side)
{
    const auto cell = [&](const char* pattern) { return textOf(member(row, fmt::format(fmt::runtime(pattern), side).c_str())); };
    std::string ports = cell("side_{}_name"), parents = cell("side_{}_device"), panels = cell("side_{}_power_panel");
    if (ports.empty()) ports = cell("termination_{}");
    if (parents.empty()) parents = cell("device_{}");
    Json ends = Json::array();
    if (ports.empty()) return ends;
    const auto names = namesIn(ports), devices = namesIn(parents), boards = namesIn(panels);
    const auto of = [](const std::vector<std::string>& all, std::size_t i) {
        return all.size() == 1 ? all.front() : i < all.size() ? all[i] : std::string();
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
        Json end = {{"object_type", cell("side_{}_type")}, {"object", {{"name", names[i]}}}};
        if (const auto device = of(devices, i); !device.empty()) end["object"]["device"] = device;
        if (const auto panel = of(boards, i); !panel.empty()) end["object"]["power_panel"] = panel, end["object_type"] = "dcim.powerfeed";
        ends.push_back(std::move(end));
    }
    return ends;
}

void adapt(Kind kind, Json& row)
{
    switch (kind) {
    case Kind::Devices: rename(row, "type", "device_type"), rename(row, "device_role", "role"); break;
    case Kind::Racks: rename(row, "height", "u_height"), rename(row, "type", "rack_type"); break;
    case Kind::RackTypes:
    case Kind::DeviceTypes: rename(row, "height", "u_height"), rename(row, "device_type", "model"), rename(row, "rack_type", "model"); break;
    case Kind::PowerFeeds: rename(row, "panel", "power_panel"); break;
    case Kind::Interfaces: rename(row, "management_only", "mgmt_only"); break;
    case Kind::Cables: row["a_terminations"] = sideOf(row, 'a'), row["b_terminations"] = sideOf(row, 'b'); break;
    default: break;
    }
}

/// By its columns, where the file's name says nothing.
std::optional<Kind> kindOfColumns(const std::vector<std::string>& keys)
{
    Json object = Json::object();
    for (const auto& key : keys)
        if (key != "url") object[key] = "";
    if (object.contains("type") && object.contains("role") && object.contains("name") && !object.contains("device_type")) object["device_type"] = "";
    if (object.contains("height") && object.contains("name")) object["u_height"] = "";
    return kindOf(object);
}

Result<void> readRows(const ImportSource& source, const PlaceFields& fields, Inventory& into)
{
    const std::string file = source.path.string();
    const auto table = readCsv(source.content, file, {.everyRow = true});
    if (!table) return tl::unexpected(table.error());
    std::vector<std::string> keys;
    for (const auto& column : table->header) keys.push_back(columnKey(column));
    auto kind = kindNamed(stem(source.path));
    if (!kind) kind = kindOfColumns(keys);
    if (!kind)
        return fail(ErrorCode::Unreadable, file, i18n("not recognized as a NetBox list"),
                    i18n("name the file after its list (devices.csv, interfaces.csv, cables.csv), or export it with the column names of NetBox"));
    for (const auto& row : table->rows) {
        const std::string where = fmt::format("{}:{}", file, row.line);
        if (!row.wrong.empty()) {
            into.leave(where, row.wrong);
            continue;
        }
        Json object = objectOf(keys, row);
        adapt(*kind, object);
        take(*kind, object, where, fields, into);
    }
    return {};
}

/// Takes a list, whatever it is wrapped in; false where nothing says of what kind it is.
bool takeList(const Json& list, std::optional<Kind> kind, const std::string& file, const PlaceFields& fields, Inventory& into)
{
    if (!kind)
        for (const Json& object : list)
            if ((kind = kindOf(object))) break;
    if (!kind) return list.empty();
    std::size_t n = 0;
    for (const Json& object : list) take(*kind, object, fmt::format("{} [{}]", file, ++n), fields, into);
    return true;
}

Result<void> readJson(const ImportSource& source, const PlaceFields& fields, Inventory& into)
{
    const std::string file = source.path.string();
    const Json json = Json::parse(source.content, nullptr, false);
    if (json.is_discarded()) return fail(ErrorCode::Unreadable, file, i18n("invalid JSON"), i18n("export the list again"));
    const auto named = kindNamed(stem(source.path));
    const auto listIn = [](const Json& value) -> const Json* {
        if (value.is_array()) return &value;
        const Json& results = member(value, "results");
        return results.is_array() ? &results : nullptr;
    };
    bool known = false;
    if (const Json* list = listIn(json))
        known = takeList(*list, named, file, fields, into);
    else if (json.is_object()) {
        for (const auto& [name, value] : json.items()) { // several lists in one file
            const Json* inside = listIn(value);
            const auto kind = kindNamed(name);
            if (inside && kind) known = takeList(*inside, kind, file + " " + name, fields, into) || known;
        }
        if (const auto own = kindOf(json); !known && own) take(*own, json, file, fields, into), known = true;
    }
    if (known) return {};
    return fail(ErrorCode::Unreadable, file, i18n("not recognized as a NetBox list"),
                i18n("name the file after its list (devices.json, interfaces.json, cables.json)"));
}

} // namespace

bool looksExported(const ImportSource& source)
{
    const auto named = kindNamed(stem(source.path));
    if (looksLikeJson(source.content)) {
        const Json json = Json::parse(source.content, nullptr, false);
        if (json.is_discarded()) return false;
        if (json.is_object() && !member(json, "results").is_array()) {
            std::size_t kinds = 0;
            for (const auto& [name, value] : json.items()) kinds += kindNamed(name) && (value.is_array() || member(value, "results").is_array());
            return kinds > 1 && json.contains("devices");
        }
        const Json& list = json.is_array() ? json : member(json, "results");
        if (list.empty() || !list.front().is_object()) return false;
        return kindOf(list.front()).has_value() && (list.front().contains("id") || list.front().contains("url") || named.has_value());
    }
    const auto line = std::string_view(source.content).substr(0, source.content.find('\n'));
    const auto table = readCsv(line, source.path.string(), {.everyRow = true});
    if (!table) return false;
    std::vector<std::string> keys;
    for (const auto& column : table->header) keys.push_back(columnKey(column));
    const auto kind = kindOfColumns(keys);
    return kind && *kind != Kind::Cables && *kind != Kind::Other; // a list of cables alone is a capture of the built hall
}

Result<void> readExported(std::span<const ImportSource> files, const PlaceFields& fields, const Progress& progress, Inventory& into)
{
    std::size_t done = 0;
    for (const ImportSource& file : files) {
        if (progress.stopRequested()) return fail(ErrorCode::Canceled, file.path.string(), i18n("canceled"));
        const auto read = looksLikeJson(file.content) ? readJson(file, fields, into) : readRows(file, fields, into);
        if (!read) return read;
        progress.report(0.5 * double(++done) / double(files.size()), "netbox"); // no text: a step
    }
    return {};
}

Result<std::vector<ImportSource>> exportedFiles(const fs::path& folder, Inventory& into)
{
    std::error_code error;
    std::set<fs::path> paths;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        if (it->is_regular_file(error) && !it->path().filename().string().starts_with('.')) paths.insert(it->path());
    if (error)
        return fail(ErrorCode::Unreadable, folder.string(), i18n("cannot be read: {}", error.message()), i18n("check the path and its permissions"));
    std::vector<ImportSource> files;
    std::vector<std::string> others;
    for (const fs::path& path : paths) {
        fs::path bareName = path;
        if (lower(path.extension().string()) == ".gz") bareName = path.stem();
        const std::string ending = lower(bareName.extension().string());
        if (ending == ".yaml" || ending == ".yml") continue; // device types: the library
        if (ending != ".csv" && ending != ".json" && ending != ".tsv") {
            others.push_back(path.filename().string());
            continue;
        }
        auto source = exchange::readSource(path);
        if (!source) return tl::unexpected(source.error());
        const bool taken = kindNamed(stem(path)) || looksExported(*source);
        taken ? files.push_back(std::move(*source)) : others.push_back(path.filename().string());
    }
    if (files.empty())
        return fail(ErrorCode::Unreadable, folder.string(), i18n("contains no lists exported from NetBox"),
                    i18n("export sites, racks, devices, interfaces and cables as CSV or JSON into one folder"));
    if (!others.empty()) into.remarks.push_back({folder.string(), i18n("files ignored: {}", listedNames(others))});
    return files;
}

} // namespace hw::importers::netbox_in
