// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/snapshot.h"

namespace hw {

/// The entity that a column's value refers to; nothing for other values, and for rows that are no entities.
template <class Table>
[[nodiscard]] EntityRef entityOf(Id<Table> id)
{
    if constexpr (kKindOf<Table> != EntityKind::None) return ref(id);
    return {};
}
template <class IdT>
[[nodiscard]] EntityRef entityOf(Maybe<IdT> id)
{
    return id ? entityOf(*id) : EntityRef{};
}
template <class T>
[[nodiscard]] EntityRef entityOf(const T&)
{
    return {};
}

/// The row that holds this one: of its parents the first that is set.
template <class TableT>
[[nodiscard]] EntityRef parentOf(const TableT& table, typename TableT::IdType id)
{
    EntityRef parent;
    std::apply(
        [&](const auto&... column) {
            const auto look = [&](const auto& c) { return c.traits().role == ColumnRole::Parent && (parent = entityOf(c[id])); };
            (void)(look(column) || ...);
        },
        table.columns());
    return parent;
}

} // namespace hw
