// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace hw::layout {

/// Pairs of systems in the order in which rows get them, neighbors without a common one where that is possible.
[[nodiscard]] inline std::vector<std::array<int, 2>> systemPairs(std::int64_t systems)
{
    if (systems == 3) return {{0, 1}, {1, 2}, {0, 2}};
    return {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};
}

/// What two systems carry together, half each, and what each is left with when another is lost.
class SystemLoads {
public:
    void add(std::array<int, 2> pair, std::int64_t mw)
    {
        m_between[std::size_t(pair[0])][std::size_t(pair[1])] += mw;
        m_between[std::size_t(pair[1])][std::size_t(pair[0])] += mw;
    }
    [[nodiscard]] std::int64_t worst(int system) const
    {
        std::int64_t sum = 0, most = 0;
        for (const std::int64_t shared : m_between[std::size_t(system)]) sum += shared, most = std::max(most, shared);
        return (sum + most + 1) / 2;
    }
    [[nodiscard]] std::int64_t worst() const { return std::max({worst(0), worst(1), worst(2), worst(3)}); }
    /// Uneven loads count more: of two choices with the same worst the one that leaves the others less.
    [[nodiscard]] std::pair<std::int64_t, double> rank() const
    {
        double squares = 0;
        for (int i = 0; i < 4; ++i) squares += double(worst(i)) * double(worst(i));
        return {worst(), squares};
    }

private:
    std::array<std::array<std::int64_t, 4>, 4> m_between{};
};

} // namespace hw::layout
