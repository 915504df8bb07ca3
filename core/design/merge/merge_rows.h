// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/merge/disconnected.h"
#include "core/design/merge/merge.h"
#include "core/design/merge/row_match.h"
#include "core/foundation/catalog/catalog.h"
#include "core/foundation/model/laid_out.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

namespace hw::merging {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// Row ids of theirs → mine, per table.
using IdMap = std::vector<std::uint32_t>;

template <class ColumnT, class IdT, class T>
void put(ColumnT& column, IdT id, const T& value)
{
    if (!(column[id] == value)) column.set(id, value);
}

class Merge {
public:
    Merge(Snapshot& mine, const Snapshot& theirs, MakeDesign makeBase)
        : m_mine(mine), m_before(mine), m_theirs(theirs), m_makeBase(std::move(makeBase))
    {
    }
    Result<MergeReport> run();

private:
    /// Matches rows by their keys; calls copy(mineId, theirsId, isNew) for each and drop(mineId) for the rest.
    /// Rows of theirs that `stands` refuses become none.
    template <class TableT, class Stands, class Copy, class Drop>
    IdMap match(TableT& mine, const TableT& theirs, Stands&& stands, Copy&& copy, Drop&& drop);
    /// Rows that belong to other rows: `keyOf` gives the row that one belongs to, and what tells it apart there. Of mine's rows
    /// without a match those stay that `stays` says.
    template <class TableT, class KeyOf, class Owned, class Stands, class Copy, class Stays>
    IdMap matchParts(TableT& mine, const TableT& theirs, KeyOf&& keyOf, Owned&& owned, Stands&& stands, Copy&& copy, Stays&& stays);
    /// Whether all that a row of theirs needs, or is held by, was not left out.
    template <class TableT, class IdT>
    [[nodiscard]] bool standing(const TableT& theirs, IdT id, const ColumnBase* except = nullptr) const;
    template <class TableT>
    [[nodiscard]] std::unordered_set<std::string_view> removedFrom(const TableT& table) const;
    void findRetyped();
    /// Cages of mine's inlets that a layout into a given room has fed; a template without places knows nothing of them.
    [[nodiscard]] std::vector<char> fedCages() const;
    /// The number of mine's cage that a cage of theirs is; none where a device of another type has no such interface.
    [[nodiscard]] std::optional<std::uint16_t> cageNumber(CageId theirs) const;
    template <class TableT>
    void mergeKeyed(TableT& mine);
    /// What a row of mine keeps of what the user changed: bits of `overridden`.
    template <class TableT, class IdT>
    std::uint32_t keptOf(const TableT& mine, IdT id);
    /// Whether a row stands in another one that is gone.
    template <class TableT, class IdT>
    [[nodiscard]] bool lostPlace(const TableT& mine, IdT id) const;
    template <class Table>
    [[nodiscard]] bool contains(Id<Table> id) const
    {
        return m_mine.of<Table>().contains(id);
    }
    template <class IdT>
    [[nodiscard]] bool contains(Maybe<IdT> id) const
    {
        return contains(*id);
    }
    /// Theirs over mine, column by column as the traits say; `except` is a column that is given later.
    template <class TableT, class IdT>
    void copyRow(TableT& mine, IdT target, const TableT& theirs, IdT source, std::uint32_t kept, const ColumnBase* except = nullptr);
    template <class Table>
    Id<Table> mapped(Id<Table> id) const
    {
        return Id<Table>(m_ids[kTableNumber<Table>][id.value]);
    }
    template <class IdT>
    Maybe<IdT> mapped(Maybe<IdT> id) const
    {
        if (!id || mapped(*id).value == kNone) return std::nullopt;
        return mapped(*id);
    }
    template <class T>
    const T& mapped(const T& value) const
    {
        return value;
    }
    template <class Table>
    [[nodiscard]] IdMap& ids()
    {
        return m_ids[kTableNumber<Table>];
    }
    [[nodiscard]] bool wasThere(const WholeLinkKey& key) const;
    Result<void> eraseDisconnected(std::vector<AddedLink> links);
    void adoptPhases(); ///< of rows that are new
    void mergeTypes();
    void leaveGonePlaces();
    void makeRoom(); ///< in racks, for what was put there by hand
    void mergePorts();
    Result<void> mergeLinks();
    void mergeRuns();
    void mergeSettings();
    void dropOrphans();
    void nameApart();
    [[nodiscard]] static std::uint64_t cageKey(DeviceId device, std::uint16_t number) { return std::uint64_t(device.value) << 16 | number; }

    Snapshot& m_mine;
    const Snapshot m_before; ///< mine as it was
    const Snapshot& m_theirs;
    MakeDesign m_makeBase;
    MergeReport m_report;
    std::unordered_set<std::uint64_t> m_kept;                      ///< cages of devices of another type, in mine
    std::vector<std::uint8_t> m_retyped;                           ///< by mine's device: made one of another type by hand
    std::shared_ptr<const ProjectParts> m_mineParts, m_theirParts; ///< where any device was
    std::array<IdMap, Snapshot::kTables> m_ids;                    ///< theirs → mine, of the tables merged so far
};

template <class TableT, class Stands, class Copy, class Drop>
IdMap Merge::match(TableT& mine, const TableT& theirs, Stands&& stands, Copy&& copy, Drop&& drop)
{
    using IdT = typename TableT::IdType;
    const TableT& before = m_before.of<TableT>(); // its texts stay where they are while mine grows
    std::unordered_map<std::string_view, std::uint32_t> byKey;
    byKey.reserve(before.size());
    std::vector<std::uint32_t> gone; // rows without a match; a second row of one key has lost what told it apart
    before.forEach([&](IdT id) {
        if (!before.key[id].empty() && !byKey.emplace(before.key[id], id.value).second) gone.push_back(id.value);
    });
    IdMap map(theirs.nextId(), kNone);
    theirs.forEach([&](IdT id) {
        if (!stands(id)) return;
        const auto found = byKey.find(theirs.key[id]);
        const bool isNew = found == byKey.end();
        const IdT target = isNew ? mine.insert() : IdT(found->second);
        map[id.value] = target.value;
        if (!isNew) byKey.erase(found);
        ++(isNew ? m_report.inserted : m_report.kept);
        copy(target, id, isNew);
    });
    for (const auto& [key, id] : byKey) gone.push_back(id);
    std::sort(gone.begin(), gone.end());
    for (const auto id : gone) {
        drop(IdT(id));
        mine.erase(IdT(id));
        ++m_report.erased;
    }
    return map;
}

template <class TableT, class KeyOf, class Owned, class Stands, class Copy, class Stays>
IdMap Merge::matchParts(TableT& mine, const TableT& theirs, KeyOf&& keyOf, Owned&& owned, Stands&& stands, Copy&& copy, Stays&& stays)
{
    using IdT = typename TableT::IdType;
    RowMatch<decltype(keyOf(std::as_const(mine), IdT(), true).second)> rows;
    rows.reserve(mine.size());
    mine.forEach([&](IdT id) {
        if (!owned(id)) return;
        const auto [group, rest] = keyOf(std::as_const(mine), id, true);
        rows.add(group, rest, id.value);
    });
    rows.sort();
    IdMap map(theirs.nextId(), kNone);
    theirs.forEach([&](IdT id) {
        if (!stands(id)) return;
        const auto [group, rest] = keyOf(theirs, id, false);
        const auto found = rows.take(group, rest);
        const IdT target = found ? IdT(*found) : mine.insert();
        map[id.value] = target.value;
        ++(found ? m_report.kept : m_report.inserted);
        copy(target, id, !found);
    });
    for (const auto id : rows.left()) {
        if (stays(IdT(id))) continue;
        mine.erase(IdT(id));
        ++m_report.erased;
    }
    return map;
}

template <class IdT>
std::uint32_t rawOf(IdT id)
{
    return id.value;
}
template <class IdT>
std::uint32_t rawOf(Maybe<IdT> id)
{
    return id ? (*id).value : kNone;
}

template <class T>
inline constexpr int kReference = 0; ///< 1: to a row, 2: to a row or none
template <class TableT>
inline constexpr int kReference<Id<TableT>> = 1;
template <class TableT>
inline constexpr int kReference<Maybe<Id<TableT>>> = 2;

template <class TableT, class IdT>
bool Merge::standing(const TableT& theirs, IdT id, const ColumnBase* except) const
{
    bool stands = true, held = false;
    const auto look = [&](const auto& column) {
        using V = typename std::decay_t<decltype(column)>::Value;
        if constexpr (kReference<V> != 0) {
            if (&column == except || rawOf(column[id]) == kNone) return;
            const bool parent = column.traits().role == ColumnRole::Parent;
            const bool needed = kReference<V> == 1 || (parent && !held);
            held = held || parent;
            if (needed && rawOf(mapped(column[id])) == kNone) stands = false;
        }
    };
    theirs.withColumns([&](const auto&... column) { (look(column), ...); });
    return stands;
}

template <class TableT>
std::unordered_set<std::string_view> Merge::removedFrom(const TableT& table) const
{
    std::unordered_set<std::string_view> keys;
    const auto& removals = m_mine.removals;
    removals.forEach([&](RemovalId id) {
        if (removals.table[id] == static_cast<const TableBase&>(table).name()) keys.insert(removals.key[id]);
    });
    return keys;
}
template <class TableT, class IdT>
void Merge::copyRow(TableT& mine, IdT target, const TableT& theirs, IdT source, std::uint32_t kept, const ColumnBase* except)
{
    const auto copy = [&](auto& column, const auto& from) {
        const ColumnTraits& traits = column.traits();
        if (&column == except || static_cast<const ColumnBase*>(&column) == &mine.aliveFlags || traits.role == ColumnRole::Overridden) return;
        if (traits.role != ColumnRole::ByHand && !(traits.keptBy & kept)) put(column, target, mapped(from[source]));
    };
    mine.withColumns([&](auto&... column) { theirs.withColumns([&](const auto&... given) { (copy(column, given), ...); }); });
}

template <class TableT, class IdT>
std::uint32_t Merge::keptOf(const TableT& mine, IdT id)
{
    if constexpr (requires { mine.overridden[id]; }) {
        const std::uint32_t kept = mine.overridden[id];
        if (!(kept & overridden::kPlace) || !lostPlace(mine, id)) return kept;
        m_report.notKept.push_back(i18n("{} was in an object that no longer exists; it was moved back to its original position", mine.name[id]));
        return kept & ~overridden::kPlace;
    } else {
        return 0;
    }
}

/// Tables are merged in an order in which what holds a row is there before it.
template <class TableT, class IdT>
bool Merge::lostPlace(const TableT& mine, IdT id) const
{
    bool lost = false;
    const auto look = [&](const auto& column) {
        using V = typename std::decay_t<decltype(column)>::Value;
        if constexpr (kReference<V> != 0) {
            if (column.traits().role != ColumnRole::Parent || !(column.traits().keptBy & overridden::kPlace) || rawOf(column[id]) == kNone) return;
            lost = lost || !contains(column[id]);
        }
    };
    mine.withColumns([&](const auto&... column) { (look(column), ...); });
    return lost;
}
/// Any table whose rows have a key.
template <class TableT>
void Merge::mergeKeyed(TableT& mine)
{
    using IdT = typename TableT::IdType;
    const TableT& theirs = m_theirs.of<TableT>();
    const auto removed = removedFrom(mine);
    const auto drop = [&](IdT id) {
        if constexpr (requires {
                          mine.overridden[id];
                          mine.name[id];
                      })
            if (mine.overridden[id] != 0 && !(mine.overridden[id] & overridden::kLaidOut))
                m_report.notKept.push_back(i18n("{} was edited manually and is no longer part of the design", mine.name[id]));
    };
    // What somebody moved elsewhere does not go with the place that it had.
    std::unordered_set<std::string_view> moved;
    if constexpr (requires(IdT id) { mine.overridden[id]; })
        m_before.of<TableT>().forEach([&](IdT id) {
            if (mine.overridden[id] & overridden::kPlace) moved.insert(m_before.of<TableT>().key[id]); // texts that stay where they are
        });
    const auto stands = [&](IdT id) { return !removed.contains(theirs.key[id]) && (moved.contains(theirs.key[id]) || standing(theirs, id)); };
    ids<TableT>() = match(
        mine, theirs, stands, [&](IdT target, IdT source, bool isNew) { copyRow(mine, target, theirs, source, isNew ? 0 : keptOf(mine, target)); },
        drop);
}

} // namespace hw::merging
