// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/tables.h"

#include <array>

namespace hw {

/// All tables of a design at one revision. Handed out as `std::shared_ptr<const Snapshot>`, which
/// any thread may read; copying one copies chunk pointers only (some 40 µs for 122,880 GPUs).
struct Snapshot {
    Snapshot();
    Snapshot(const Snapshot&);
    Snapshot& operator=(const Snapshot&);
    ~Snapshot();

    std::uint64_t revision = 0;
#define HW_MEMBER(Table, member, One, stored) Table member;
    HW_TABLES(HW_MEMBER, HW_MEMBER)
#undef HW_MEMBER

#define HW_COUNT(Table, member, One, stored) +1
    static constexpr std::size_t kTables = 0 HW_TABLES(HW_COUNT, HW_COUNT);
#undef HW_COUNT
    /// The tables in the order of the list, which is that of the file format.
#define HW_ADDRESS(Table, member, One, stored) &member,
    [[nodiscard]] std::array<TableBase*, kTables> tables() { return {HW_TABLES(HW_ADDRESS, HW_ADDRESS)}; }
    [[nodiscard]] std::array<const TableBase*, kTables> tables() const { return {HW_TABLES(HW_ADDRESS, HW_ADDRESS)}; }
#undef HW_ADDRESS

    /// One table by its type: `snapshot.of<Racks>()`.
    template <class T>
    [[nodiscard]] T& of()
    {
        return get(static_cast<T*>(nullptr));
    }
    template <class T>
    [[nodiscard]] const T& of() const
    {
        return get(static_cast<const T*>(nullptr));
    }

    /// Calls f(table) with every table as its own type, in the order of the list.
#define HW_CALL(Table, member, One, stored) f(member);
    template <class F>
    void eachTable(F&& f)
    {
        HW_TABLES(HW_CALL, HW_CALL)
    }
    template <class F>
    void eachTable(F&& f) const
    {
        HW_TABLES(HW_CALL, HW_CALL)
    }
#undef HW_CALL

    /// The value of a setting, or `fallback`.
    [[nodiscard]] std::string setting(std::string_view key, std::string_view fallback = {}) const;
    /// Inserts or changes a setting (only reachable through a Transaction's working copy).
    void putSetting(std::string_view key, std::string_view value);

private:
#define HW_GET(Table, member, One, stored)                                                                                                           \
    Table& get(Table*) { return member; }                                                                                                            \
    const Table& get(const Table*) const { return member; }
    HW_TABLES(HW_GET, HW_GET)
#undef HW_GET
};

/// Calls f(table, id) with the table and typed id of an entity; false for None and for a row that does not live.
template <class S, class F>
bool visitEntity(S& snapshot, EntityRef entity, F&& f)
{
    switch (entity.kind) {
    case EntityKind::None: return false;
#define HW_VISIT(Table, member, One, stored)                                                                                                         \
    case EntityKind::One:                                                                                                                            \
        if (!snapshot.member.contains(One##Id(entity.id))) return false;                                                                             \
        f(snapshot.member, One##Id(entity.id));                                                                                                      \
        return true;
#define HW_NOTHING(Table, member, One, stored)
        HW_TABLES(HW_VISIT, HW_NOTHING)
#undef HW_VISIT
#undef HW_NOTHING
    }
    return false;
}
[[nodiscard]] inline bool living(const Snapshot& snapshot, EntityRef entity)
{
    return visitEntity(snapshot, entity, [](const auto&, auto) {});
}

using SnapshotPtr = std::shared_ptr<const Snapshot>;

/// An empty design: names, types and traits of every column.
[[nodiscard]] const Snapshot& schemaSnapshot();

/// The same living rows with the same values in every table (revision and unused ids apart).
[[nodiscard]] bool sameContent(const Snapshot& a, const Snapshot& b);

} // namespace hw
