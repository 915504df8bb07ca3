// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/topology/nic_ports.h"

#include <charconv>
#include <map>

namespace hw {

std::string_view cardOf(std::string_view interface)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t end = interface.size();
    while (end > 0 && isDigit(interface[end - 1])) --end;
    const bool portOfCard = end < interface.size() && end >= 1 && interface[end - 1] == 'p' && (end == 1 || isDigit(interface[end - 2]));
    return portOfCard ? interface.substr(0, end - 1) : interface;
}

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

Cards Cards::of(const DeviceSpec& device)
{
    Cards cards;
    std::map<std::string_view, std::uint16_t> known;
    for (const auto& interface : device.interfaces) {
        const auto [it, isNew] = known.try_emplace(cardOf(interface.name), std::uint16_t(cards.names.size()));
        if (isNew) cards.names.emplace_back(it->first);
        cards.ofInterface.push_back(it->second);
    }
    return cards;
}

const Cards& CardsOfTypes::ofType(PartTypeId type)
{
    auto& cards = m_byType[type.value];
    if (!cards) cards = Cards::of(m_parts.device(type));
    return *cards;
}

std::optional<std::uint16_t> CardsOfTypes::of(const Snapshot& s, PortId port)
{
    const Cards& cards = ofType(s.devices.type[s.ports.device[port]]);
    const std::size_t number = s.cages.number[s.ports.cage[port]];
    return number < cards.ofInterface.size() ? std::optional(cards.ofInterface[number]) : std::nullopt;
}

std::uint16_t CardsOfTypes::orOwn(const Snapshot& s, PortId port)
{
    return of(s, port).value_or(std::uint16_t(kUnlisted + s.cages.number[s.ports.cage[port]]));
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

} // namespace hw
