// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/model/outline.h"

#include "core/foundation/model/references.h"

#include <algorithm>

namespace hw {

namespace {

using Columns = std::vector<const ColumnBase*>;

bool has(const Columns& columns, ColumnRole role)
{
    return std::ranges::any_of(columns, [&](const ColumnBase* column) { return column->traits().role == role; });
}

/// Tables whose rows people name and select.
bool isListed(const TableBase& table, const Columns& columns) { return table.rowKind() != EntityKind::None && has(columns, ColumnRole::Name); }

/// Kinds that hold things with a place, though they have none themselves: sites.
std::vector<char> holdersOfPlaces(const Snapshot& snapshot)
{
    std::vector<char> holds(256, 0);
    for (const TableBase* table : snapshot.tables()) {
        const Columns columns = table->columnList();
        if (!has(columns, ColumnRole::X)) continue;
        for (const auto* column : columns)
            if (column->traits().role == ColumnRole::Parent) holds[std::size_t(column->refersTo())] = 1;
    }
    return holds;
}

bool orders(const ColumnTraits& traits) { return traits.role == ColumnRole::Parent || traits.role == ColumnRole::Group || traits.listed != 0; }

/// Living rows in the order of their `listed` columns, then of ids.
std::vector<std::uint32_t> inOrder(const TableBase& table, const Columns& columns)
{
    std::vector<std::uint32_t> rows;
    rows.reserve(table.size());
    for (std::uint32_t row = 0; row < table.nextId(); ++row)
        if (table.alive(row)) rows.push_back(row);
    for (const auto* column : columns)
        if (const int direction = column->traits().listed)
            std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return direction * column->number(row); });
    return rows;
}

/// The columns of a table for which `wanted` holds, as bits.
template <class Wanted>
std::uint64_t columnBits(const Columns& columns, Wanted&& wanted)
{
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (wanted(*columns[i])) bits |= std::uint64_t(1) << i;
    return bits;
}

} // namespace

Outline::Outline(const Snapshot& snapshot)
{
    std::vector<EntityRef> first, others, last;
    const auto holds = holdersOfPlaces(snapshot);
    const auto under = [&](EntityRef parent, EntityRef child) {
        m_children.resize(std::max(m_children.size(), std::size_t(parent.kind) + 1));
        auto& lists = m_children[std::size_t(parent.kind)];
        if (lists.size() <= parent.id) lists.resize(parent.id + 1);
        lists[parent.id].push_back(child);
    };
    for (const TableBase* table : snapshot.tables()) {
        const Columns columns = table->columnList();
        if (!isListed(*table, columns)) continue;
        const bool hasParent = has(columns, ColumnRole::Parent), hasPlace = has(columns, ColumnRole::X);
        const bool hasSize = std::ranges::any_of(columns, [](const auto* column) { return (column->traits().keptBy & overridden::kSize) != 0; });
        const bool isPlaced = std::ranges::any_of( // where it stands is an edit
            columns,
            [](const auto* column) { return column->traits().role == ColumnRole::Parent && (column->traits().keptBy & overridden::kPlace); });
        for (const std::uint32_t row : inOrder(*table, columns)) {
            const EntityRef entity{table->rowKind(), row}, parent = parentOf(columns, row);
            if (parent)
                under(parent, entity);
            else if (!hasParent)
                (hasPlace ? m_roots : holds[std::size_t(entity.kind)] ? first : others).push_back(entity);
            else if (isPlaced)
                m_unplaced.push_back(entity);
            else if (hasPlace)
                (hasSize ? m_roots : last).push_back(entity); // a building of no site; a duct of the campus
            for (const auto* column : columns)
                if (column->traits().role == ColumnRole::Group)
                    if (const EntityRef group = column->reference(row)) under(group, entity);
        }
    }
    m_roots.insert(m_roots.begin(), first.begin(), first.end());
    m_roots.insert(m_roots.end(), others.begin(), others.end());
    m_roots.insert(m_roots.end(), last.begin(), last.end());
}

const std::vector<EntityRef>& Outline::children(EntityRef entity) const
{
    static const std::vector<EntityRef> none;
    const std::size_t kind = std::size_t(entity.kind);
    return kind < m_children.size() && entity.id < m_children[kind].size() ? m_children[kind][entity.id] : none;
}

bool Outline::changedBy(const ChangeSet& changes)
{
    const auto tables = schemaSnapshot().tables();
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const Columns columns = tables[i]->columnList();
        if (!changes.touchesTable(i) || !isListed(*tables[i], columns)) continue;
        const RowChanges rows = changes.rows(i);
        const std::uint64_t watched = columnBits(columns, [](const ColumnBase& column) { return orders(column.traits()); });
        if (!rows.inserted.empty() || !rows.erased.empty()) return true;
        if (std::ranges::any_of(rows.updated, [&](const RowChanges::Update& update) { return (update.columns & watched) != 0; })) return true;
    }
    return false;
}

std::vector<EntityRef> Outline::renamedBy(const ChangeSet& changes)
{
    std::vector<EntityRef> renamed;
    const auto tables = schemaSnapshot().tables();
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const Columns columns = tables[i]->columnList();
        if (!changes.touchesTable(i) || !isListed(*tables[i], columns)) continue;
        const std::uint64_t texts =
            columnBits(columns, [](const ColumnBase& column) { return column.valueBytes() == 0 && column.traits().role != ColumnRole::Key; });
        for (const auto& update : changes.rows(i).updated)
            if (update.columns & texts) renamed.push_back({tables[i]->rowKind(), update.row});
    }
    return renamed;
}

} // namespace hw
