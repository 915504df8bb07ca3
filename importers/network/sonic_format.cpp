// SPDX-License-Identifier: GPL-3.0-or-later
// config_db.json of SONiC, one for each switch. All values are strings (sonic-yang-models).
#include "core/derived/figures/figures.h"
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/files/csv.h"
#include "core/operations/configuration/expected.h"
#include "importers/network/network_formats.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

using SonicJson = nlohmann::ordered_json;

constexpr const char* kSonicIndex = "sonic-switches.csv";
constexpr int kFirstVlan = 1000; ///< of the host subnets of a switch, as SONiC's own examples begin (assumed)

/// What the options say of parts: "PART=VALUE" a line.
using PerPart = std::map<std::string, std::string>;

Result<PerPart> perPart(const exchange::ExportJob& job, const char* option, const Snapshot& s)
{
    PerPart out;
    std::istringstream lines(job.option(option));
    for (std::string line; std::getline(lines, line);) {
        const auto equals = line.find('=');
        const std::string where = fmt::format("--{} {}", option, line);
        if (equals == line.npos || equals == 0 || equals + 1 == line.size())
            return fail(ErrorCode::Usage, where, i18n("not of the form PART=VALUE"), i18n("specify the slug of the part and its value"));
        const std::string part = line.substr(0, equals);
        bool known = false;
        s.partTypes.forEach([&](PartTypeId id) { known = known || s.partTypes.slug[id] == part; });
        if (!known) return fail(ErrorCode::Usage, where, i18n("no part with this slug in the design"), i18n("see the parts in the report"));
        out[part] = line.substr(equals + 1);
    }
    return out;
}

/// Key of a breakout mode: that of platform.json, else as the SN5600 writes it.
Result<std::string> breakoutMode(const PortNames& names, PartTypeId type, const FrontInterface& at, int ports, int rate, const std::string& where,
                                 std::vector<std::string>* aliases)
{
    const std::string wanted = fmt::format("{}x{}G", ports, rate);
    const SonicPlatform* platform = names.platformOf(type);
    if (!platform) {
        constexpr std::array<int, 8> kRates{800, 400, 200, 100, 50, 40, 25, 10};
        std::string lower;
        for (const int other : kRates)
            if (other < rate && (other != 40 || at.socketLanes / ports >= 4)) lower += (lower.empty() ? "" : ",") + std::to_string(other) + "G";
        return lower.empty() || at.socketLanes == 1 ? wanted : wanted + "[" + lower + "]";
    }
    const auto& socket = platform->sockets[std::size_t(at.socket - 1)];
    const SonicPlatform::Mode* found = nullptr;
    for (const auto& mode : socket.modes)
        if (mode.name == wanted || mode.name.starts_with(wanted + "[")) found = &mode;
    for (const auto& mode : socket.modes) { // a slower rate of so many ports
        const auto open = mode.name.find('[');
        if (found || open == mode.name.npos || !mode.name.starts_with(std::to_string(ports) + "x")) continue;
        const std::string list = "," + mode.name.substr(open + 1, mode.name.find(']') - open - 1) + ",";
        if (list.find(fmt::format(",{}G,", rate)) != list.npos) found = &mode;
    }
    if (!found)
        return fail(ErrorCode::Refused, where, i18n("platform.json has no breakout mode {}", wanted),
                    i18n("change the breakout, or specify the platform.json of this switch"));
    if (aliases) *aliases = found->aliases;
    return found->name;
}

class SonicSwitches {
public:
    SonicSwitches(const Wiring& wiring, const Figures& figures, const AddressIndex& addresses, PerPart hwsku, PerPart platform)
        : m_w(wiring), m_s(wiring.s()), m_f(figures), m_addresses(addresses), m_hwsku(std::move(hwsku)), m_platform(std::move(platform)),
          m_cages(m_s.devices.nextId()), m_ports(m_s.cages.nextId()), m_linkOf(m_s.ports.nextId())
    {
        m_s.cages.forEach([&](CageId cage) { m_cages[m_s.cages.device[cage].value].push_back(cage); });
        m_s.ports.forEach([&](PortId port) {
            if (m_s.ports.medium[port] == Medium::Data) m_ports[m_s.ports.cage[port].value].push_back(port);
        });
        for (const auto& link : m_w.links) m_linkOf[link.lower.value] = m_linkOf[link.upper.value] = &link;
        m_s.hardwareIds.forEach([&](HardwareIdId id) {
            const std::string& value = m_s.hardwareIds.value[id];
            if (value.size() == 17 && value[2] == ':') m_mac.try_emplace(m_s.hardwareIds.device[id], value);
        });
        m_s.tiers.forEach([&](TierId tier) {
            if (m_s.tiers.kind[tier] == TierKind::Switch && m_s.tiers.network[tier])
                m_levels[*m_s.tiers.network[tier]].push_back(m_s.tiers.level[tier]);
        });
        for (auto& [network, levels] : m_levels) {
            std::ranges::sort(levels);
            levels.erase(std::ranges::unique(levels).begin(), levels.end());
        }
    }

    /// What the profiles expect of flow control and ECN (core/operations/configuration), for `qos`. Errors: as `expectedOf`.
    Result<void> expect()
    {
        const auto& profiles = configuration::shippedProfiles();
        if (!profiles) return tl::unexpected(profiles.error());
        const auto expected = configuration::expectedOf(m_f, *profiles);
        if (!expected) return tl::unexpected(expected.error());
        for (const auto& one : *expected) {
            if (!m_w.isSwitch(one.device)) continue;
            if (one.port && one.item == "pfc.priorities") m_lossless[*one.port] = one.value;
            if (one.item == "qos.dscp_priority") m_dscp[one.device] = one.value;
            if (one.item == "ecn.queues") m_ecn[one.device] = one.value;
        }
        return {};
    }

    Result<std::string> config(DeviceId device)
    {
        m_tables.clear();
        for (const char* table : kTables) m_tables[table] = SonicJson::object();
        m_cableLengths = SonicJson::object();
        metadata(device);
        if (const auto done = ports(device); !done) return tl::unexpected(done.error());
        fabric(device);
        hosts(device);
        qos(device);
        SonicJson whole = SonicJson::object();
        for (const char* table : kTables)
            if (!m_tables[table].empty()) whole[table] = std::move(m_tables[table]);
        if (!m_cableLengths.empty()) whole["CABLE_LENGTH"]["AZURE"] = std::move(m_cableLengths);
        return whole.dump(2, ' ', false, SonicJson::error_handler_t::replace) + "\n";
    }

    /// T0, T1, T2 of SONiC by the tier in its network.
    [[nodiscard]] const char* typeOf(DeviceId device) const
    {
        const TierId tier = m_s.devices.tier[device];
        if (m_s.tiers.kind[tier] != TierKind::Switch) return "Server";
        const auto network = m_s.tiers.network[tier];
        const auto levels = network ? m_levels.find(*network) : m_levels.end();
        if (levels == m_levels.end()) return "LeafRouter";
        const auto at = std::ranges::find(levels->second, m_s.tiers.level[tier]) - levels->second.begin();
        return at == 0 ? "ToRRouter" : at == 1 ? "LeafRouter" : "SpineRouter";
    }

private:
    static constexpr std::array<const char*, 19> kTables{"DEVICE_METADATA",
                                                         "PORT",
                                                         "BREAKOUT_CFG",
                                                         "LOOPBACK_INTERFACE",
                                                         "MGMT_INTERFACE",
                                                         "INTERFACE",
                                                         "VLAN",
                                                         "VLAN_MEMBER",
                                                         "VLAN_INTERFACE",
                                                         "BGP_NEIGHBOR",
                                                         "DEVICE_NEIGHBOR",
                                                         "DEVICE_NEIGHBOR_METADATA",
                                                         "DSCP_TO_TC_MAP",
                                                         "TC_TO_QUEUE_MAP",
                                                         "TC_TO_PRIORITY_GROUP_MAP",
                                                         "MAP_PFC_PRIORITY_TO_QUEUE",
                                                         "WRED_PROFILE",
                                                         "PORT_QOS_MAP",
                                                         "QUEUE"};

    static std::string v4(AddressNumber address) { return addressText(address, IpFamily::V4); }
    static std::string v6(AddressNumber address) { return addressText(address, IpFamily::V6); }

    void metadata(DeviceId device)
    {
        const auto* own = m_addresses.switchOf(device);
        SonicJson& localhost = m_tables["DEVICE_METADATA"]["localhost"];
        localhost["hostname"] = m_s.devices.name[device];
        const std::string& slug = m_s.partTypes.slug[m_s.devices.type[device]];
        if (const auto found = m_hwsku.find(slug); found != m_hwsku.end()) localhost["hwsku"] = found->second;
        if (const auto found = m_platform.find(slug); found != m_platform.end()) localhost["platform"] = found->second;
        if (const auto found = m_mac.find(device); found != m_mac.end()) localhost["mac"] = found->second;
        if (own) localhost["bgp_asn"] = std::to_string(own->asn);
        localhost["type"] = typeOf(device);
        localhost["docker_routing_config_mode"] = "unified";
        if (own) {
            SonicJson& loopback = m_tables["LOOPBACK_INTERFACE"];
            loopback["Loopback0"] = SonicJson::object();
            loopback["Loopback0|" + v4(own->loopback4) + "/32"] = SonicJson::object();
            loopback["Loopback0|" + v6(own->loopback6) + "/128"] = SonicJson::object();
        }
        if (const auto* subnet = m_addresses.managementSubnet(device)) {
            const auto* address = m_addresses.managementOf(device);
            m_tables["MGMT_INTERFACE"][fmt::format("eth0|{}/{}", v4(address->v4), subnet->v4.length)] = {{"gwaddr", v4(subnet->gateway4())}};
        }
    }

    Result<void> ports(DeviceId device)
    {
        const PartTypeId type = m_s.devices.type[device];
        const auto& interfaces = m_w.parts->device(type).interfaces;
        const auto& front = m_w.names.front(type);
        std::vector<const CageId*> cageOf(interfaces.size(), nullptr);
        for (const CageId& cage : m_cages[device.value])
            if (m_s.cages.number[cage] < cageOf.size()) cageOf[m_s.cages.number[cage]] = &cage;
        const auto splitOf = [&](std::size_t i) { return cageOf[i] ? std::max<int>(1, m_s.cages.split[*cageOf[i]]) : 1; };
        for (std::size_t i = 0; i < interfaces.size(); ++i) {
            const FrontInterface& at = front[i];
            if (at.management > 0) continue;
            const int split = splitOf(i);
            int portsOfSocket = split, before = 0;
            for (std::size_t other = 0; other < interfaces.size(); ++other)
                if (other != i && front[other].management == 0 && front[other].socket == at.socket) {
                    portsOfSocket += splitOf(other);
                    if (other < i) before += splitOf(other);
                }
            const int rate = std::max(1, int(interfaces[i].rate.count()) / split);
            std::vector<std::string> aliases;
            const std::string where = m_s.devices.name[device] + ":" + interfaces[i].name;
            const auto mode = breakoutMode(m_w.names, type, at, portsOfSocket, rate, where, &aliases);
            if (!mode) return tl::unexpected(mode.error());
            if (before == 0 && at.socketLanes > 1) m_tables["BREAKOUT_CFG"][m_w.names.of(type, i, split, 0)] = {{"brkout_mode", *mode}};
            for (int lane = 0; lane < split; ++lane) {
                const PortId* port = nullptr;
                if (cageOf[i])
                    for (const PortId& one : m_ports[(*cageOf[i]).value])
                        if (m_s.ports.lane[one] == lane) port = &one;
                const std::string name = m_w.names.of(type, i, split, lane);
                const int part = before + lane;
                const std::string alias = std::size_t(part) < aliases.size() ? aliases[std::size_t(part)] : aliasOf(at, portsOfSocket, part);
                putPort(type, i, split, lane, port, name, alias, portsOfSocket > 1 ? part + 1 : 0);
            }
        }
        return {};
    }

    static std::string aliasOf(const FrontInterface& at, int portsOfSocket, int part)
    {
        return fmt::format("etp{}{}", at.socket, portsOfSocket > 1 ? letterOf(part) : std::string());
    }

    void putPort(PartTypeId type, std::size_t i, int split, int lane, const PortId* port, const std::string& name, const std::string& alias,
                 int subport)
    {
        const FrontInterface& at = m_w.names.front(type)[i];
        const Interface& interface = m_w.parts->device(type).interfaces[i];
        const WiredLink* link = port ? m_linkOf[(*port).value] : nullptr;
        std::string lanes;
        for (const int one : m_w.names.lanes(type, i, split, lane)) lanes += (lanes.empty() ? "" : ",") + std::to_string(one);
        const int rate = port ? int(m_s.ports.rate[*port].count()) : std::max(1, int(interface.rate.count()) / split);
        const SonicPlatform* platform = m_w.names.platformOf(type);
        SonicJson& entry = m_tables["PORT"][name];
        entry["alias"] = alias;
        entry["lanes"] = lanes;
        entry["speed"] = std::to_string(rate * 1000);
        entry["index"] = platform ? platform->sockets[std::size_t(at.socket - 1)].index : std::to_string(at.socket);
        if (subport > 0) entry["subport"] = std::to_string(subport);
        entry["admin_status"] = link ? "up" : "down";
        entry["fec"] = laneGbps(interface) >= 25 ? "rs" : "none"; // 25G lanes and PAM4 need it (IEEE 802.3 by, bs, ck)
        entry["mtu"] = "9100";                                    // SONiC's default
        if (!link) return;
        const PortId far = link->lower == *port ? link->upper : link->lower;
        const DeviceId farDevice = m_w.deviceOf(far);
        const std::string farPort = neighborPort(far);
        entry["description"] = m_s.devices.name[farDevice] + ":" + farPort;
        m_tables["DEVICE_NEIGHBOR"][name] = {{"name", m_s.devices.name[farDevice]}, {"port", farPort}};
        neighborMetadata(farDevice);
        if (!m_s.links.cable[link->link]) return;
        if (const std::int64_t mm = m_f.cabling->channelMm(m_s, link->link); mm > 0) m_cableLengths[name] = cableStep(mm);
    }

    /// Of a cable, as pg_profile_lookup.ini has steps.
    static std::string cableStep(std::int64_t mm)
    {
        for (const int step : {5, 40, 300})
            if (mm <= std::int64_t(step) * 1000) return std::to_string(step) + "m";
        return fmt::format("{}m", (mm + 999) / 1000);
    }

    /// As LLDP will name it: SONiC sends the alias of a port.
    std::string neighborPort(PortId port) const
    {
        const DeviceId device = m_w.deviceOf(port);
        if (!m_w.isSwitch(device)) return m_w.names.of(port);
        const CageId cage = m_s.ports.cage[port];
        const PartTypeId type = m_s.devices.type[device];
        const auto& front = m_w.names.front(type);
        const std::size_t number = m_s.cages.number[cage];
        if (number >= front.size() || front[number].management > 0) return m_w.names.of(port);
        int portsOfSocket = 0, before = 0, own = std::max<int>(1, m_s.cages.split[cage]);
        for (const CageId other : m_cages[device.value]) {
            const std::size_t n = m_s.cages.number[other];
            if (n >= front.size() || front[n].management > 0 || front[n].socket != front[number].socket) continue;
            const int split = std::max<int>(1, m_s.cages.split[other]);
            portsOfSocket += split;
            if (n < number) before += split;
        }
        const int part = before + m_s.ports.lane[port];
        const int rate = std::max(1, int(m_w.parts->device(type).interfaces[number].rate.count()) / own);
        std::vector<std::string> aliases;
        (void)breakoutMode(m_w.names, type, front[number], portsOfSocket, rate, {}, &aliases);
        return std::size_t(part) < aliases.size() ? aliases[std::size_t(part)] : aliasOf(front[number], portsOfSocket, part);
    }

    void neighborMetadata(DeviceId device)
    {
        SonicJson& all = m_tables["DEVICE_NEIGHBOR_METADATA"];
        const std::string& name = m_s.devices.name[device];
        if (all.contains(name)) return;
        SonicJson& entry = all[name];
        entry["type"] = typeOf(device);
        const std::string& slug = m_s.partTypes.slug[m_s.devices.type[device]];
        if (const auto found = m_hwsku.find(slug); found != m_hwsku.end()) entry["hwsku"] = found->second;
        if (const auto* own = m_addresses.switchOf(device)) entry["lo_addr"] = v4(own->loopback4);
        if (const auto* own = m_addresses.managementOf(device)) entry["mgmt_addr"] = v4(own->v4);
    }

    /// Calls f(link, own port, far port) for the links of a switch, in the order of its ports.
    template <class F>
    void forLinks(DeviceId device, F&& f) const
    {
        for (const CageId cage : m_cages[device.value])
            for (const PortId port : m_ports[cage.value])
                if (const WiredLink* link = m_linkOf[port.value]) f(link->link, port, link->lower == port ? link->upper : link->lower);
    }

    void fabric(DeviceId device)
    {
        const auto* self = m_addresses.switchOf(device);
        forLinks(device, [&](LinkId id, PortId port, PortId far) {
            const auto* link = m_addresses.fabricLink(id);
            if (!link) return;
            const bool lower = link->lower == port;
            const std::string name = m_w.names.of(port);
            const AddressNumber own4 = link->lower4 + (lower ? 0 : 1), peer4 = link->lower4 + (lower ? 1 : 0);
            const AddressNumber own6 = link->lower6 + (lower ? 0 : 1), peer6 = link->lower6 + (lower ? 1 : 0);
            SonicJson& interface = m_tables["INTERFACE"];
            interface[name] = SonicJson::object();
            interface[fmt::format("{}|{}/31", name, v4(own4))] = SonicJson::object();
            interface[fmt::format("{}|{}/127", name, v6(own6))] = SonicJson::object();
            const auto* peer = m_addresses.switchOf(m_w.deviceOf(far));
            if (!peer || !self) return; // its AS number is not planned
            const auto put = [&](const std::string& address, const std::string& local) {
                m_tables["BGP_NEIGHBOR"][address] = {{"asn", std::to_string(peer->asn)},
                                                     {"name", m_w.deviceName(far)},
                                                     {"local_addr", local},
                                                     {"holdtime", "10"},
                                                     {"keepalive", "3"},
                                                     {"nhopself", "0"},
                                                     {"rrclient", "0"},
                                                     {"admin_status", "up"}};
            };
            put(v4(peer4), v4(own4));
            put(v6(peer6), v6(own6));
        });
    }

    /// Lossless priorities, DSCP and ECN of RoCE ports, as expected; buffers are the platform's, chosen by speed and CABLE_LENGTH.
    void qos(DeviceId device)
    {
        constexpr const char* kMap = "ROCE";
        const auto dscp = m_dscp.find(device);
        if (dscp == m_dscp.end()) return;
        bool any = false;
        forLinks(device, [&](LinkId, PortId port, PortId) {
            const auto own = m_lossless.find(port);
            if (own == m_lossless.end()) return;
            any = true;
            const std::string name = m_w.names.of(port);
            m_tables["PORT_QOS_MAP"][name] = {
                {"dscp_to_tc_map", kMap}, {"tc_to_queue_map", kMap}, {"tc_to_pg_map", kMap}, {"pfc_to_queue_map", kMap}, {"pfc_enable", own->second}};
            const auto ecn = m_ecn.find(device);
            std::istringstream queues(ecn == m_ecn.end() ? std::string() : ecn->second);
            for (std::string queue; std::getline(queues, queue, ',');) m_tables["QUEUE"][name + "|" + queue] = {{"wred_profile", kMap}};
        });
        if (!any) return;
        const auto colon = dscp->second.find(':');
        const std::string code = dscp->second.substr(0, colon), priority = colon == std::string::npos ? "0" : dscp->second.substr(colon + 1);
        for (int n = 0; n < 64; ++n) m_tables["DSCP_TO_TC_MAP"][kMap][std::to_string(n)] = std::to_string(n) == code ? priority : "0";
        for (int n = 0; n < 8; ++n) {
            const std::string own = std::to_string(n);
            m_tables["TC_TO_QUEUE_MAP"][kMap][own] = own, m_tables["MAP_PFC_PRIORITY_TO_QUEUE"][kMap][own] = own;
            m_tables["TC_TO_PRIORITY_GROUP_MAP"][kMap][own] = own == priority ? own : "0";
        }
        SonicJson& wred = m_tables["WRED_PROFILE"][kMap];
        wred["ecn"] = "ecn_all";
        for (const std::string color : {"green", "yellow", "red"}) { // SONiC's defaults of its lossless profile (assumed)
            wred["wred_" + color + "_enable"] = "true";
            wred[color + "_min_threshold"] = "1048576", wred[color + "_max_threshold"] = "2097152", wred[color + "_drop_probability"] = "5";
        }
    }

    /// Host ports of a subnet are a VLAN of the switch, with the gateway as its address.
    void hosts(DeviceId device)
    {
        std::map<std::uint32_t, int> vlans;
        forLinks(device, [&](LinkId id, PortId port, PortId) {
            const auto* host = m_addresses.hostPort(id);
            if (!host || host->switchPort != port) return;
            const auto [entry, fresh] = vlans.try_emplace(host->subnet, kFirstVlan + int(vlans.size()));
            const std::string vlan = "Vlan" + std::to_string(entry->second);
            if (fresh) {
                const auto& subnet = m_addresses.plan.subnets[host->subnet];
                m_tables["VLAN"][vlan] = {{"vlanid", std::to_string(entry->second)}};
                m_tables["VLAN_INTERFACE"][vlan] = SonicJson::object();
                m_tables["VLAN_INTERFACE"][fmt::format("{}|{}/{}", vlan, v4(subnet.gateway4()), subnet.v4.length)] = SonicJson::object();
                m_tables["VLAN_INTERFACE"][fmt::format("{}|{}/{}", vlan, v6(subnet.gateway6()), subnet.v6.length)] = SonicJson::object();
            }
            m_tables["VLAN_MEMBER"][vlan + "|" + m_w.names.of(port)] = {{"tagging_mode", "untagged"}};
        });
    }

    const Wiring& m_w;
    const Snapshot& m_s;
    const Figures& m_f;
    const AddressIndex& m_addresses;
    PerPart m_hwsku, m_platform;
    std::vector<std::vector<CageId>> m_cages;             ///< by device
    std::vector<std::vector<PortId>> m_ports;             ///< by cage, of data
    std::vector<const WiredLink*> m_linkOf;               ///< by port
    std::map<DeviceId, std::string> m_mac, m_dscp, m_ecn; ///< m_dscp: "26:3"; of switches that have it
    std::map<PortId, std::string> m_lossless;             ///< "3"
    std::map<NetworkId, std::vector<std::int16_t>> m_levels;
    std::map<std::string, SonicJson> m_tables; ///< of the switch at hand
    SonicJson m_cableLengths;
};

class SonicExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"sonic", i18n("config_db.json of each SONiC switch: ports, breakouts, loopbacks, BGP neighbors; output is a folder")};
    }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {{"hwsku", "PART=NAME", i18n("hardware SKU of a part"), true},
                {"platform", "PART=NAME", i18n("SONiC platform of a part"), true},
                {"platform-json", "PART=FILE", i18n("platform.json of a part: lanes, aliases and breakout modes"), true}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const auto figures = job.figures();
        if (!figures) return tl::unexpected(figures.error());
        if (const auto made = (*figures)->prepare<CablingNode>(progress); !made) return made;
        const SnapshotPtr snapshot = (*figures)->snapshot;
        const Snapshot& s = *snapshot;
        const auto hwsku = perPart(job, "hwsku", s), platform = perPart(job, "platform", s), files = perPart(job, "platform-json", s);
        for (const auto* option : {&hwsku, &platform, &files})
            if (!*option) return tl::unexpected(option->error());
        auto wiring = Wiring::of(snapshot, job.network, PortNaming::Sonic);
        if (!wiring) return tl::unexpected(wiring.error());
        Wiring& w = **wiring;
        for (const auto& [slug, file] : *files) {
            const auto type = w.parts->find(slug);
            if (!type || !std::holds_alternative<DeviceSpec>((*w.parts)[*type].spec))
                return fail(ErrorCode::Usage, "--platform-json " + slug, i18n("not a device"), i18n("specify the slug of a switch"));
            auto read = SonicPlatform::read(file);
            if (!read) return tl::unexpected(read.error());
            if (const auto used = w.names.usePlatform(*type, std::move(*read)); !used) return used;
        }
        if (const auto checked = checkHostNames(s, w.devices); !checked) return checked;
        const auto plan = planAddresses(s, progress);
        if (!plan) return tl::unexpected(plan.error());
        const AddressIndex addresses(*plan, s);
        std::vector<DeviceId> switches;
        for (const DeviceId device : w.devices)
            if (w.isSwitch(device) && addresses.switchOf(device)) switches.push_back(device);
        if (switches.empty()) return fail(ErrorCode::Refused, "design", i18n("no switches with data links"), i18n("choose another network"));
        SonicSwitches sonic(w, **figures, addresses, *hwsku, *platform);
        if (const auto expected = sonic.expect(); !expected) return expected;
        return exchange::writeFolderWhole(job.output, kSonicIndex, [&](const std::filesystem::path& folder) -> Result<void> {
            std::string index = "switch,part,type,rack,u,asn,loopback,file\r\n";
            for (std::size_t i = 0; i < switches.size(); ++i) {
                const DeviceId device = switches[i];
                if (progress.stopRequested()) return fail(ErrorCode::Canceled, job.output.string(), i18n("canceled"));
                progress.report(double(i) / double(switches.size()), words(i18n("Writing switch configurations")));
                const auto text = sonic.config(device);
                if (!text) return tl::unexpected(text.error());
                const std::string& name = s.devices.name[device];
                std::error_code error;
                std::filesystem::create_directories(folder / name, error);
                if (const auto done = writeFile(folder / name / "config_db.json", *text); !done) return done;
                const RackPlace place = rackPlace(s, device);
                const auto* own = addresses.switchOf(device);
                const std::array<std::string, 8> row{name,
                                                     s.partTypes.slug[s.devices.type[device]],
                                                     sonic.typeOf(device),
                                                     place.rack,
                                                     place.rack.empty() ? std::string() : std::to_string(place.u),
                                                     std::to_string(own->asn),
                                                     addressText(own->loopback4, IpFamily::V4),
                                                     name + "/config_db.json"};
                for (std::size_t c = 0; c < row.size(); ++c) {
                    if (c) index += ',';
                    appendCsv(index, row[c]);
                }
                index += "\r\n";
            }
            return writeFile(folder / kSonicIndex, index);
        });
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> sonicExporter() { return std::make_unique<SonicExporter>(); }

} // namespace hw::importers
