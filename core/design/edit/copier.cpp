// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/copier.h"

#include "core/design/edit/kinds.h"

#include <algorithm>

namespace hw::edit {
namespace {

/// Rows that say something of the built thing: its channels, numbers burned in, tests. A copy is not built yet.
template <class T>
constexpr bool kOfTheBuilt = std::is_same_v<T, Bindings> || std::is_same_v<T, HardwareIds> || std::is_same_v<T, Acceptances>;

/// Calls f(column, the same column of the other table) for every column but `alive`.
template <class TableT, class F>
void eachPair(TableT& table, const TableT& other, F&& f)
{
    table.withColumns([&](auto& /*alive*/, auto&... a) { other.withColumns([&](const auto& /*alive*/, const auto&... b) { (f(a, b), ...); }); });
}

} // namespace

Copier::Copier(Snapshot& s, Lookup& lookup, EntityRef root) : m_s(s), m_lookup(lookup), m_names(lookup), m_from(&s), m_roots{root}
{
    gather(lookup);
    takeCables();
}

Copier::Copier(Snapshot& s, Lookup& lookup, const SnapshotPtr& from, std::vector<EntityRef> roots, bool holders)
    : m_s(s), m_lookup(lookup), m_names(lookup), m_kept(from), m_from(from.get()), m_roots(std::move(roots)), m_holders(holders)
{
    Lookup there(from);
    gather(there);
    takeCables();
}

std::vector<EntityRef> Copier::make(const std::string& name)
{
    for (auto& ids : m_copyOf) ids.clear();
    m_s.eachTable([&](auto& table) { makeRows(table); }); // all of them first: they name each other
    m_s.eachTable([&](auto& table) { copyRows(table); });
    std::vector<EntityRef> made;
    for (const EntityRef root : m_roots)
        visitEntity(*m_from, root, [&](const auto& original, auto id) {
            using T = std::decay_t<decltype(original)>;
            const decltype(id) copy(m_copyOf[kTableNumber<T>].at(id.value));
            made.push_back(ref(copy));
            if constexpr (Named<T>) {
                const bool given = !name.empty() && made.size() == 1;
                const std::string own = original.name[id];
                m_s.template of<T>().name.set(copy, given ? m_names.of(name) : abroad() ? m_names.of(own) : m_names.after(own));
            }
        });
    nameParts();
    return made;
}

void Copier::gather(Lookup& lookup)
{
    std::vector<std::pair<std::size_t, std::uint32_t>> queue;
    const auto take = [&](std::size_t table, std::uint32_t row) {
        if (m_rows[table].insert(row).second) queue.emplace_back(table, row);
    };
    for (const EntityRef root : m_roots) take(tableOf(root.kind), root.id);
    while (!queue.empty()) {
        const auto [number, held] = queue.back();
        queue.pop_back();
        m_from->eachTable([&](const auto& table) {
            using T = std::decay_t<decltype(table)>;
            if (kOfTheBuilt<T>) return;
            eachReference(table, [&, number = number, held = held](const auto& column, std::size_t c) {
                if (kTableNumber<typename ReferenceOf<decltype(column)>::Table> != number || column.traits().role != ColumnRole::Parent) return;
                lookup.referring(table, column, c, held, [&](std::uint32_t row) {
                    if (holderOf(table, typename T::IdType(row)) == c) take(kNumberOf<T>, row);
                });
            });
        });
    }
}

/// Links whose other end is not copied stay behind; the cables of the others come along.
void Copier::takeCables()
{
    auto& links = m_rows[kTableNumber<Links>];
    std::erase_if(links, [&](std::uint32_t row) { return !m_rows[kTableNumber<Ports>].contains(m_from->links.to[LinkId(row)].value); });
    for (const auto row : links)
        if (const auto cable = rawOf(m_from->links.cable[LinkId(row)]); cable != kNoRow) m_rows[kTableNumber<Cables>].insert(cable);
    takeRuns();
}

/// A link keeps its panels where all of them are copied with it; else its copy is direct.
void Copier::takeRuns()
{
    auto& runs = m_rows[kTableNumber<Runs>];
    const auto& links = m_rows[kTableNumber<Links>];
    std::set<std::uint32_t> direct;
    for (const auto row : runs)
        if (!m_rows[kTableNumber<Devices>].contains(m_from->runs.panel[RunId(row)].value)) direct.insert(m_from->runs.link[RunId(row)].value);
    std::erase_if(runs, [&](std::uint32_t row) {
        const auto link = m_from->runs.link[RunId(row)].value;
        return direct.contains(link) || !links.contains(link);
    });
    for (const auto row : runs) m_rows[kTableNumber<Cables>].insert(m_from->runs.cable[RunId(row)].value);
}

/// A row of the design that the copies are made in, for one that another design has: the same by its name, else a new one.
template <class T>
std::uint32_t Copier::brought(std::uint32_t row)
{
    auto& known = m_brought[kTableNumber<T>];
    if (const auto found = known.find(row); found != known.end()) return found->second;
    T& table = m_s.template of<T>();
    const T& there = m_from->template of<T>();
    const typename T::IdType from(row);
    std::optional<std::uint32_t> same;
    if constexpr (requires { table.slug[from]; })
        table.forEach([&](auto id) {
            if (!same && table.slug[id] == there.slug[from]) same = id.value;
        });
    else if constexpr (std::is_same_v<T, Tiers> || std::is_same_v<T, Networks> || std::is_same_v<T, Phases>)
        table.forEach([&](auto id) {
            if (!same && table.name[id] == there.name[from]) same = id.value;
        });
    if (same) return known[row] = *same;
    const auto to = table.insert();
    known[row] = to.value;
    ++m_made.rows[kTableNumber<T>];
    copyRow(table, from, to);
    if constexpr (Named<T>) table.name.set(to, m_names.of(there.name[from]));
    return to.value;
}

/// What a copy refers to where the original refers to `row`; kNoRow: nothing.
template <class C>
std::uint32_t Copier::rowFor(std::uint32_t row, ColumnRole role)
{
    using T = typename ReferenceOf<C>::Table;
    const auto& copies = m_copyOf[kTableNumber<T>];
    if (const auto found = copies.find(row); found != copies.end()) return found->second;
    if (!abroad()) return row;
    if constexpr (std::is_same_v<T, PartTypes> || std::is_same_v<T, Tiers> || std::is_same_v<T, Networks> || std::is_same_v<T, Phases>)
        return brought<T>(row);
    else if constexpr (std::is_same_v<T, Sites> || std::is_same_v<T, Buildings> || std::is_same_v<T, Halls> || std::is_same_v<T, Rows> ||
                       std::is_same_v<T, Racks>)
        if (m_holders && role == ColumnRole::Parent) return brought<T>(row);
    return kNoRow;
}

template <class TableT>
void Copier::copyRow(TableT& table, typename TableT::IdType from, typename TableT::IdType to)
{
    const auto copyValue = [&](auto& column, const auto& original) {
        using C = std::decay_t<decltype(column)>;
        const ColumnRole role = column.traits().role;
        if (role == ColumnRole::Key || role == ColumnRole::Overridden || role == ColumnRole::Name) return;
        auto value = original[from];
        if constexpr (kIsReference<C>)
            if (const auto raw = rawOf(value); raw != kNoRow) {
                const auto found = rowFor<C>(raw, role);
                if (found != kNoRow)
                    value = Id<typename ReferenceOf<C>::Table>(found);
                else
                    value = {}; // a holder, which is written afterward, or something of the other design that may be none
            }
        column.set(to, std::move(value));
    };
    eachPair(table, m_from->template of<TableT>(), copyValue);
    if constexpr (requires { table.stage[to]; }) table.stage.set(to, Stage::Planned);
    if constexpr (requires { table.serial[to]; }) table.stageDate.set(to, {}), table.serial.set(to, {});
    if constexpr (std::is_same_v<TableT, Links>) { // the copy is nobody's rule
        table.rule.set(to, std::nullopt);
        table.overridden.set(to, std::uint8_t(overridden::kWiring));
    }
    if constexpr (std::is_same_v<TableT, Devices>) {
        auto [next, fresh] = m_nextIndex.try_emplace(table.tier[to].value, 0);
        if (fresh) next->second = m_lookup.nextIndex(table.tier[to]);
        table.index.set(to, std::min(next->second++, kLastIndex));
    }
}

template <class TableT>
void Copier::makeRows(TableT& table)
{
    constexpr auto number = kNumberOf<TableT>;
    for (const auto row : m_rows[number]) {
        m_copyOf[number].emplace(row, table.insert().value);
        ++m_made.rows[number];
    }
}

template <class TableT>
void Copier::copyRows(TableT& table)
{
    using IdT = typename TableT::IdType;
    constexpr auto number = kNumberOf<TableT>;
    for (const auto row : m_rows[number]) copyRow(table, IdT(row), IdT(m_copyOf[number].at(row)));
}

void Copier::nameParts()
{
    m_s.eachTable([&](auto& table) {
        using T = std::decay_t<decltype(table)>;
        if constexpr (Named<T>)
            for (const auto row : m_rows[kNumberOf<T>]) {
                const typename T::IdType from(row), to(m_copyOf[kNumberOf<T>].at(row));
                const std::string own = m_from->template of<T>().name[from];
                if (table.name[to].empty() && !own.empty()) table.name.set(to, abroad() ? m_names.of(own) : m_names.after(own));
            }
    });
}

Result<void> hold(Snapshot& s, EntityRef thing, EntityRef holder)
{
    bool done = false;
    visitEntity(s, thing, [&](auto& table, auto id) {
        const auto look = [&](auto& column, std::size_t) {
            using Ref = ReferenceOf<decltype(column)>;
            if (column.traits().role != ColumnRole::Parent) return;
            if (kKindOf<typename Ref::Table> == holder.kind) {
                column.set(id, Id<typename Ref::Table>(holder.id));
                done = true;
            } else if constexpr (Ref::kOptional) {
                column.set(id, std::nullopt);
            }
        };
        if (thing.kind != EntityKind::Port && thing.kind != EntityKind::Cage && thing.kind != EntityKind::Link) eachReference(table, look);
    });
    if (!done)
        return fail(ErrorCode::Refused, "in", i18n("a {} cannot be placed there", kindText(thing.kind)),
                    i18n("specify an object that can contain it"));
    return {};
}

} // namespace hw::edit
