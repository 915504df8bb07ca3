// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/netbox/netbox_store.h"

#include <algorithm>
#include <cmath>

using nlohmann::json;
using namespace netbox_schema;

namespace {

constexpr const char* kInner = "http://netbox-inner:8080/api/"; ///< the host of links in answers, as behind a proxy

std::string unescaped(const std::string& text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+')
            out += ' ';
        else if (text[i] == '%' && i + 2 < text.size())
            out += char(std::stoi(text.substr(i + 1, 2), nullptr, 16)), i += 2;
        else
            out += text[i];
    }
    return out;
}

std::map<std::string, std::vector<std::string>> queryOf(const std::string& query)
{
    std::map<std::string, std::vector<std::string>> all;
    for (std::size_t at = 0; at < query.size();) {
        const auto end = std::min(query.find('&', at), query.size());
        const std::string part = query.substr(at, end - at);
        if (const auto equal = part.find('='); equal != std::string::npos)
            all[unescaped(part.substr(0, equal))].push_back(unescaped(part.substr(equal + 1)));
        at = end + 1;
    }
    return all;
}

std::vector<std::string> split(const std::string& text, char by)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(by, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

bool isNumber(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos; }

int idIn(const json& row, const std::string& key)
{
    const auto found = row.find(key);
    return found != row.end() && found->is_number_integer() ? found->get<int>() : 0;
}

std::string textIn(const json& row, const std::string& key)
{
    const auto found = row.find(key);
    return found != row.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

json errorsJson(const std::map<std::string, std::string>& errors)
{
    json out = json::object();
    for (const auto& [field, why] : errors) out[field] = json::array({why});
    return out;
}

const Field* fieldOf(const Table& table, const std::string& name, int minor)
{
    for (const Field& field : table.fields)
        if (field.name == name && field.since <= minor && minor <= field.until) return &field;
    return nullptr;
}

bool isComponent(const Table& table)
{
    return fieldOf(table, "device", 4) != nullptr && table.name != "dcim/modules" && table.name != "dcim/inventory-items";
}

bool takesCable(const std::string& table)
{
    static const std::set<std::string> all{"dcim/interfaces",    "dcim/front-ports", "dcim/rear-ports",   "dcim/power-ports",
                                           "dcim/power-outlets", "dcim/power-feeds", "dcim/console-ports"};
    return all.contains(table);
}

/// Heights of a type in half units.
int halfUnits(const json& type)
{
    const auto found = type.find("u_height");
    return found != type.end() && found->is_number() ? int(std::lround(found->get<double>() * 2)) : 2;
}

const std::set<std::string> kNotFilters{"limit", "offset", "start", "brief", "fields", "omit", "ordering", "exclude", "format"};

} // namespace

NetboxStore::NetboxStore(NetboxOptions options) : m_options(std::move(options))
{
    m_minor = std::stoi(m_options.version.substr(2));
    m_branches[""];
    m_now = &m_branches[""];
    if (m_options.branching) m_pluginNames.emplace_back("netbox_branching");
}

void NetboxStore::addPlugin(const std::string& name, const std::vector<std::string>& tables)
{
    m_pluginNames.push_back(name);
    for (const auto& table : tables) m_plugins[table] = {table, name + ".object", {}, {}};
}

const Table* NetboxStore::tableOf(const std::string& name) const
{
    if (const auto plugin = m_plugins.find(name); plugin != m_plugins.end()) return &plugin->second;
    const auto found = tables().find(name);
    if (found == tables().end() || found->second.since > m_minor) return nullptr;
    if (name.starts_with("plugins/branching") && !m_options.branching) return nullptr;
    return &found->second;
}

NetboxRows& NetboxStore::rowsOf(const Table& table) { return table.branched ? *m_now : m_branches[""]; }

std::map<int, json>& NetboxStore::of(const std::string& name)
{
    const auto found = tables().find(name);
    return found == tables().end() ? (*m_now)[name] : rowsOf(found->second)[name];
}

std::size_t NetboxStore::count(const std::string& table, const std::string& branch) const
{
    const auto rows = m_branches.find(branch);
    if (rows == m_branches.end()) return 0;
    const auto found = rows->second.find(table);
    return found == rows->second.end() ? 0 : found->second.size();
}

std::string NetboxStore::url(const std::string& table, int id) const { return kInner + table + '/' + std::to_string(id) + '/'; }

NetboxReply NetboxStore::answer(const NetboxRequest& request, bool mayWrite)
{
    m_request = "request-" + std::to_string(++m_requests);
    std::map<std::string, std::string> headers{{"X-Request-ID", m_request}, {"API-Version", "4." + std::to_string(m_minor)}};
    const auto reply = [&](NetboxReply made) {
        made.headers.insert(headers.begin(), headers.end());
        return made;
    };
    if (!request.path.starts_with("/api/")) return reply({404, {{"detail", "Not found."}}});
    if (!request.path.ends_with('/')) return reply({302, "", {{"Location", request.path + '/'}}});
    if (request.body.size() > m_options.mostBytes) return reply({400, {{"detail", "Request body exceeded settings.DATA_UPLOAD_MAX_MEMORY_SIZE."}}});
    const bool writes = request.method != "GET";
    if (writes && !mayWrite) return reply({403, {{"detail", "You do not have permission to perform this action."}}});
    m_now = &m_branches[""];
    if (!request.branch.empty()) {
        if (!m_options.branching)
            ignored.insert("header X-NetBox-Branch");
        else {
            const auto found = m_branches.find(request.branch);
            if (found == m_branches.end()) return reply({400, {{"detail", "Invalid branch identifier"}}});
            m_now = &found->second;
        }
    }
    const std::string path = request.path.substr(5, request.path.size() - 6); // dcim/sites/12
    if (path == "status") {
        json plugins = json::object();
        for (const auto& name : m_pluginNames) plugins[name] = name == "netbox_branching" ? "1.1.2" : "1.0.0";
        return reply({200, {{"netbox-version", m_options.version}, {"netbox-full-version", m_options.version}, {"plugins", plugins}}});
    }
    if (path == "authentication-check" && m_minor >= 5) return reply({200, {{"id", 1}, {"username", "tester"}}});
    if (path == "dcim/cable-terminations" && m_minor >= 5)
        return reply(writes ? NetboxReply{405, {{"detail", "Method not allowed."}}} : terminations(request));
    auto parts = split(path, '/');
    std::string verb;
    std::optional<int> id;
    if (parts.size() >= 2 && isNumber(parts[parts.size() - 2])) verb = parts.back(), parts.pop_back();
    if (isNumber(parts.back())) id = std::stoi(parts.back()), parts.pop_back();
    std::string name;
    for (const auto& part : parts) name += (name.empty() ? "" : "/") + part;
    const Table* table = tableOf(name);
    if (!table) return reply({404, {{"detail", "Not found."}}});
    if (!verb.empty())
        return reply(name == "plugins/branching/branches" ? branchCall(request, *id, verb) : NetboxReply{404, {{"detail", "Not found."}}});
    if (id && !rowsOf(*table)[name].contains(*id)) return reply({404, {{"detail", "No object matches the given query."}}});
    if (request.method == "GET") {
        if (!id) return reply(list(*table, request));
        if (name == "plugins/branching/branches") {
            json& row = rowsOf(*table)[name][*id];
            if (row["status"] != "ready" && ++m_polls[*id] >= m_options.pollsUntilReady) {
                row["status"] = "ready";
                m_branches[row["schema_id"].get<std::string>()] = m_branches[""];
            } else if (row["status"] == "new")
                row["status"] = "provisioning";
        }
        const json& row = rowsOf(*table)[name][*id];
        NetboxReply made{200, shown(*table, row)};
        if (m_minor >= 6) made.headers["ETag"] = "W/\"" + std::to_string(row.value("_version", 0)) + "\"";
        return reply(made);
    }
    if (request.method == "POST" || request.method == "PATCH" || request.method == "PUT") return reply(write(*table, request, id));
    if (request.method == "DELETE") return reply(remove(*table, request, id));
    return reply({405, {{"detail", "Method not allowed."}}});
}

NetboxReply NetboxStore::list(const Table& table, const NetboxRequest& request)
{
    auto query = queryOf(request.query);
    std::vector<const json*> hits;
    // ids of a related object are compared as numbers: exports and imports ask for many devices at a time
    std::vector<std::pair<std::string, std::set<int>>> byId;
    std::vector<std::pair<std::string, std::vector<std::string>>> others;
    for (const auto& [key, values] : query) {
        if (kNotFilters.contains(key)) continue;
        const std::string name = key.ends_with("_id") ? key.substr(0, key.size() - 3) : std::string();
        const Field* field = name.empty() || name == "location" ? nullptr : fieldOf(table, name, m_minor);
        if (field && field->kind == Kind::Ref && std::ranges::all_of(values, isNumber)) {
            byId.emplace_back(name, std::set<int>());
            for (const auto& value : values) byId.back().second.insert(std::stoi(value));
        } else
            others.emplace_back(key, values);
    }
    for (const auto& [id, row] : rowsOf(table)[table.name]) {
        const bool related_ = std::ranges::all_of(byId, [&](const auto& filter) { return filter.second.contains(idIn(row, filter.first)); });
        if (related_ && std::ranges::all_of(others, [&](const auto& filter) { return matches(table, row, filter.first, filter.second); }))
            hits.push_back(&row);
    }
    for (const auto& [key, values] : query) // also where no row was asked
        if (!kNotFilters.contains(key)) (void)matches(table, json::object(), key, values);
    const auto number = [&](const char* key, std::size_t otherwise) {
        return query.contains(key) && isNumber(query[key].front()) ? std::size_t(std::stoul(query[key].front())) : otherwise;
    };
    std::size_t limit = number("limit", 50), offset = number("offset", 0);
    if (limit == 0 || limit > m_options.mostPerPage) limit = m_options.mostPerPage;
    const bool cursor = query.contains("start");
    if (cursor && m_minor < 6) ignored.insert(table.name + ": start");
    if (cursor && query.contains("offset")) return {400, {{"detail", "start and offset cannot be combined"}}};
    json out{{"count", hits.size()}, {"next", nullptr}, {"previous", nullptr}, {"results", json::array()}};
    if (cursor && m_minor >= 6) {
        const int start = int(number("start", 0));
        std::erase_if(hits, [&](const json* row) { return idIn(*row, "id") < start; });
        offset = 0, out["count"] = nullptr;
    }
    const auto fields = query.contains("fields") ? split(query["fields"].front(), ',') : std::vector<std::string>();
    const auto omit = query.contains("omit") ? split(query["omit"].front(), ',') : std::vector<std::string>();
    for (std::size_t i = offset; i < std::min(hits.size(), offset + limit); ++i) {
        json row = query.contains("brief") ? brief(table.name, idIn(*hits[i], "id")) : shown(table, *hits[i]);
        if (!fields.empty())
            for (auto it = row.begin(); it != row.end();) it = std::ranges::find(fields, it.key()) == fields.end() ? row.erase(it) : std::next(it);
        for (const auto& field : omit) row.erase(field);
        out["results"].push_back(std::move(row));
    }
    if (offset + limit < hits.size()) {
        const std::string base = kInner + table.name + "/?limit=" + std::to_string(limit);
        out["next"] = out["count"].is_null() ? base + "&start=" + std::to_string(idIn(*hits[offset + limit], "id"))
                                             : base + "&offset=" + std::to_string(offset + limit);
    }
    return {200, std::move(out)};
}

bool NetboxStore::matches(const Table& table, const json& row, const std::string& key, const std::vector<std::string>& values)
{
    const auto has = [&](const std::string& text) { return std::ranges::find(values, text) != values.end(); };
    const auto hasId = [&](int id) { return id != 0 && has(std::to_string(id)); };
    if (key == "id") return hasId(idIn(row, "id"));
    if (key == "created_by_request" || key == "modified_by_request") return has(textIn(row, '_' + key));
    if (!m_plugins.empty() && m_plugins.contains(table.name))
        return row.contains(key) && has(row[key].is_string() ? row[key].get<std::string>() : row[key].dump());
    if (key == "tag")
        return std::ranges::any_of(row.value("tags", json::array()),
                                   [&](const json& id) { return has(textIn(of("extras/tags")[id.get<int>()], "slug")); });
    if (key.starts_with("cf_")) {
        const json fields = row.value("custom_fields", json::object());
        const auto found = fields.find(key.substr(3));
        return found != fields.end() && has(found->is_string() ? found->get<std::string>() : found->dump());
    }
    const std::string byId = key.ends_with("_id") ? key.substr(0, key.size() - 3) : std::string();
    const std::string target = byId.empty() ? key : byId;
    // what a cable, component or feed belongs to
    const auto oneMatches = [&](const json& one) {
        const json* at = &one;
        if (target == "device") {
            const int device = idIn(*at, "device");
            return byId.empty() ? device && has(textIn(of("dcim/devices")[device], "name")) : hasId(device);
        }
        json none = json::object();
        if (idIn(*at, "device") != 0)
            at = &of("dcim/devices")[idIn(*at, "device")];
        else if (idIn(*at, "power_panel") != 0 && target == "site")
            at = &of("dcim/power-panels")[idIn(*at, "power_panel")];
        else if (idIn(*at, "cooling_source") != 0 && target == "site")
            at = &of("dcim/cooling-sources")[idIn(*at, "cooling_source")];
        const int id = idIn(*at, target);
        const std::string where = target == "site" ? "dcim/sites" : target == "rack" ? "dcim/racks" : "dcim/locations";
        if (target == "location") // with all below it
            for (int up = id; up != 0; up = idIn(of(where)[up], "parent"))
                if (byId.empty() ? has(textIn(of(where)[up], "slug")) : hasId(up)) return true;
        return byId.empty() ? id && has(textIn(of(where)[id], target == "rack" ? "name" : "slug")) : hasId(id);
    };
    const bool place = target == "site" || target == "rack" || target == "location" || target == "device";
    if (place && table.name == "dcim/cables") {
        for (const char* side : {"a_terminations", "b_terminations"})
            for (const json& end : row.value(side, json::array()))
                if (oneMatches(of(textIn(end, "table"))[idIn(end, "id")])) return true;
        return false;
    }
    if (place &&
        (fieldOf(table, target, m_minor) || fieldOf(table, "device", m_minor) || (target == "site" && fieldOf(table, "power_panel", m_minor)) ||
         (target == "site" && fieldOf(table, "cooling_source", m_minor))) &&
        !(target == "device" && !fieldOf(table, "device", m_minor)))
        return oneMatches(row);
    if (key == "cable_id" && takesCable(table.name)) return hasId(idIn(row, "cable"));
    if (key == "cabled" && takesCable(table.name)) return has(idIn(row, "cable") ? "true" : "false");
    if (const Field* field = fieldOf(table, target, m_minor)) {
        if (field->kind == Kind::Ref) return byId.empty() ? has(textIn(of(field->of)[idIn(row, target)], "slug")) : hasId(idIn(row, target));
        if (!byId.empty()) return false;
        const auto found = row.find(key);
        if (found == row.end() || found->is_null()) return false;
        return has(found->is_string() ? found->get<std::string>() : found->dump());
    }
    ignored.insert(table.name + ": ?" + key);
    return true;
}

NetboxReply NetboxStore::terminations(const NetboxRequest& request)
{
    auto query = queryOf(request.query);
    json all = json::array();
    int number = 0;
    for (const auto& [id, row] : of("dcim/cables"))
        for (const char* side : {"a_terminations", "b_terminations"}) {
            int connector = 0;
            for (const json& end : row.value(side, json::array())) {
                ++number, ++connector;
                if (query.contains("cable_id") && std::ranges::find(query["cable_id"], std::to_string(id)) == query["cable_id"].end()) continue;
                const Table& table = tables().at(textIn(end, "table"));
                all.push_back({{"id", number},
                               {"cable", id},
                               {"cable_end", side[0] == 'a' ? "A" : "B"},
                               {"termination_type", table.objectType},
                               {"termination_id", idIn(end, "id")},
                               {"termination", brief(table.name, idIn(end, "id"))},
                               {"connector", textIn(row, "profile").empty() ? json() : json(connector)}});
            }
        }
    std::size_t limit = query.contains("limit") ? std::stoul(query["limit"].front()) : 50,
                offset = query.contains("offset") ? std::stoul(query["offset"].front()) : 0;
    if (limit == 0 || limit > m_options.mostPerPage) limit = m_options.mostPerPage;
    json page = json::array();
    for (std::size_t i = offset; i < std::min(all.size(), offset + limit); ++i) page.push_back(all[i]);
    json next;
    if (offset + limit < all.size()) next = std::string(kInner) + "dcim/cable-terminations/?offset=" + std::to_string(offset + limit);
    return {200, {{"count", all.size()}, {"next", next}, {"previous", nullptr}, {"results", page}}};
}

NetboxReply NetboxStore::write(const Table& table, const NetboxRequest& request, std::optional<int> id)
{
    const json body = json::parse(request.body, nullptr, false);
    if (body.is_discarded()) return {400, {{"detail", "JSON parse error"}}};
    const bool isNew = request.method == "POST";
    if (isNew && id) return {405, {{"detail", "Method \"POST\" not allowed."}}};
    const bool many = body.is_array();
    if (!many && !body.is_object()) return {400, {{"non_field_errors", {"Invalid data."}}}};
    if (many && id) return {400, {{"non_field_errors", {"Invalid data."}}}};
    if (!isNew && !many && !id) return {400, {{"non_field_errors", {"Expected a list of items."}}}};
    if (const auto at = request.query.find("if_match="); at != std::string::npos && id && m_minor >= 6)
        if (request.query.substr(at + 9) != std::to_string(rowsOf(table)[table.name][*id].value("_version", 0)))
            return {412, {{"detail", "Precondition failed."}}};
    const json items = many ? body : json::array({body});
    const auto lastIds = m_lastId;
    std::map<int, json> olds;
    std::vector<int> ids;
    m_keys.clear();
    const auto undo = [&] {
        for (const int id_ : ids) {
            if (const auto old = olds.find(id_); old != olds.end()) {
                rowsOf(table)[table.name][id_] = old->second;
                continue;
            }
            if (table.name == "dcim/cables") detach(id_);
            rowsOf(table)[table.name].erase(id_);
            if (table.name == "dcim/devices")
                for (const auto& [name, other] : tables())
                    if (isComponent(other)) std::erase_if(of(name), [&](const auto& row) { return idIn(row.second, "device") == id_; });
        }
        m_lastId = lastIds, m_keys.clear();
    };
    std::vector<json> ready(items.size());
    json problems = json::array(), numbered = json::array();
    bool wrong = false;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Errors errors;
        const int target = isNew ? 0 : id ? *id : idIn(items[i], "id");
        if (!isNew && !rowsOf(table)[table.name].contains(target)) errors["id"] = "No object with this id";
        const json old = isNew || !errors.empty() ? json() : rowsOf(table)[table.name][target];
        if (!items[i].is_object()) errors["non_field_errors"] = "Invalid data";
        if (errors.empty()) {
            json changes = items[i];
            if (!isNew) changes.erase("id");
            ready[i] = checked(table, changes, isNew ? nullptr : &old, errors);
            if (!isNew) olds.emplace(target, old);
        }
        problems.push_back(errorsJson(errors));
        if (!errors.empty()) numbered.push_back({{"index", i}, {"errors", errorsJson(errors)}});
        wrong = wrong || !errors.empty();
        if (errors.empty() && (table.oneByOne || !isNew)) ids.push_back(store(table, ready[i]));
    }
    if (wrong) {
        undo();
        if (!many) return {400, problems.front()};
        return {400, m_minor >= 7 ? json{{"detail", "Some objects are not valid"}, {"errors", numbered}} : problems};
    }
    if (isNew && !table.oneByOne)
        for (json& row : ready) {
            Errors errors;
            checkKeys(table, row, errors); // a double within the list is found by the database
            if (table.name == "dcim/cables") checkCable(row, errors);
            if (!errors.empty()) {
                undo();
                return {500, {{"error", "duplicate key value violates unique constraint"}, {"exception", "IntegrityError"}}};
            }
            ids.push_back(store(table, std::move(row)));
        }
    json out = json::array();
    for (const int made : ids) out.push_back(shown(table, rowsOf(table)[table.name][made]));
    return {isNew ? 201 : 200, many ? out : out.front()};
}

NetboxReply NetboxStore::remove(const Table& table, const NetboxRequest& request, std::optional<int> id)
{
    std::vector<int> ids;
    if (id)
        ids.push_back(*id);
    else {
        const json body = json::parse(request.body, nullptr, false);
        if (!body.is_array()) return {400, {{"non_field_errors", {"Expected a list of items."}}}};
        for (const json& item : body) ids.push_back(idIn(item, "id"));
    }
    for (const int one : ids) {
        auto& rows = rowsOf(table)[table.name];
        if (!rows.contains(one)) return {404, {{"detail", "No object matches the given query."}}};
        if (table.name == "dcim/cables") detach(one);
        for (const auto& [name, other] : tables())
            for (const Field& field : other.fields) {
                if (field.kind != Kind::Ref || field.of != table.name) continue;
                std::vector<int> below;
                for (const auto& [key, row] : rowsOf(other)[name])
                    if (idIn(row, field.name) == one) below.push_back(key);
                const bool goesToo = (field.name == "device" && isComponent(other)) || field.name == "device_type";
                if (!below.empty() && (!goesToo || name == "dcim/devices"))
                    return {409, {{"detail", "Unable to delete object. " + std::to_string(below.size()) + " dependent objects were found"}}};
                for (const int gone : below) {
                    if (const int cable = idIn(rowsOf(other)[name][gone], "cable")) detach(cable), of("dcim/cables").erase(cable);
                    rowsOf(other)[name].erase(gone);
                }
            }
        rows.erase(one);
    }
    return {204, json()};
}

NetboxReply NetboxStore::branchCall(const NetboxRequest& request, int id, const std::string& what)
{
    json& row = m_branches[""]["plugins/branching/branches"][id];
    if (request.method != "POST" || row.is_null()) return {404, {{"detail", "Not found."}}};
    const json body = json::parse(request.body, nullptr, false);
    if (what != "merge" && what != "sync") return {404, {{"detail", "Not found."}}};
    if (row["status"] != "ready") return {400, {{"detail", "Branch is not ready"}}};
    if (body.is_object() && body.value("commit", false)) {
        m_branches[""] = m_branches[row["schema_id"].get<std::string>()];
        row["status"] = "merged";
    }
    return {200, {{"id", 1}, {"url", url("core/jobs", 1)}, {"status", {{"value", "completed"}, {"label", "Completed"}}}}};
}

std::optional<int> NetboxStore::related(const std::string& name, const json& value, std::string& why)
{
    auto& rows = of(name);
    if (value.is_number_integer()) {
        if (rows.contains(value.get<int>())) return value.get<int>();
        why = "Related object not found using the provided numeric ID: " + value.dump();
        return {};
    }
    if (!value.is_object() || value.empty()) {
        why = "Related objects must be referenced by numeric ID or by dictionary of attributes. Received an unrecognized value: " + value.dump();
        return {};
    }
    const auto found = tables().find(name);
    std::vector<int> hits;
    for (const auto& [id, row] : rows) {
        bool fits = true;
        for (const auto& [key, wanted] : value.items()) {
            const Field* field = found == tables().end() ? nullptr : fieldOf(found->second, key, m_minor);
            if (key == "id")
                fits = fits && wanted == id;
            else if (!field) {
                why = "Cannot resolve keyword '" + key + "' into field.";
                return {};
            } else if (field->kind == Kind::Ref && wanted.is_object()) {
                std::string inner;
                const auto other = related(field->of, wanted, inner);
                fits = fits && other && *other == idIn(row, key);
            } else
                fits = fits && row.contains(key) && row[key] == wanted;
        }
        if (fits) hits.push_back(id);
    }
    if (hits.size() == 1) return hits.front();
    why = (hits.empty() ? "Related object not found using the provided attributes: " : "Multiple objects match the provided attributes: ") +
          value.dump();
    return {};
}

void NetboxStore::checkField(const Table& table, const Field& field, const json& value, json& row, Errors& errors)
{
    json& to = row[field.name];
    if (value.is_null()) {
        if (field.required) errors[field.name] = "This field may not be null.";
        to = nullptr;
        return;
    }
    switch (field.kind) {
    case Kind::Text:
    case Kind::Slug:
        if (!value.is_string() && !value.is_number()) {
            errors[field.name] = "Not a valid string.";
            return;
        }
        to = value.is_string() ? value : json(value.dump());
        if (field.required && textIn(row, field.name).empty()) errors[field.name] = "This field may not be blank.";
        if (field.most > 0 && textIn(row, field.name).size() > std::size_t(field.most))
            errors[field.name] = "Ensure this field has no more than " + std::to_string(field.most) + " characters.";
        if (field.kind == Kind::Slug &&
            textIn(row, field.name).find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != std::string::npos)
            errors[field.name] = "Enter a valid \"slug\" consisting of letters, numbers, underscores or hyphens.";
        return;
    case Kind::Int:
        if (!value.is_number_integer())
            errors[field.name] = "A valid integer is required.";
        else if (field.most > 0 && std::abs(value.get<double>()) > field.most)
            errors[field.name] = "Ensure this value is less than or equal to " + std::to_string(field.most) + '.';
        to = value;
        return;
    case Kind::Number: {
        const double number = value.is_number() ? value.get<double>() : value.is_string() ? std::atof(value.get<std::string>().c_str()) : NAN;
        if (std::isnan(number))
            errors[field.name] = "A valid number is required.";
        else if (std::abs(number * 1e6 - std::round(number * 1e6)) > 1e-3)
            errors[field.name] = "Ensure that there are no more than 6 decimal places.";
        if (field.name == "length" && std::abs(number * 100 - std::round(number * 100)) > 1e-6)
            errors[field.name] = "Ensure that there are no more than 2 decimal places.";
        to = number;
        return;
    }
    case Kind::Bool:
        if (!value.is_boolean()) errors[field.name] = "Must be a valid boolean.";
        to = value;
        return;
    case Kind::Choice:
        if (value == "" && !field.required && field.without.empty())
            to = nullptr;
        else if (!value.is_string() || !allows(field.of, value.get<std::string>(), m_minor))
            errors[field.name] = value.dump() + " is not a valid choice.";
        else
            to = value;
        return;
    case Kind::Ref: {
        std::string why;
        const auto id = related(field.of, value, why);
        if (id)
            to = *id;
        else
            errors[field.name] = why;
        return;
    }
    case Kind::Refs:
    case Kind::Json: to = value; return;
    case Kind::Tags: {
        json ids = json::array();
        if (!value.is_array())
            errors[field.name] = "Expected a list of items.";
        else
            for (const json& tag : value) {
                std::string why;
                const auto id = related("extras/tags", tag, why);
                if (id)
                    ids.push_back(*id);
                else
                    errors[field.name] = why;
            }
        to = ids;
        return;
    }
    case Kind::CustomFields: {
        if (!value.is_object()) {
            errors[field.name] = "Expected a map.";
            return;
        }
        if (!to.is_object()) to = json::object();
        for (const auto& [name, one] : value.items()) {
            const json* known = nullptr;
            for (const auto& [id, custom] : of("extras/custom-fields"))
                if (textIn(custom, "name") == name &&
                    std::ranges::find(custom["object_types"], json(table.objectType)) != custom["object_types"].end())
                    known = &custom;
            if (!known)
                errors[field.name] = "Unknown field name '" + name + "' in custom field data.";
            else if (textIn(*known, "type") == "integer" && !one.is_null() && !one.is_number_integer())
                errors[field.name] = "Value must be an integer.";
            else if (textIn(*known, "type") == "text" && !one.is_null() && !one.is_string())
                errors[field.name] = "Value must be a string.";
            else
                to[name] = one;
        }
        return;
    }
    case Kind::Terminations: {
        json ends = json::array();
        if (!value.is_array()) {
            errors[field.name] = "Expected a list of items.";
            return;
        }
        for (const json& end : value) {
            const auto kind = std::ranges::find_if(
                tables(), [&](const auto& one) { return end.is_object() && one.second.objectType == textIn(end, "object_type"); });
            if (kind == tables().end() || !takesCable(kind->first))
                errors[field.name] = "Invalid content type";
            else if (!end.contains("object_id") || !end["object_id"].is_number_integer())
                errors[field.name] = "object_id: A valid integer is required.";
            else if (!of(kind->first).contains(idIn(end, "object_id")))
                errors[field.name] = "object_id: no such object";
            else
                ends.push_back({{"table", kind->first}, {"id", idIn(end, "object_id")}});
        }
        if (ends.empty() && errors.empty()) errors[field.name] = "Must define terminations on both ends.";
        to = ends;
        return;
    }
    case Kind::Mappings: {
        json all = json::array();
        const bool ofType = table.name.ends_with("-templates");
        if (!value.is_array())
            errors[field.name] = "Expected a list of items.";
        else
            for (const json& one : value) {
                std::string why;
                const auto rear = related(ofType ? "dcim/rear-port-templates" : "dcim/rear-ports", one.value("rear_port", json()), why);
                if (!rear)
                    errors[field.name] = why;
                else {
                    const auto& port = of(ofType ? "dcim/rear-port-templates" : "dcim/rear-ports")[*rear];
                    const int position = one.value("rear_port_position", 1);
                    if (position < 1 || position > port.value("positions", 1)) errors[field.name] = "Invalid rear port position";
                    all.push_back({{"position", one.value("position", 1)}, {"rear_port", *rear}, {"rear_port_position", position}});
                }
            }
        to = all;
        return;
    }
    }
}

json NetboxStore::checked(const Table& table, const json& body, const json* old, Errors& errors)
{
    json row = old ? *old : json::object();
    if (m_plugins.contains(table.name)) {
        row.update(body);
        return row;
    }
    if (table.name == "plugins/branching/branches" && !old) row["status"] = "new";
    for (const auto& [key, value] : body.items()) {
        const Field* field = fieldOf(table, key, m_minor);
        if (field)
            checkField(table, *field, value, row, errors);
        else if (key != "changelog_message")
            ignored.insert(table.name + ": " + key);
    }
    if (old) {
        if (const json was = *old; was.contains("a_terminations") && (body.contains("a_terminations") || body.contains("b_terminations")))
            detach(idIn(was, "id"));
    } else
        for (const Field& field : table.fields) {
            if (field.since > m_minor || field.until < m_minor) continue;
            if (field.required && !body.contains(field.name)) errors[field.name] = "This field is required.";
            if (!row.contains(field.name)) row[field.name] = field.without.empty() ? json() : json(field.without);
        }
    if (errors.empty()) checkRules(table, row, old, body, errors);
    if (errors.empty()) checkKeys(table, row, errors);
    return row;
}

namespace {

/// The unique keys of a row as texts; empty: one of their fields is null.
std::vector<std::string> keysOf(const Table& table, const json& row)
{
    std::vector<std::string> all;
    for (const auto& key : table.keys) {
        std::string text;
        bool hasNull = false;
        for (const auto& name : key) {
            const auto value = row.find(name);
            const bool none = value == row.end() || value->is_null() || *value == "";
            hasNull = hasNull || (none && name != "parent");
            const bool anyCase = table.name == "dcim/devices" && name == "name";
            text += (none ? "" : anyCase ? lower(value->dump()) : value->dump()) + '\n';
        }
        all.push_back(hasNull ? std::string() : text);
    }
    return all;
}

} // namespace

void NetboxStore::checkKeys(const Table& table, const json& row, Errors& errors)
{
    auto& known = m_keys[table.name];
    if (known.empty() && !table.keys.empty()) {
        known.resize(table.keys.size());
        for (const auto& [id, other] : rowsOf(table)[table.name]) {
            const auto keys = keysOf(table, other);
            for (std::size_t i = 0; i < keys.size(); ++i)
                if (!keys[i].empty()) known[i].emplace(keys[i], id);
        }
    }
    const auto keys = keysOf(table, row);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto other = keys[i].empty() ? known[i].end() : known[i].find(keys[i]);
        if (other == known[i].end() || other->second == idIn(row, "id")) continue;
        std::string names;
        for (const auto& name : table.keys[i]) names += (names.empty() ? "" : ", ") + name;
        errors[table.keys[i].size() == 1 ? table.keys[i].front() : "non_field_errors"] =
            table.objectType + " with this " + names + " already exists.";
    }
}

void NetboxStore::checkRules(const Table& table, json& row, const json* old, const json& body, Errors& errors)
{
    const auto given = [&](const char* name) { return row.contains(name) && !row[name].is_null(); };
    const auto needsUnit = [&](std::initializer_list<const char*> sizes, const char* unit) {
        for (const char* size : sizes)
            if (given(size) && !given(unit)) errors[unit] = std::string("Must specify a unit when setting ") + size;
    };
    if (table.name == "dcim/racks" || table.name == "dcim/rack-types") {
        if (table.name == "dcim/racks" && given("rack_type")) {
            const json& type = of("dcim/rack-types")[idIn(row, "rack_type")];
            for (const char* name : {"form_factor", "width", "u_height", "starting_unit", "desc_units", "outer_width", "outer_height", "outer_depth",
                                     "outer_unit", "mounting_depth", "weight", "max_weight", "weight_unit"})
                row[name] = type.value(name, json());
        }
        if (!given("u_height")) row["u_height"] = 42;
        if (!given("starting_unit")) row["starting_unit"] = 1;
        if (!given("desc_units")) row["desc_units"] = false;
        if (!given("width")) row["width"] = 19;
        if (!std::set<int>{10, 19, 21, 23}.contains(idIn(row, "width"))) errors["width"] = "is not a valid choice.";
        if (idIn(row, "u_height") < 1) errors["u_height"] = "Ensure this value is greater than or equal to 1.";
        needsUnit({"outer_width", "outer_height", "outer_depth"}, "outer_unit");
        needsUnit({"weight", "max_weight"}, "weight_unit");
    }
    if (table.name == "dcim/device-types") {
        needsUnit({"weight"}, "weight_unit");
        if (!given("u_height")) row["u_height"] = 1.0;
        if (halfUnits(row) != std::lround(row["u_height"].get<double>() * 2) || std::abs(row["u_height"].get<double>() * 2 - halfUnits(row)) > 1e-9)
            errors["u_height"] = "Must be a multiple of 0.5";
        if (!given("is_full_depth")) row["is_full_depth"] = true;
    }
    const auto locationFits = [&] {
        if (given("location") && idIn(of("dcim/locations")[idIn(row, "location")], "site") != idIn(row, "site"))
            errors["location"] = "Assigned location must belong to parent site";
    };
    if (table.name == "dcim/racks" || table.name == "dcim/power-panels" || table.name == "dcim/devices" || table.name == "dcim/cooling-sources")
        locationFits();
    if (table.name == "dcim/locations" && given("parent") && idIn(of("dcim/locations")[idIn(row, "parent")], "site") != idIn(row, "site"))
        errors["parent"] = "Parent location must belong to the same site";
    if (table.name == "dcim/devices") checkDevice(row, errors);
    if (table.name == "dcim/power-feeds") {
        if (!given("voltage")) row["voltage"] = 120;
        if (!given("amperage")) row["amperage"] = 15;
        if (!given("max_utilization")) row["max_utilization"] = 80;
        if (idIn(row, "voltage") == 0) errors["voltage"] = "must not be zero";
        if (idIn(row, "voltage") < 0 && textIn(row, "supply") != "dc") errors["voltage"] = "Voltage cannot be negative for AC supply";
        if (idIn(row, "amperage") < 1) errors["amperage"] = "Ensure this value is greater than or equal to 1.";
        if (idIn(row, "max_utilization") < 1) errors["max_utilization"] = "Ensure this value is greater than or equal to 1.";
        if (given("rack") && idIn(of("dcim/racks")[idIn(row, "rack")], "site") != idIn(of("dcim/power-panels")[idIn(row, "power_panel")], "site"))
            errors["rack"] = "Rack and power panel are in different sites";
    }
    if (table.name == "dcim/cooling-feeds" && given("rack") &&
        idIn(of("dcim/racks")[idIn(row, "rack")], "site") != idIn(of("dcim/cooling-sources")[idIn(row, "cooling_source")], "site"))
        errors["rack"] = "Rack and cooling source are in different sites";
    if (table.name == "dcim/cooling-outflows" && given("cooling_intake") &&
        idIn(of("dcim/cooling-intakes")[idIn(row, "cooling_intake")], "device") != idIn(row, "device"))
        errors["cooling_intake"] = "The intake must belong to the same device";
    if (table.name == "dcim/cooling-intakes" && given("cooling_outflow")) {
        std::set<int> seen{idIn(row, "id")};
        for (int intake = idIn(of("dcim/cooling-outflows")[idIn(row, "cooling_outflow")], "cooling_intake"); intake != 0;
             intake = idIn(of("dcim/cooling-outflows")[idIn(of("dcim/cooling-intakes")[intake], "cooling_outflow")], "cooling_intake"))
            if (!seen.insert(intake).second) {
                errors["cooling_outflow"] = "A ring of intakes and outflows";
                break;
            }
    }
    if (table.name == "dcim/rear-ports" || table.name == "dcim/rear-port-templates") {
        if (!given("positions")) row["positions"] = 1;
    }
    if (table.name == "dcim/front-ports" || table.name == "dcim/front-port-templates") {
        if (m_minor >= 5 && !given("positions")) row["positions"] = 1;
        if (m_minor == 4) {
            if (!given("rear_port")) errors["rear_port"] = "This field is required.";
            if (!given("rear_port_position")) row["rear_port_position"] = 1;
        } else if (old && body.contains("rear_ports") && (*old)["rear_ports"] == row["rear_ports"] && !row["rear_ports"].empty())
            errors["rear_ports"] = "This mapping already exists"; // an identical mapping sent again is refused
        // one position of a rear port serves one front port
        const char* refs = "rear_ports";
        if (m_minor >= 5 && given(refs))
            for (const auto& [id, other] : rowsOf(table)[table.name])
                for (const json& theirs : other.value(refs, json::array()))
                    for (const json& ours : row[refs])
                        if (id != idIn(row, "id") && idIn(theirs, "rear_port") == idIn(ours, "rear_port") &&
                            idIn(theirs, "rear_port_position") == idIn(ours, "rear_port_position"))
                            errors[refs] = "This position of the rear port is mapped already";
    }
    if (table.name == "dcim/cables") {
        if (given("length") && !given("length_unit")) errors["length_unit"] = "Must specify a unit when setting a cable length";
        checkCable(row, errors);
    }
    if (table.name == "extras/custom-fields") {
        if (textIn(row, "type") == "select" && !given("choice_set")) errors["choice_set"] = "Selection fields must specify a set of choices.";
        for (const json& type : row["object_types"])
            if (!type.is_string() || std::ranges::none_of(tables(), [&](const auto& one) { return one.second.objectType == type; }))
                errors["object_types"] = "Invalid object type";
    }
}

void NetboxStore::checkDevice(json& row, Errors& errors)
{
    const auto given = [&](const char* name) { return row.contains(name) && !row[name].is_null(); };
    const json& type = of("dcim/device-types")[idIn(row, "device_type")];
    const int height = halfUnits(type);
    if (given("rack")) {
        const json& rack = of("dcim/racks")[idIn(row, "rack")];
        if (idIn(rack, "site") != idIn(row, "site")) errors["rack"] = "Rack does not belong to the site";
        if (given("location") && idIn(rack, "location") != idIn(row, "location"))
            errors["rack"] = "Rack does not belong to the location";
        else
            row["location"] = rack.value("location", json());
    } else {
        if (given("face")) errors["face"] = "Cannot select a rack face without assigning a rack.";
        if (given("position")) errors["position"] = "Cannot select a rack position without assigning a rack.";
    }
    if (!given("position")) return;
    const double position = row["position"].get<double>();
    const int from = int(std::lround(position * 2));
    if (std::abs(position * 2 - from) > 1e-9) errors["position"] = "Position must be in increments of 0.5 rack units.";
    if (!given("face")) errors["face"] = "Must specify rack face when defining rack position.";
    if (height == 0) errors["position"] = "A 0U device type cannot be assigned to a rack position.";
    if (!errors.empty()) return;
    const json& rack = of("dcim/racks")[idIn(row, "rack")];
    const int first = rack.value("starting_unit", 1) * 2, last = first + rack.value("u_height", 42) * 2;
    if (from < first || from + height > last)
        errors["position"] = "U" + row["position"].dump() + " is already occupied or does not have sufficient space to accommodate this device type";
    for (const auto& [id, other] : of("dcim/devices")) {
        if (id == idIn(row, "id") || idIn(other, "rack") != idIn(row, "rack") || !other.contains("position") || !other["position"].is_number())
            continue;
        const json& otherType = of("dcim/device-types")[idIn(other, "device_type")];
        const bool sameFace =
            other.value("face", json()) == row.value("face", json()) || type.value("is_full_depth", true) || otherType.value("is_full_depth", true);
        const int at = int(std::lround(other["position"].get<double>() * 2));
        if (sameFace && at < from + height && from < at + halfUnits(otherType))
            errors["position"] =
                "U" + row["position"].dump() + " is already occupied or does not have sufficient space to accommodate this device type";
    }
}

void NetboxStore::checkCable(const json& row, Errors& errors)
{
    const auto sideOf = [&](const char* name) -> std::string {
        std::string table;
        for (const json& end : row[name]) {
            const std::string one = textIn(end, "table");
            if (!table.empty() && table != one) errors[name] = "Cannot connect different termination types to same end of cable.";
            table = one;
            json& port = of(one)[idIn(end, "id")];
            if (idIn(port, "cable") != 0 && idIn(port, "cable") != idIn(row, "id"))
                errors[name] = "Duplicate termination found: already has cable " + std::to_string(idIn(port, "cable"));
            if (port.value("mark_connected", json()) == true) errors[name] = "Cables may not be attached to a port that is marked as connected";
            if (std::set<std::string>{"virtual", "lag", "bridge", "ieee802.11ax", "channel"}.contains(textIn(port, "type")) &&
                one == "dcim/interfaces")
                errors[name] = "Cables cannot be terminated to this type of interface";
        }
        return table;
    };
    const std::string a = sideOf("a_terminations"), b = sideOf("b_terminations");
    for (const json& end : row["a_terminations"])
        if (std::ranges::find(row["b_terminations"], end) != row["b_terminations"].end())
            errors["b_terminations"] = "Cannot connect an object to itself";
    static const std::map<std::string, std::set<std::string>> pairs{
        {"dcim/interfaces", {"dcim/interfaces", "dcim/front-ports", "dcim/rear-ports"}},
        {"dcim/front-ports", {"dcim/interfaces", "dcim/front-ports", "dcim/rear-ports", "dcim/console-ports"}},
        {"dcim/rear-ports", {"dcim/interfaces", "dcim/front-ports", "dcim/rear-ports", "dcim/console-ports"}},
        {"dcim/power-ports", {"dcim/power-outlets", "dcim/power-feeds"}},
        {"dcim/power-outlets", {"dcim/power-ports"}},
        {"dcim/power-feeds", {"dcim/power-ports"}},
        {"dcim/console-ports", {"dcim/front-ports", "dcim/rear-ports"}}};
    if (const auto found = pairs.find(a); errors.empty() && (found == pairs.end() || !found->second.contains(b)))
        errors["non_field_errors"] = "Incompatible termination types: " + a + " and " + b;
    const std::string profile = textIn(row, "profile");
    if (profile.empty()) return;
    // "breakout-1c2p-2c1p": connectors of each side; the order is not checked
    const auto parts = split(profile, '-');
    const std::size_t left = std::stoul(parts[1]), right = parts[0] == "breakout" ? std::stoul(parts[2]) : left;
    if (row["a_terminations"].size() > left) errors["a_terminations"] = "Side A has more terminations than connectors of the profile";
    if (row["b_terminations"].size() > right) errors["b_terminations"] = "Side B has more terminations than connectors of the profile";
}

void NetboxStore::detach(int cable)
{
    const auto found = of("dcim/cables").find(cable);
    if (found == of("dcim/cables").end()) return;
    for (const char* side : {"a_terminations", "b_terminations"})
        for (const json& end : found->second.value(side, json::array())) {
            json& port = of(textIn(end, "table"))[idIn(end, "id")];
            port["cable"] = nullptr, port["cable_end"] = "";
        }
}

int NetboxStore::store(const Table& table, json row)
{
    const bool isNew = idIn(row, "id") == 0;
    const int id = isNew ? ++m_lastId[table.name] : idIn(row, "id");
    row["id"] = id;
    row["_version"] = row.value("_version", 0) + 1;
    row[isNew ? "_created_by_request" : "_modified_by_request"] = m_request;
    if (table.name == "plugins/branching/branches" && isNew) {
        char schema[9];
        std::snprintf(schema, sizeof schema, "br%06d", id);
        row["schema_id"] = schema;
    }
    if (table.name == "dcim/cables")
        for (const char* side : {"a_terminations", "b_terminations"})
            for (const json& end : row[side]) {
                json& port = of(textIn(end, "table"))[idIn(end, "id")];
                port["cable"] = id, port["cable_end"] = side[0] == 'a' ? "A" : "B";
            }
    rowsOf(table)[table.name][id] = row;
    if (const auto known = m_keys.find(table.name); known != m_keys.end()) {
        const auto keys = keysOf(table, row);
        if (!isNew)
            m_keys.erase(known);
        else
            for (std::size_t i = 0; i < keys.size() && i < known->second.size(); ++i)
                if (!keys[i].empty()) known->second[i].emplace(keys[i], id);
    }
    if (table.name == "dcim/devices" && isNew) instantiate(id, idIn(row, "device_type"));
    return id;
}

void NetboxStore::instantiate(int device, int type)
{
    std::map<std::pair<std::string, std::string>, int> made;
    // power ports before outlets and rear ports before front ports, which name them
    for (const auto& [from, to] : std::initializer_list<std::pair<const char*, const char*>>{{"dcim/interface-templates", "dcim/interfaces"},
                                                                                             {"dcim/console-port-templates", "dcim/console-ports"},
                                                                                             {"dcim/power-port-templates", "dcim/power-ports"},
                                                                                             {"dcim/power-outlet-templates", "dcim/power-outlets"},
                                                                                             {"dcim/rear-port-templates", "dcim/rear-ports"},
                                                                                             {"dcim/front-port-templates", "dcim/front-ports"},
                                                                                             {"dcim/module-bay-templates", "dcim/module-bays"},
                                                                                             {"dcim/device-bay-templates", "dcim/device-bays"}}) {
        const auto same = [&](const char* fromTable, const char* toTable, int id) {
            const auto found = made.find({toTable, textIn(of(fromTable)[id], "name")});
            return found == made.end() ? json() : json(found->second);
        };
        for (const auto& [id, pattern] : of(from)) {
            if (idIn(pattern, "device_type") != type) continue;
            json row = pattern;
            row.erase("id"), row.erase("device_type"), row["device"] = device;
            row["tags"] = json::array(), row["custom_fields"] = json::object();
            if (row.contains("power_port") && row["power_port"].is_number())
                row["power_port"] = same("dcim/power-port-templates", "dcim/power-ports", idIn(row, "power_port"));
            if (row.contains("rear_port") && row["rear_port"].is_number())
                row["rear_port"] = same("dcim/rear-port-templates", "dcim/rear-ports", idIn(row, "rear_port"));
            if (row.contains("rear_ports") && row["rear_ports"].is_array())
                for (json& one : row["rear_ports"]) one["rear_port"] = same("dcim/rear-port-templates", "dcim/rear-ports", idIn(one, "rear_port"));
            const std::string name = textIn(row, "name");
            made[{to, name}] = store(tables().at(to), std::move(row));
        }
    }
}

json NetboxStore::brief(const std::string& name, int id)
{
    const json& row = of(name)[id];
    json out{{"id", id}, {"url", url(name, id)}, {"display", textIn(row, row.contains("model") ? "model" : "name")}};
    for (const char* key : {"name", "slug", "model", "label", "description", name == "extras/tags" ? "color" : "name"})
        if (row.contains(key) && row[key].is_string()) out[key] = row[key];
    if (row.contains("manufacturer")) out["manufacturer"] = brief("dcim/manufacturers", idIn(row, "manufacturer"));
    if (row.contains("device") && row["device"].is_number()) out["device"] = brief("dcim/devices", idIn(row, "device"));
    if (row.contains("power_panel") && row["power_panel"].is_number()) out["power_panel"] = brief("dcim/power-panels", idIn(row, "power_panel"));
    if (takesCable(name)) {
        out["cable"] = idIn(row, "cable") ? brief("dcim/cables", idIn(row, "cable")) : json();
        out["_occupied"] = idIn(row, "cable") != 0;
    }
    return out;
}

json NetboxStore::customFields(const Table& table, const json& row)
{
    json out = json::object();
    const json own = row.value("custom_fields", json::object());
    for (const auto& [id, field] : of("extras/custom-fields"))
        if (std::ranges::find(field["object_types"], json(table.objectType)) != field["object_types"].end()) {
            const std::string name = textIn(field, "name");
            out[name] = own.is_object() ? own.value(name, json()) : json();
            if (m_minor >= 7 && textIn(field, "type") == "select" && out[name].is_string()) out[name] = {{"value", out[name]}, {"label", out[name]}};
        }
    return out;
}

std::vector<std::pair<std::string, int>> NetboxStore::otherSide(const std::string& table, int id)
{
    std::vector<std::pair<std::string, int>> ends;
    const json& port = of(table)[id];
    if (idIn(port, "cable") == 0) return ends;
    const json& cable = of("dcim/cables")[idIn(port, "cable")];
    for (const json& end : cable.value(textIn(port, "cable_end") == "A" ? "b_terminations" : "a_terminations", json::array()))
        ends.emplace_back(textIn(end, "table"), idIn(end, "id"));
    return ends;
}

/// Through panels: a position taken up at a front port comes down at the rear port that the trunk leads to.
std::vector<std::pair<std::string, int>> NetboxStore::farEnds(const std::string& table, int id)
{
    std::vector<std::pair<std::string, int>> found;
    struct Step {
        std::string table;
        int id;
        std::vector<int> positions;
        int depth;
    };
    std::vector<Step> open{{table, id, {}, 0}};
    while (!open.empty()) {
        const Step at = open.back();
        open.pop_back();
        if (at.depth > 32) continue;
        for (const auto& [name, other] : otherSide(at.table, at.id)) {
            const json& port = of(name)[other];
            if (name == "dcim/front-ports") {
                json maps =
                    m_minor >= 5
                        ? port.value("rear_ports", json::array())
                        : json::array({{{"rear_port", idIn(port, "rear_port")}, {"rear_port_position", port.value("rear_port_position", 1)}}});
                if (!maps.is_array()) continue;
                for (const json& map : maps) {
                    auto positions = at.positions;
                    positions.push_back(idIn(map, "rear_port_position"));
                    open.push_back({"dcim/rear-ports", idIn(map, "rear_port"), positions, at.depth + 1});
                }
            } else if (name == "dcim/rear-ports") {
                auto positions = at.positions;
                const int position = positions.empty() ? 1 : positions.back();
                if (!positions.empty()) positions.pop_back();
                for (const auto& [front, row] : of("dcim/front-ports")) {
                    json maps =
                        m_minor >= 5
                            ? row.value("rear_ports", json::array())
                            : json::array({{{"rear_port", idIn(row, "rear_port")}, {"rear_port_position", row.value("rear_port_position", 1)}}});
                    if (!maps.is_array()) continue;
                    for (const json& map : maps)
                        if (idIn(map, "rear_port") == other && idIn(map, "rear_port_position") == position)
                            open.push_back({"dcim/front-ports", front, positions, at.depth + 1});
                }
            } else
                found.emplace_back(name, other);
        }
    }
    return found;
}

void NetboxStore::showCabling(const Table& table, const json& row, json& out)
{
    const int id = idIn(row, "id"), cable = idIn(row, "cable");
    out["cable"] = cable ? brief("dcim/cables", cable) : json();
    out["cable_end"] = textIn(row, "cable_end");
    out["_occupied"] = cable != 0;
    out["link_peers"] = json::array(), out["link_peers_type"] = nullptr;
    for (const auto& [name, other] : otherSide(table.name, id)) {
        out["link_peers"].push_back(brief(name, other));
        out["link_peers_type"] = tables().at(name).objectType;
    }
    if (table.name == "dcim/front-ports" || table.name == "dcim/rear-ports") return;
    out["connected_endpoints"] = nullptr, out["connected_endpoints_type"] = nullptr, out["connected_endpoints_reachable"] = nullptr;
    for (const auto& [name, other] : farEnds(table.name, id)) {
        if (out["connected_endpoints"].is_null()) out["connected_endpoints"] = json::array();
        out["connected_endpoints"].push_back(brief(name, other));
        out["connected_endpoints_type"] = tables().at(name).objectType;
        out["connected_endpoints_reachable"] = textIn(of("dcim/cables")[cable], "status") == "connected"; // a planned cable is no path
    }
}

json NetboxStore::shown(const Table& table, const json& row)
{
    const int id = idIn(row, "id");
    if (m_plugins.contains(table.name)) {
        json out = row;
        out["url"] = url(table.name, id);
        out.erase("_version"), out.erase("_created_by_request"), out.erase("_modified_by_request");
        return out;
    }
    json out{{"id", id}, {"url", url(table.name, id)}, {"display", textIn(row, row.contains("model") ? "model" : "name")}};
    for (const Field& field : table.fields) {
        if (field.since > m_minor || field.until < m_minor) continue;
        const json value = row.value(field.name, json());
        switch (field.kind) {
        case Kind::Choice:
            if (table.name == "dcim/cables" && field.name == "type")
                out[field.name] = value; // a bare word
            else if (table.name == "dcim/cables" && field.name == "profile")
                out[field.name] = value.is_null() ? json() : json{{"value", value}, {"label", value}};
            else
                out[field.name] = value.is_null() ? json() : json{{"value", value}, {"label", value}};
            break;
        case Kind::Ref: out[field.name] = value.is_number() && value.get<int>() != 0 ? brief(field.of, value.get<int>()) : json(); break;
        case Kind::Tags:
            out[field.name] = json::array();
            if (value.is_array())
                for (const json& tag : value) out[field.name].push_back(brief("extras/tags", tag.get<int>()));
            break;
        case Kind::CustomFields: out[field.name] = customFields(table, row); break;
        case Kind::Terminations:
            out[field.name] = json::array();
            if (value.is_array())
                for (const json& end : value)
                    out[field.name].push_back({{"object_type", tables().at(textIn(end, "table")).objectType},
                                               {"object_id", idIn(end, "id")},
                                               {"object", brief(textIn(end, "table"), idIn(end, "id"))}});
            break;
        case Kind::Mappings: out[field.name] = value.is_array() ? value : json::array(); break;
        case Kind::Text:
        case Kind::Slug:
            out[field.name] =
                value.is_null() ? (field.name == "name" || field.name == "asset_tag" || field.name == "facility_id" ? json() : json("")) : value;
            break;
        default: out[field.name] = value;
        }
    }
    if (table.name == "dcim/rear-ports" && m_minor >= 5) {
        out["front_ports"] = json::array();
        for (const auto& [front, port] : of("dcim/front-ports"))
            if (const json maps = port.value("rear_ports", json::array()); maps.is_array())
                for (const json& map : maps)
                    if (idIn(map, "rear_port") == id)
                        out["front_ports"].push_back(
                            {{"position", idIn(map, "rear_port_position")}, {"front_port", front}, {"front_port_position", idIn(map, "position")}});
    }
    if (table.name == "dcim/devices") {
        out["parent_device"] = nullptr, out["primary_ip4"] = nullptr;
        for (const auto& [bay, one] : of("dcim/device-bays"))
            if (idIn(one, "installed_device") == id) {
                out["parent_device"] = brief("dcim/devices", idIn(one, "device"));
                out["parent_device"]["device_bay"] = brief("dcim/device-bays", bay);
            }
    }
    if (table.name == "plugins/branching/branches") {
        out["status"] = {{"value", row.value("status", "new")}, {"label", row.value("status", "new")}};
        out["schema_id"] = row.value("schema_id", "");
    }
    if (table.name == "dcim/power-feeds") {
        const double phases = textIn(row, "phase") == "three-phase" ? 1.732 : 1;
        out["available_power"] =
            std::lround(std::abs(idIn(row, "voltage")) * double(idIn(row, "amperage")) * idIn(row, "max_utilization") / 100.0 * phases);
    }
    if (takesCable(table.name)) showCabling(table, row, out);
    return out;
}
