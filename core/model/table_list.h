// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"

namespace hw {

/// Every table of a design, in the order of the file format; new ones go at the end.
/// Rows of an ENTITY are things that people name, select and search; those of a PLAIN table serve them.
/// (table, member of Snapshot, one of its rows). Columns and traits stand in tables.h, and nowhere else.
#define HW_TABLES(ENTITY, PLAIN)                                                                                                                     \
    PLAIN(Settings, settings, Setting)                                                                                                               \
    ENTITY(PartTypes, partTypes, PartType)                                                                                                           \
    ENTITY(Networks, networks, Network)                                                                                                              \
    ENTITY(Buildings, buildings, Building)                                                                                                           \
    ENTITY(Halls, halls, Hall)                                                                                                                       \
    ENTITY(Rows, rows, Row)                                                                                                                          \
    ENTITY(Racks, racks, Rack)                                                                                                                       \
    ENTITY(Trays, trays, Tray)                                                                                                                       \
    ENTITY(Tiers, tiers, Tier)                                                                                                                       \
    ENTITY(Devices, devices, Device)                                                                                                                 \
    ENTITY(Cages, cages, Cage)                                                                                                                       \
    ENTITY(Ports, ports, Port)                                                                                                                       \
    PLAIN(LinkRules, linkRules, LinkRule)                                                                                                            \
    ENTITY(Links, links, Link)                                                                                                                       \
    ENTITY(Cables, cables, Cable)                                                                                                                    \
    PLAIN(Waivers, waivers, Waiver)                                                                                                                  \
    PLAIN(Removals, removals, Removal)

#define HW_ID(Table, member, One)                                                                                                                    \
    struct Table;                                                                                                                                    \
    using One##Id = Id<Table>;
HW_TABLES(HW_ID, HW_ID)
#undef HW_ID

#define HW_KIND(Table, member, One) One,
#define HW_NO_KIND(Table, member, One)
enum class EntityKind : std::uint8_t { None, HW_TABLES(HW_KIND, HW_NO_KIND) };
#undef HW_KIND
#undef HW_NO_KIND

/// The number of a table in the list, from 0.
template <class Table>
inline constexpr std::uint16_t kTableNumber = 0xFFFF;
#define HW_NUMBER(Table, member, One) One,
namespace table_numbers {
enum Number : std::uint16_t { HW_TABLES(HW_NUMBER, HW_NUMBER) };
}
#undef HW_NUMBER
#define HW_NUMBER(Table, member, One)                                                                                                                \
    template <>                                                                                                                                      \
    inline constexpr std::uint16_t kTableNumber<Table> = table_numbers::One;
HW_TABLES(HW_NUMBER, HW_NUMBER)
#undef HW_NUMBER

/// Any row of an entity's table: what selection, findings, search and picking speak of.
struct EntityRef {
    EntityKind kind = EntityKind::None;
    std::uint32_t id = 0;
    friend constexpr auto operator<=>(EntityRef, EntityRef) = default;
    explicit constexpr operator bool() const { return kind != EntityKind::None; }
};

/// The kind of a table's rows; None for a table whose rows are no entities.
template <class Table>
inline constexpr EntityKind kKindOf = EntityKind::None;
#define HW_KIND_OF(Table, member, One)                                                                                                               \
    template <>                                                                                                                                      \
    inline constexpr EntityKind kKindOf<Table> = EntityKind::One;
#define HW_NO_KIND(Table, member, One)
HW_TABLES(HW_KIND_OF, HW_NO_KIND)
#undef HW_KIND_OF
#undef HW_NO_KIND

template <class Table>
requires(kKindOf<Table> != EntityKind::None) constexpr EntityRef ref(Id<Table> id) { return {kKindOf<Table>, id.value}; }

} // namespace hw
