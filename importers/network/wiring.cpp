// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/network/wiring.h"

#include "core/derived/figures/link_sides.h"
#include "core/foundation/model/find_network.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

namespace hw::importers {

bool isInfiniband(const Part& part)
{
    const auto* spec = std::get_if<DeviceSpec>(&part.spec);
    if (spec && std::ranges::any_of(spec->interfaces, [](const Interface& i) { return i.slug.starts_with("infiniband-"); })) return true;
    const auto says = [](const std::string& text) {
        constexpr std::string_view kWord = "infiniband";
        return std::ranges::search(text, kWord, [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; }).size() > 0;
    };
    return says(part.description) || says(part.model);
}

Result<std::unique_ptr<Wiring>> Wiring::of(SnapshotPtr snapshot, const std::string& network, PortNaming naming)
{
    auto parts = ProjectParts::of(snapshot->partTypes);
    if (!parts) return tl::unexpected(parts.error());
    const Snapshot& s = *snapshot;
    const auto wanted = network.empty() ? std::nullopt : findNetwork(s, network);
    if (!network.empty() && !wanted)
        return fail(ErrorCode::Usage, "--network " + network, i18n("no network with this name"),
                    i18n("choose from {}", listedNames(networkNames(s))));
    std::unique_ptr<Wiring> wiring(new Wiring(snapshot, *parts, naming));
    std::vector<char> infiniband(s.partTypes.nextId(), 0);
    s.partTypes.forEach(
        [&](PartTypeId type) { infiniband[type.value] = char(s.partTypes.kind[type] == PartKind::Device && isInfiniband((**parts)[type])); });
    std::vector<char> used(s.devices.nextId(), 0);
    s.links.forEach([&](LinkId link) {
        const PortId from = s.links.from[link], to = s.links.to[link];
        if (s.ports.medium[from] != Medium::Data) return;
        const auto own = s.ports.network[from];
        if (wanted ? own != *wanted : own && s.networks.kind[*own] == NetworkKind::ScaleUp) return;
        const DeviceId a = s.ports.device[from], b = s.ports.device[to];
        if (infiniband[s.devices.type[a].value] || infiniband[s.devices.type[b].value]) {
            ++wiring->infinibandLinks;
            return;
        }
        const bool turned = lowerEnd(s, from, to) == LowerEnd::To;
        wiring->links.push_back({link, turned ? to : from, turned ? from : to});
        used[a.value] = used[b.value] = 1;
    });
    s.devices.forEach([&](DeviceId device) {
        if (used[device.value]) wiring->devices.push_back(device);
    });
    if (wiring->links.empty()) {
        if (wiring->infinibandLinks > 0)
            return fail(ErrorCode::Refused, network.empty() ? std::string("design") : "--network " + network,
                        i18n("the links are InfiniBand, which has neither LLDP nor BGP"), i18n("choose an Ethernet network with --network"));
        return fail(ErrorCode::Refused, network.empty() ? std::string("design") : "--network " + network, i18n("no data links"),
                    i18n("choose another network with --network"));
    }
    if (const auto checked = wiring->checkNames(); !checked) return tl::unexpected(checked.error());
    return wiring;
}

Result<void> Wiring::checkNames() const
{
    std::set<std::pair<DeviceId, std::string>> known;
    for (const auto& link : links)
        for (const PortId port : {link.lower, link.upper}) {
            if (!isSwitch(deviceOf(port))) continue;
            std::string name = names.of(port);
            if (!known.emplace(deviceOf(port), name).second)
                return fail(ErrorCode::Refused, deviceName(port) + ":" + name, i18n("two ports would get this name"),
                            i18n("use the same breakout for both halves of the cage"));
        }
    return {};
}

Result<void> checkHostNames(const Snapshot& s, std::span<const DeviceId> devices)
{
    std::set<std::string_view> known;
    for (const DeviceId device : devices) {
        const std::string& name = s.devices.name[device];
        const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_'; };
        if (name.empty() || name.size() > 63 || !std::isalnum(static_cast<unsigned char>(name[0])) || !std::ranges::all_of(name, plain))
            return fail(ErrorCode::Refused, name, i18n("not a valid host name"), i18n("rename it: up to 63 letters, digits, '.', '-' and '_'"));
        if (!known.insert(name).second) return fail(ErrorCode::Refused, name, i18n("two devices have this name"), i18n("rename one of them"));
    }
    return {};
}

RackPlace rackPlace(const Snapshot& s, DeviceId device)
{
    RackPlace place;
    if (const auto rack = s.devices.rack[device]) place.rack = s.racks.name[*rack], place.u = std::max<int>(0, s.devices.u[device]);
    if (const auto row = rowOf(s, device)) place.row = s.rows.name[*row];
    if (const auto hall = hallOf(s, device)) place.hall = s.halls.name[*hall];
    return place;
}

exchange::FormatOption namingOption() { return {"names", "design|sonic|eos|cumulus", i18n("port names of switches")}; }

Result<PortNaming> namingOf(const exchange::ExportJob& job, PortNaming usual)
{
    const std::string word = job.option("names");
    if (word.empty()) return usual;
    if (const auto naming = fromWord<PortNaming>(word)) return *naming;
    return fail(ErrorCode::Usage, "--names " + word, i18n("unknown port names"), i18n("choose from {}", listedNames(kWords<PortNaming>)));
}

std::string yamlText(std::string_view text)
{
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("._/-").find(c) != std::string_view::npos;
    };
    const bool letter = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0]));
    std::string low(text);
    std::ranges::transform(low, low.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    const bool word = std::set<std::string_view>{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}.contains(low);
    if (letter && !word && std::ranges::all_of(text, plain)) return std::string(text);
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < ' ')
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + '"';
}

std::string hostList(std::span<const std::string> names)
{
    struct Numbered {
        std::string before;
        std::uint64_t number = 0;
        std::size_t width = 0;
        bool numbered = false;
    };
    const auto split = [](const std::string& name) {
        std::size_t begin = name.size();
        while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1]))) --begin;
        const std::size_t width = name.size() - begin;
        if (width == 0 || width > 9) return Numbered{name, 0, 0, false};
        return Numbered{name.substr(0, begin), std::stoull(name.substr(begin)), width, true};
    };
    std::string out;
    for (std::size_t i = 0; i < names.size();) {
        const Numbered first = split(names[i]);
        std::size_t end = i + 1;
        std::string ranges;
        std::uint64_t from = first.number, to = first.number;
        const auto close = [&] {
            ranges += (ranges.empty() ? "" : ",") + fmt::format("{:0{}}", from, first.width);
            if (to > from) ranges += fmt::format("-{:0{}}", to, first.width);
        };
        for (; first.numbered && end < names.size(); ++end) {
            const Numbered next = split(names[end]);
            if (!next.numbered || next.before != first.before || next.width != first.width) break;
            if (next.number == to + 1) {
                to = next.number;
                continue;
            }
            close();
            from = to = next.number;
        }
        if (!out.empty()) out += ',';
        if (end == i + 1)
            out += names[i];
        else {
            close();
            out += first.before + "[" + ranges + "]";
        }
        i = end;
    }
    return out;
}

std::string groupName(std::string_view text)
{
    std::string out;
    for (const char c : text) out += std::isalnum(static_cast<unsigned char>(c)) ? char(std::tolower(static_cast<unsigned char>(c))) : '_';
    if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out.insert(out.begin(), '_');
    return out;
}

AddressIndex::AddressIndex(const AddressPlan& given, const Snapshot& s) : plan(given)
{
    m_switch.resize(s.devices.nextId()), m_management.resize(s.devices.nextId()), m_managementSubnet.resize(s.devices.nextId());
    m_fabric.resize(s.links.nextId()), m_hosts.resize(s.links.nextId());
    for (const auto& one : plan.switches) m_switch[one.device.value] = &one;
    for (const auto& one : plan.management) m_management[one.device.value] = &one;
    for (const auto& one : plan.links) m_fabric[one.link.value] = &one;
    for (const auto& one : plan.hostPorts) {
        m_hosts[one.link.value] = &one;
        const DeviceId device = s.ports.device[one.port];
        const auto* own = m_management[device.value];
        if (own && own->v4 == one.v4) m_managementSubnet[device.value] = &plan.subnets[one.subnet];
    }
}

const AddressPlan::Subnet* AddressIndex::managementSubnet(DeviceId device) const { return at(m_managementSubnet, device.value); }

} // namespace hw::importers
