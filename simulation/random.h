// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace hw::sim {

/// Random numbers that are the same on every platform (the standard library's distributions are not): xoshiro256**
/// of D. Blackman and S. Vigna, seeded through their splitmix64. `stream` gives independent sequences of one seed.
class Random {
public:
    explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
    {
        std::uint64_t x = seed ^ (stream * 0xd1342543de82ef95ULL + 0x2545f4914f6cdd1dULL);
        for (auto& word : m_state) word = mix(x += 0x9e3779b97f4a7c15ULL);
    }

    std::uint64_t next()
    {
        const std::uint64_t result = std::rotl(m_state[1] * 5, 7) * 9, t = m_state[1] << 17;
        m_state[2] ^= m_state[0];
        m_state[3] ^= m_state[1];
        m_state[1] ^= m_state[2];
        m_state[0] ^= m_state[3];
        m_state[2] ^= t;
        m_state[3] = std::rotl(m_state[3], 45);
        return result;
    }
    /// From 0 up to, not including, 1.
    double uniform() { return double(next() >> 11) * 0x1p-53; }
    /// From 0 to `count` - 1; the bias of at most count / 2^64 does not matter here.
    std::uint64_t below(std::uint64_t count) { return next() % count; }
    /// Exponential with this mean; infinite for an infinite mean.
    double exponential(double mean)
    {
        const double u = uniform();
        return std::isinf(mean) ? mean : -mean * std::log1p(-u);
    }

private:
    static std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }
    std::uint64_t m_state[4];
};

} // namespace hw::sim
