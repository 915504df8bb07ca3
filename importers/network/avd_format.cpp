// SPDX-License-Identifier: GPL-3.0-or-later
// Inventory and variables of Arista AVD 5 (eos_designs): underlay of one network, addresses as planned.
#include "core/foundation/files/atomic_file.h"
#include "core/foundation/model/find_network.h"
#include "importers/network/network_formats.h"
#include "importers/network/wiring.h"

#include "core/design/addressing/address_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace hw::importers {

namespace {

constexpr const char* kAvdInventory = "inventory.yml";

/// Switches of one level, which AVD types alike; a group for each tier of the design.
struct AvdTier {
    struct Group {
        TierId tier{};
        std::string name;
        std::vector<DeviceId> devices;
    };
    const char *key = "", *type = ""; ///< of variables; of its groups
    std::vector<Group> groups;
};

std::string avdList(const std::vector<std::string>& items)
{
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : ", ") + yamlText(item);
    return "[" + out + "]";
}

class AvdWriter {
public:
    AvdWriter(const Wiring& wiring, const AddressIndex& addresses, NetworkId network, bool uplinks)
        : m_w(wiring), m_s(wiring.s()), m_addresses(addresses), m_network(network), m_uplinks(uplinks), m_rules(m_s)
    {
    }

    Result<void> findTiers()
    {
        std::map<std::int16_t, std::map<TierId, std::vector<DeviceId>>> byLevel;
        for (const DeviceId device : m_w.devices) {
            const TierId tier = m_s.devices.tier[device];
            if (m_addresses.switchOf(device) && m_s.tiers.network[tier] == m_network) byLevel[m_s.tiers.level[tier]][tier].push_back(device);
        }
        constexpr std::array<std::pair<const char*, const char*>, 3> kTypes{
            {{"l3leaf", "l3leaf"}, {"spine", "spine"}, {"super_spine", "super-spine"}}};
        if (byLevel.empty() || byLevel.size() > kTypes.size())
            return fail(ErrorCode::Refused, m_s.networks.name[m_network],
                        i18n("{} tiers of switches; AVD has leaf, spine and super-spine", byLevel.size()),
                        i18n("choose another network with --network"));
        std::set<std::string> taken{"all", "fabric", "connected_endpoints"};
        for (auto& [level, tiers] : byLevel) {
            AvdTier tier;
            std::tie(tier.key, tier.type) = kTypes[m_tiers.size()];
            int id = 0;
            for (auto& [own, devices] : tiers) {
                std::string name = groupName(m_s.tiers.key[own]);
                while (!taken.insert(name).second) name += '_';
                for (const DeviceId device : devices) m_id[device] = ++id;
                tier.groups.push_back({own, std::move(name), std::move(devices)});
            }
            m_tiers.push_back(std::move(tier));
        }
        for (const auto& link : m_w.links)
            if (m_id.contains(m_w.deviceOf(link.upper))) m_up[m_w.deviceOf(link.lower)].push_back(&link);
        return checkHostNames(m_s, m_w.devices);
    }

    [[nodiscard]] std::string inventory() const
    {
        std::string out = "---\nall:\n  children:\n    FABRIC:\n      children:\n";
        for (const auto& tier : m_tiers)
            for (const auto& group : tier.groups) {
                out += fmt::format("        {}:\n          hosts:\n", group.name);
                for (const DeviceId device : group.devices) {
                    out += "            " + yamlText(m_s.devices.name[device]) + ":\n";
                    if (const auto* own = m_addresses.managementOf(device))
                        out += "              ansible_host: " + addressText(own->v4, IpFamily::V4) + "\n";
                }
            }
        return out + "    CONNECTED_ENDPOINTS:\n      children:\n        FABRIC:\n";
    }

    [[nodiscard]] std::string groupType(const AvdTier& tier) const { return fmt::format("---\ntype: {}\n", tier.type); }

    [[nodiscard]] std::string fabric() const
    {
        std::string out = "---\nfabric_name: FABRIC\nunderlay_routing_protocol: ebgp\noverlay_routing_protocol: none\n"; // no text
        for (const auto& tier : m_tiers) out += nodes(tier);
        if (!m_uplinks) out += p2pLinks();
        return out;
    }

    [[nodiscard]] std::string endpoints() const
    {
        std::string out;
        for (const auto& [host, links] : m_up) {
            if (m_w.isSwitch(host)) continue;
            const UpLists ports = listsOf(links);
            out += fmt::format("  - name: {}\n", yamlText(m_s.devices.name[host]));
            if (const RackPlace place = rackPlace(m_s, host); !place.rack.empty()) out += fmt::format("    rack: {}\n", yamlText(place.rack));
            out += fmt::format("    adapters:\n      - endpoint_ports: {}\n        switch_ports: {}\n        switches: {}\n", avdList(ports.own),
                               avdList(ports.theirs), avdList(ports.switches));
        }
        return out.empty() ? "---\nservers: []\n" : "---\nservers:\n" + out;
    }

    [[nodiscard]] const std::vector<AvdTier>& tiers() const { return m_tiers; }

private:
    struct UpLists {
        std::vector<std::string> own, switches, theirs;
    };
    [[nodiscard]] UpLists listsOf(const std::vector<const WiredLink*>& links) const
    {
        UpLists lists;
        for (const WiredLink* link : links) {
            lists.own.push_back(m_w.names.of(link->lower));
            lists.switches.push_back(m_w.deviceName(link->upper));
            lists.theirs.push_back(m_w.names.of(link->upper));
        }
        return lists;
    }

    [[nodiscard]] std::string nodes(const AvdTier& tier) const
    {
        std::string out = fmt::format("{}:\n  defaults:\n", tier.key);
        out += fmt::format("    loopback_ipv4_pool: {}\n", yamlText(m_rules.value("loopback4", m_network, tier.groups.front().tier).text));
        if (std::string_view(tier.key) == "l3leaf") out += "    vtep: false\n"; // no text
        const bool below = &tier != &m_tiers.back();
        if (m_uplinks && below)
            out += fmt::format("    uplink_ipv4_pool: {}\n", yamlText(m_rules.value("fabric4", m_network, tier.groups.front().tier).text));
        out += "  nodes:\n";
        std::vector<DeviceId> devices;
        for (const auto& group : tier.groups) devices.insert(devices.end(), group.devices.begin(), group.devices.end());
        for (const DeviceId device : devices) {
            const auto* own = m_addresses.switchOf(device);
            out += fmt::format("    - name: {}\n      id: {}\n", yamlText(m_s.devices.name[device]), m_id.at(device));
            if (const RackPlace place = rackPlace(m_s, device); !place.rack.empty()) out += fmt::format("      rack: {}\n", yamlText(place.rack));
            if (const auto* management = m_addresses.managementOf(device)) {
                const auto* subnet = m_addresses.managementSubnet(device);
                const auto pool = parsePrefix(m_rules.general("management4").text);
                const int length = subnet ? subnet->v4.length : pool ? pool->length : 32;
                out += fmt::format("      mgmt_ip: {}/{}\n", addressText(management->v4, IpFamily::V4), length);
            }
            out += fmt::format("      bgp_as: \"{}\"\n      loopback_ipv4_address: {}\n", own->asn, addressText(own->loopback4, IpFamily::V4));
            if (m_uplinks && below) out += uplinksOf(device);
        }
        return out;
    }

    /// Three lists of equal length.
    [[nodiscard]] std::string uplinksOf(DeviceId device) const
    {
        const auto links = m_up.find(device);
        const UpLists lists = links == m_up.end() ? UpLists() : listsOf(links->second);
        return fmt::format("      uplink_interfaces: {}\n      uplink_switches: {}\n      uplink_switch_interfaces: {}\n", avdList(lists.own),
                           avdList(lists.switches), avdList(lists.theirs));
    }

    [[nodiscard]] std::string p2pLinks() const
    {
        std::string out;
        for (const auto& link : m_w.links) {
            const DeviceId lower = m_w.deviceOf(link.lower), upper = m_w.deviceOf(link.upper);
            const auto* fabric = m_addresses.fabricLink(link.link);
            if (!fabric || !m_id.contains(lower) || !m_id.contains(upper)) continue;
            if (out.empty()) out = "core_interfaces:\n  p2p_links:\n";
            const bool same = fabric->lower == link.lower;
            const std::string a = addressText(fabric->lower4 + (same ? 0 : 1), IpFamily::V4),
                              b = addressText(fabric->lower4 + (same ? 1 : 0), IpFamily::V4);
            out += fmt::format("    - nodes: {}\n      interfaces: {}\n      as: [\"{}\", \"{}\"]\n      ip: [{}/31, {}/31]\n      " // no text
                               "include_in_underlay_protocol: true\n",
                               avdList({m_s.devices.name[lower], m_s.devices.name[upper]}),
                               avdList({m_w.names.of(link.lower), m_w.names.of(link.upper)}), m_addresses.switchOf(lower)->asn,
                               m_addresses.switchOf(upper)->asn, a, b);
        }
        return out;
    }

    const Wiring& m_w;
    const Snapshot& m_s;
    const AddressIndex& m_addresses;
    NetworkId m_network;
    bool m_uplinks;
    AddressRules m_rules;
    std::vector<AvdTier> m_tiers; ///< from the leaves up
    std::map<DeviceId, int> m_id;
    std::map<DeviceId, std::vector<const WiredLink*>> m_up; ///< links to switches of the network, by their lower device
};

class AvdExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {"avd", i18n("inventory and variables for Arista AVD 5 (eos_designs), one network; output is a folder")};
    }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    std::vector<exchange::FormatOption> options() const override
    {
        return {
            {"links", "p2p|uplinks", i18n("p2p (default): planned addresses on every link; uplinks: uplink lists, AVD assigns the link addresses")}};
    }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const std::string links = job.option("links");
        if (!links.empty() && links != "p2p" && links != "uplinks")
            return fail(ErrorCode::Usage, "--links " + links, i18n("unknown value"),
                        i18n("choose from {}", listedNames(std::array{"p2p", "uplinks"})));
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const Snapshot& s = **design;
        const std::string name = job.network.empty() ? "backend" : job.network;
        const auto network = findNetwork(s, name);
        if (!network)
            return fail(ErrorCode::Usage, "--network " + name, i18n("no network with this name"),
                        i18n("choose from {}", listedNames(networkNames(s))));
        const auto wiring = Wiring::of(*design, s.networks.name[*network], PortNaming::Eos);
        if (!wiring) return tl::unexpected(wiring.error());
        const auto plan = planAddresses(s, progress);
        if (!plan) return tl::unexpected(plan.error());
        const AddressIndex addresses(*plan, s);
        AvdWriter avd(**wiring, addresses, *network, links == "uplinks");
        if (const auto found = avd.findTiers(); !found) return found;
        return exchange::writeFolderWhole(job.output, kAvdInventory, [&](const std::filesystem::path& folder) -> Result<void> {
            std::error_code error;
            std::filesystem::create_directories(folder / "group_vars", error);
            std::vector<std::pair<std::string, std::string>> files{
                {kAvdInventory, avd.inventory()}, {"group_vars/FABRIC.yml", avd.fabric()}, {"group_vars/CONNECTED_ENDPOINTS.yml", avd.endpoints()}};
            for (const auto& tier : avd.tiers())
                for (const auto& group : tier.groups) files.emplace_back("group_vars/" + group.name + ".yml", avd.groupType(tier));
            for (const auto& [file, text] : files) {
                if (progress.stopRequested()) return fail(ErrorCode::Canceled, job.output.string(), i18n("canceled"));
                if (const auto done = writeFile(folder / file, text); !done) return done;
            }
            return {};
        });
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> avdExporter() { return std::make_unique<AvdExporter>(); }

} // namespace hw::importers
