// SPDX-License-Identifier: GPL-3.0-or-later
// An inventory for Ansible: switches by network and tier, servers by tier, with management addresses and places.
#include "core/foundation/files/atomic_file.h"
#include "importers/cluster/cluster_formats.h"
#include "importers/network/wiring.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

using InventoryJson = nlohmann::ordered_json;

struct InventoryGroup {
    std::string name, parent;
    std::vector<DeviceId> devices;
};

class AnsibleExporter final : public exchange::Exporter {
public:
    exchange::FormatInfo info() const override
    {
        return {
            "ansible",
            i18n("inventory of switches and servers for Ansible, with management addresses; .yml, or .json in the format of an inventory script")};
    }
    bool oneFile() const override { return true; }
    bool takesNetwork() const override { return true; }
    bool takesPhase() const override { return true; }
    Result<void> write(const exchange::ExportJob& job, const Progress& progress) const override
    {
        const std::string ending = job.output.extension().string();
        const bool json = ending == ".json";
        if (!json && ending != ".yml" && ending != ".yaml")
            return fail(ErrorCode::Usage, "-o " + job.output.string(), i18n("unknown file type"), i18n("use the extension .yml, .yaml or .json"));
        const auto design = job.design();
        if (!design) return tl::unexpected(design.error());
        const Snapshot& s = **design;
        std::unique_ptr<Wiring> wiring;
        if (!job.network.empty()) {
            auto made = Wiring::of(*design, job.network, PortNaming::Design);
            if (!made) return tl::unexpected(made.error());
            wiring = std::move(*made);
        }
        const auto plan = planAddresses(s, progress);
        if (!plan) return tl::unexpected(plan.error());
        const AddressIndex addresses(*plan, s);
        std::vector<DeviceId> devices;
        s.devices.forEach([&](DeviceId device) {
            if (!addresses.managementOf(device)) return;
            if (!wiring || std::ranges::binary_search(wiring->devices, device)) devices.push_back(device);
        });
        if (devices.empty()) return fail(ErrorCode::Refused, "design", i18n("no devices with management addresses"), i18n("choose another network"));
        if (const auto checked = checkHostNames(s, devices); !checked) return checked;
        const auto groups = groupsOf(s, devices);
        return writeFile(job.output, json ? jsonOf(s, groups, addresses) : yamlOf(s, groups, addresses));
    }

private:
    /// In the order of the design's tiers; a name that two tiers would get is numbered.
    static std::vector<InventoryGroup> groupsOf(const Snapshot& s, const std::vector<DeviceId>& devices)
    {
        std::map<TierId, std::vector<DeviceId>> byTier;
        for (const DeviceId device : devices) byTier[s.devices.tier[device]].push_back(device);
        std::vector<InventoryGroup> groups;
        std::map<std::string, int> taken{{"all", 1}, {"ungrouped", 1}, {"fabric", 1}, {"servers", 1}, {"equipment", 1}};
        for (auto& [tier, members] : byTier) {
            const TierKind kind = s.tiers.kind[tier];
            std::string parent = kind == TierKind::Switch ? "fabric" : kind == TierKind::Server ? "servers" : "equipment";
            std::string name = groupName(s.tiers.key[tier]);
            if (const auto network = s.tiers.network[tier]) name = groupName(s.networks.key[*network]) + "_" + name;
            if (const int before = taken[name]++; before > 0) name += fmt::format("_{}", before + 1), ++taken[name];
            groups.push_back({std::move(name), std::move(parent), std::move(members)});
        }
        return groups;
    }

    /// Variables of a host, values as JSON.
    static InventoryJson variables(const Snapshot& s, DeviceId device, const AddressIndex& addresses)
    {
        InventoryJson vars = InventoryJson::object();
        vars["ansible_host"] = addressText(addresses.managementOf(device)->v4, IpFamily::V4);
        const RackPlace place = rackPlace(s, device);
        if (!place.hall.empty()) vars["hall"] = place.hall;
        if (!place.rack.empty()) vars["rack"] = place.rack, vars["u"] = place.u;
        vars["part"] = s.partTypes.slug[s.devices.type[device]];
        if (const auto* own = addresses.switchOf(device)) {
            vars["bgp_asn"] = own->asn;
            vars["loopback"] = addressText(own->loopback4, IpFamily::V4);
        }
        if (s.devices.pod[device] >= 0) vars["pod"] = s.devices.pod[device] + 1;
        if (s.devices.segment[device] >= 0) vars["segment"] = s.devices.segment[device] + 1;
        return vars;
    }

    static std::string yamlOf(const Snapshot& s, const std::vector<InventoryGroup>& groups, const AddressIndex& addresses)
    {
        std::string out = "---\nall:\n  children:\n";
        for (const char* parent : {"fabric", "servers", "equipment"}) {
            bool first = true;
            for (const auto& group : groups) {
                if (group.parent != parent) continue;
                if (std::exchange(first, false)) out += fmt::format("    {}:\n      children:\n", parent);
                out += fmt::format("        {}:\n          hosts:\n", group.name);
                for (const DeviceId device : group.devices) {
                    std::string vars;
                    const InventoryJson own = variables(s, device, addresses);
                    for (const auto& [key, value] : own.items())
                        vars += fmt::format("{}{}: {}", vars.empty() ? "" : ", ", key,
                                            value.is_string() ? yamlText(value.template get<std::string>()) : value.dump());
                    out += fmt::format("            {}: {{{}}}\n", yamlText(s.devices.name[device]), vars);
                }
            }
        }
        return out;
    }

    /// As a dynamic inventory prints it.
    static std::string jsonOf(const Snapshot& s, const std::vector<InventoryGroup>& groups, const AddressIndex& addresses)
    {
        InventoryJson out{{"_meta", {{"hostvars", InventoryJson::object()}}}, {"all", {{"children", InventoryJson::array()}}}};
        for (const auto& group : groups) {
            if (!out.contains(group.parent)) {
                out[group.parent]["children"] = InventoryJson::array();
                out["all"]["children"].push_back(group.parent);
            }
            out[group.parent]["children"].push_back(group.name);
            auto& hosts = out[group.name]["hosts"] = InventoryJson::array();
            for (const DeviceId device : group.devices) {
                hosts.push_back(s.devices.name[device]);
                out["_meta"]["hostvars"][s.devices.name[device]] = variables(s, device, addresses);
            }
        }
        return out.dump(2, ' ', false, InventoryJson::error_handler_t::replace) + "\n";
    }
};

} // namespace

std::unique_ptr<exchange::Exporter> ansibleExporter() { return std::make_unique<AnsibleExporter>(); }

void addClusterFormats(exchange::Formats& formats)
{
    formats.add(ncclExporter());
    formats.add(slurmExporter());
    formats.add(nodeLabelExporter());
    formats.add(ansibleExporter());
}

} // namespace hw::importers
