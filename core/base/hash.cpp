// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <bit>
#include <cstring>

namespace hw {

namespace {

constexpr std::uint64_t kP1 = 0x9E3779B185EBCA87, kP2 = 0xC2B2AE3D27D4EB4F, kP3 = 0x165667B19E3779F9, kP4 = 0x85EBCA77C2B2AE63,
                        kP5 = 0x27D4EB2F165667C5;

template <class T>
T take(std::string_view& bytes)
{
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t input) { return std::rotl(lane + input * kP2, 31) * kP1; }
std::uint64_t merge(std::uint64_t hash, std::uint64_t lane) { return (hash ^ round(0, lane)) * kP1 + kP4; }

} // namespace

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed)
{
    const std::uint64_t length = bytes.size();
    std::uint64_t hash = seed + kP5;
    if (length >= 32) {
        std::uint64_t a = seed + kP1 + kP2, b = seed + kP2, c = seed, d = seed - kP1;
        while (bytes.size() >= 32) {
            a = round(a, take<std::uint64_t>(bytes));
            b = round(b, take<std::uint64_t>(bytes));
            c = round(c, take<std::uint64_t>(bytes));
            d = round(d, take<std::uint64_t>(bytes));
        }
        hash = std::rotl(a, 1) + std::rotl(b, 7) + std::rotl(c, 12) + std::rotl(d, 18);
        hash = merge(merge(merge(merge(hash, a), b), c), d);
    }
    hash += length;
    while (bytes.size() >= 8) hash = std::rotl(hash ^ round(0, take<std::uint64_t>(bytes)), 27) * kP1 + kP4;
    if (bytes.size() >= 4) hash = std::rotl(hash ^ take<std::uint32_t>(bytes) * kP1, 23) * kP2 + kP3;
    while (!bytes.empty()) hash = std::rotl(hash ^ take<std::uint8_t>(bytes) * kP5, 11) * kP1;
    hash = (hash ^ (hash >> 33)) * kP2;
    hash = (hash ^ (hash >> 29)) * kP3;
    return hash ^ (hash >> 32);
}

} // namespace hw
