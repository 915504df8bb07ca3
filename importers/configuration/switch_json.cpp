// SPDX-License-Identifier: GPL-3.0-or-later
// config_db.json of SONiC, JSON of NVUE.
#include "importers/configuration/outputs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

namespace hw::importers {

namespace {

using Json = nlohmann::json;
using Words = std::span<const std::string_view>;

constexpr const char* kRocePriority = "3"; ///< of RoCE in NVUE's lossless modes
constexpr const char* kRoceDscp = "26:3";

// Keys that the formats have and that are compared with nothing (SONiC: its YANG models; NVUE: its command reference).
constexpr std::array<std::string_view, 38> kSonicPort{"alias",
                                                      "lanes",
                                                      "speed",
                                                      "mtu",
                                                      "admin_status",
                                                      "index",
                                                      "description",
                                                      "fec",
                                                      "autoneg",
                                                      "adv_speeds",
                                                      "adv_interface_types",
                                                      "interface_type",
                                                      "tpid",
                                                      "pfc_asym",
                                                      "asic_port_name",
                                                      "role",
                                                      "subport",
                                                      "link_training",
                                                      "media_type",
                                                      "core_id",
                                                      "core_port_id",
                                                      "num_voq",
                                                      "macsec",
                                                      "mux_cable",
                                                      "dom_polling",
                                                      "laser_freq",
                                                      "tx_power",
                                                      "preemphasis",
                                                      "mode",
                                                      "coreId",
                                                      "corePortId",
                                                      "numVoq",
                                                      "dhcp_rate_limit",
                                                      "link_event_damping_algorithm",
                                                      "max_suppress_time",
                                                      "decay_half_life",
                                                      "suppress_threshold",
                                                      "reuse_threshold"};
constexpr std::array<std::string_view, 15> kSonicPortQos{"dscp_to_tc_map", "dot1p_to_tc_map", "tc_to_queue_map", "tc_to_pg_map",  "pfc_to_queue_map",
                                                         "pfc_to_pg_map",  "pfc_enable",      "pfcwd_sw_enable", "scheduler",     "tc_to_dot1p_map",
                                                         "tc_to_dscp_map", "dscp_to_fc_map",  "exp_to_fc_map",   "exp_to_tc_map", "wred_profile"};
constexpr std::array<std::string_view, 2> kSonicQueue{"scheduler", "wred_profile"};
constexpr std::array<std::string_view, 1> kSonicGroup{"profile"};
constexpr std::array<std::string_view, 9> kSonicBuffer{"pool",       "size", "dynamic_th",           "static_th", "xon", "xoff",
                                                       "xon_offset", "mode", "packet_discard_action"};
constexpr std::array<std::string_view, 17> kSonicWred{"ecn",
                                                      "wred_green_enable",
                                                      "wred_yellow_enable",
                                                      "wred_red_enable",
                                                      "green_min_threshold",
                                                      "green_max_threshold",
                                                      "green_drop_probability",
                                                      "yellow_min_threshold",
                                                      "yellow_max_threshold",
                                                      "yellow_drop_probability",
                                                      "red_min_threshold",
                                                      "red_max_threshold",
                                                      "red_drop_probability",
                                                      "gmin",
                                                      "gmax",
                                                      "gdrop",
                                                      "weight"};
constexpr std::array<std::string_view, 24> kNvueLink{"auto-negotiate",
                                                     "breakout",
                                                     "dot1x",
                                                     "duplex",
                                                     "fast-linkup",
                                                     "fec",
                                                     "flap-protection",
                                                     "lanes",
                                                     "lane",
                                                     "mac",
                                                     "mac-address",
                                                     "mtu",
                                                     "port-security",
                                                     "protodown",
                                                     "speed",
                                                     "state",
                                                     "stats",
                                                     "train",
                                                     "wide-port",
                                                     "oper-status",
                                                     "admin-status",
                                                     "protodown-reason",
                                                     "mtu-inherited",
                                                     "link-training"};
constexpr std::array<std::string_view, 9> kNvueRoce{"enable",       "state", "mode",  "cable-length", "congestion-control",
                                                    "lldp-app-tlv", "pfc",   "trust", "prio-map"};
constexpr std::array<std::string_view, 17> kNvueQos{"roce",
                                                    "advance-buffer-config",
                                                    "advanced-buffer-config",
                                                    "buffer",
                                                    "congestion-control",
                                                    "egress-queue-mapping",
                                                    "egress-scheduler",
                                                    "egress-shaper",
                                                    "link-pause",
                                                    "mapping",
                                                    "pfc",
                                                    "pfc-watchdog",
                                                    "remark",
                                                    "traffic-pool",
                                                    "admission-control",
                                                    "profile",
                                                    "scheduler"};
/// Tables of SONiC whose rows are read here, and those that are compared with nothing.
constexpr std::array<std::string_view, 8> kSonicTables{"DEVICE_METADATA", "PORT",         "PORT_QOS_MAP",   "DSCP_TO_TC_MAP",
                                                       "QUEUE",           "WRED_PROFILE", "BUFFER_PROFILE", "BUFFER_PG"};
constexpr std::array<std::string_view, 36> kSonicOthers{"AAA",
                                                        "BREAKOUT_CFG",
                                                        "BUFFER_POOL",
                                                        "BUFFER_QUEUE",
                                                        "CABLE_LENGTH",
                                                        "CHASSIS_MODULE",
                                                        "CONFIG_VERSION",
                                                        "CRM",
                                                        "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
                                                        "DEVICE_NEIGHBOR",
                                                        "DEVICE_NEIGHBOR_METADATA",
                                                        "DSCP_TO_FC_MAP",
                                                        "EXP_TO_FC_MAP",
                                                        "FABRIC_MONITOR",
                                                        "FABRIC_PORT",
                                                        "FEATURE",
                                                        "FG_NHG",
                                                        "GNMI",
                                                        "INTERFACE",
                                                        "KDUMP",
                                                        "LOGGER",
                                                        "LOSSLESS_TRAFFIC_PATTERN",
                                                        "NEIGH",
                                                        "PASSW_HARDENING",
                                                        "PEER_SWITCH",
                                                        "PORT_STORM_CONTROL",
                                                        "QUEUE_GROUP",
                                                        "RESTAPI",
                                                        "SCHEDULER",
                                                        "SFLOW",
                                                        "STATIC_ROUTE",
                                                        "SYSTEM_DEFAULTS",
                                                        "SYSTEM_PORT",
                                                        "VERSIONS",
                                                        "VRF",
                                                        "WARM_RESTART"};
constexpr std::array<std::string_view, 33> kSonicFamilies{"ACL_",     "AUTO_TECHSUPPORT",
                                                          "BGP_",     "BUFFER_PORT_",
                                                          "CONSOLE_", "COPP_",
                                                          "DHCP",     "DOT1P_TO_",
                                                          "DPU",      "FLEX_COUNTER",
                                                          "LLDP",     "LOOPBACK",
                                                          "MAP_",     "MCLAG_",
                                                          "MGMT_",    "MIRROR_",
                                                          "MUX_",     "NAT_",
                                                          "NTP",      "PFC",
                                                          "POLICER",  "PORTCHANNEL",
                                                          "RADIUS",   "ROUTE_",
                                                          "SNMP",     "STP",
                                                          "SYSLOG",   "TACPLUS",
                                                          "TC_TO_",   "TELEMETRY",
                                                          "TUNNEL",   "VLAN",
                                                          "VXLAN_"};

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
std::vector<std::string> atCommas(const std::string& text) ///< at commas
{
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= text.size();) {
        const auto comma = std::min(text.find(',', at), text.size());
        if (const std::string one = trimmedText(std::string_view(text).substr(at, comma - at)); !one.empty()) out.push_back(one);
        at = comma + 1;
    }
    return out;
}
/// Keys that were not read, each once.
class UnknownKeys {
public:
    void name(std::string key)
    {
        if (m_seen.insert(key).second) m_keys.push_back(std::move(key));
    }
    /// Fields of a row: one that is not known, or neither a text nor a number.
    void row(const std::string& table, const Json& row, Words known)
    {
        if (!row.is_object()) return name(table);
        for (const auto& [key, value] : row.items())
            if (std::ranges::find(known, key) == known.end()) name(table + "." + key);
    }
    void scalar(const std::string& table, const Json& row, const std::string& key)
    {
        if (row.is_object() && row.contains(key) && !row[key].is_string() && !row[key].is_number()) name(table + "." + key);
    }
    [[nodiscard]] std::vector<std::string> take() { return std::move(m_keys); }

private:
    std::set<std::string> m_seen;
    std::vector<std::string> m_keys;
};

class SonicConfig {
public:
    SonicConfig(const Json& json, const std::string& fallback, const std::string& file, Items& items) : m_json(json), m_file(file), m_items(items)
    {
        const std::string own = jsonText(under(under(json, "DEVICE_METADATA"), "localhost"), "hostname");
        m_device = own.empty() ? fallback : own;
    }
    std::vector<std::string> read()
    {
        tables();
        ports();
        maps();
        queues();
        buffers();
        return m_unknown.take();
    }

private:
    void put(const std::string& table, const std::string& port, const char* item, const std::string& value)
    {
        if (!value.empty()) m_items.push_back({m_device, port, item, value, m_file + ": " + table});
    }
    const Json& table(const char* name) { return under(m_json, name); }
    /// What a whole configuration does not set is off.
    bool isWhole() { return !table("DEVICE_METADATA").empty() && !table("PORT").empty(); }
    std::string portOf(const std::string& name)
    {
        const std::string alias = jsonText(under(table("PORT"), name), "alias");
        return alias.starts_with("etp") ? alias : name;
    }
    /// "Ethernet0,Ethernet4|3-4", of chassis "HOST|ASIC|Ethernet0|3": the ports, and what is behind the last bar.
    std::pair<std::vector<std::string>, std::string> keyOf(const std::string& key)
    {
        const auto bar = key.rfind('|');
        const std::string head = key.substr(0, bar == key.npos ? 0 : bar);
        const auto before = head.rfind('|');
        return {atCommas(before == head.npos ? head : head.substr(before + 1)), bar == key.npos ? std::string() : key.substr(bar + 1)};
    }
    /// "3" or "3-4"; nothing for what is neither.
    static std::vector<int> numbersOf(const std::string& range)
    {
        const auto dash = range.find('-');
        const std::string first = range.substr(0, dash), last = dash == range.npos ? first : range.substr(dash + 1);
        std::vector<int> out;
        if (!isNumber(first) || !isNumber(last) || std::stoi(last) > 63) return out;
        for (int n = std::stoi(first); n <= std::stoi(last); ++n) out.push_back(n);
        return out;
    }

    void tables()
    {
        for (const auto& [name, value] : m_json.items()) {
            if (std::ranges::find(kSonicTables, name) != kSonicTables.end()) {
                if (!value.is_object()) m_unknown.name(name);
                continue;
            }
            const auto begins = [&](std::string_view family) { return name.starts_with(family); };
            const bool known = std::ranges::find(kSonicOthers, name) != kSonicOthers.end() || std::ranges::any_of(kSonicFamilies, begins);
            if (!known) m_unknown.name(name);
        }
    }
    void ports()
    {
        for (const auto& [name, port] : table("PORT").items()) {
            m_unknown.row("PORT", port, kSonicPort);
            for (const char* key : {"speed", "mtu", "alias"}) m_unknown.scalar("PORT", port, key);
            put("PORT." + name, portOf(name), "nic.speed_gbps", switchGbps(jsonText(port, "speed")));
            put("PORT." + name, portOf(name), "mtu", jsonText(port, "mtu"));
        }
    }
    void maps()
    {
        std::map<std::string, std::string> used; ///< maps, with the first row that refers to them
        bool dscp = false, pcp = false;
        for (const auto& [names, map] : table("PORT_QOS_MAP").items()) {
            m_unknown.row("PORT_QOS_MAP", map, kSonicPortQos);
            m_unknown.scalar("PORT_QOS_MAP", map, "pfc_enable");
            const std::string refers = referred(jsonText(map, "dscp_to_tc_map"));
            dscp = dscp || !refers.empty(), pcp = pcp || !jsonText(map, "dot1p_to_tc_map").empty();
            if (!refers.empty()) used.emplace(refers, names);
            if (names == "global") continue;
            for (const std::string& name : atCommas(names)) {
                m_lossless.insert(name);
                const bool off = map.is_object() && !map.contains("pfc_enable");
                put("PORT_QOS_MAP." + name, portOf(name), "pfc.priorities", off ? "none" : jsonText(map, "pfc_enable"));
            }
        }
        const bool whole = isWhole();
        if (dscp || pcp || whole) put("PORT_QOS_MAP", {}, "qos.trust", dscp && pcp ? "pcp,dscp" : dscp ? "dscp" : pcp ? "pcp" : "none");
        if (whole)
            for (const auto& [name, unused] : table("PORT").items())
                if (m_lossless.insert(name).second) put("PORT." + name, portOf(name), "pfc.priorities", "none");
        for (const auto& [name, map] : table("DSCP_TO_TC_MAP").items()) {
            if (!map.is_object()) m_unknown.name("DSCP_TO_TC_MAP");
            if (!map.is_object() || (!used.empty() && !used.contains(name))) continue;
            std::string all;
            for (const auto& [code, unused] : map.items()) {
                const std::string tc = jsonText(map, code);
                if (!isNumber(code) || !isNumber(tc)) {
                    m_unknown.name("DSCP_TO_TC_MAP." + code);
                    continue;
                }
                all += fmt::format("{}{}:{}", all.empty() ? "" : ",", code, tc);
            }
            put("DSCP_TO_TC_MAP." + name, {}, "qos.dscp_priority", all);
        }
    }
    /// Ports that have the same queues with ECN are one value, so that one port without it shows.
    void queues()
    {
        for (const auto& [name, profile] : table("WRED_PROFILE").items()) m_unknown.row("WRED_PROFILE", profile, kSonicWred);
        std::map<std::string, std::set<int>> marked; ///< by port
        for (const auto& [key, queue] : table("QUEUE").items()) {
            m_unknown.row("QUEUE", queue, kSonicQueue);
            const auto [ports, range] = keyOf(key);
            const auto numbers = numbersOf(range);
            if (ports.empty() || numbers.empty()) {
                m_unknown.name("QUEUE." + key);
                continue;
            }
            const std::string profile = referred(jsonText(queue, "wred_profile"));
            const std::string ecn = jsonText(under(table("WRED_PROFILE"), profile), "ecn");
            for (const std::string& port : ports) {
                auto& own = marked[port];
                if (!profile.empty() && !ecn.empty() && ecn != "ecn_none") own.insert(numbers.begin(), numbers.end());
            }
        }
        for (const std::string& port : m_lossless)
            if (!marked.empty()) marked[port];    // its queues are not stated at all
        std::map<std::string, std::string> lists; ///< with the first port that has them
        for (const auto& [port, queues] : marked) {
            std::string list;
            for (const int queue : queues) list += (list.empty() ? "" : ",") + std::to_string(queue);
            lists.emplace(list.empty() ? "none" : list, port);
        }
        for (const auto& [list, port] : lists) put("QUEUE." + port, {}, "ecn.queues", list);
    }
    void buffers()
    {
        for (const auto& [name, profile] : table("BUFFER_PROFILE").items()) m_unknown.row("BUFFER_PROFILE", profile, kSonicBuffer);
        for (const auto& [key, group] : table("BUFFER_PG").items()) {
            m_unknown.row("BUFFER_PG", group, kSonicGroup);
            const auto [ports, range] = keyOf(key);
            if (ports.empty() || numbersOf(range).empty()) m_unknown.name("BUFFER_PG." + key);
            for (const std::string& port : ports)
                put("BUFFER_PG." + key, portOf(port), "buffer.xoff_bytes",
                    jsonText(under(table("BUFFER_PROFILE"), referred(jsonText(group, "profile"))), "xoff"));
        }
    }

    const Json& m_json;
    const std::string& m_file;
    Items& m_items;
    std::string m_device;
    std::set<std::string> m_lossless; ///< ports of PORT_QOS_MAP
    UnknownKeys m_unknown;
};

/// "swp1-3,swp5s0-1" → swp1 swp2 swp3 swp5s0 swp5s1
std::vector<std::string> interfacesOf(const std::string& names)
{
    std::vector<std::string> out;
    for (const std::string& one : atCommas(names)) {
        const auto dash = one.rfind('-');
        const std::string head = one.substr(0, dash), last = dash == one.npos ? std::string() : one.substr(dash + 1);
        std::size_t digits = head.size();
        while (digits > 0 && head[digits - 1] >= '0' && head[digits - 1] <= '9') --digits;
        const std::string first = head.substr(digits), stem = head.substr(0, digits);
        if (!isNumber(first) || !isNumber(last) || std::stoi(last) < std::stoi(first) || std::stoi(last) - std::stoi(first) > 1024) {
            out.push_back(one);
            continue;
        }
        for (int n = std::stoi(first); n <= std::stoi(last); ++n) out.push_back(stem + std::to_string(n));
    }
    return out;
}

class NvueConfig {
public:
    NvueConfig(const std::string& device, const std::string& file, Items& items) : m_device(device), m_file(file), m_items(items) {}

    /// What is set, or all of `nv show interface`: with `checked`, keys are those of a configuration.
    void interfaces(const Json& all, bool checked)
    {
        for (const auto& [names, interface] : all.items()) {
            const Json& link = under(interface, "link");
            if (checked && interface.is_object() && interface.contains("link")) m_unknown.row("interface.link", interface["link"], kNvueLink);
            for (const char* key : {"mtu", "speed"}) m_unknown.scalar("interface.link", link, key);
            for (const std::string& name : interfacesOf(names)) {
                put(name, "mtu", jsonText(link, "mtu"), "interface." + names);
                put(name, "nic.speed_gbps", switchGbps(jsonText(link, "speed")), "interface." + names);
                if (const std::string profile = jsonText(under(under(interface, "qos"), "pfc"), "profile"); !profile.empty())
                    m_pfcProfile[name] = profile;
            }
        }
    }
    void qos(const Json& qos)
    {
        m_unknown.row("qos", qos, kNvueQos);
        if (qos.contains("roce")) {
            Json one = qos["roce"];
            if (!one.is_object()) return m_unknown.name("qos.roce");
            if (!one.contains("enable") && !one.contains("state")) one["enable"] = "on"; // as `nv set qos roce` writes it
            roce(one);
        }
        // Profiles instead of the RoCE mode: that of all ports, and those of single ports.
        const auto priorities = [&](const std::string& profile) {
            const Json& own = under(under(qos, "pfc"), profile);
            std::string list;
            for (const auto& [priority, unused] : under(own, "switch-priority").items()) list += (list.empty() ? "" : ",") + priority;
            return jsonText(own, "rx") == "disable" || jsonText(own, "tx") == "disable" ? std::string("none") : list;
        };
        put("*", "pfc.priorities", priorities("default-global"), "qos.pfc.default-global");
        for (const auto& [port, profile] : m_pfcProfile) put(port, "pfc.priorities", priorities(profile), "qos.pfc." + profile);
        std::string queues;
        for (const auto& [queue, one] : under(under(under(qos, "congestion-control"), "default-global"), "traffic-class").items())
            if (jsonText(one, "ecn") == "enable" || jsonText(one, "ecn") == "enabled") queues += (queues.empty() ? "" : ",") + queue;
        put({}, "ecn.queues", queues, "qos.congestion-control.default-global");
        const Json& mapping = under(under(qos, "mapping"), "default-global");
        const std::string trust = jsonText(mapping, "trust");
        put({}, "qos.trust", trust == "l3" ? "dscp" : trust == "l2" ? "pcp" : trust == "both" ? "pcp,dscp" : trust, "qos.mapping.default-global");
        std::string codes;
        for (const auto& [dscp, one] : under(mapping, "dscp").items())
            if (const std::string to = jsonText(one, "switch-priority"); !to.empty()) codes += (codes.empty() ? "" : ",") + dscp + ":" + to;
        put({}, "qos.dscp_priority", codes, "qos.mapping.default-global");
    }
    /// Of the configuration, or of `nv show qos roce`, which has more keys.
    void roce(const Json& json)
    {
        NvueRoce out;
        out.enable = jsonText(json, "enable").empty() ? jsonText(json, "state") : jsonText(json, "enable");
        out.mode = jsonText(json, "mode");
        out.priority = jsonText(under(json, "pfc"), "pfc-priority"), out.trust = jsonText(under(json, "trust"), "trust-mode");
        out.classes = jsonText(under(json, "congestion-control"), "enabled-tc");
        for (const auto& [unused, row] : under(json, "prio-map").items()) {
            const std::string priority = jsonText(row, "switch-prio");
            if (priority.empty() || !row.contains("dscp")) continue;
            const Json& codes = row["dscp"];
            if (codes.is_array()) {
                for (const Json& code : codes)
                    if (code.is_number() || code.is_string())
                        out.dscpPriorities.push_back((code.is_string() ? code.get<std::string>() : code.dump()) + ":" + priority);
            } else {
                for (const std::string& code : atCommas(jsonText(row, "dscp"))) out.dscpPriorities.push_back(code + ":" + priority);
            }
        }
        for (const auto& [key, value] : json.items())
            if (std::ranges::find(kNvueRoce, key) == kNvueRoce.end() && !key.ends_with("-map") && !key.starts_with("pool"))
                m_unknown.name("qos.roce." + key);
        addNvueRoce(out, m_device, m_file + ": qos.roce", m_items);
    }
    [[nodiscard]] std::vector<std::string> take() { return m_unknown.take(); }

private:
    void put(const std::string& port, const char* item, std::string value, const std::string& place)
    {
        if (!value.empty()) m_items.push_back({m_device, port, item, std::move(value), m_file + ": " + place});
    }

    std::string m_device;
    const std::string& m_file;
    Items& m_items;
    std::map<std::string, std::string> m_pfcProfile; ///< by port
    UnknownKeys m_unknown;
};

std::vector<std::string> nvueSet(const Json& set, const std::string& fallback, const std::string& file, Items& items)
{
    const std::string own = jsonText(under(set, "system"), "hostname");
    NvueConfig config(own.empty() ? fallback : own, file, items);
    config.interfaces(under(set, "interface"), true);
    config.qos(under(set, "qos"));
    return config.take();
}

bool isNvueTree(const Json& json)
{
    return json.is_object() && (json.contains("interface") || json.contains("qos")) &&
           std::ranges::all_of(std::array{"interface", "qos", "system"},
                               [&](const char* key) { return !json.contains(key) || json[key].is_object(); });
}
/// {"swp1": {"link": {…}, "type": "swp"}, …}
bool isNvueInterfaces(const Json& json)
{
    return json.is_object() && !json.empty() && std::ranges::all_of(json, [](const Json& one) { return one.is_object() && one.contains("type"); }) &&
           std::ranges::any_of(json, [](const Json& one) { return one.contains("link") && one["link"].is_object(); });
}

} // namespace

void addNvueRoce(const NvueRoce& roce, const std::string& device, const std::string& source, Items& items)
{
    const bool off = roce.enable == "off" || roce.enable == "disabled" || roce.enable == "disable" || roce.enable == "-";
    const bool on = !off && (!roce.enable.empty() || !roce.mode.empty());
    const auto put = [&](const char* port, const char* item, std::string value) {
        if (!value.empty()) items.push_back({device, port, item, std::move(value), source});
    };
    const bool lossless = on && (roce.mode.empty() || roce.mode.starts_with("lossless"));
    const bool stated = !roce.priority.empty() && roce.priority != "-";
    put("*", "pfc.priorities", !lossless ? "none" : stated ? roce.priority : kRocePriority);
    put("", "qos.trust", !on ? "none" : roce.trust.empty() ? "pcp,dscp" : roce.trust);
    put("", "ecn.queues", !on ? "none" : roce.classes.empty() ? "0,3" : roce.classes);
    if (!on) return;
    std::string codes;
    for (const std::string& one : roce.dscpPriorities) codes += (codes.empty() ? "" : ",") + one;
    put("", "qos.dscp_priority", codes.empty() ? kRoceDscp : codes);
}

std::optional<std::vector<std::string>> readSwitchJson(const Json& json, const std::string& device, const std::string& file, Items& items)
{
    const auto own = [&](const Json& one) -> std::optional<std::vector<std::string>> {
        if (!one.is_object()) return std::nullopt;
        if (one.contains("set") && one["set"].is_object()) return nvueSet(one["set"], device, file, items);
        if (isNvueTree(one)) return nvueSet(one, device, file, items); // of releases that have no "set"
        return std::nullopt;
    };
    if (json.is_array()) {
        std::optional<std::vector<std::string>> unknown;
        for (const Json& one : json)
            if (const auto read = own(one)) {
                if (!unknown) unknown.emplace();
                unknown->insert(unknown->end(), read->begin(), read->end());
            }
        return unknown;
    }
    if (!json.is_object()) return std::nullopt;
    if (json.contains("DEVICE_METADATA") || json.contains("PORT")) return SonicConfig(json, device, file, items).read();
    if (auto read = own(json)) return read;
    NvueConfig config(device, file, items);
    if (json.contains("congestion-control") || (json.contains("mode") && json.contains("pfc"))) {
        config.roce(json);
        return config.take();
    }
    if (!isNvueInterfaces(json)) return std::nullopt;
    config.interfaces(json, false);
    return config.take();
}

} // namespace hw::importers
