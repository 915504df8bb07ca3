// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/edits_create.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/schema.h"

#include <array>
#include <set>
#include <unordered_map>
#include <vector>

namespace hw::edit {

/// Things with all that they hold, and copies of them: in their own design, or in another one.
class Copier {
public:
    /// Within a working copy.
    Copier(Snapshot& s, Lookup& lookup, EntityRef root);
    /// From another design: types of parts, tiers, networks and phases are those of the same name, and come along where there are none. With
    /// `holders` what holds the roots comes along as well, empty.
    Copier(Snapshot& s, Lookup& lookup, const SnapshotPtr& from, std::vector<EntityRef> roots, bool holders);

    /// One more copy of each root; their places and holders are those of the originals. `name`: of the first, empty for one made of the
    /// original's.
    std::vector<EntityRef> make(const std::string& name);
    [[nodiscard]] const RowCount& made() const { return m_made; }

private:
    void gather(Lookup& lookup);
    void takeCables();
    void takeRuns();
    template <class TableT>
    void makeRows(TableT& table);
    template <class TableT>
    void copyRows(TableT& table);
    template <class TableT>
    void copyRow(TableT& table, typename TableT::IdType from, typename TableT::IdType to);
    template <class C>
    [[nodiscard]] std::uint32_t rowFor(std::uint32_t row, ColumnRole role);
    template <class T>
    [[nodiscard]] std::uint32_t brought(std::uint32_t row);
    void nameParts();
    [[nodiscard]] bool abroad() const { return m_from != &m_s; }

    Snapshot& m_s;
    Lookup& m_lookup;
    FreshNames m_names;
    SnapshotPtr m_kept;     ///< the other design
    const Snapshot* m_from; ///< the design of the originals
    std::vector<EntityRef> m_roots;
    bool m_holders = false;
    std::array<std::set<std::uint32_t>, Snapshot::kTables> m_rows;
    std::array<std::unordered_map<std::uint32_t, std::uint32_t>, Snapshot::kTables> m_copyOf, m_brought;
    std::unordered_map<std::uint32_t, std::int32_t> m_nextIndex; ///< by tier
    RowCount m_made;
};

/// Writes the column that says what holds a thing. Refused where it cannot be held by that.
[[nodiscard]] Result<void> hold(Snapshot& snapshot, EntityRef thing, EntityRef holder);

} // namespace hw::edit
