// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/addressing/address.h"

#include <charconv>

#include <arpa/inet.h>

namespace hw {

namespace {

AddressNumber hostMask(int length, IpFamily family)
{
    const int free = bits(family) - length;
    return free >= 128 ? ~AddressNumber(0) : (AddressNumber(1) << free) - 1;
}

} // namespace

AddressNumber Prefix::last() const { return first | hostMask(length, family); }

std::string addressText(AddressNumber address, IpFamily family)
{
    const int bytes = bits(family) / 8;
    unsigned char raw[16] = {};
    for (int i = 0; i < bytes; ++i) raw[i] = static_cast<unsigned char>(address >> (8 * (bytes - 1 - i)));
    char text[INET6_ADDRSTRLEN] = {};
    inet_ntop(family == IpFamily::V4 ? AF_INET : AF_INET6, raw, text, sizeof text);
    return text;
}

std::string prefixText(const Prefix& prefix) { return addressText(prefix.first, prefix.family) + "/" + std::to_string(prefix.length); }

std::optional<Prefix> parsePrefix(std::string_view text)
{
    const auto slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    Prefix prefix;
    prefix.family = text.find(':') == std::string_view::npos ? IpFamily::V4 : IpFamily::V6;
    unsigned char raw[16] = {};
    if (inet_pton(prefix.family == IpFamily::V4 ? AF_INET : AF_INET6, std::string(text.substr(0, slash)).c_str(), raw) != 1) return std::nullopt;
    for (int i = 0; i < bits(prefix.family) / 8; ++i) prefix.first = prefix.first << 8 | raw[i];
    const auto digits = text.substr(slash + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix.length);
    if (error != std::errc() || end != digits.data() + digits.size() || prefix.length < 0 || prefix.length > bits(prefix.family)) return std::nullopt;
    if (prefix.first & hostMask(prefix.length, prefix.family)) return std::nullopt;
    return prefix;
}

} // namespace hw
