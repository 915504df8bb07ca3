// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hw {

/// An IPv4 or IPv6 address as a number.
__extension__ using AddressNumber = unsigned __int128;

/// Length of an address in bits.
enum class IpFamily : std::uint8_t { V4 = 32, V6 = 128 };
constexpr int bits(IpFamily family) { return int(family); }

/// A block of addresses: those whose first `length` bits are those of `first`.
struct Prefix {
    AddressNumber first = 0;
    int length = 0;
    IpFamily family = IpFamily::V4;
    friend auto operator<=>(const Prefix&, const Prefix&) = default;
    /// The last address of the block.
    [[nodiscard]] AddressNumber last() const;
};

/// "10.0.0.1"; "fd00::1" (RFC 5952).
[[nodiscard]] std::string addressText(AddressNumber address, IpFamily family);
/// "10.0.0.0/24".
[[nodiscard]] std::string prefixText(const Prefix& prefix);
/// Nothing for what is no prefix or has bits set behind its length.
[[nodiscard]] std::optional<Prefix> parsePrefix(std::string_view text);

} // namespace hw
