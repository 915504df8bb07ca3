// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/addressing/address_rules.h"

#include "core/design/addressing/pool.h"

#include <sstream>

#include <fmt/format.h>

namespace hw {

namespace {

// Private space of RFC 1918 and RFC 4193; AS numbers of RFC 6996. Sizes hold several hundred thousand accelerators.
const std::map<std::string, std::string>& defaults()
{
    static const std::map<std::string, std::string> kDefaults{
        {"loopback4", "10.248.0.0/14"},   {"loopback6", "fd48:616c:6c00:1::/64"},
        {"fabric4", "10.128.0.0/10"},     {"fabric6", "fd48:616c:6c00:2::/64"},
        {"host4", "10.0.0.0/9"},          {"host6", "fd48:616c:6c01::/48"},
        {"host_address", "port"},         {"host_subnet", "switch"},
        {"management4", "10.192.0.0/11"}, {"management6", "fd48:616c:6c02::/48"},
        {"asn", "4200000000-4294967294"},
    };
    return kDefaults;
}

} // namespace

const std::vector<std::string>& addressKeys()
{
    static const std::vector<std::string> kKeys = [] {
        std::vector<std::string> keys{"asn_per"};
        for (const auto& [key, value] : defaults()) keys.push_back(key);
        return keys;
    }();
    return kKeys;
}

Result<void> checkAddressValue(const std::string& key, const std::string& text, const std::string& name)
{
    const auto verdict = [](const auto& result) { return result ? Result<void>() : Result<void>(tl::unexpected(result.error())); };
    Pools pools;
    if (key == "asn_per") return verdict(SharedBy::parse({text, name}, "device"));
    if (key == "host_subnet") return verdict(SharedBy::parse({text, name}, "switch"));
    if (key == "host_address")
        return text == "port" || text == "nic"
                   ? Result<void>()
                   : Result<void>(fail(ErrorCode::Refused, name, i18n("unknown keyword '{}'", text), i18n("use port or nic")));
    if (key == "asn") return verdict(pools.asns(text, name));
    return verdict(pools.addresses(text, name, key.ends_with('4') ? IpFamily::V4 : IpFamily::V6));
}

AddressRules::AddressRules(const Snapshot& snapshot) : m_s(snapshot)
{
    constexpr std::string_view kPrefix = "addressing.";
    snapshot.settings.forEach([&](SettingId id) {
        const auto& key = snapshot.settings.key[id];
        if (key.starts_with(kPrefix)) m_settings[key.substr(kPrefix.size())] = snapshot.settings.value[id];
    });
}

const std::string* AddressRules::find(const std::string& name) const
{
    const auto found = m_settings.find(name);
    return found == m_settings.end() ? nullptr : &found->second;
}

AddressRules::Value AddressRules::value(const std::string& key, NetworkId network, Maybe<TierId> tier) const
{
    std::string name = tier ? "tier." + m_s.tiers.key[*tier] + "." + key : std::string();
    if (tier)
        if (const auto* text = find(name)) return {*text, "addressing." + name};
    name = "network." + m_s.networks.key[network] + "." + key;
    if (const auto* text = find(name)) return {*text, "addressing." + name};
    return general(key);
}

AddressRules::Value AddressRules::general(const std::string& key) const
{
    if (const auto* text = find(key)) return {*text, "addressing." + key};
    const auto found = defaults().find(key);
    return {found == defaults().end() ? std::string() : found->second, "addressing." + key};
}

Result<SharedBy> SharedBy::parse(const AddressRules::Value& value, const char* alone)
{
    SharedBy result;
    std::istringstream in(value.text);
    for (std::string word; in >> word;) {
        if (word == alone)
            result.m_alone = true;
        else if (word == "pod")
            result.m_pod = true;
        else if (word == "segment")
            result.m_segment = true;
        else if (word == "rail")
            result.m_rail = true;
        else if (word == "plane")
            result.m_plane = true;
        else if (word != "tier")
            return fail(ErrorCode::Refused, value.name, i18n("unknown keyword '{}'", word),
                        i18n("use {}, tier, or a combination of pod, segment, rail, plane", alone));
    }
    return result;
}

std::uint64_t SharedBy::groupOf(const Snapshot& s, DeviceId device) const
{
    if (m_alone) return device.value;
    const auto part = [](bool on, std::int16_t value) { return std::uint64_t(on ? std::uint16_t(value) : 0xFFFF); };
    return part(m_pod, s.devices.pod[device]) << 48 | part(m_segment, s.devices.segment[device]) << 32 | part(m_rail, s.devices.rail[device]) << 16 |
           part(m_plane, s.devices.plane[device]);
}

} // namespace hw
