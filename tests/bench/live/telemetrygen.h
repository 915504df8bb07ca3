// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

namespace hw::bench {

inline std::uint64_t mixed(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}
/// -1 to 1, the same for the same numbers.
inline double noise(std::uint32_t channel, std::int64_t second)
{
    return double(mixed(channel * 0x9E3779B97F4A7C15ULL + std::uint64_t(second)) >> 11) / 0x1p52 - 1;
}

/// What a sensor says: six kinds, taken in turn, as the meters of a rack say it.
inline double sensor(std::uint32_t channel, std::int64_t second)
{
    const double swing = std::sin(double(second) / 40 + channel), day = std::sin(double(second) * 7.27e-5);
    const double n = noise(channel, second);
    switch (channel % 6) {
    case 0: return std::round((38000 + 4000 * swing + 500 * n) / 10) / 100;    // rack power, kW, two decimals
    case 1: return std::round((30 + 2 * day + 0.4 * n) * 10) / 10;             // temperature, one decimal
    case 2: return std::round(700 + 80 * swing + 30 * n);                      // GPU power, whole W
    case 3: return double(float(62.5 + 0.8 * swing + 0.2 * n));                // flow, all bits of a float
    case 4: return double(second) * 125'000'000 + std::round(1e6 * n);         // counter of bytes
    default: return (mixed(channel + std::uint64_t(second) / 7200) & 15) == 0; // state
    }
}

} // namespace hw::bench
