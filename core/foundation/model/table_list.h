// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/id.h"

namespace hw {

/// One more table, for the test that shows that the list and the declaration are all that a table needs.
#ifdef HW_ONE_MORE_TABLE
#include HW_ONE_MORE_TABLE_LIST
#else
#define HW_MORE_TABLES(ENTITY, PLAIN)
#endif

/// Every table of a design, in the order of the file format; new ones go at the end.
/// Rows of an ENTITY are things that people name, select and search; those of a PLAIN table serve them.
/// (table, member of Snapshot, one of its rows, name in files and scripts). Columns and traits stand in tables.h, and nowhere else.
#define HW_TABLES(ENTITY, PLAIN)                                                                                                                     \
    PLAIN(Settings, settings, Setting, "settings")                                                                                                   \
    ENTITY(PartTypes, partTypes, PartType, "part_types")                                                                                             \
    ENTITY(Networks, networks, Network, "networks")                                                                                                  \
    ENTITY(Buildings, buildings, Building, "buildings")                                                                                              \
    ENTITY(Halls, halls, Hall, "halls")                                                                                                              \
    ENTITY(Rows, rows, Row, "rows")                                                                                                                  \
    ENTITY(Racks, racks, Rack, "racks")                                                                                                              \
    ENTITY(Trays, trays, Tray, "trays")                                                                                                              \
    ENTITY(Tiers, tiers, Tier, "tiers")                                                                                                              \
    ENTITY(Devices, devices, Device, "devices")                                                                                                      \
    ENTITY(Cages, cages, Cage, "cages")                                                                                                              \
    ENTITY(Ports, ports, Port, "ports")                                                                                                              \
    PLAIN(LinkRules, linkRules, LinkRule, "link_rules")                                                                                              \
    ENTITY(Links, links, Link, "links")                                                                                                              \
    ENTITY(Cables, cables, Cable, "cables")                                                                                                          \
    PLAIN(Waivers, waivers, Waiver, "waivers")                                                                                                       \
    PLAIN(Removals, removals, Removal, "removals")                                                                                                   \
    ENTITY(Sites, sites, Site, "sites")                                                                                                              \
    PLAIN(Corners, corners, Corner, "corners")                                                                                                       \
    ENTITY(Structures, structures, Structure, "structures")                                                                                          \
    ENTITY(Underlays, underlays, Underlay, "underlays")                                                                                              \
    ENTITY(Phases, phases, Phase, "phases")                                                                                                          \
    ENTITY(Prices, prices, Price, "prices")                                                                                                          \
    PLAIN(Waypoints, waypoints, Waypoint, "waypoints")                                                                                               \
    PLAIN(Runs, runs, Run, "runs")                                                                                                                   \
    ENTITY(BindingRules, bindingRules, BindingRule, "binding_rules")                                                                                 \
    PLAIN(Bindings, bindings, Binding, "bindings")                                                                                                   \
    PLAIN(HardwareIds, hardwareIds, HardwareId, "hardware_ids")                                                                                      \
    PLAIN(Observations, observations, Observation, "observations")                                                                                   \
    PLAIN(Acceptances, acceptances, Acceptance, "acceptances")                                                                                       \
    HW_MORE_TABLES(ENTITY, PLAIN)

#define HW_ID(Table, member, One, stored)                                                                                                            \
    struct Table;                                                                                                                                    \
    using One##Id = Id<Table>;
HW_TABLES(HW_ID, HW_ID)
#undef HW_ID

#define HW_KIND(Table, member, One, stored) One,
#define HW_NO_KIND(Table, member, One, stored)
enum class EntityKind : std::uint8_t { None, HW_TABLES(HW_KIND, HW_NO_KIND) };
#undef HW_KIND
#undef HW_NO_KIND

/// The number of a table in the list, from 0.
template <class Table>
inline constexpr std::uint16_t kTableNumber = 0xFFFF;
#define HW_NUMBER(Table, member, One, stored) One,
namespace table_numbers {
enum Number : std::uint16_t { HW_TABLES(HW_NUMBER, HW_NUMBER) };
}
#undef HW_NUMBER
#define HW_NUMBER(Table, member, One, stored)                                                                                                        \
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
#define HW_KIND_OF(Table, member, One, stored)                                                                                                       \
    template <>                                                                                                                                      \
    inline constexpr EntityKind kKindOf<Table> = EntityKind::One;
#define HW_NO_KIND(Table, member, One, stored)
HW_TABLES(HW_KIND_OF, HW_NO_KIND)
#undef HW_KIND_OF
#undef HW_NO_KIND

template <class Table>
requires(kKindOf<Table> != EntityKind::None) constexpr EntityRef ref(Id<Table> id) { return {kKindOf<Table>, id.value}; }

} // namespace hw
