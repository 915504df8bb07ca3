// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/asbuilt/names.h"

#include "core/foundation/catalog/entity.h"

#include <algorithm>

namespace hw::asbuilt {

namespace {

/// "et1/1" of EOS and "eth1/1" of NX-OS are Ethernet1/1; Linux's eth1 is another thing.
std::string spelledOut(const std::string& name)
{
    const auto digit = name.find_first_of("0123456789");
    if (digit == name.npos) return name;
    const std::string_view kind = std::string_view(name).substr(0, digit);
    const bool is = kind == "et" || (kind == "eth" && name.find('/') != name.npos);
    return is ? "ethernet" + name.substr(digit) : name;
}

} // namespace

Result<NameRules> NameRules::of(const Snapshot& s)
{
    auto ports = readNameRules(s.setting("asbuilt.ports"), "asbuilt.ports");
    if (!ports) return tl::unexpected(ports.error());
    auto devices = readNameRules(s.setting("asbuilt.devices"), "asbuilt.devices");
    if (!devices) return tl::unexpected(devices.error());
    return NameRules{std::move(*ports), std::move(*devices)};
}

DeviceNames::DeviceNames(const Snapshot& s, std::vector<NameRule> rules) : m_rules(std::move(rules))
{
    s.devices.forEach([&](DeviceId id) { m_names.emplace(lowerCase(s.devices.name[id]), id); });
    s.hardwareIds.forEach([&](HardwareIdId id) {
        if (s.devices.contains(s.hardwareIds.device[id])) m_ids.emplace(s.hardwareIds.value[id], s.hardwareIds.device[id]);
    });
}

bool DeviceNames::isSetAside(const std::string& name) const
{
    return std::ranges::any_of(m_rules, [&](const NameRule& rule) { return rule.drops() && rule.apply(name, false); });
}

std::optional<DeviceId> DeviceNames::byName(const std::string& name) const
{
    const auto known = [&](const std::string& text) -> std::optional<DeviceId> {
        const auto found = m_names.find(lowerCase(text));
        return found == m_names.end() ? std::nullopt : std::optional(found->second);
    };
    if (name.empty()) return std::nullopt;
    if (const auto exact = known(name)) return exact;
    for (const NameRule& rule : m_rules)
        if (const auto said = rule.apply(name, false); said && !rule.drops())
            if (const auto found = known(*said)) return found;
    if (const auto point = name.find('.'); point != name.npos && point > 0) return known(name.substr(0, point));
    return std::nullopt;
}

std::optional<DeviceId> DeviceNames::find(const std::string& name) const
{
    if (const auto found = byName(name)) return found;
    const auto number = m_ids.find(hardwareId(name));
    return number == m_ids.end() ? std::nullopt : std::optional(number->second);
}

namespace {

/// "swp3s1" → 1; -1: the name has no sub-port.
int laneOf(std::string_view name)
{
    const auto cut = name.find_last_not_of("0123456789");
    if (cut == name.npos || cut + 1 == name.size() || name[cut] != 's' || name.size() - cut > 3) return -1;
    if (cut == 0 || name[cut - 1] < '0' || name[cut - 1] > '9') return -1;
    int lane = 0;
    for (const char c : name.substr(cut + 1)) lane = lane * 10 + (c - '0');
    return lane;
}

bool allDigits(std::string_view text)
{
    return !text.empty() && text.size() < 6 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

PortNames::PortNames(const Snapshot& s, const ProjectParts& parts, std::vector<NameRule> rules) : m_s(s), m_parts(parts), m_rules(std::move(rules))
{
    m_portsOf.resize(s.devices.nextId());
    s.ports.forEach([&](PortId id) {
        if (s.ports.medium[id] == Medium::Data) m_portsOf[s.ports.device[id].value].push_back(id);
    });
}

void PortNames::hear(DeviceId device, const std::string& name)
{
    if (const int lane = laneOf(lowerCase(name)); lane >= 0) m_lanes[device].insert(lane);
}

bool PortNames::isSetAside(const std::string& name) const
{
    return std::ranges::any_of(
        m_rules, [&](const NameRule& rule) { return rule.drops() && (rule.apply(name, true) || rule.apply(spelledOut(lowerCase(name)), true)); });
}

const PortNames::OfDevice& PortNames::of(DeviceId device)
{
    const auto [at, fresh] = m_devices.try_emplace(device);
    OfDevice& own = at->second;
    if (!fresh) return own;
    auto ports = m_portsOf[device.value];
    const auto place = [&](PortId p) { return std::pair(m_s.cages.number[m_s.ports.cage[p]], m_s.ports.lane[p]); };
    std::ranges::sort(ports, {}, place);
    const auto& interfaces = m_parts.device(m_s.devices.type[device]).interfaces;
    for (const PortId port : ports) {
        own.byName.emplace(lowerCase(portName(m_s, m_parts, port)), port);
        const std::size_t number = m_s.cages.number[m_s.ports.cage[port]];
        if (number >= interfaces.size() || !interfaces[number].management) own.byNumber.push_back(port);
        own.mostLanes = std::max<int>(own.mostLanes, m_s.cages.split[m_s.ports.cage[port]]);
    }
    for (const PortId port : ports) { // as captures write them: Ethernet1/1 for et1/1; topics and file names have no slashes
        const std::string plain = lowerCase(portName(m_s, m_parts, port));
        for (std::string name : {plain, spelledOut(plain)}) {
            own.byName.emplace(name, port);
            std::ranges::replace(name, '/', '-');
            own.byName.emplace(std::move(name), port);
        }
    }
    return own;
}

/// The design's names count sub-ports from 1. Where the device was heard to have a sub-port 0, its names count from 0. Of names that might be
/// either (Cumulus's swpNsM) only what the highest number decides.
std::optional<PortId> PortNames::ownName(DeviceId device, const OfDevice& ports, const std::string& name, Text& why)
{
    const int lane = laneOf(name);
    const auto heard = m_lanes.find(device);
    if (lane >= 0 && heard != m_lanes.end()) {
        const bool fromZero = heard->second.contains(0);
        const auto plain = name.substr(0, name.find_last_of('s') + 1);
        if (fromZero) {
            const auto found = ports.byName.find(plain + std::to_string(lane + 1));
            return found == ports.byName.end() ? std::nullopt : std::optional(found->second);
        }
        if (name.starts_with("swp") && ports.byName.contains(name) && *heard->second.rbegin() < ports.mostLanes) {
            why = i18n("sub-port numbering is unclear (from 0 or from 1): capture all of them, or add a rule");
            return std::nullopt;
        }
    }
    const auto found = ports.byName.find(name);
    return found == ports.byName.end() ? std::nullopt : std::optional(found->second);
}

std::optional<PortId> PortNames::find(DeviceId device, const std::string& given, Text& why)
{
    const OfDevice& ports = of(device);
    const std::string asTold = lowerCase(given), name = spelledOut(asTold);
    for (const NameRule& rule : m_rules)
        for (const std::string* one : {&asTold, &name})
            if (const auto said = rule.apply(*one, true); said && !rule.drops())
                if (const auto found = ports.byName.find(lowerCase(*said)); found != ports.byName.end()) return found->second;
    if (const auto own = ownName(device, ports, name, why); own || !why.empty()) return own;
    for (const NameRule& rule : builtInPortRules())
        if (const auto said = rule.apply(name, true))
            if (const auto found = ports.byName.find(lowerCase(*said)); found != ports.byName.end()) return found->second;
    if (allDigits(name))
        if (const std::size_t number = std::stoul(name); number >= 1 && number <= ports.byNumber.size()) return ports.byNumber[number - 1];
    why = given.empty() ? i18n("no port given") : i18n("the design has no port with this name, and no rule maps to one");
    return std::nullopt;
}

} // namespace hw::asbuilt
