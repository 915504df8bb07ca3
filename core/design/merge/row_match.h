// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace hw {

/// Rows found by a key of two parts: a row that they belong to (the group), and what tells them apart within it. For rows
/// asked for in about the order in which they were added: then a search is a look at the next one. Each is found once;
/// of several rows of one key only the first.
template <class Rest>
class RowMatch {
public:
    static constexpr std::uint32_t kNoGroup = 0xFFFFFFFFu; ///< such a row is never found

    void reserve(std::size_t rows) { m_added.reserve(rows); }
    /// In the order of ids; all before `sort`.
    void add(std::uint32_t group, const Rest& rest, std::uint32_t id) { m_added.push_back({rest, group, id}); }

    void sort()
    {
        std::uint32_t groups = 0;
        for (const auto& row : m_added)
            if (row.group != kNoGroup) groups = std::max(groups, row.group + 1);
        m_first.assign(groups + 1, 0);
        for (const auto& row : m_added)
            if (row.group != kNoGroup) ++m_first[row.group + 1];
        for (std::uint32_t g = 0; g < groups; ++g) m_first[g + 1] += m_first[g];
        m_next.assign(m_first.begin(), m_first.end() - 1);
        m_rows.resize(m_first.back());
        for (const auto& row : m_added) {
            if (row.group == kNoGroup)
                m_lost.push_back(row.id);
            else
                m_rows[m_next[row.group]++] = {row.rest, row.id};
        }
        m_added = {};
        m_found.assign(m_rows.size(), 0);
        m_next.assign(m_first.begin(), m_first.end() - 1);
        for (std::uint32_t g = 0; g < groups; ++g)
            std::stable_sort(m_rows.begin() + m_first[g], m_rows.begin() + m_first[g + 1],
                             [](const Row& a, const Row& b) { return a.rest < b.rest; });
    }

    [[nodiscard]] std::optional<std::uint32_t> take(std::uint32_t group, const Rest& rest)
    {
        if (group >= m_next.size()) return std::nullopt;
        const std::uint32_t first = m_first[group], end = m_first[group + 1];
        std::uint32_t at = m_next[group];
        if (at == end || !(m_rows[at].rest == rest) || (at > first && m_rows[at - 1].rest == rest))
            at = std::uint32_t(std::lower_bound(m_rows.begin() + first, m_rows.begin() + end, rest,
                                                [](const Row& row, const Rest& wanted) { return row.rest < wanted; }) -
                               m_rows.begin());
        if (at == end || !(m_rows[at].rest == rest) || m_found[at]) return std::nullopt;
        m_found[at] = 1;
        m_next[group] = at + 1;
        return m_rows[at].id;
    }

    /// Ids of the rows that nobody took, rising.
    [[nodiscard]] std::vector<std::uint32_t> left() const
    {
        std::vector<std::uint32_t> ids = m_lost;
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            if (!m_found[i]) ids.push_back(m_rows[i].id);
        std::sort(ids.begin(), ids.end());
        return ids;
    }

private:
    struct Added {
        Rest rest;
        std::uint32_t group, id;
    };
    struct Row {
        Rest rest;
        std::uint32_t id;
    };
    std::vector<Added> m_added;
    std::vector<Row> m_rows;            ///< by group, then key, then id
    std::vector<std::uint32_t> m_first; ///< of m_rows, by group; one more at the end
    std::vector<std::uint32_t> m_next;  ///< by group: after the one found last
    std::vector<std::uint8_t> m_found;
    std::vector<std::uint32_t> m_lost; ///< of no group
};

} // namespace hw
