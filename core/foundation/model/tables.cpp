// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/snapshot.h"

namespace hw {

namespace {

/// True when HW_COLUMNS of a table lists all its columns: nothing else stands in it.
template <class T>
constexpr bool listsEveryColumn()
{
    const auto bytes = [](const auto&... column) { return std::integral_constant<std::size_t, (sizeof(column) + ...)>(); };
    return sizeof(T) == sizeof(TableBase) + decltype(std::declval<const T&>().withColumns(bytes))::value;
}

} // namespace

/// The code that every table has.
#define HW_TABLE(TableT, member, One, stored)                                                                                                        \
    TableT::TableT() : Table(stored) {}                                                                                                              \
    TableT::~TableT() = default;                                                                                                                     \
    static_assert(listsEveryColumn<TableT>(), "HW_COLUMNS of " #TableT " leaves a column out");
HW_TABLES(HW_TABLE, HW_TABLE)
#undef HW_TABLE

Snapshot::Snapshot() = default;
Snapshot::Snapshot(const Snapshot&) = default;
Snapshot& Snapshot::operator=(const Snapshot&) = default;
Snapshot::~Snapshot() = default;

} // namespace hw
