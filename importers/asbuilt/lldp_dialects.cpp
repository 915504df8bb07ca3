// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/asbuilt/lldp_dialects.h"

#include "core/operations/asbuilt/sighting.h"
#include "importers/asbuilt/prompts.h"

#include <algorithm>

namespace hw::importers {

namespace {

using Json = nlohmann::json;

tl::unexpected<Error> badLldp(const std::string& file, const std::string& key, Text what)
{
    return fail(ErrorCode::Unreadable, file + ": " + key, std::move(what), i18n("repeat the capture: lldpcli show neighbors -f json0"));
}

/// lldpd writes a value alone, as an object with "value", or (json0) as a list of these.
const Json* single(const Json& json)
{
    if (json.is_array()) return json.empty() ? nullptr : single(json.front());
    return &json;
}
const Json* member(const Json& object, const char* key)
{
    const Json* one = single(object);
    if (!one || !one->is_object()) return nullptr;
    const auto found = one->find(key);
    return found == one->end() ? nullptr : single(*found);
}
std::string textOf(const Json* json)
{
    if (!json) return {};
    if (json->is_object()) return textOf(member(*json, "value"));
    return json->is_string() ? json->get<std::string>() : json->is_number() ? json->dump() : std::string();
}

struct Chassis {
    std::string name, id;
};

/// {"host01": {"id": …}}, {"id": …, "name": …} or a list of the second.
Chassis chassisOf(const Json* json)
{
    Chassis chassis;
    if (!json || !json->is_object()) return chassis;
    const Json* body = json;
    if (!json->contains("id") && !json->contains("name") && json->size() == 1 && json->begin()->is_object()) {
        chassis.name = json->begin().key();
        body = &*json->begin();
    }
    if (const std::string said = textOf(member(*body, "name")); !said.empty()) chassis.name = said;
    if (const Json* id = member(*body, "id")) {
        const std::string type = textOf(member(*id, "type"));
        if (type.empty() || type == "mac") chassis.id = asbuilt::hardwareId(textOf(id));
        if (chassis.name.empty() && chassis.id.empty()) chassis.name = textOf(id); // an address, a serial number
    }
    return chassis;
}

/// The interface's name, which lldpd gives as id or, where that is a MAC, as description.
std::string portOf(const Json* json)
{
    if (!json) return {};
    const Json* id = member(*json, "id");
    const std::string type = id ? textOf(member(*id, "type")) : std::string(), value = textOf(id), description = textOf(member(*json, "descr"));
    return (type == "mac" || type == "local") && !description.empty() ? description : value;
}

Result<void> addInterface(const std::string& name, const Json& body, const std::string& file, LldpFile& out)
{
    if (body.is_array() && body.size() > 1) { // several neighbours at one port
        for (const Json& each : body)
            if (auto done = addInterface(name, each, file, out); !done) return done;
        return {};
    }
    const Json* one = single(body);
    const auto leave = [&](const std::string& key, Text what) {
        return out.left.push_back(badLldp(file, key, std::move(what)).value()), Result<void>();
    };
    if (!one || !one->is_object()) return leave("lldp.interface." + name, i18n("is not an object"));
    const Chassis chassis = chassisOf(member(*one, "chassis"));
    if (chassis.name.empty() && chassis.id.empty()) return leave("lldp.interface." + name + ".chassis", i18n("has neither a name nor an ID"));
    out.neighbours.push_back({name, chassis.name, chassis.id, portOf(member(*one, "port"))});
    return {};
}

/// One interface of either form: {"name": "swp1", "chassis": …} or {"swp1": {"chassis": …}, …}.
Result<void> addInterfaces(const Json& json, const std::string& file, LldpFile& out)
{
    if (json.is_array()) {
        for (const Json& one : json)
            if (auto done = addInterfaces(one, file, out); !done) return done;
        return {};
    }
    if (!json.is_object()) return badLldp(file, "lldp.interface", i18n("is neither an object nor a list"));
    if (json.contains("chassis")) {
        const std::string name = textOf(member(json, "name"));
        if (name.empty()) return badLldp(file, "lldp.interface", i18n("interface without a name"));
        return addInterface(name, json, file, out);
    }
    for (const auto& [name, body] : json.items())
        if (auto done = addInterface(name, body, file, out); !done) return done;
    return {};
}

std::string unquoted(std::string text)
{
    std::erase(text, '"');
    return text;
}

Result<void> readArista(const Json& neighbours, const std::string& file, LldpFile& out)
{
    if (neighbours.is_array()) { // without detail
        for (const Json& one : neighbours)
            out.neighbours.push_back(
                {textOf(member(one, "port")), textOf(member(one, "neighborDevice")), {}, unquoted(textOf(member(one, "neighborPort")))});
        return {};
    }
    if (!neighbours.is_object()) return badLldp(file, "lldpNeighbors", i18n("is neither an object nor a list"));
    for (const auto& [port, body] : neighbours.items()) {
        if (!body.is_object() || !body.contains("lldpNeighborInfo") || !body["lldpNeighborInfo"].is_array()) {
            out.left.push_back(badLldp(file, "lldpNeighbors." + port, i18n("list lldpNeighborInfo is missing")).value());
            continue;
        }
        for (const Json& one : body["lldpNeighborInfo"]) {
            const Json* interface = member(one, "neighborInterfaceInfo");
            std::string far = interface ? textOf(member(*interface, "interfaceId_v2")) : std::string();
            if (far.empty() && interface) far = unquoted(textOf(member(*interface, "interfaceId")));
            const std::string description = interface ? textOf(member(*interface, "interfaceDescription")) : std::string();
            if (!asbuilt::hardwareId(far).empty() && !description.empty()) far = description;
            out.neighbours.push_back({port, textOf(member(one, "systemName")), asbuilt::hardwareId(textOf(member(one, "chassisId"))), far});
        }
    }
    return {};
}

/// {"swp1": {"lldp": {"neighbor": {"host01": {"chassis": …, "port": …}}}}}
Result<void> readNvue(const Json& json, LldpFile& out)
{
    for (const auto& [port, body] : json.items()) {
        const Json* lldp = member(body, "lldp");
        const Json* neighbours = lldp ? member(*lldp, "neighbor") : nullptr;
        if (!neighbours || !neighbours->is_object()) continue;
        for (const auto& [key, one] : neighbours->items()) {
            const Json* chassis = member(one, "chassis");
            const Json* far = member(one, "port");
            const std::string name = chassis ? textOf(member(*chassis, "system-name")) : std::string();
            std::string portName = far ? textOf(member(*far, "name")) : std::string();
            const std::string description = far ? textOf(member(*far, "description")) : std::string();
            if (!asbuilt::hardwareId(portName).empty() && !description.empty()) portName = description;
            out.neighbours.push_back(
                {port, name.empty() ? key : name, chassis ? asbuilt::hardwareId(textOf(member(*chassis, "chassis-id"))) : std::string(), portName});
        }
    }
    return {};
}

} // namespace

Result<void> readLldpJson(const Json& json, const std::string& file, LldpFile& out)
{
    if (!json.is_object()) return badLldp(file, "{}", i18n("is not an object"));
    if (json.contains("local-chassis")) {
        const Json* local = single(json["local-chassis"]);
        const Chassis chassis = chassisOf(local ? member(*local, "chassis") : nullptr);
        if (chassis.name.empty()) return badLldp(file, "local-chassis", i18n("no name given"));
        out.localName = chassis.name, out.localId = chassis.id;
        out.onlyChassis = !json.contains("lldp");
        if (out.onlyChassis) return {};
    }
    if (json.contains("jsonrpc") && json.contains("result")) { // Arista's eAPI
        const Json* result = single(json["result"]);
        if (!result || !result->is_object() || !result->contains("lldpNeighbors")) return badLldp(file, "result", i18n("lldpNeighbors is missing"));
        return readArista((*result)["lldpNeighbors"], file, out);
    }
    if (json.contains("lldpNeighbors")) return readArista(json["lldpNeighbors"], file, out);
    if (json.contains("lldp")) {
        const Json* lldp = single(json["lldp"]);
        if (!lldp) return {};
        if (!lldp->is_object()) return badLldp(file, "lldp", i18n("is not an object"));
        const auto interfaces = lldp->find("interface");
        return interfaces == lldp->end() ? Result<void>() : addInterfaces(*interfaces, file, out);
    }
    // Of an interface without a neighbour NVUE says its type and link alone, or nothing.
    const bool nvue = !json.empty() && std::ranges::all_of(json, [](const Json& one) { return one.is_object(); }) &&
                      (std::ranges::any_of(json, [](const Json& one) { return one.contains("lldp"); }) ||
                       std::ranges::all_of(json, [](const Json& one) { return one.empty(); }));
    if (nvue) return readNvue(json, out);
    return badLldp(file, "lldp", i18n("missing, and no other known LLDP neighbor format found"));
}

namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string columnOf(std::string_view line, const std::pair<std::size_t, std::size_t>& column, bool last)
{
    if (line.size() <= column.first) return {};
    auto cell = line.substr(column.first, last ? line.npos : column.second - column.first);
    const auto first = cell.find_first_not_of(' ');
    return first == cell.npos ? std::string() : std::string(cell.substr(first, cell.find_last_not_of(' ') - first + 1));
}

} // namespace

bool isSonicTable(std::string_view text) { return text.find("LocalPort") != text.npos && text.find("RemoteDevice") != text.npos; }

Result<void> readSonicTable(std::string_view text, const std::string& file, LldpFile& out)
{
    const auto lines = linesOf(text);
    std::size_t at = 0;
    while (at < lines.size() && !lines[at].starts_with("---")) ++at;
    if (at == lines.size() || at == 0)
        return fail(ErrorCode::Unreadable, file, i18n("no line of dashes below the column headings"), i18n("repeat the capture: show lldp table"));
    std::vector<std::pair<std::size_t, std::size_t>> columns;
    for (std::size_t i = 0; i < lines[at].size();) {
        const auto end = std::min(lines[at].find(' ', i), lines[at].size());
        columns.emplace_back(i, end);
        i = std::min(lines[at].find('-', end), lines[at].size());
    }
    if (columns.size() < 3)
        return fail(ErrorCode::Unreadable, file + ":" + std::to_string(at + 1), i18n("fewer than three columns"),
                    i18n("repeat the capture: show lldp table"));
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) columns[i].second = columns[i + 1].first;
    std::string total;
    bool ended = false; // what follows its end is of a terminal
    std::size_t rows = 0;
    for (++at; at < lines.size() && !ended; ++at) {
        if (lines[at].starts_with("Total")) total = lines[at].substr(lines[at].find_last_of(": ") + 1), ended = true;
        if (ended || lines[at].starts_with("---") || lines[at].find_first_not_of(' ') == lines[at].npos || isPrompt(lines[at])) continue;
        ++rows;
        LldpNeighbour n{columnOf(lines[at], columns[0], false), columnOf(lines[at], columns[1], false), {}, columnOf(lines[at], columns[2], false)};
        const std::string description = columns.size() > 4 ? columnOf(lines[at], columns[4], true) : std::string();
        if (n.localPort.empty() || (n.name.empty() && n.port.empty())) {
            out.left.push_back(
                {ErrorCode::Unreadable, file + ":" + std::to_string(at + 1), i18n("not a table row"), i18n("repeat the capture: show lldp table")});
            continue;
        }
        if (!asbuilt::hardwareId(n.port).empty() && !description.empty()) n.port = description;
        if (n.id = asbuilt::hardwareId(n.name); !n.id.empty()) n.name.clear();
        out.neighbours.push_back(std::move(n));
    }
    out.mayGoOn = total != std::to_string(rows);
    return {};
}

} // namespace hw::importers
