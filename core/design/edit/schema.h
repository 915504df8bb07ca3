// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

#include <utility>

namespace hw::edit {

/// What edits of any table read off its declaration. A row is named by the number of its table and its place there.

inline constexpr std::uint32_t kNoRow = 0xFFFFFFFFu;

/// The table that a column's values refer to; void for values that are no references.
template <class T>
struct Reference {
    using Table = void;
};
template <class TableT>
struct Reference<Id<TableT>> {
    using Table = TableT;
    static constexpr bool kOptional = false;
};
template <class TableT>
struct Reference<Maybe<Id<TableT>>> {
    using Table = TableT;
    static constexpr bool kOptional = true;
};
template <class ColumnT>
using ReferenceOf = Reference<typename std::decay_t<ColumnT>::Value>;
template <class ColumnT>
inline constexpr bool kIsReference = !std::is_void_v<typename ReferenceOf<ColumnT>::Table>;

template <class TableT>
std::uint32_t rawOf(Id<TableT> id)
{
    return id.value;
}
template <class IdT>
std::uint32_t rawOf(Maybe<IdT> id)
{
    return id ? (*id).value : kNoRow;
}

/// Calls f(column, number) for every column but `alive`.
template <class TableT, class F>
void eachColumn(TableT& table, F&& f)
{
    std::size_t number = 0;
    table.withColumns([&](auto& /*alive*/, auto&... column) { (f(column, ++number), ...); });
}

/// Calls f(column, number) for every column that refers to a table.
template <class TableT, class F>
void eachReference(TableT& table, F&& f)
{
    eachColumn(table, [&](auto& column, std::size_t number) {
        if constexpr (kIsReference<decltype(column)>) f(column, number);
    });
}

/// The number of the column that says what holds a row: of its parents the first that is set. 0: nothing does.
template <class TableT>
std::size_t holderOf(const TableT& table, typename TableT::IdType id)
{
    std::size_t found = 0;
    eachReference(table, [&](const auto& column, std::size_t number) {
        if (!found && column.traits().role == ColumnRole::Parent && rawOf(column[id]) != kNoRow) found = number;
    });
    return found;
}

template <class TableT>
inline constexpr std::size_t kNumberOf = kTableNumber<std::decay_t<TableT>>;

/// Rows that people name: those with a name and bits of what was changed by hand.
template <class TableT>
concept Named = requires(TableT& table, typename std::decay_t<TableT>::IdType id)
{
    table.name[id];
    table.overridden[id];
};

/// Calls f(table) for the table of a number.
template <class S, class F>
void withTable(S& snapshot, std::size_t number, F&& f)
{
    snapshot.eachTable([&](auto& table) {
        if (kNumberOf<decltype(table)> == number) f(table);
    });
}

/// The number of the table of a kind; that of no table for None.
inline std::size_t tableOf(EntityKind kind)
{
    std::size_t found = kNoRow;
    schemaSnapshot().eachTable([&](const auto& table) {
        if (kKindOf<std::decay_t<decltype(table)>> == kind && kind != EntityKind::None) found = kNumberOf<decltype(table)>;
    });
    return found;
}

} // namespace hw::edit
