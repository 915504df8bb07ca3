// SPDX-License-Identifier: GPL-3.0-or-later
// Neighbors as JSON: lldpd (json, json0), EOS, NVUE, NetQ, SuzieQ.
#include "importers/captures/lldp_file.h"

#include "core/operations/asbuilt/sighting.h"

#include <algorithm>

#include <nlohmann/json.hpp>

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
    return lldpPort(type, value, description);
}

Result<void> addInterface(const std::string& name, const Json& body, const std::string& file, LldpFile& out)
{
    if (body.is_array() && body.size() > 1) { // several neighbors at one port
        for (const Json& each : body)
            if (auto done = addInterface(name, each, file, out); !done) return done;
        return {};
    }
    const Json* one = single(body);
    const auto leave = [&](const std::string& key, Text what) {
        return out.left.push_back(badLldp(file, key, std::move(what)).value()), Result<void>();
    };
    if (!one || !one->is_object()) return leave("lldp.interface." + name, i18n("is not an object"));
    if (const std::string via = textOf(member(*one, "via")); !via.empty() && !sameWord(via, "LLDP"))
        return leave("lldp.interface." + name, i18n("neighbor by {}, not LLDP", via));
    const Chassis chassis = chassisOf(member(*one, "chassis"));
    if (chassis.name.empty() && chassis.id.empty()) return leave("lldp.interface." + name + ".chassis", i18n("has neither a name nor an ID"));
    const Json* port = member(*one, "port");
    if (!port || !member(*port, "id")) return leave("lldp.interface." + name + ".port", i18n("neighbor without a port ID"));
    out.neighbors.push_back({name, chassis.name, chassis.id, portOf(port)});
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

Result<void> readArista(const Json& neighbors, const std::string& file, LldpFile& out)
{
    if (neighbors.is_array()) { // without detail
        for (const Json& one : neighbors)
            out.neighbors.push_back(
                {textOf(member(one, "port")), textOf(member(one, "neighborDevice")), {}, unquoted(textOf(member(one, "neighborPort")))});
        return {};
    }
    if (!neighbors.is_object()) return badLldp(file, "lldpNeighbors", i18n("is neither an object nor a list"));
    for (const auto& [port, body] : neighbors.items()) {
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
            out.neighbors.push_back({port, textOf(member(one, "systemName")), asbuilt::hardwareId(textOf(member(one, "chassisId"))), far});
        }
    }
    return {};
}

/// {"swp1": {"lldp": {"neighbor": {"host01": {"chassis": …, "port": …}}}}}
Result<void> readNvue(const Json& json, LldpFile& out)
{
    for (const auto& [port, body] : json.items()) {
        const Json* lldp = member(body, "lldp");
        const Json* neighbors = lldp ? member(*lldp, "neighbor") : nullptr;
        if (!neighbors || !neighbors->is_object()) continue;
        for (const auto& [key, one] : neighbors->items()) {
            const Json* chassis = member(one, "chassis");
            const Json* far = member(one, "port");
            const std::string name = chassis ? textOf(member(*chassis, "system-name")) : std::string();
            std::string portName = far ? textOf(member(*far, "name")) : std::string();
            const std::string description = far ? textOf(member(*far, "description")) : std::string();
            if (!asbuilt::hardwareId(portName).empty() && !description.empty()) portName = description;
            out.neighbors.push_back(
                {port, name.empty() ? key : name, chassis ? asbuilt::hardwareId(textOf(member(*chassis, "chassis-id"))) : std::string(), portName});
        }
    }
    return {};
}

/// Rows of all devices: NetQ, SuzieQ. Either spelling of their keys.
bool isRowList(const Json& json)
{
    return json.is_array() &&
           std::ranges::any_of(json, [](const Json& row) { return row.is_object() && row.contains("hostname") && row.contains("ifname"); });
}

void readRows(const Json& rows, const std::string& file, LldpFile& out)
{
    std::size_t number = 0;
    for (const Json& row : rows) {
        const auto either = [&](const char* one, const char* other) {
            const std::string text = textOf(member(row, one));
            return text.empty() ? textOf(member(row, other)) : text;
        };
        LldpNeighbor n;
        n.inRow = true;
        n.device = textOf(member(row, "hostname")), n.localPort = textOf(member(row, "ifname"));
        n.name = either("peerHostname", "peer_hostname"), n.port = either("peerIfname", "peer_ifname");
        if (const auto id = asbuilt::hardwareId(n.name); !id.empty()) n.id = id, n.name.clear();
        if (n.device.empty() || n.localPort.empty() || (n.name.empty() && n.id.empty() && n.port.empty()))
            out.left.push_back(leftOut(file + ": [" + std::to_string(number) + "]", i18n("row without a device, port or neighbor")));
        else
            out.neighbors.push_back(std::move(n));
        ++number;
    }
}

} // namespace

Result<void> readLldpJson(const Json& json, const std::string& file, LldpFile& out)
{
    if (isRowList(json)) return readRows(json, file, out), Result<void>();
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
    if (const auto rows = json.find("lldp"); rows != json.end() && isRowList(*rows)) {
        readRows(*rows, file, out);
        if (const auto truncated = json.find("truncatedResult"); truncated != json.end() && *truncated == true) out.mayGoOn = true;
        return {};
    }
    if (json.contains("lldp")) {
        const Json* lldp = single(json["lldp"]);
        if (!lldp) return {};
        if (!lldp->is_object()) return badLldp(file, "lldp", i18n("is not an object"));
        const auto interfaces = lldp->find("interface");
        return interfaces == lldp->end() ? Result<void>() : addInterfaces(*interfaces, file, out);
    }
    // Of an interface without a neighbor NVUE says its type and link alone, or nothing.
    const bool nvue = !json.empty() && std::ranges::all_of(json, [](const Json& one) { return one.is_object(); }) &&
                      (std::ranges::any_of(json, [](const Json& one) { return one.contains("lldp"); }) ||
                       std::ranges::all_of(json, [](const Json& one) { return one.empty(); }));
    if (nvue) return readNvue(json, out);
    return badLldp(file, "lldp", i18n("missing, and no other known LLDP neighbor format found"));
}

} // namespace hw::importers
