// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/snapshot.h"

namespace hw {

/// One chunk of one column as it was and as it became; null where it did not exist.
struct ChunkChange {
    std::uint16_t table = 0;  ///< index into Snapshot::tables()
    std::uint16_t column = 0; ///< index into TableBase::columnList()
    std::uint32_t chunk = 0;
    ChunkPtr before, after;
};

/// Rows of one table that a changeset inserts, erases or updates, in the order of ids.
struct RowChanges {
    struct Update {
        std::uint32_t row = 0;
        std::uint64_t columns = 0;
    }; ///< bit c = column c changed
    std::vector<std::uint32_t> inserted, erased;
    std::vector<Update> updated;
    [[nodiscard]] bool empty() const { return inserted.empty() && erased.empty() && updated.empty(); }
};

/// What one commit changed. It refers to column chunks and copies no rows, so a bulk change costs the
/// chunks that it replaced and nothing more. Undo, notification and storage all read this.
struct ChangeSet {
    std::string name; ///< for the undo menu, in the user's words
    std::uint64_t revisionBefore = 0, revisionAfter = 0;
    std::vector<ChunkChange> chunks;
    std::array<std::uint32_t, Snapshot::kTables> sizeBefore{}, sizeAfter{}, nextIdBefore{}, nextIdAfter{};

    [[nodiscard]] bool empty() const { return chunks.empty(); }
    /// Something in a table: `changes.touches<Racks>()`; `touchesAlive`: rows came or went.
    template <class T>
    [[nodiscard]] bool touches() const
    {
        return touchesTable(kTableNumber<T>);
    }
    template <class... T>
    [[nodiscard]] bool touchesAny() const
    {
        return (touches<T>() || ...);
    }
    /// As `touchesAny`, but a chunk written again with the same values does not count.
    template <class... T>
    [[nodiscard]] bool changesAny() const
    {
        return (!rows<T>().empty() || ...);
    }
    template <class T>
    [[nodiscard]] bool touchesAlive() const
    {
        return touchesColumn(kTableNumber<T>, 0);
    }
    /// A column: `changes.touches(&Racks::row)`.
    template <class T, class C>
    [[nodiscard]] bool touches(C T::*column) const
    {
        const T& table = schemaSnapshot().of<T>();
        return touchesColumn(kTableNumber<T>, columnNumber(table, table.*column));
    }
    template <class T>
    [[nodiscard]] RowChanges rows() const
    {
        return rows(kTableNumber<T>);
    }
    [[nodiscard]] bool touchesTable(std::size_t table) const; ///< by its number
    [[nodiscard]] RowChanges rows(std::size_t table) const;   ///< by its number
    [[nodiscard]] std::size_t bytes() const;                  ///< memory that keeping it for undo costs at most
    [[nodiscard]] ChangeSet inverse() const;

private:
    [[nodiscard]] bool touchesColumn(std::size_t table, std::size_t column) const;
    [[nodiscard]] static std::size_t columnNumber(const TableBase& table, const ColumnBase& column);
};

/// The difference between two snapshots of one document, found by comparing chunk pointers.
[[nodiscard]] ChangeSet difference(const Snapshot& before, const Snapshot& after, std::string name);
/// Makes `snapshot` what the changeset's "after" says, the next ids included: what an undo takes back leaves no trace.
void apply(const ChangeSet& changes, Snapshot& snapshot);

} // namespace hw
