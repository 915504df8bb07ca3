// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_create.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/places.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace hw::edit {

namespace {

constexpr int kMostCopies = 10'000;
constexpr std::int64_t kFarthestStep_mm = 2 * column::kFarthest;

/// Rows that say something of the built thing: its channels, numbers burned in, tests. A copy is not built yet.
template <class T>
constexpr bool kOfTheBuilt = std::is_same_v<T, Bindings> || std::is_same_v<T, HardwareIds> || std::is_same_v<T, Acceptances>;

/// A thing with all that it holds, and copies of it.
class Copier {
public:
    Copier(Snapshot& s, Lookup& lookup, EntityRef root) : m_s(s), m_lookup(lookup), m_names(lookup), m_root(root)
    {
        gather();
        takeCables();
    }

    /// One more copy; the original's place and holder are still its own.
    EntityRef make(const std::string& name)
    {
        for (auto& ids : m_copyOf) ids.clear();
        m_s.eachTable([&](auto& table) { makeRows(table); }); // all of them first: they name each other
        m_s.eachTable([&](auto& table) { copyRows(table); });
        EntityRef made;
        visitEntity(m_s, m_root, [&](auto& table, auto id) {
            const decltype(id) copy(m_copyOf[kNumberOf<decltype(table)>].at(id.value));
            made = ref(copy);
            if constexpr (Named<decltype(table)>) table.name.set(copy, name.empty() ? m_names.after(table.name[id]) : m_names.of(name));
        });
        nameParts();
        return made;
    }
    [[nodiscard]] const RowCount& made() const { return m_made; }

private:
    void gather();
    void takeCables();
    void takeRuns();
    template <class TableT>
    void makeRows(TableT& table);
    template <class TableT>
    void copyRows(TableT& table);
    template <class TableT, class IdT>
    void copyRow(TableT& table, IdT from, IdT to);
    void nameParts();

    Snapshot& m_s;
    Lookup& m_lookup;
    FreshNames m_names;
    EntityRef m_root;
    std::array<std::set<std::uint32_t>, Snapshot::kTables> m_rows;
    std::array<std::unordered_map<std::uint32_t, std::uint32_t>, Snapshot::kTables> m_copyOf;
    std::unordered_map<std::uint32_t, std::int32_t> m_nextIndex; ///< by tier
    RowCount m_made;
};

void Copier::gather()
{
    std::vector<std::pair<std::size_t, std::uint32_t>> queue;
    const auto take = [&](std::size_t table, std::uint32_t row) {
        if (m_rows[table].insert(row).second) queue.emplace_back(table, row);
    };
    take(tableOf(m_root.kind), m_root.id);
    while (!queue.empty()) {
        const auto [number, held] = queue.back();
        queue.pop_back();
        m_s.eachTable([&](const auto& table) {
            using T = std::decay_t<decltype(table)>;
            if (kOfTheBuilt<T>) return;
            eachReference(table, [&, number = number, held = held](const auto& column, std::size_t c) {
                if (kTableNumber<typename ReferenceOf<decltype(column)>::Table> != number || column.traits().role != ColumnRole::Parent) return;
                m_lookup.referring(table, column, c, held, [&](std::uint32_t row) {
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
    std::erase_if(links, [&](std::uint32_t row) { return !m_rows[kTableNumber<Ports>].contains(m_s.links.to[LinkId(row)].value); });
    for (const auto row : links)
        if (const auto cable = rawOf(m_s.links.cable[LinkId(row)]); cable != kNoRow) m_rows[kTableNumber<Cables>].insert(cable);
    takeRuns();
}

/// A link keeps its panels where all of them are copied with it; else its copy is direct.
void Copier::takeRuns()
{
    auto& runs = m_rows[kTableNumber<Runs>];
    const auto& links = m_rows[kTableNumber<Links>];
    std::set<std::uint32_t> direct;
    for (const auto row : runs)
        if (!m_rows[kTableNumber<Devices>].contains(m_s.runs.panel[RunId(row)].value)) direct.insert(m_s.runs.link[RunId(row)].value);
    std::erase_if(runs, [&](std::uint32_t row) {
        const auto link = m_s.runs.link[RunId(row)].value;
        return direct.contains(link) || !links.contains(link);
    });
    for (const auto row : runs) m_rows[kTableNumber<Cables>].insert(m_s.runs.cable[RunId(row)].value);
}

template <class TableT, class IdT>
void Copier::copyRow(TableT& table, IdT from, IdT to)
{
    eachColumn(table, [&](auto& column, std::size_t) {
        using C = std::decay_t<decltype(column)>;
        const ColumnRole role = column.traits().role;
        if (role == ColumnRole::Key || role == ColumnRole::Overridden || role == ColumnRole::Name) return;
        auto value = column[from];
        if constexpr (kIsReference<C>) {
            const auto& copies = m_copyOf[kTableNumber<typename ReferenceOf<C>::Table>];
            if (const auto raw = rawOf(value); raw != kNoRow)
                if (const auto found = copies.find(raw); found != copies.end()) value = Id<typename ReferenceOf<C>::Table>(found->second);
        }
        column.set(to, std::move(value));
    });
    if constexpr (requires { table.stage[to]; }) table.stage.set(to, Stage::Planned);
    if constexpr (requires { table.serial[to]; }) table.stageDate.set(to, {}), table.serial.set(to, {});
    if constexpr (std::is_same_v<std::decay_t<TableT>, Links>) { // the copy is nobody's rule
        table.rule.set(to, std::nullopt);
        table.overridden.set(to, std::uint8_t(overridden::kWiring));
    }
    if constexpr (std::is_same_v<std::decay_t<TableT>, Devices>) {
        auto [next, fresh] = m_nextIndex.try_emplace(table.tier[from].value, 0);
        if (fresh) next->second = m_lookup.nextIndex(table.tier[from]);
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
                if (table.name[to].empty() && !table.name[from].empty()) table.name.set(to, m_names.after(table.name[from]));
            }
    });
}

/// Gives copies their holder and place.
class Placer {
public:
    Placer(Transaction& t, const ProjectParts& parts, Lookup& lookup, EntityRef original, const CopyOptions& options)
        : m_t(t), m_parts(parts), m_lookup(lookup), m_original(original), m_options(options), m_beside(besideOf(*t, parts, original))
    {
        if (options.dx_mm || options.dy_mm) m_beside = {options.dx_mm.value_or(0), options.dy_mm.value_or(0)};
    }

    Result<void> place(EntityRef copy, int number)
    {
        const Snapshot& s = *m_t;
        std::optional<RackId> rack;
        if (m_options.into) {
            if (auto held = hold(copy, *m_options.into); !held) return held;
        }
        if (copy.kind == EntityKind::Device) rack = s.devices.rack[DeviceId(copy.id)];
        if (rack) return intoRack(DeviceId(copy.id), *rack);
        const int steps = m_options.into && m_options.into != holder() ? number - 1 : number; // elsewhere the first has the original's place
        return shiftPlace(m_t, copy, {steps * m_beside.x, steps * m_beside.y});
    }

private:
    [[nodiscard]] std::optional<EntityRef> holder() const
    {
        const auto chain = ancestry(*m_t, m_original);
        return chain.size() > 1 ? std::optional(chain[chain.size() - 2]) : std::nullopt;
    }

    /// Writes the column that says what holds the copy.
    Result<void> hold(EntityRef copy, EntityRef into)
    {
        bool done = false;
        visitEntity(*m_t, copy, [&](auto& table, auto id) {
            const auto look = [&](auto& column, std::size_t) {
                using Ref = ReferenceOf<decltype(column)>;
                if (column.traits().role != ColumnRole::Parent) return;
                if (kKindOf<typename Ref::Table> == into.kind) {
                    column.set(id, Id<typename Ref::Table>(into.id));
                    done = true;
                } else if constexpr (Ref::kOptional) {
                    column.set(id, std::nullopt);
                }
            };
            if (copy.kind != EntityKind::Port && copy.kind != EntityKind::Cage && copy.kind != EntityKind::Link) eachReference(table, look);
        });
        if (!done)
            return fail(ErrorCode::Refused, "in", i18n("a {} cannot be placed there", kindText(copy.kind)),
                        i18n("specify an object that can contain it"));
        return {};
    }

    Result<void> intoRack(DeviceId copy, RackId rack)
    {
        Snapshot& s = *m_t;
        const DeviceSpec& spec = m_parts.device(s.devices.type[copy]);
        if (s.devices.u[copy] == 0 && !m_options.into) return {}; // a zero-U place takes any number
        auto units = m_units.find(rack.value);
        if (units == m_units.end()) units = m_units.emplace(rack.value, unitsOf(s, m_parts, m_lookup, rack)).first;
        const int u = spec.halfUnits > 0 ? units->second.lowestFor(spec, s.devices.face[copy]) : 0;
        if (u == 0 && spec.halfUnits > 0)
            return fail(ErrorCode::Refused, s.racks.name[rack], i18n("no room for another {}", m_parts[s.devices.type[copy]].slug),
                        i18n("copy into another rack"));
        s.devices.u.set(copy, std::int16_t(u));
        if (u > 0) units->second.put(mounted(s, m_parts, copy));
        return {};
    }

    Transaction& m_t;
    const ProjectParts& m_parts;
    Lookup& m_lookup;
    EntityRef m_original;
    const CopyOptions& m_options;
    Shift m_beside;
    std::unordered_map<std::uint32_t, RackUnits> m_units;
};

} // namespace

bool canCopy(EntityKind kind)
{
    bool placed = false;
    schemaSnapshot().eachTable([&](const auto& table) {
        if constexpr (Named<decltype(table)>)
            if (kKindOf<std::decay_t<decltype(table)>> == kind)
                eachColumn(table, [&](const auto& column, std::size_t) { placed = placed || column.traits().role == ColumnRole::X; });
    });
    return placed || kind == EntityKind::Network || kind == EntityKind::Tier;
}

Result<Copied> copy(Transaction& t, const ProjectParts& parts, Lookup& lookup, EntityRef entity, const CopyOptions& options)
{
    if (!living(*t, entity) || !canCopy(entity.kind))
        return fail(ErrorCode::Refused, "copy", i18n("this object cannot be copied"),
                    i18n("supported: networks, tiers, buildings, halls, structures, rows, racks, trays, devices"));
    if (options.count < 1 || options.count > kMostCopies)
        return fail(ErrorCode::Refused, "count", i18n("{} copies is out of range", options.count), i18n("specify 1 to 10,000"));
    for (const auto& [key, step] : {std::pair("dx_mm", options.dx_mm), std::pair("dy_mm", options.dy_mm)})
        if (step && (*step < -kFarthestStep_mm || *step > kFarthestStep_mm))
            return fail(ErrorCode::Refused, key, i18n("exceeds 200 km"), i18n("reduce the distance"));
    if (!options.name.empty())
        if (auto fine = checkName(options.name); !fine) return tl::unexpected(fine.error());
    if (!options.name.empty() && lookup.taken(options.name))
        return fail(ErrorCode::Refused, options.name, i18n("name already in use"), i18n("choose another name"));
    if (options.into && !living(*t, *options.into)) return fail(ErrorCode::Refused, "in", i18n("object not found"), i18n("specify another"));
    Copied result;
    Copier copier(*t, lookup, entity);
    Placer placer(t, parts, lookup, entity, options);
    for (int i = 1; i <= options.count; ++i) {
        result.copies.push_back(copier.make(options.name));
        if (auto placed = placer.place(result.copies.back(), i); !placed) return tl::unexpected(placed.error());
    }
    result.made = copier.made();
    return result;
}

} // namespace hw::edit
