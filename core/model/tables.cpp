// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/snapshot.h"

namespace hw {

namespace {

/// True when HW_COLUMNS of a table lists all its columns: nothing else stands in it.
template <class T>
constexpr bool listsEveryColumn()
{
    using Columns = decltype(std::declval<const T&>().columns());
    return sizeof(T) == sizeof(TableBase) + std::tuple_size_v<Columns> * sizeof(ValueColumn<std::uint8_t>);
}

} // namespace

/// The name of a table in files, and the code that every table has.
#define HW_TABLE(TableT, storedName)                                                                                                                 \
    TableT::TableT() : Table(storedName) {}                                                                                                          \
    TableT::~TableT() = default;                                                                                                                     \
    static_assert(listsEveryColumn<TableT>(), "HW_COLUMNS of " #TableT " leaves a column out");

HW_TABLE(Settings, "settings")
HW_TABLE(PartTypes, "part_types")
HW_TABLE(Networks, "networks")
HW_TABLE(Buildings, "buildings")
HW_TABLE(Halls, "halls")
HW_TABLE(Rows, "rows")
HW_TABLE(Racks, "racks")
HW_TABLE(Trays, "trays")
HW_TABLE(Tiers, "tiers")
HW_TABLE(Devices, "devices")
HW_TABLE(Cages, "cages")
HW_TABLE(Ports, "ports")
HW_TABLE(LinkRules, "link_rules")
HW_TABLE(Links, "links")
HW_TABLE(Cables, "cables")
HW_TABLE(Waivers, "waivers")
HW_TABLE(Removals, "removals")
#undef HW_TABLE

Snapshot::Snapshot() = default;
Snapshot::Snapshot(const Snapshot&) = default;
Snapshot& Snapshot::operator=(const Snapshot&) = default;
Snapshot::~Snapshot() = default;

} // namespace hw
