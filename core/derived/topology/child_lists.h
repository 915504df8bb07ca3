// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hw {

/// Children of every parent in one array: those of parent p stand at [offset[p], offset[p + 1]), in the order of ids.
template <class ChildId>
class ChildLists {
public:
    /// `parentOf(id)`: an optional parent, of `parents` ids.
    template <class Table, class ParentOf>
    void build(const Table& table, std::uint32_t parents, ParentOf&& parentOf)
    {
        m_offset.assign(std::size_t(parents) + 1, 0);
        table.forEach([&](ChildId id) {
            if (const auto p = parentOf(id)) ++m_offset[p->value + 1];
        });
        for (std::size_t i = 1; i < m_offset.size(); ++i) m_offset[i] += m_offset[i - 1];
        m_children.resize(m_offset.back());
        auto next = m_offset;
        table.forEach([&](ChildId id) {
            if (const auto p = parentOf(id)) m_children[next[p->value]++] = id;
        });
    }
    [[nodiscard]] std::span<const ChildId> operator[](std::uint32_t parent) const
    {
        if (std::size_t(parent) + 1 >= m_offset.size()) return {};
        return {m_children.data() + m_offset[parent], m_children.data() + m_offset[parent + 1]};
    }
    friend bool operator==(const ChildLists&, const ChildLists&) = default;

private:
    std::vector<std::uint32_t> m_offset;
    std::vector<ChildId> m_children;
};

} // namespace hw
