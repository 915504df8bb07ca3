// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace hw {

/// Which of the numbers 0 … size() - 1 belong together: Boost's union-find, which names a set by its lowest member, so that the order of joining
/// decides nothing. Not for several threads at once: `find` shortens paths.
class DisjointSets {
public:
    explicit DisjointSets(std::size_t size = 0) { grow(size); }

    /// Each number from here on in a set of its own.
    void reset(std::size_t size)
    {
        m_parent.clear(), m_rank.clear(), m_lowest.clear();
        m_sets = 0;
        grow(size);
    }
    /// Adds numbers up to `size`, each in a set of its own; a size below the present one changes nothing.
    void grow(std::size_t size)
    {
        const std::size_t before = m_parent.size();
        if (size <= before) return;
        m_parent.resize(size);
        std::iota(m_parent.begin() + std::ptrdiff_t(before), m_parent.end(), std::uint32_t(before));
        m_lowest.insert(m_lowest.end(), m_parent.begin() + std::ptrdiff_t(before), m_parent.end());
        m_rank.resize(size, 0);
        m_sets += size - before;
    }
    /// False where both were in one set already.
    bool join(std::uint32_t a, std::uint32_t b)
    {
        auto sets = view();
        a = sets.find_set(a), b = sets.find_set(b);
        if (a == b) return false;
        sets.link(a, b);
        m_lowest[sets.find_set(a)] = std::min(m_lowest[a], m_lowest[b]);
        --m_sets;
        return true;
    }
    /// Lowest member of the set that x is in.
    [[nodiscard]] std::uint32_t find(std::uint32_t x) { return m_lowest[view().find_set(x)]; }
    [[nodiscard]] std::size_t size() const { return m_parent.size(); } ///< numbers
    [[nodiscard]] std::size_t count() const { return m_sets; }         ///< sets

private:
    boost::disjoint_sets<std::uint8_t*, std::uint32_t*> view() { return {m_rank.data(), m_parent.data()}; }

    std::vector<std::uint32_t> m_parent, m_lowest; ///< lowest: of the sets, by Boost's representative
    std::vector<std::uint8_t> m_rank;
    std::size_t m_sets = 0;
};

} // namespace hw
