// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/netbox_export/sync.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hw::netbox {

namespace {

using nlohmann::json;

constexpr std::size_t kValuesPerQuery = 50;   // keeps addresses below 8 KB
constexpr std::size_t kMostBytes = 2'500'000; // NetBox takes 2,621,440
constexpr int kMostPolls = 600;

/// A value of an answer as it is written: choices and related objects are maps there.
json plainValue(const json& value)
{
    if (!value.is_object()) return value;
    if (const auto id = value.find("id"); id != value.end()) return *id;
    if (const auto choice = value.find("value"); choice != value.end()) return *choice;
    return value;
}

json fieldOf(const json& row, const char* name)
{
    const auto found = row.find(name);
    return found == row.end() ? json() : plainValue(*found);
}

std::string textOf(const json& row, const char* name)
{
    const json value = fieldOf(row, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

int idOf(const json& row)
{
    const auto found = row.find("id");
    return found != row.end() && found->is_number_integer() ? found->get<int>() : 0;
}

std::optional<double> numberIn(const json& value)
{
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) return {};
    char* end = nullptr;
    const auto& text = value.get_ref<const std::string&>();
    const double number = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == 0 ? std::optional(number) : std::nullopt;
}

/// The tags of an object that people put on it, each with id, slug, name and color.
json tagsOf(const json& row)
{
    json tags = json::array();
    const auto list = row.find("tags");
    if (list == row.end() || !list->is_array()) return tags;
    for (const json& tag : *list)
        if (tag.is_object() && textOf(tag, "slug") != kExportTag)
            tags.push_back({{"id", idOf(tag)}, {"slug", textOf(tag, "slug")}, {"name", textOf(tag, "name")}, {"color", textOf(tag, "color")}});
    return tags;
}

/// Decimals may come as numbers or strings; empty text is no value.
bool sameValue(const json& ours, const json& theirs)
{
    if (ours.is_number())
        if (const auto number = numberIn(theirs)) return std::abs(*number - ours.get<double>()) < 1e-6;
    if (ours.is_null()) return theirs.is_null() || theirs == "";
    return ours == theirs;
}

std::string lowered(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

/// The errors of a list that was refused, by its rows; empty where NetBox does not name them.
std::map<std::size_t, std::string> errorsOf(const json& body, std::size_t rows)
{
    std::map<std::size_t, std::string> errors;
    const auto dump = [](const json& one) { return one.dump(-1, ' ', false, json::error_handler_t::replace); };
    if (body.is_array() && body.size() == rows) {
        for (std::size_t i = 0; i < rows; ++i)
            if (!body[i].empty()) errors[i] = dump(body[i]);
    } else if (body.is_object())
        if (const auto list = body.find("errors"); list != body.end() && list->is_array())
            for (const json& one : *list)
                if (one.is_object() && one.contains("index") && one["index"].is_number_unsigned() && one["index"].get<std::size_t>() < rows)
                    errors[one["index"].get<std::size_t>()] = one.contains("errors") ? dump(one["errors"]) : dump(one);
    return errors;
}

} // namespace

Sync::Sync(Client& client, const Inventory& inventory, const ServerStatus& status, Progress progress)
    : m_client(client), m_inventory(inventory), m_status(status), m_progress(std::move(progress)), m_steps(inventory.items.size()),
      m_ids(inventory.items.size(), 0), m_counts(tableList().size())
{
    for (std::size_t i = 0; i < m_steps.size(); ++i) m_steps[i].item = i;
}

std::size_t Sync::conflicts() const
{
    std::size_t all = 0;
    for (const auto& count : m_counts) all += count.conflict;
    return all;
}

bool Sync::resolve(const json& body, json& out) const
{
    if (body.is_object()) {
        if (const auto item = body.find("$"); item != body.end()) {
            const int id = m_ids[item->get<std::size_t>()];
            out = id;
            return id != 0;
        }
        out = json::object();
        bool all = true;
        for (const auto& [key, value] : body.items()) all = resolve(value, out[key]) && all;
        return all;
    }
    if (body.is_array()) {
        out = json::array();
        bool all = true;
        for (const auto& value : body) {
            json one;
            all = resolve(value, one) && all;
            out.push_back(std::move(one));
        }
        return all;
    }
    out = body;
    return true;
}

/// Units of a rack of NetBox may begin elsewhere, or count from the top.
void Sync::adjustPosition(const Item& item, json& body) const
{
    const auto rack = body.find("rack"), position = body.find("position");
    if (rack == body.end() || position == body.end() || !rack->is_number_integer() || !position->is_number()) return;
    const auto known = m_racks.find(rack->get<int>());
    if (known == m_racks.end()) return;
    const double first = numberIn(fieldOf(known->second, "starting_unit")).value_or(1);
    double unit = position->get<double>();
    if (fieldOf(known->second, "desc_units") == true) {
        const auto type = item.body.find("device_type");
        const json height = type == item.body.end() ? json(1) : m_inventory.items[type->value("$", std::size_t(0))].body.value("u_height", json(1));
        unit = numberIn(fieldOf(known->second, "u_height")).value_or(42) - unit - numberIn(height).value_or(1) + 2;
    }
    *position = unit + first - 1;
}

std::string Sync::keyOf(const TableInfo& table, const json& row) const
{
    std::string key;
    for (const char* name : table.keys) {
        const json value = fieldOf(row, name);
        std::string text = value.is_null() || value == "" ? "" : value.dump(-1, ' ', false, json::error_handler_t::replace);
        if (std::string_view(name) == "name" || std::string_view(name) == "slug") text = lowered(text);
        key += text + '\n';
    }
    return key;
}

Result<std::vector<json>> Sync::existing(const TableInfo& table, const std::vector<std::size_t>& items)
{
    const std::string filter = table.filter;
    std::set<std::string> values;
    for (const std::size_t item : items) {
        const json& body = m_inventory.items[item].body;
        if (filter.ends_with("_id")) {
            const auto field = body.find(filter.substr(0, filter.size() - 3));
            json id;
            if (field != body.end() && resolve(*field, id) && id.is_number_integer()) values.insert(id.dump());
        } else if (const auto field = body.find(filter); field != body.end() && field->is_string())
            values.insert(field->get<std::string>());
    }
    std::vector<json> rows;
    const auto read = [&](const std::string& by, const std::vector<std::string>& all) -> Result<void> {
        for (std::size_t at = 0; at < all.size(); at += kValuesPerQuery) {
            std::string query;
            for (std::size_t i = at; i < std::min(all.size(), at + kValuesPerQuery); ++i)
                query += (query.empty() ? "" : "&") + by + '=' + Client::escaped(all[i]);
            auto more = m_client.list(table.name, query);
            if (!more) return tl::unexpected(more.error());
            for (json& row : *more) rows.push_back(std::move(row));
        }
        return {};
    };
    if (const auto done = read(filter, {values.begin(), values.end()}); !done) return tl::unexpected(done.error());
    if (filter != "slug") return rows;
    // of what has no such slug: names are unique, too
    std::set<std::string> slugs;
    for (const json& row : rows) slugs.insert(textOf(row, "slug"));
    std::vector<std::string> names;
    for (const std::size_t item : items) {
        const json& body = m_inventory.items[item].body;
        const auto slug = body.find("slug"), name = body.find("name");
        if (name != body.end() && name->is_string() && slug != body.end() && !slugs.contains(slug->get<std::string>()))
            names.push_back(name->get<std::string>());
    }
    std::ranges::sort(names);
    if (const auto done = read("name", names); !done) return tl::unexpected(done.error());
    return rows;
}

void Sync::compare(const TableInfo& table, const json& body, const json& row, Step& step) const
{
    const Item& item = m_inventory.items[step.item];
    step.id = idOf(row);
    step.action = Action::Same;
    if (table.shared) { // of everybody: never changed; what would not fit is a conflict
        for (const char* name : {"u_height", "is_full_depth", "object_types", "type"}) {
            const auto ours = body.find(name);
            if (ours == body.end()) continue;
            const json theirs = fieldOf(row, name);
            bool fits = sameValue(*ours, theirs);
            if (ours->is_array() && theirs.is_array())
                fits = std::ranges::all_of(*ours, [&](const json& one) { return std::ranges::find(theirs, one) != theirs.end(); });
            const bool matters = std::string_view(name) != "type" || std::string_view(table.name) == "extras/custom-fields";
            if (fits || !matters || theirs.is_null()) continue;
            step.action = Action::Conflict;
            step.why = i18n("exists with {} {}, the design has {}", name, shown(name, theirs), shown(name, *ours));
        }
        return;
    }
    json changes = json::object(), was = json::object();
    for (const auto& [name, value] : body.items()) {
        if (std::ranges::any_of(item.once, [&](const char* one) { return name == one; })) continue;
        if (name == "tags") { // others stay
            json ids = json::array();
            for (const json& tag : row.value("tags", json::array())) ids.push_back(plainValue(tag));
            json all = ids;
            for (const json& tag : value)
                if (std::ranges::find(all, tag) == all.end()) all.push_back(tag);
            if (all.size() > ids.size()) changes[name] = all, was[name] = ids;
            if (std::ranges::any_of(tagsOf(row), [&](const json& tag) { return std::ranges::find(value, tag["id"]) == value.end(); }) ||
                all.size() > ids.size())
                step.kept[name] = tagsOf(row);
        } else if (name == "custom_fields") {
            const auto theirs = row.find("custom_fields");
            json fields = json::object(), old = json::object();
            for (const auto& [field, wanted] : value.items()) {
                const json there = theirs != row.end() && theirs->is_object() ? fieldOf(*theirs, field.c_str()) : json();
                if (!sameValue(wanted, there)) fields[field] = wanted, old[field] = there;
            }
            if (!fields.empty()) changes[name] = fields, was[name] = old;
        } else {
            const json theirs = fieldOf(row, name.c_str());
            if (value == "") {
                if (!theirs.is_null() && theirs != "") step.kept[name] = theirs;
                continue;
            }
            const bool isKey = std::ranges::any_of(table.keys, [&](const char* key) { return name == key; });
            const bool same = isKey && theirs.is_string() && value.is_string()
                                  ? lowered(theirs.get<std::string>()) == lowered(value.get<std::string>())
                                  : sameValue(value, theirs);
            if (!same) changes[name] = value, was[name] = theirs;
        }
    }
    if (changes.empty()) return;
    step.action = Action::Change, step.changes = std::move(changes), step.was = std::move(was);
}

void Sync::planItem(std::size_t index, const std::vector<json>& rows, const std::map<std::string, std::vector<std::size_t>>& byKey,
                    const std::map<int, std::size_t>& byId)
{
    const Item& item = m_inventory.items[index];
    const TableInfo& table = tableList()[item.table];
    Step& step = m_steps[index];
    step = {index, Action::Create, 0, {}, {}, {}, {}};
    m_ids[index] = 0;
    if (!item.flaw.empty()) {
        step.action = Action::Conflict, step.why = item.flaw;
        return;
    }
    json body;
    const bool whole = resolve(item.body, body);
    const bool found = std::ranges::none_of(table.keys, [&](const char* key) { return fieldOf(item.body, key).is_object() && body[key] == 0; });
    if (!whole && (m_journal || !found)) return; // what it belongs to is not there yet; while it is planned, a type or tag may be missing
    adjustPosition(item, body);
    std::vector<std::size_t> hits;
    if (const auto same = byKey.find(keyOf(table, body)); same != byKey.end()) hits = same->second;
    if (hits.empty() && std::string_view(table.filter) == "slug") // an older object of this name with a slug of its own
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (!textOf(rows[i], "name").empty() && textOf(rows[i], "name") == textOf(body, "name")) hits.push_back(i);
    if (hits.empty() && m_journal)
        if (const auto known = byId.find(m_journal->find(table.name, item.name)); known != byId.end()) hits.push_back(known->second);
    if (hits.size() > 1) {
        step.action = Action::Conflict, step.id = idOf(rows[hits.front()]);
        step.why = i18n("{} objects have this key: ids {} and {}", hits.size(), idOf(rows[hits[0]]), idOf(rows[hits[1]]));
        return;
    }
    if (hits.empty()) return;
    const json& row = rows[hits.front()];
    compare(table, body, row, step);
    m_ids[index] = step.id;
}

Result<void> Sync::planTable(std::size_t table)
{
    const TableInfo& info = tableList()[table];
    const auto& items = m_inventory.ofTable[table];
    m_counts[table] = {};
    if (items.empty()) return {};
    if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_client.url(), i18n("stopped"), i18n("run the command again to continue"));
    m_progress.report(double(table) / double(tableList().size()), words(i18n("Reading {} from NetBox", info.what)));
    const std::string name = info.name;
    if (name == "dcim/cables") return planCables(table);
    // objects of one table may stand in each other: again while that finds more
    for (int depth = 0; depth < 8; ++depth) {
        auto rows = existing(info, items);
        if (!rows) return tl::unexpected(rows.error());
        std::map<std::string, std::vector<std::size_t>> byKey;
        std::map<int, std::size_t> byId;
        for (std::size_t i = 0; i < rows->size(); ++i)
            if (byId.try_emplace(idOf((*rows)[i]), i).second) {
                byKey[keyOf(info, (*rows)[i])].push_back(i);
                m_names[name][idOf((*rows)[i])] = textOf((*rows)[i], (*rows)[i].contains("model") ? "model" : "name");
            }
        if (name == "dcim/racks")
            for (const json& row : *rows) m_racks[idOf(row)] = row;
        const auto before = m_ids;
        for (const std::size_t item : items) planItem(item, *rows, byKey, byId);
        std::map<int, std::size_t> owner; // one object cannot be two of ours
        for (const std::size_t item : items)
            if (m_ids[item] != 0 && !owner.try_emplace(m_ids[item], item).second) {
                m_steps[item].action = Action::Conflict;
                m_steps[item].why = i18n("is the same object as {}", m_inventory.items[owner[m_ids[item]]].name);
            }
        if (before == m_ids || !std::ranges::any_of(info.keys, [](const char* key) { return std::string_view(key) == "parent"; })) {
            if (name == "dcim/racks" || name == "dcim/devices")
                for (const json& row : *rows)
                    if (!owner.contains(idOf(row))) m_strangers.push_back({table, idOf(row), textOf(row, "name")});
            break;
        }
    }
    for (const std::size_t item : items) switch (m_steps[item].action) {
        case Action::Create: ++m_counts[table].create; break;
        case Action::Change: ++m_counts[table].change; break;
        case Action::Same: ++m_counts[table].same; break;
        case Action::Conflict: ++m_counts[table].conflict; break;
        }
    return {};
}

/// Components of the devices at the ends of cables: what the templates made.
Result<void> Sync::readPorts()
{
    m_ports.clear();
    std::map<std::string, std::set<std::size_t>> owners;
    for (const std::size_t cable : m_inventory.ofTable[tableIndex("dcim/cables")])
        for (const auto* side : {&m_inventory.items[cable].a, &m_inventory.items[cable].b})
            for (const Termination& end : *side)
                if (m_ids[end.owner] != 0) owners[end.table].insert(end.owner);
    for (const auto& [table, all] : owners) {
        std::map<int, std::size_t> byId;
        for (const std::size_t owner : all) byId[m_ids[owner]] = owner;
        std::vector<int> ids;
        for (const auto& [id, owner] : byId) ids.push_back(id);
        const bool feeds = table == "dcim/power-feeds";
        for (std::size_t at = 0; at < ids.size(); at += kValuesPerQuery) {
            if (m_progress.stopRequested())
                return fail(ErrorCode::Canceled, m_client.url(), i18n("stopped"), i18n("run the command again to continue"));
            std::string query;
            for (std::size_t i = at; i < std::min(ids.size(), at + kValuesPerQuery); ++i)
                query += fmt::format("{}={}&", feeds ? "id" : "device_id", ids[i]);
            query += feeds ? "fields=id,name,cable" : "fields=id,name,device,cable";
            auto rows = m_client.list(table, query);
            if (!rows) return tl::unexpected(rows.error());
            for (const json& row : *rows) {
                const json device = feeds ? json(idOf(row)) : fieldOf(row, "device"), cable = fieldOf(row, "cable");
                const auto owner = device.is_number_integer() ? byId.find(device.get<int>()) : byId.end();
                if (owner == byId.end()) continue;
                m_ports[{table, owner->second, feeds ? std::string() : textOf(row, "name")}] = {idOf(row),
                                                                                                cable.is_number_integer() ? cable.get<int>() : 0};
            }
        }
    }
    return {};
}

Result<void> Sync::planCables(std::size_t table)
{
    const TableInfo& info = tableList()[table];
    if (const auto read = readPorts(); !read) return read;
    std::map<int, json> cables;
    std::set<int> sites;
    for (const std::size_t site : m_inventory.ofTable[tableIndex("dcim/sites")])
        if (m_ids[site] != 0) sites.insert(m_ids[site]);
    for (const int site : sites) {
        auto rows = m_client.list(info.name, fmt::format("site_id={}", site));
        if (!rows) return tl::unexpected(rows.error());
        for (json& row : *rows) cables.try_emplace(idOf(row), std::move(row));
    }
    std::set<int> known;
    for (const std::size_t index : m_inventory.ofTable[table]) {
        const Item& item = m_inventory.items[index];
        Step& step = m_steps[index];
        step = {index, Action::Create, 0, {}, {}, {}, {}};
        m_ids[index] = 0;
        TableCount& count = m_counts[table];
        if (!item.flaw.empty()) step.action = Action::Conflict, step.why = item.flaw;
        std::set<std::pair<std::string, int>> wantedEnds;
        std::set<int> there;
        for (const auto* side : {&item.a, &item.b})
            for (const Termination& end : *side) {
                const auto port = m_ports.find({end.table, end.owner, end.name});
                if (port == m_ports.end()) {
                    if (m_ids[end.owner] != 0 && step.action == Action::Create) {
                        const std::size_t extras = tableIndex(end.table);
                        const bool planned = std::ranges::any_of(m_inventory.ofTable[extras], [&](std::size_t extra) {
                            return m_steps[extra].action == Action::Create && m_inventory.items[extra].body.value("name", "") == end.name &&
                                   m_inventory.items[extra].body.contains("device") &&
                                   m_inventory.items[extra].body["device"].value("$", std::size_t(-1)) == end.owner;
                        });
                        if (!planned) {
                            step.action = Action::Conflict;
                            step.why = i18n("{} has no {} in NetBox: its device type in NetBox has different components",
                                            m_inventory.items[end.owner].name, end.name);
                        }
                    }
                    continue;
                }
                wantedEnds.insert({objectType(end.table), port->second.id});
                if (port->second.cable != 0) there.insert(port->second.cable);
            }
        if (step.action == Action::Create && !there.empty()) {
            std::set<std::pair<std::string, int>> theirs;
            const auto row = cables.find(*there.begin());
            if (row != cables.end())
                for (const char* side : {"a_terminations", "b_terminations"})
                    for (const json& end : row->second.value(side, json::array()))
                        if (end.is_object() && end.contains("object_id") && end["object_id"].is_number_integer())
                            theirs.insert({textOf(end, "object_type"), end["object_id"].get<int>()});
            if (there.size() == 1 && row != cables.end() && theirs == wantedEnds) {
                json body;
                (void)resolve(item.body, body);
                compare(info, body, row->second, step);
                m_ids[index] = step.id;
                known.insert(step.id);
            } else {
                step.action = Action::Conflict, step.id = *there.begin();
                step.why = i18n("a port at one of its ends already has cable {} {} to a different port", *there.begin(),
                                row == cables.end() ? "" : textOf(row->second, "label"));
                known.insert(there.begin(), there.end());
            }
        }
        ++(step.action == Action::Create   ? count.create
           : step.action == Action::Change ? count.change
           : step.action == Action::Same   ? count.same
                                           : count.conflict);
    }
    for (const auto& [id, row] : cables)
        if (!known.contains(id)) m_strangers.push_back({table, id, textOf(row, "label").empty() ? fmt::format("#{}", id) : textOf(row, "label")});
    return {};
}

Result<void> Sync::plan()
{
    m_strangers.clear();
    for (std::size_t table = 0; table < tableList().size(); ++table)
        if (const auto done = planTable(table); !done) return done;
    return {};
}

Result<void> Sync::write(const std::string& branch, Journal& journal, const Wanted* only)
{
    m_journal = &journal, m_only = only;
    for (std::size_t table = 0; table < tableList().size(); ++table) {
        if (m_inventory.ofTable[table].empty()) continue;
        m_client.useBranch(tableList()[table].main ? std::string() : branch);
        for (int tried = 0;; ++tried) {
            if (const auto planned = planTable(table); !planned) return planned;
            const auto done = writeTable(table);
            if (!done) return tl::unexpected(done.error());
            if (*done) break;
            if (tried + 1 >= m_client.patience().tries) {
                return fail(ErrorCode::Unreadable, m_client.url() + ": " + tableList()[table].name,
                            i18n("no success after {} attempts", m_client.patience().tries),
                            i18n("run the command again later; completed steps are not repeated"));
            }
            if (!m_client.rest(tried)) return fail(ErrorCode::Canceled, m_client.url(), i18n("stopped"), i18n("run the command again to continue"));
        }
    }
    return {};
}

json Sync::sent(const Item& item, const json& body) const
{
    json out = body;
    for (const auto& [side, key] : {std::pair(&item.a, "a_terminations"), std::pair(&item.b, "b_terminations")}) {
        if (side->empty()) continue;
        json ends = json::array();
        for (const Termination& end : *side) {
            const auto port = m_ports.find({end.table, end.owner, end.name});
            if (port == m_ports.end()) return json(); // its device was refused
            ends.push_back({{"object_type", objectType(end.table)}, {"object_id", port->second.id}});
        }
        out[key] = std::move(ends);
    }
    return out;
}

json Sync::chosenFields(std::size_t index) const
{
    const json& changes = m_steps[index].changes;
    const auto only = m_only ? m_only->find(index) : Wanted::const_iterator();
    if (!m_only || only == m_only->end() || only->second.empty()) return changes;
    json out = json::object();
    for (const auto& [name, value] : changes.items()) {
        if (name == "custom_fields") {
            for (const auto& [field, wanted] : value.items())
                if (only->second.contains("custom_fields." + field)) out[name][field] = wanted;
        } else if (only->second.contains(name))
            out[name] = value;
    }
    return out;
}

Result<bool> Sync::writeTable(std::size_t table)
{
    const auto& items = m_inventory.ofTable[table];
    std::map<std::string, int> found;
    for (const std::size_t index : items)
        if (m_ids[index] != 0 && !tableList()[table].shared) found[m_inventory.items[index].name] = m_ids[index];
    if (const auto kept = m_journal->add(tableList()[table].name, found); !kept) return tl::unexpected(kept.error());
    std::vector<std::pair<std::size_t, json>> changes;
    for (const std::size_t index : items) {
        const Step& step = m_steps[index];
        if (step.action != Action::Change || !wanted(index) || m_failed.contains(index)) continue;
        json row = chosenFields(index);
        row["id"] = step.id;
        changes.emplace_back(index, std::move(row));
    }
    std::ranges::sort(changes, {}, [](const auto& one) { return idOf(one.second); }); // NetBox goes through them by id
    if (const auto done = sendAll(table, "PATCH", std::move(changes)); !done || !*done) return done;
    for (;;) { // what stands in another object of this table follows it
        std::vector<std::pair<std::size_t, json>> rows;
        bool waiting = false;
        for (const std::size_t index : items) {
            const Step& step = m_steps[index];
            if (step.action != Action::Create || m_ids[index] != 0 || !wanted(index) || m_failed.contains(index)) continue;
            json body;
            if (!resolve(m_inventory.items[index].body, body)) {
                waiting = true;
                continue;
            }
            adjustPosition(m_inventory.items[index], body);
            body = sent(m_inventory.items[index], body);
            if (body.is_null())
                waiting = true;
            else
                rows.emplace_back(index, std::move(body));
        }
        if (rows.empty()) {
            if (waiting)
                for (const std::size_t index : items)
                    if (m_steps[index].action == Action::Create && m_ids[index] == 0 && wanted(index) && m_failed.insert(index).second) ++m_skipped;
            return true;
        }
        if (const auto done = sendAll(table, "POST", std::move(rows)); !done || !*done) return done;
    }
}

Result<bool> Sync::sendAll(std::size_t table, const char* method, std::vector<std::pair<std::size_t, json>> rows)
{
    const TableInfo& info = tableList()[table];
    for (std::size_t at = 0; at < rows.size();) {
        std::size_t bytes = 2, end = at;
        while (end < rows.size() && end - at < info.batch) {
            bytes += rows[end].second.dump(-1, ' ', false, json::error_handler_t::replace).size() + 1;
            if (bytes > kMostBytes && end > at) break;
            ++end;
        }
        m_progress.report((double(table) + double(at) / double(rows.size())) / double(tableList().size()),
                          words(i18n("Writing {} to NetBox", info.what)));
        const auto done = sendBatch(table, method, std::span(rows).subspan(at, end - at));
        if (!done || !*done) return done;
        at = end;
    }
    return true;
}

Result<bool> Sync::sendBatch(std::size_t table, const char* method, std::span<const std::pair<std::size_t, json>> rows)
{
    if (rows.empty()) return true;
    const TableInfo& info = tableList()[table];
    if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_client.url(), i18n("stopped"), i18n("run the command again to continue"));
    json body = json::array();
    for (const auto& row : rows) body.push_back(row.second);
    const Answer answer = m_client.ask(method, std::string(info.name) + "/", &body);
    if (answer.stopped) return tl::unexpected(m_client.error(info.name, answer));
    if (answer.good() && answer.body.is_array() && answer.body.size() == rows.size()) {
        std::map<std::string, int> made;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::size_t index = rows[i].first;
            if (std::string_view(method) == "POST") m_ids[index] = idOf(answer.body[i]);
            m_steps[index].action = Action::Same, m_steps[index].id = m_ids[index];
            if (std::string_view(info.name) == "dcim/racks") m_racks[m_ids[index]] = answer.body[i];
            if (!info.shared) made[m_inventory.items[index].name] = m_ids[index];
        }
        (std::string_view(method) == "POST" ? m_created : m_changed) += rows.size();
        if (const auto kept = m_journal->add(info.name, made); !kept) return tl::unexpected(kept.error());
        return true;
    }
    if (answer.good()) // written, and what it says of it cannot be used: look again
        return false;
    // A list is validated before it is written, but for doubles within it, which end as a fault of the database: halves find them.
    const bool fault = answer.status == 500 && rows.size() > 1;
    if (answer.passing() && !fault) return false;
    if (answer.status == 401 || answer.status == 403) return tl::unexpected(m_client.error(info.name, answer));
    if (rows.size() == 1) {
        const Item& item = m_inventory.items[rows.front().first];
        const auto errors = errorsOf(answer.body, 1);
        m_refused.push_back(
            i18n("{} {}: {}", info.what, item.name, errors.empty() ? words(m_client.error({}, answer).what) : errors.begin()->second));
        m_failed.insert(rows.front().first);
        return true;
    }
    const auto errors = errorsOf(answer.body, rows.size());
    if (errors.empty()) {
        const auto first = sendBatch(table, method, rows.first(rows.size() / 2));
        if (!first || !*first) return first;
        return sendBatch(table, method, rows.subspan(rows.size() / 2));
    }
    std::vector<std::pair<std::size_t, json>> good;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto wrong = errors.find(i);
        if (wrong == errors.end()) {
            good.push_back(rows[i]);
            continue;
        }
        m_refused.push_back(i18n("{} {}: {}", info.what, m_inventory.items[rows[i].first].name, wrong->second));
        m_failed.insert(rows[i].first);
    }
    return sendBatch(table, method, good);
}

std::string Sync::shown(const std::string& field, const json& value) const
{
    static const std::map<std::string, const char*> tables{
        {"rack", "dcim/racks"},        {"location", "dcim/locations"},       {"site", "dcim/sites"},
        {"role", "dcim/device-roles"}, {"device_type", "dcim/device-types"}, {"rack_type", "dcim/rack-types"},
        {"parent", "dcim/locations"}};
    if (value.is_null()) return {};
    if (const auto table = tables.find(field); table != tables.end() && value.is_number_integer())
        if (const auto names = m_names.find(table->second); names != m_names.end())
            if (const auto name = names->second.find(value.get<int>()); name != names->second.end()) return name->second;
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{}", value.get<double>());
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

namespace {

constexpr const char* kBranches = "plugins/branching/branches";

Result<json> branchNamed(Client& client, const ServerStatus& status, const std::string& name)
{
    if (!status.plugins.contains("netbox_branching"))
        return fail(ErrorCode::Refused, client.url(), i18n("netbox-branching is not installed on the server"),
                    i18n("omit --branch and write to main with --to-main, or install the plugin"));
    client.useBranch({});
    auto rows = client.list(kBranches, "name=" + Client::escaped(name));
    if (!rows) return tl::unexpected(rows.error());
    for (json& row : *rows)
        if (textOf(row, "name") == name) return std::move(row);
    return json();
}

} // namespace

Result<std::string> findBranch(Client& client, const ServerStatus& status, const std::string& name)
{
    const auto branch = branchNamed(client, status, name);
    if (!branch) return tl::unexpected(branch.error());
    return branch->is_null() || textOf(*branch, "status") != "ready" ? std::string() : textOf(*branch, "schema_id");
}

Result<std::string> readyBranch(Client& client, const ServerStatus& status, const std::string& name, const Progress& progress)
{
    auto branch = branchNamed(client, status, name);
    if (!branch) return tl::unexpected(branch.error());
    if (branch->is_null()) {
        const json body{{"name", name}, {"description", "Design of Hallwright"}}; // no text: words of NetBox
        Answer made = client.ask("POST", std::string(kBranches) + '/', &body);
        if (!made.good()) return tl::unexpected(client.error(kBranches, made));
        *branch = std::move(made.body);
    }
    const std::string where = client.url() + ": " + name;
    for (int poll = 0; poll < kMostPolls; ++poll) {
        if (!branch->is_object()) return fail(ErrorCode::Unreadable, where, i18n("the response is not a branch"));
        const std::string now = textOf(*branch, "status"), schema = textOf(*branch, "schema_id");
        if (now == "ready" && !schema.empty()) return schema;
        if (now != "new" && now != "provisioning" && now != "syncing" && now != "ready")
            return fail(ErrorCode::Refused, where, i18n("branch is {}", now), i18n("choose another name for the branch"));
        progress.report(0, words(i18n("Waiting for the branch")));
        if (poll > 0) { (void)client.rest(0); }
        if (client.stopRequested()) return fail(ErrorCode::Canceled, where, i18n("stopped"), i18n("run the command again to continue"));
        auto again = client.get(fmt::format("{}/{}/", kBranches, idOf(*branch)));
        if (!again) return tl::unexpected(again.error());
        *branch = std::move(*again);
    }
    return fail(ErrorCode::Unreadable, where, i18n("branch did not become ready"), i18n("check the background workers of NetBox"));
}

} // namespace hw::netbox
