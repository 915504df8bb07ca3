// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_create.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/places.h"

#include <set>

namespace hw::edit {

std::size_t RowCount::of(EntityKind kind) const
{
    const std::size_t number = tableOf(kind);
    return number < rows.size() ? rows[number] : 0;
}

Text RowCount::text() const
{
    std::vector<Text> result;
    schemaSnapshot().eachTable([&](const auto& table) {
        using T = std::decay_t<decltype(table)>;
        if constexpr (kKindOf<T> != EntityKind::None && !std::is_same_v<T, Cages>)
            if (const auto n = rows[kNumberOf<T>]; n > 0) result.push_back(counted(n, kKindOf<T>));
    });
    return result.empty() ? i18n("none") : listed(std::move(result));
}

namespace {

/// Rows that go together, found from some of them along the references of the schema.
class Taking {
public:
    Taking(const Snapshot& s, Lookup& lookup) : m_s(s), m_lookup(lookup) {}

    Result<void> find(std::span<const EntityRef> entities, bool asked = true);
    [[nodiscard]] RowCount count() const
    {
        RowCount result;
        for (std::size_t t = 0; t < m_gone.size(); ++t) result.rows[t] = std::uint32_t(m_gone[t].size());
        return result;
    }
    void apply(Snapshot& s, bool remember = true) const;

private:
    struct Mention {
        std::size_t table, column;
        std::uint32_t row;
    };

    template <class TableT>
    void take(std::uint32_t row)
    {
        if (m_gone[kNumberOf<TableT>].insert(row).second) m_queue.emplace_back(kNumberOf<TableT>, row);
    }
    Result<void> checkAsked(EntityRef entity);
    void spread(std::size_t table, std::uint32_t row);
    void takeWholeChains();
    void takeEmptied();

    const Snapshot& m_s;
    Lookup& m_lookup;
    std::array<std::set<std::uint32_t>, Snapshot::kTables> m_gone;
    std::vector<std::pair<std::size_t, std::uint32_t>> m_queue;
    std::vector<Mention> m_mentions; ///< optional references to what goes, of rows that may stay
};

Result<void> Taking::checkAsked(EntityRef entity)
{
    const auto refused = [](std::string where, Text what, Text todo) {
        return fail(ErrorCode::Refused, std::move(where), std::move(what), std::move(todo));
    };
    if (!living(m_s, entity)) return refused("remove", i18n("object not found"), i18n("specify another object"));
    if (entity.kind == EntityKind::PartType) {
        std::size_t users = 0;
        m_s.eachTable([&](const auto& table) {
            eachReference(table, [&](const auto& column, std::size_t number) {
                if constexpr (std::is_same_v<typename ReferenceOf<decltype(column)>::Table, PartTypes>)
                    m_lookup.referring(table, column, number, entity.id, [&](std::uint32_t) { ++users; });
            });
        });
        if (users > 0)
            return refused(m_s.partTypes.slug[PartTypeId(entity.id)], i18np(users, "used as the type of {} object", "used as the type of {} objects"),
                           i18n("change their type first"));
    }
    const auto ofTemplate = [&](DeviceId device) { return !m_s.devices.key[device].empty(); };
    const auto refuseSocket = [&](DeviceId device) {
        return refused(m_s.devices.name[device], i18n("ports are defined by the template"), i18n("disconnect them, or remove the device"));
    };
    if (entity.kind == EntityKind::Port && ofTemplate(m_s.ports.device[PortId(entity.id)])) return refuseSocket(m_s.ports.device[PortId(entity.id)]);
    if (entity.kind == EntityKind::Cage && ofTemplate(m_s.cages.device[CageId(entity.id)])) return refuseSocket(m_s.cages.device[CageId(entity.id)]);
    return {};
}

Result<void> Taking::find(std::span<const EntityRef> entities, bool asked)
{
    for (const EntityRef e : entities) {
        if (asked)
            if (auto fine = checkAsked(e); !fine) return fine;
        visitEntity(m_s, e, [&](const auto& table, auto id) { take<std::decay_t<decltype(table)>>(id.value); });
        if (e.kind == EntityKind::Cable) m_lookup.referring(&Links::cable, e.id, [&](std::uint32_t link) { take<Links>(link); });
    }
    while (!m_queue.empty()) {
        const auto [table, row] = m_queue.back();
        m_queue.pop_back();
        spread(table, row);
    }
    takeWholeChains();
    takeEmptied();
    return {};
}

void Taking::spread(std::size_t number, std::uint32_t gone)
{
    m_s.eachTable([&](const auto& table) {
        using T = std::decay_t<decltype(table)>;
        eachReference(table, [&](const auto& column, std::size_t c) {
            using Ref = ReferenceOf<decltype(column)>;
            if (kTableNumber<typename Ref::Table> != number) return;
            m_lookup.referring(table, column, c, gone, [&](std::uint32_t row) {
                if (!Ref::kOptional || holderOf(table, typename T::IdType(row)) == c)
                    take<T>(row);
                else
                    m_mentions.push_back({kNumberOf<T>, c, row});
            });
        });
    });
}

/// A link that loses one of its runs, with a panel or a trunk, is direct again: the others go, too.
void Taking::takeWholeChains()
{
    const auto taken = m_gone[kTableNumber<Runs>];
    for (const auto row : taken)
        m_lookup.referring(&Runs::link, m_s.runs.link[RunId(row)].value, [&](std::uint32_t run) { m_gone[kTableNumber<Runs>].insert(run); });
}

/// Cables that have lost every link or run, with their way points; cages that have lost every port.
void Taking::takeEmptied()
{
    const auto emptied = [&](std::size_t holder, std::size_t part, auto column, auto&& of) {
        std::set<std::uint32_t> holders;
        for (const auto row : m_gone[part])
            if (const auto raw = of(row); raw != kNoRow) holders.insert(raw);
        for (const auto raw : holders) {
            bool any = false;
            m_lookup.referring(column, raw, [&](std::uint32_t row) { any = any || !m_gone[part].contains(row); });
            if (!any) m_gone[holder].insert(raw);
        }
    };
    emptied(kTableNumber<Cables>, kTableNumber<Links>, &Links::cable, [&](std::uint32_t row) { return rawOf(m_s.links.cable[LinkId(row)]); });
    emptied(kTableNumber<Cables>, kTableNumber<Runs>, &Runs::cable, [&](std::uint32_t row) { return m_s.runs.cable[RunId(row)].value; });
    for (const auto cable : m_gone[kTableNumber<Cables>])
        m_lookup.referring(&Waypoints::cable, cable, [&](std::uint32_t row) { m_gone[kTableNumber<Waypoints>].insert(row); });
    emptied(kTableNumber<Cages>, kTableNumber<Ports>, &Ports::cage, [&](std::uint32_t row) { return rawOf(m_s.ports.cage[PortId(row)]); });
}

void Taking::apply(Snapshot& s, bool remember) const
{
    for (const Mention& m : m_mentions)
        if (!m_gone[m.table].contains(m.row))
            withTable(s, m.table, [&](auto& table) {
                using T = std::decay_t<decltype(table)>;
                eachReference(table, [&](auto& column, std::size_t c) {
                    if constexpr (ReferenceOf<decltype(column)>::kOptional)
                        if (c == m.column) column.set(typename T::IdType(m.row), std::nullopt);
                });
            });
    s.eachTable([&](auto& table) {
        using T = std::decay_t<decltype(table)>;
        for (const auto row : m_gone[kNumberOf<T>]) {
            const typename T::IdType id(row);
            if constexpr (requires { table.key[id].empty(); })
                if (remember && table.key.traits().role == ColumnRole::Key && !table.key[id].empty()) {
                    const RemovalId removal = s.removals.insert();
                    s.removals.table.set(removal, std::string(static_cast<const TableBase&>(table).name()));
                    s.removals.key.set(removal, table.key[id]);
                }
            table.erase(id);
        }
    });
}

} // namespace

Result<RowCount> wouldRemove(const Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities)
{
    Taking taking(snapshot, lookup);
    if (auto found = taking.find(entities); !found) return tl::unexpected(found.error());
    return taking.count();
}

Result<RowCount> remove(Transaction& transaction, Lookup& lookup, std::span<const EntityRef> entities)
{
    Taking taking(*transaction, lookup);
    if (auto found = taking.find(entities); !found) return tl::unexpected(found.error());
    taking.apply(*transaction);
    return taking.count();
}

RowCount takeOut(Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities)
{
    Taking taking(snapshot, lookup);
    (void)taking.find(entities, false);
    taking.apply(snapshot);
    return taking.count();
}

void leaveOut(Snapshot& snapshot, Lookup& lookup, std::span<const EntityRef> entities)
{
    Taking taking(snapshot, lookup);
    (void)taking.find(entities, false);
    taking.apply(snapshot, false);
}

} // namespace hw::edit
