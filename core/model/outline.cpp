// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/outline.h"

#include "core/model/references.h"

#include <algorithm>

namespace hw {

namespace {

template <class TableT>
constexpr bool kNamed = requires(TableT& t)
{
    t.name[typename TableT::IdType()];
}
&&kKindOf<TableT> != EntityKind::None;

template <class T>
std::int64_t asNumber(const T& value)
{
    if constexpr (std::is_integral_v<T>)
        return std::int64_t(value);
    else if constexpr (requires { value.count(); })
        return std::int64_t(value.count());
    else
        return 0;
}

template <class TableT, class F>
void eachColumn(const TableT& table, F&& f)
{
    std::apply([&](const auto&... column) { (f(column), ...); }, table.columns());
}

template <class Table>
constexpr EntityKind kindOf(Id<Table>)
{
    return kKindOf<Table>;
}
template <class IdT>
constexpr EntityKind kindOf(Maybe<IdT>)
{
    return kindOf(IdT());
}
template <class T>
constexpr EntityKind kindOf(const T&)
{
    return EntityKind::None;
}

/// Kinds that hold things with a place, though they have none themselves: sites.
std::vector<char> holdersOfPlaces(const Snapshot& snapshot)
{
    std::vector<char> holds(256, 0);
    snapshot.eachTable([&](const auto& table) {
        bool hasPlace = false;
        eachColumn(table, [&](const auto& column) { hasPlace = hasPlace || column.traits().role == ColumnRole::X; });
        if (!hasPlace) return;
        eachColumn(table, [&](const auto& column) {
            if (column.traits().role == ColumnRole::Parent) holds[std::size_t(kindOf(typename std::decay_t<decltype(column)>::Value()))] = 1;
        });
    });
    return holds;
}

bool orders(const ColumnTraits& traits) { return traits.role == ColumnRole::Parent || traits.role == ColumnRole::Group || traits.listed != 0; }

/// Living rows in the order of their `listed` columns, then of ids.
template <class TableT>
std::vector<typename TableT::IdType> inOrder(const TableT& table)
{
    auto ids = table.ids();
    eachColumn(table, [&](const auto& column) {
        if (const int direction = column.traits().listed)
            std::ranges::stable_sort(ids, {}, [&](auto id) { return direction * asNumber(column[id]); });
    });
    return ids;
}

} // namespace

Outline::Outline(const Snapshot& snapshot)
{
    std::vector<EntityRef> first, others, last;
    const auto holds = holdersOfPlaces(snapshot);
    snapshot.eachTable([&]<class TableT>(const TableT&) { m_children.resize(std::max(m_children.size(), std::size_t(kKindOf<TableT>) + 1)); });
    const auto under = [&](EntityRef parent, EntityRef child) {
        auto& lists = m_children[std::size_t(parent.kind)];
        if (lists.size() <= parent.id) lists.resize(parent.id + 1);
        lists[parent.id].push_back(child);
    };
    snapshot.eachTable([&](const auto& table) {
        using TableT = std::decay_t<decltype(table)>;
        if constexpr (kNamed<TableT>) {
            bool hasParent = false, isPlaced = false, hasPlace = false, hasSize = false; // is placed: where it stands is an edit
            eachColumn(table, [&](const auto& column) {
                hasParent = hasParent || column.traits().role == ColumnRole::Parent;
                isPlaced = isPlaced || (column.traits().role == ColumnRole::Parent && (column.traits().keptBy & overridden::kPlace));
                hasPlace = hasPlace || column.traits().role == ColumnRole::X;
                hasSize = hasSize || (column.traits().keptBy & overridden::kSize);
            });
            for (const auto id : inOrder(table)) {
                const EntityRef parent = parentOf(table, id);
                EntityRef group;
                eachColumn(table, [&](const auto& column) {
                    if (column.traits().role == ColumnRole::Group) group = entityOf(column[id]);
                });
                if (parent)
                    under(parent, ref(id));
                else if (!hasParent)
                    (hasPlace ? m_roots : holds[std::size_t(ref(id).kind)] ? first : others).push_back(ref(id));
                else if (isPlaced)
                    m_unplaced.push_back(ref(id));
                else if (hasPlace)
                    (hasSize ? m_roots : last).push_back(ref(id)); // a building of no site; a duct of the campus
                if (group) under(group, ref(id));
            }
        }
    });
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
    bool changed = false;
    schemaSnapshot().eachTable([&](const auto& table) {
        using TableT = std::decay_t<decltype(table)>;
        if constexpr (kNamed<TableT>) {
            if (changed || !changes.touches<TableT>()) return;
            const RowChanges rows = changes.rows<TableT>();
            std::uint64_t watched = 0, bit = 1;
            eachColumn(table, [&](const auto& column) {
                if (orders(column.traits())) watched |= bit;
                bit <<= 1;
            });
            changed = !rows.inserted.empty() || !rows.erased.empty() ||
                      std::ranges::any_of(rows.updated, [&](const RowChanges::Update& update) { return (update.columns & watched) != 0; });
        }
    });
    return changed;
}

std::vector<EntityRef> Outline::renamedBy(const ChangeSet& changes)
{
    std::vector<EntityRef> renamed;
    schemaSnapshot().eachTable([&](const auto& table) {
        using TableT = std::decay_t<decltype(table)>;
        if constexpr (kNamed<TableT>) {
            if (!changes.touches<TableT>()) return;
            std::uint64_t texts = 0, bit = 1;
            eachColumn(table, [&](const auto& column) {
                if constexpr (std::is_same_v<typename std::decay_t<decltype(column)>::Value, std::string>)
                    if (column.traits().role != ColumnRole::Key) texts |= bit;
                bit <<= 1;
            });
            for (const auto& update : changes.rows<TableT>().updated)
                if (update.columns & texts) renamed.push_back({kKindOf<TableT>, update.row});
        }
    });
    return renamed;
}

} // namespace hw
