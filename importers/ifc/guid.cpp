// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/ifc/guid.h"

#include "core/foundation/base/hash.h"

#include <array>
#include <cstdint>

namespace hw::importers::ifc {

std::string globalId(std::string_view name)
{
    static constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$";
    std::array<std::uint8_t, 16> bytes{};
    for (int half = 0; half < 2; ++half) {
        const std::uint64_t hash = hash64(name, std::uint64_t(half) + 1);
        for (int i = 0; i < 8; ++i) bytes[std::size_t(half * 8 + i)] = std::uint8_t(hash >> (56 - 8 * i));
    }
    bytes[6] = std::uint8_t((bytes[6] & 0x0F) | 0x80); // a UUID of version 8: made by a rule of its own (RFC 9562)
    bytes[8] = std::uint8_t((bytes[8] & 0x3F) | 0x80);
    std::string out;
    const auto append = [&](std::uint32_t value, int digits) {
        for (int i = digits - 1; i >= 0; --i) out += kDigits[(value >> (6 * i)) & 63];
    };
    append(bytes[0], 2);
    for (std::size_t i = 1; i < 16; i += 3) append((std::uint32_t(bytes[i]) << 16) | (std::uint32_t(bytes[i + 1]) << 8) | bytes[i + 2], 4);
    return out;
}

} // namespace hw::importers::ifc
