// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/changeset.h"

#include <span>

namespace hw::views {

/// Children of every parent in one array: those of parent p stand at [offset[p], offset[p + 1]).
template <class ChildId>
class ChildLists {
public:
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

private:
    std::vector<std::uint32_t> m_offset;
    std::vector<ChildId> m_children;
};

/// What stands in what, and what is plugged where, for look-ups that the tables answer only the other
/// way round. Made from a snapshot (about 12 ms for 122,880 GPUs); immutable.
struct DesignIndex {
    ChildLists<RackId> racksOfRow;
    ChildLists<DeviceId> devicesOfRack;
    ChildLists<PortId> portsOfDevice;
    std::vector<std::uint32_t> linkOfPort; ///< by port id; kNone where nothing is plugged
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    [[nodiscard]] static std::shared_ptr<const DesignIndex> compute(const Snapshot& snapshot);
    /// True when the changes touch what the index holds.
    [[nodiscard]] static bool affectedBy(const ChangeSet& changes);

    /// Ports of a device and how many of them are plugged.
    struct PortUse {
        int total = 0, used = 0;
    };
    [[nodiscard]] PortUse portUse(DeviceId device) const;
};

} // namespace hw::views
