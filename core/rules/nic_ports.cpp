// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/nic_ports.h"

#include <charconv>

namespace hw::rules {

NicPort nicPortFromName(std::string_view name)
{
    const std::size_t letters = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
    if (letters == 0 || letters == std::string_view::npos) return {};
    NicPort result;
    const char* const end = name.data() + name.size();
    const auto rail = std::from_chars(name.data() + letters, end, result.rail);
    if (rail.ec != std::errc() || rail.ptr == end) return rail.ec == std::errc() ? result : NicPort{};
    if (*rail.ptr != 'p') return {};
    const auto plane = std::from_chars(rail.ptr + 1, end, result.plane);
    return plane.ec == std::errc() && plane.ptr == end ? result : NicPort{};
}

NicPort NicPorts::of(const Snapshot& s, PortId port)
{
    const CageId cage = s.ports.cage[port];
    const PartTypeId type = s.devices.type[s.cages.device[cage]];
    auto& names = m_byType[type.value];
    if (names.empty())
        for (const auto& interface : m_parts.device(type).interfaces) names.push_back(nicPortFromName(interface.name));
    const std::size_t number = s.cages.number[cage];
    return number < names.size() ? names[number] : NicPort{};
}

} // namespace hw::rules
