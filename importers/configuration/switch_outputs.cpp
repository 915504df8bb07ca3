// SPDX-License-Identifier: GPL-3.0-or-later
// What switches print of MTU, flow control and congestion control; config_db.json of SONiC; JSON of NVUE.
#include "importers/configuration/outputs.h"

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using Line = CommandOutput::Line;
using Json = nlohmann::json;

constexpr const char* kRocePriority = "3"; ///< of RoCE in NVUE's lossless mode
constexpr const char* kRoceDscp = "26:3";

bool allNumbers(std::string_view text)
{
    return !text.empty() && text.size() < 10 && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "400G" or "400000" (Mb/s) → "400"; nothing where none is set; what is no rate as it is, so that it differs
std::string switchGbps(const std::string& text)
{
    if (text == "N/A" || text == "auto") return {};
    if (allNumbers(text)) return fmt::format("{:g}", std::stod(text) / 1000);
    const std::string number = text.empty() ? text : text.substr(0, text.size() - 1);
    return allNumbers(number) && (text.back() == 'G' || text.back() == 'g') ? number : text;
}

bool isDashes(const std::string& text) { return text.find_first_not_of("-= \t") == std::string::npos; }

/// SONiC: "Interface    Lossless priorities", then a line a port; "N/A": none.
bool sonicPfc(const CommandOutput& output, Items& items)
{
    bool head = false;
    for (const Line& line : output.lines) {
        const bool title = line.text.find("Lossless priorities") != std::string::npos; // no text
        head = head || title;
        const auto fields = fieldsOf(line.text);
        if (!head || fields.size() < 2 || !fields[0].starts_with("Ethernet")) {
            if (head && !title && !isDashes(line.text)) output.unread.push_back(&line);
            continue;
        }
        std::string list;
        for (std::size_t i = 1; i < fields.size(); ++i) list += fields[i];
        items.push_back({output.device, fields[0], "pfc.priorities", list == "N/A" ? "none" : list, output.at(line)});
    }
    return head;
}

/// SONiC: columns by the offsets of their titles.
bool sonicStatus(const CommandOutput& output, Items& items)
{
    std::size_t lanes = 0, speed = 0, mtu = 0, fec = 0, alias = 0, vlan = 0;
    bool head = false;
    for (const Line& line : output.lines) {
        const std::string& text = line.text;
        if (text.find("Interface") != text.npos && text.find("Lanes") != text.npos && text.find("MTU") != text.npos) {
            lanes = text.find("Lanes"), speed = text.find("Speed"), mtu = text.find("MTU"), fec = text.find("FEC"), alias = text.find("Alias"),
            vlan = text.find("Vlan");
            head = speed != text.npos && fec != text.npos && alias != text.npos;
            continue;
        }
        const auto fields = fieldsOf(text);
        if (!head || fields.size() < 6 || !fields[0].starts_with("Ethernet")) {
            if (head && !isDashes(text) && !fields.front().starts_with("PortChannel")) output.unread.push_back(&line);
            continue;
        }
        // Columns are right-aligned; their order is what counts.
        items.push_back({output.device, fields[0], "nic.speed_gbps", switchGbps(fields[2]), output.at(line)});
        items.push_back({output.device, fields[0], "mtu", fields[3], output.at(line)});
        std::erase_if(items, [](const configuration::Actual& one) { return one.value.empty(); });
    }
    return head && lanes + mtu + vlan > 0;
}

/// NX-OS: "Ethernet1/1   Auto On (8)   0   0": priorities as a bit map.
bool nxosPfc(const CommandOutput& output, Items& items)
{
    bool head = false;
    for (const Line& line : output.lines) {
        if (line.text.find("Oper(VL bmap)") != std::string::npos) head = true; // no text
        auto fields = fieldsOf(line.text);
        const bool port =
            !fields.empty() && (fields[0].starts_with("Eth") || fields[0].starts_with("eth")) && fields[0].find('/') != std::string::npos;
        if (head && port && fields.size() < 3) output.unread.push_back(&line);
        if (!head || !port || fields.size() < 3) continue;
        const auto open = line.text.find('('), close = line.text.find(')');
        const std::string bits =
            open == std::string::npos || close == std::string::npos ? "" : trimmedText(line.text.substr(open + 1, close - open - 1));
        std::string list;
        if (fields[2].starts_with("On") && allNumbers(bits))
            for (int priority = 0; priority < 8; ++priority)
                if ((std::stol(bits) >> priority & 1) != 0) list += (list.empty() ? "" : ",") + std::to_string(priority);
        items.push_back({output.device, fields[0], "pfc.priorities", list.empty() ? "none" : list, output.at(line)});
    }
    return head;
}

/// NX-OS `show policy-map system type network-qos`: MTU of the class that is paused; `… type queuing`: queues with ECN.
bool nxosPolicy(const CommandOutput& output, Items& items)
{
    bool any = false;
    std::string mtu, paused, queue, ecn;
    const Line *mtuAt = nullptr, *ecnAt = nullptr;
    for (const Line& line : output.lines) {
        const std::string text = trimmedText(line.text);
        if (text.find("type network-qos") != text.npos || text.find("type queuing") != text.npos) any = true; // no text
        if (text.starts_with("class type network-qos")) mtu.clear();                                          // no text
        if (text.starts_with("class type queuing")) {                                                         // no text
            const auto q = text.rfind('q');
            queue = text.find("-q-default") != text.npos ? "0" : q != text.npos ? text.substr(q + 1) : "";
            queue = queue.substr(0, queue.find(' '));
            if (!allNumbers(queue)) queue.clear();
        }
        if (text.starts_with("mtu ")) mtu = trimmedText(text.substr(4)), mtuAt = &line;
        if (text.starts_with("pause ") && mtuAt && !mtu.empty()) paused = mtu;
        if (text.starts_with("random-detect") && (text.ends_with(" ecn") || text.find(" ecn ") != text.npos) && !queue.empty())
            ecn += (ecn.empty() ? "" : ",") + queue, ecnAt = &line;
    }
    if (mtuAt && !paused.empty()) items.push_back({output.device, "*", "mtu", paused, output.at(*mtuAt)});
    if (ecnAt) items.push_back({output.device, {}, "ecn.queues", ecn, output.at(*ecnAt)});
    return any;
}

std::string jsonText(const Json& object, const std::string& key)
{
    if (!object.is_object()) return {};
    const auto found = object.find(key);
    if (found == object.end()) return {};
    return found->is_string() ? found->get<std::string>() : found->is_number() ? found->dump() : std::string();
}
const Json& under(const Json& object, const std::string& key)
{
    static const Json nothing = Json::object();
    if (!object.is_object()) return nothing;
    const auto found = object.find(key);
    return found == object.end() || !found->is_object() ? nothing : *found;
}
std::string referred(std::string name) ///< "[BUFFER_PROFILE|x]" of old releases → "x"
{
    if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
    const auto bar = name.rfind('|');
    return bar == name.npos ? name : name.substr(bar + 1);
}

void sonicConfig(const Json& json, const std::string& fallback, const std::string& file, Items& items)
{
    const std::string own = jsonText(under(under(json, "DEVICE_METADATA"), "localhost"), "hostname");
    const std::string device = own.empty() ? fallback : own;
    const Json& ports = under(json, "PORT");
    const auto portOf = [&](const std::string& name) {
        const std::string alias = jsonText(under(ports, name), "alias");
        return alias.starts_with("etp") ? alias : name;
    };
    const auto put = [&](const std::string& table, const std::string& port, const char* item, const std::string& value) {
        if (!value.empty()) items.push_back({device, port, item, value, file + ": " + table});
    };
    for (const auto& [name, port] : ports.items()) {
        put("PORT." + name, portOf(name), "nic.speed_gbps", switchGbps(jsonText(port, "speed")));
        put("PORT." + name, portOf(name), "mtu", jsonText(port, "mtu"));
    }
    bool trusts = false;
    for (const auto& [name, map] : under(json, "PORT_QOS_MAP").items()) {
        trusts = trusts || !jsonText(map, "dscp_to_tc_map").empty();
        if (ports.contains(name)) put("PORT_QOS_MAP." + name, portOf(name), "pfc.priorities", jsonText(map, "pfc_enable"));
    }
    if (trusts) put("PORT_QOS_MAP", {}, "qos.trust", "dscp");
    std::string dscp;
    for (const auto& [name, map] : under(json, "DSCP_TO_TC_MAP").items())
        if (map.is_object())
            for (const auto& [code, tc] : map.items())
                if (tc.is_string()) dscp += fmt::format("{}{}:{}", dscp.empty() ? "" : ",", code, tc.get<std::string>());
    put("DSCP_TO_TC_MAP", {}, "qos.dscp_priority", dscp);
    std::map<std::string, bool> queues;
    for (const auto& [name, queue] : under(json, "QUEUE").items()) {
        const std::string profile = referred(jsonText(queue, "wred_profile"));
        const std::string ecn = jsonText(under(under(json, "WRED_PROFILE"), profile), "ecn");
        const auto bar = name.rfind('|');
        if (!profile.empty() && !ecn.empty() && ecn != "ecn_none" && bar != name.npos) queues[name.substr(bar + 1)] = true;
    }
    std::string marked;
    for (const auto& [range, yes] : queues) { // "3" or "3-4"
        const auto dash = range.find('-');
        const std::string first = range.substr(0, dash), last = dash == range.npos ? first : range.substr(dash + 1);
        if (!allNumbers(first) || !allNumbers(last) || std::stoi(last) > 63) continue;
        for (int queue = std::stoi(first); queue <= std::stoi(last); ++queue) marked += (marked.empty() ? "" : ",") + std::to_string(queue);
    }
    put("QUEUE", {}, "ecn.queues", marked);
    for (const auto& [name, group] : under(json, "BUFFER_PG").items()) {
        const auto bar = name.find('|');
        if (bar == name.npos) continue;
        put("BUFFER_PG." + name, portOf(name.substr(0, bar)), "buffer.xoff_bytes",
            jsonText(under(under(json, "BUFFER_PROFILE"), referred(jsonText(group, "profile"))), "xoff"));
    }
}

/// The lossless mode of `nv set qos roce`: PFC on priority 3, DSCP 26 to it, ECN on its queue.
void nvueRoce(const Json& roce, const std::string& device, const std::string& file, Items& items)
{
    const std::string mode = jsonText(roce, "mode"), enable = jsonText(roce, "enable");
    const bool on = enable != "off" && (enable == "on" || !mode.empty());
    const auto put = [&](const std::string& port, const char* item, std::string value) {
        if (!value.empty()) items.push_back({device, port, item, std::move(value), file + ": qos.roce"});
    };
    const std::string priority = jsonText(under(roce, "pfc"), "pfc-priority"), trust = jsonText(under(roce, "trust"), "trust-mode"),
                      classes = jsonText(under(roce, "congestion-control"), "enabled-tc");
    const bool lossless = on && (mode.empty() || mode == "lossless");
    put("*", "pfc.priorities", !lossless ? "none" : priority.empty() ? kRocePriority : priority);
    put({}, "qos.trust", !on ? "none" : trust.empty() ? "pcp,dscp" : trust);
    put({}, "ecn.queues", !on ? "none" : classes.empty() ? "0,3" : classes);
    if (on) put({}, "qos.dscp_priority", kRoceDscp);
}

void nvueConfig(const Json& set, const std::string& fallback, const std::string& file, Items& items)
{
    std::string device = jsonText(under(set, "system"), "hostname");
    if (device.empty()) device = fallback;
    for (const auto& [name, interface] : under(set, "interface").items()) {
        const Json& link = under(interface, "link");
        for (const auto& [key, item] : {std::pair("mtu", "mtu"), std::pair("speed", "nic.speed_gbps")}) {
            std::string value = jsonText(link, key);
            if (std::string_view(key) == "speed") value = switchGbps(value);
            if (!value.empty()) items.push_back({device, name, item, std::move(value), file + ": interface." + name});
        }
    }
    const Json& qos = under(set, "qos");
    if (qos.contains("roce") && qos["roce"].is_object()) {
        Json roce = qos["roce"];
        if (!roce.contains("enable")) roce["enable"] = "on"; // as `nv set qos roce` writes it
        nvueRoce(roce, device, file, items);
    }
}

} // namespace

bool readSwitchOutput(const CommandOutput& output, Items& items)
{
    return sonicPfc(output, items) || sonicStatus(output, items) || nxosPfc(output, items) || nxosPolicy(output, items);
}

bool readSwitchJson(const Json& json, const std::string& device, const std::string& file, Items& items)
{
    if (json.is_array()) {
        bool any = false;
        for (const Json& one : json)
            if (one.is_object() && one.contains("set") && one["set"].is_object()) nvueConfig(one["set"], device, file, items), any = true;
        return any;
    }
    if (!json.is_object()) return false;
    if (json.contains("DEVICE_METADATA") || json.contains("PORT")) return sonicConfig(json, device, file, items), true;
    if (json.contains("set") && json["set"].is_object()) return nvueConfig(json["set"], device, file, items), true;
    if (json.contains("congestion-control") || (json.contains("mode") && json.contains("pfc"))) return nvueRoce(json, device, file, items), true;
    return false;
}

} // namespace hw::importers
