// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/network/port_names.h"

#include "core/foundation/base/file_kind.h"
#include "core/foundation/catalog/entity.h"
#include "core/foundation/catalog/sockets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::importers {

namespace {

/// "et8/32" is port 32 of card 8.
bool cardAndPort(std::string_view name, int& card, int& port)
{
    const auto slash = name.find('/');
    if (slash == name.npos) return false;
    auto begin = slash;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1]))) --begin;
    const auto number = [](std::string_view text, int& value) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    };
    return number(name.substr(begin, slash - begin), card) && number(name.substr(slash + 1), port);
}

/// The number of "Ethernet8"; -1: it is not such a name.
int ethernetNumber(std::string_view name)
{
    constexpr std::string_view kEthernet = "Ethernet";
    int number = -1;
    if (!name.starts_with(kEthernet)) return -1;
    const std::string_view digits = name.substr(kEthernet.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() ? number : -1;
}

std::vector<int> numbersIn(const std::string& text)
{
    std::vector<int> numbers;
    for (std::size_t at = 0; at <= text.size();) {
        const auto comma = std::min(text.find(',', at), text.size());
        int value = -1;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + comma, value);
        if (error != std::errc() || end != text.data() + comma) return {};
        numbers.push_back(value);
        at = comma + 1;
    }
    return numbers;
}

} // namespace

std::string letterOf(int place) { return std::string(1, char('a' + place)); }

int laneGbps(const Interface& interface)
{
    const int rate = std::max(1, int(interface.rate.count()));
    int stated = 0;
    for (const int lane : interface.lanes)
        if (lane <= rate) stated = std::max(stated, lane);
    if (stated > 0) return stated;
    const std::string& slug = interface.slug;
    const auto has = [&](std::string_view form) { return slug.find(form) != slug.npos; };
    constexpr std::array<std::pair<std::string_view, int>, 10> kForms{{{"osfp1600", 200},
                                                                       {"qsfp112", 100},
                                                                       {"osfp", 100},
                                                                       {"qsfpdd", 50},
                                                                       {"qsfp56", 50},
                                                                       {"qsfp28", 25},
                                                                       {"sfp56", 50},
                                                                       {"sfp28", 25},
                                                                       {"qsfpp", 10},
                                                                       {"sfpp", 10}}};
    for (const auto& [form, lane] : kForms)
        if (has(form)) return form == "qsfpdd" && rate > 400 ? 100 : std::min(lane, rate);
    return rate;
}

Result<SonicPlatform> SonicPlatform::read(const std::filesystem::path& file)
{
    const auto text = readTextFile(file);
    if (!text) return tl::unexpected(text.error());
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    const auto wrong = [&](const std::string& key, Text what) {
        return fail(ErrorCode::Unreadable, file.string() + (key.empty() ? "" : ": " + key), std::move(what),
                    i18n("specify the platform.json of the switch"));
    };
    if (json.is_discarded() || !json.is_object()) return wrong({}, i18n("not a JSON object"));
    const auto interfaces = json.find("interfaces");
    if (interfaces == json.end() || !interfaces->is_object()) return wrong("interfaces", i18n("missing"));
    SonicPlatform platform;
    for (const auto& [name, entry] : interfaces->items()) {
        const std::string key = "interfaces." + name;
        const auto textOf = [&](const char* field) {
            const auto found = entry.is_object() ? entry.find(field) : entry.end();
            return found != entry.end() && found->is_string() ? found->template get<std::string>() : std::string();
        };
        Socket socket;
        socket.number = ethernetNumber(name);
        if (socket.number < 0) return wrong(key, i18n("not a port name such as Ethernet0"));
        socket.lanes = numbersIn(textOf("lanes"));
        if (socket.lanes.empty()) return wrong(key + ".lanes", i18n("not a list of numbers"));
        const std::string index = textOf("index");
        socket.index = index.substr(0, index.find(','));
        const auto modes = entry.find("breakout_modes");
        if (modes == entry.end() || !modes->is_object()) return wrong(key + ".breakout_modes", i18n("missing"));
        for (const auto& [mode, aliases] : modes->items()) {
            Mode one{mode, {}};
            if (aliases.is_array())
                for (const auto& alias : aliases)
                    if (alias.is_string()) one.aliases.push_back(alias.get<std::string>());
            socket.modes.push_back(std::move(one));
        }
        platform.sockets.push_back(std::move(socket));
    }
    std::ranges::sort(platform.sockets, {}, &Socket::number);
    return platform;
}

Result<void> PortNames::usePlatform(PartTypeId type, SonicPlatform platform)
{
    int sockets = 0;
    for (const auto& at : front(type)) sockets = std::max(sockets, at.socket);
    if (std::size_t(sockets) > platform.sockets.size())
        return fail(ErrorCode::Refused, "--platform-json " + m_parts[type].slug,
                    i18n("the part has {} cages, platform.json has {} interfaces", sockets, platform.sockets.size()),
                    i18n("specify the platform.json of this switch"));
    m_platforms[type] = std::move(platform);
    return {};
}

const SonicPlatform* PortNames::platformOf(PartTypeId type) const
{
    const auto found = m_platforms.find(type);
    return found == m_platforms.end() ? nullptr : &found->second;
}

const std::vector<FrontInterface>& PortNames::front(PartTypeId type) const
{
    const auto [entry, fresh] = m_front.try_emplace(type);
    if (!fresh) return entry->second;
    auto& all = entry->second;
    const auto& interfaces = m_parts.device(type).interfaces;
    all.resize(interfaces.size());
    int sockets = 0, lanes = 0, managed = 0;
    std::map<std::uint16_t, std::pair<int, int>> known; // of a socket: its number and first lane
    for (std::size_t i = 0; i < interfaces.size(); ++i) {
        const Interface& interface = interfaces[i];
        FrontInterface& at = all[i];
        if (interface.management) {
            at.management = ++managed;
            continue;
        }
        int most = 1;
        for (const int split : interface.splits) most = std::max(most, split);
        at.lanes = std::max(most, int(interface.rate.count()) / laneGbps(interface));
        at.places = interface.perSocket();
        at.firstLane = lanes;
        lanes += at.lanes;
        const auto [socket, first] = known.try_emplace(interface.socket, sockets + 1, at.firstLane);
        if (first) ++sockets;
        at.socket = socket->second.first;
        at.laneInSocket = at.firstLane - socket->second.second;
        at.place = first ? 0 : at.laneInSocket / at.lanes;
        at.socketLanes = at.lanes * at.places;
        if (int card = 0, port = 0; cardAndPort(interface.name, card, port)) at.card = card, at.cardSocket = port;
    }
    return all;
}

/// Of the first lane of a lane group.
int PortNames::sonicNumber(PartTypeId type, const FrontInterface& at, int split, int lane) const
{
    const int offset = lane * at.lanes / split;
    const SonicPlatform* platform = platformOf(type);
    if (!platform) return at.firstLane + offset;
    const auto& socket = platform->sockets[std::size_t(at.socket - 1)];
    const int own = int(socket.lanes.size());
    return socket.number + (at.laneInSocket + offset) * own / std::max(1, at.socketLanes);
}

std::vector<int> PortNames::lanes(PartTypeId type, std::size_t number, int split, int lane) const
{
    const auto& at = front(type)[number];
    int from = at.firstLane + lane * at.lanes / split, to = at.firstLane + (lane + 1) * at.lanes / split;
    std::vector<int> out;
    if (const SonicPlatform* platform = platformOf(type)) {
        const auto& socket = platform->sockets[std::size_t(at.socket - 1)];
        const int own = int(socket.lanes.size()), base = at.firstLane - at.laneInSocket;
        from = (from - base) * own / at.socketLanes, to = (to - base) * own / at.socketLanes;
        for (int i = from; i < to; ++i) out.push_back(socket.lanes[std::size_t(i)]);
        return out;
    }
    for (int i = from; i < to; ++i) out.push_back(i);
    return out;
}

std::string PortNames::of(PartTypeId type, std::size_t number, int split, int lane) const
{
    const auto& interfaces = m_parts.device(type).interfaces;
    const auto plain = [&] {
        std::string name = number < interfaces.size() ? interfaces[number].name : fmt::format("if{}", number + 1);
        if (split > 1) name += fmt::format("s{}", lane + 1);
        return name;
    };
    if (m_naming == PortNaming::Design || number >= interfaces.size()) return plain();
    const FrontInterface& at = front(type)[number];
    if (at.management > 0) return m_naming == PortNaming::Eos ? fmt::format("Management{}", at.management) : fmt::format("eth{}", at.management - 1);
    switch (m_naming) {
    case PortNaming::Sonic: return fmt::format("Ethernet{}", sonicNumber(type, at, split, lane));
    case PortNaming::Cumulus: {
        const int part = at.place * split + lane;
        return at.places * split > 1 ? fmt::format("swp{}s{}", at.socket, part) : fmt::format("swp{}", at.socket);
    }
    case PortNaming::Eos: {
        const std::string port = at.card > 0 ? fmt::format("{}/{}", at.card, at.cardSocket) : std::to_string(at.socket);
        if (at.socketLanes == 1) return "Ethernet" + port;
        return fmt::format("Ethernet{}/{}", port, at.laneInSocket + lane * at.lanes / split + 1);
    }
    case PortNaming::Design: break;
    }
    return plain();
}

std::string PortNames::of(PortId port) const
{
    const CageId cage = m_s.ports.cage[port];
    const DeviceId device = m_s.cages.device[cage];
    if (m_naming == PortNaming::Design || m_s.tiers.kind[m_s.devices.tier[device]] != TierKind::Switch) return portName(m_s, m_parts, port);
    return of(m_s.devices.type[device], m_s.cages.number[cage], std::max<int>(1, m_s.cages.split[cage]), m_s.ports.lane[port]);
}

} // namespace hw::importers
