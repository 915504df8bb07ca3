// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hw::history {

/// Whole numbers base 128, low digits first; the top bit of a byte says that more follow.
inline void putVarint(std::string& out, std::uint64_t value)
{
    while (value >= 128) {
        out.push_back(char(value | 128));
        value >>= 7;
    }
    out.push_back(char(value));
}
/// False: the bytes end, or the number is too long.
inline bool takeVarint(std::string_view& in, std::uint64_t& value)
{
    if (!in.empty() && (in[0] & 0x80) == 0) {
        value = std::uint8_t(in[0]);
        in.remove_prefix(1);
        return true;
    }
    value = 0;
    for (int shift = 0; shift < 64 && !in.empty(); shift += 7) {
        const auto byte = std::uint8_t(in[0]);
        in.remove_prefix(1);
        value |= std::uint64_t(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

/// Small of either sign become small: 0, -1, 1, -2 → 0, 1, 2, 3.
inline std::uint64_t zigzag(std::int64_t value) { return (std::uint64_t(value) << 1) ^ std::uint64_t(value >> 63); }
inline std::int64_t unzigzag(std::uint64_t value) { return std::int64_t(value >> 1) ^ -std::int64_t(value & 1); }
/// Differences that wrap around instead of overflowing.
inline std::int64_t minus(std::int64_t a, std::int64_t b) { return std::int64_t(std::uint64_t(a) - std::uint64_t(b)); }
inline std::int64_t plus(std::int64_t a, std::int64_t b) { return std::int64_t(std::uint64_t(a) + std::uint64_t(b)); }

[[nodiscard]] std::string squeezed(std::string_view bytes);               ///< zstd with a checksum
[[nodiscard]] bool unsqueeze(std::string_view block, std::string& bytes); ///< false: damaged

} // namespace hw::history
