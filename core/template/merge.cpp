// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/dangling.h"
#include "core/template/disconnected.h"
#include "core/template/row_match.h"
#include "core/template/template.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

// Regeneration: the new design ("theirs") is generated whole, then brought into the open one ("mine")
// table by table. Rows are matched by key; what `overridden` marks as changed by hand stays. A link that
// the old parameters give ("base") and mine lacked was disconnected by hand, and stays so; base is generated
// only where a link is new between two devices that were there, and links were erased at some time.

namespace hw {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// Row ids of theirs → mine, per table.
using IdMap = std::vector<std::uint32_t>;

template <class ColumnT, class IdT, class T>
void put(ColumnT& column, IdT id, const T& value)
{
    if (!(column[id] == value)) column.set(id, value);
}

class Merge {
public:
    /// What the old parameters give; asked for once at most.
    using MakeBase = std::function<Result<SnapshotPtr>()>;
    Merge(Snapshot& mine, const Snapshot& theirs, MakeBase makeBase) : m_mine(mine), m_before(mine), m_theirs(theirs), m_makeBase(std::move(makeBase))
    {
    }
    Result<MergeReport> run();

private:
    /// Matches rows by their keys; calls copy(mineId, theirsId, isNew) for each and drop(mineId) for the rest.
    template <class TableT, class Copy, class Drop>
    IdMap match(TableT& mine, const TableT& theirs, Copy&& copy, Drop&& drop);
    /// Rows that belong to other rows: `keyOf` gives the row that one belongs to, and what tells it apart there.
    template <class TableT, class KeyOf, class Owned, class Copy>
    IdMap matchParts(TableT& mine, const TableT& theirs, KeyOf&& keyOf, Owned&& owned, Copy&& copy);
    template <class TableT>
    void mergeKeyed(TableT& mine);
    /// What a row of mine keeps of what the user changed: bits of `overridden`.
    template <class TableT, class IdT>
    std::uint32_t keptOf(const TableT& mine, IdT id);
    std::uint32_t keptOf(const Devices& mine, DeviceId id);
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
        return id ? Maybe<IdT>(mapped(*id)) : id;
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
    void mergeTypes();
    void leaveGoneRacks();
    void mergePorts();
    Result<void> mergeLinks();
    void mergeSettings();
    void dropOrphans();

    Snapshot& m_mine;
    const Snapshot m_before; ///< mine as it was
    const Snapshot& m_theirs;
    MakeBase m_makeBase;
    MergeReport m_report;
    std::array<IdMap, Snapshot::kTables> m_ids; ///< theirs → mine, of the tables merged so far
};

template <class TableT, class Copy, class Drop>
IdMap Merge::match(TableT& mine, const TableT& theirs, Copy&& copy, Drop&& drop)
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

template <class TableT, class KeyOf, class Owned, class Copy>
IdMap Merge::matchParts(TableT& mine, const TableT& theirs, KeyOf&& keyOf, Owned&& owned, Copy&& copy)
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
        const auto [group, rest] = keyOf(theirs, id, false);
        const auto found = rows.take(group, rest);
        const IdT target = found ? IdT(*found) : mine.insert();
        map[id.value] = target.value;
        ++(found ? m_report.kept : m_report.inserted);
        copy(target, id, !found);
    });
    for (const auto id : rows.left()) {
        mine.erase(IdT(id));
        ++m_report.erased;
    }
    return map;
}

template <class TableT, class IdT>
void Merge::copyRow(TableT& mine, IdT target, const TableT& theirs, IdT source, std::uint32_t kept, const ColumnBase* except)
{
    const auto copy = [&](auto& column, const auto& from) {
        const ColumnTraits& traits = column.traits();
        if (&column == except || static_cast<const ColumnBase*>(&column) == &mine.aliveFlags || traits.role == ColumnRole::Overridden) return;
        if (traits.role != ColumnRole::ByHand && !(traits.keptBy & kept)) put(column, target, mapped(from[source]));
    };
    const auto from = theirs.columns();
    std::apply([&](auto&... column) { std::apply([&](const auto&... given) { (copy(column, given), ...); }, from); }, mine.columns());
}

template <class TableT, class IdT>
std::uint32_t Merge::keptOf(const TableT& mine, IdT id)
{
    if constexpr (requires { mine.overridden[id]; })
        return mine.overridden[id];
    else
        return 0;
}

std::uint32_t Merge::keptOf(const Devices& mine, DeviceId id)
{
    const std::uint32_t kept = mine.overridden[id];
    if (!(kept & overridden::kPlace) || !mine.rack[id] || m_mine.racks.contains(*mine.rack[id])) return kept;
    m_report.notKept.push_back(fmt::format("{} stood in a rack that is gone; it is back in its own", mine.name[id]));
    return kept & ~overridden::kPlace;
}

/// Any table whose rows have a key.
template <class TableT>
void Merge::mergeKeyed(TableT& mine)
{
    using IdT = typename TableT::IdType;
    const TableT& theirs = m_theirs.of<TableT>();
    const auto drop = [&](IdT id) {
        if constexpr (requires {
                          mine.overridden[id];
                          mine.name[id];
                      })
            if (mine.overridden[id] != 0)
                m_report.notKept.push_back(fmt::format("{} was changed by hand and is no longer part of the design", mine.name[id]));
    };
    ids<TableT>() = match(
        mine, theirs, [&](IdT target, IdT source, bool isNew) { copyRow(mine, target, theirs, source, isNew ? 0 : keptOf(mine, target)); }, drop);
}

/// Both its devices and its rule are older than this merge.
bool Merge::wasThere(const WholeLinkKey& key) const
{
    return key.from < m_before.devices.nextId() && key.rest.to < m_before.devices.nextId() && key.rest.rule < m_before.linkRules.nextId();
}

/// Of links that are new between devices that were there: those that base has, and mine lacked.
Result<void> Merge::eraseDisconnected(std::vector<AddedLink> links)
{
    if (links.empty() || m_before.links.size() == m_before.links.nextId()) return {}; // none was ever erased
    const auto base = m_makeBase();
    if (!base) return tl::unexpected(base.error());
    for (const LinkId link : disconnectedLinks(m_before, **base, std::move(links))) m_mine.links.erase(link);
    return {};
}

void Merge::mergeTypes()
{
    // A project keeps the definitions that it has; new part types are added.
    IdMap& parts = ids<PartTypes>();
    parts.assign(m_theirs.partTypes.nextId(), kNone);
    std::unordered_map<std::string, PartTypeId> bySlug;
    m_mine.partTypes.forEach([&](PartTypeId id) { bySlug.emplace(m_mine.partTypes.slug[id], id); });
    m_theirs.partTypes.forEach([&](PartTypeId id) {
        auto found = bySlug.find(m_theirs.partTypes.slug[id]);
        if (found == bySlug.end()) {
            const PartTypeId fresh = m_mine.partTypes.insert();
            copyRow(m_mine.partTypes, fresh, m_theirs.partTypes, id, 0);
            found = bySlug.emplace(m_theirs.partTypes.slug[id], fresh).first;
        }
        parts[id.value] = found->second.value;
    });
}

void Merge::leaveGoneRacks()
{
    auto& m = m_mine;
    // Devices added by hand lose their place when their rack goes.
    m.devices.forEach([&](DeviceId id) {
        if (m.devices.key[id].empty() && m.devices.rack[id] && !m.racks.contains(*m.devices.rack[id])) {
            m_report.notKept.push_back(fmt::format("{} was added by hand to a rack that is gone; it stands nowhere now", m.devices.name[id]));
            m.devices.rack.set(id, {});
        }
    });
}

void Merge::mergePorts()
{
    auto& m = m_mine;
    const auto& t = m_theirs;
    const auto byHand = [&](DeviceId d) { return !m.devices.contains(d) ? false : m.devices.key[d].empty(); };
    ids<Cages>() = matchParts(
        m.cages, t.cages,
        [&](const Cages& table, CageId id, bool own) {
            return std::pair(own ? table.device[id].value : mapped(table.device[id]).value, table.number[id]);
        },
        [&](CageId id) { return !byHand(m.cages.device[id]); }, [&](CageId a, CageId b, bool) { copyRow(m.cages, a, t.cages, b, 0); });
    ids<Ports>() = matchParts(
        m.ports, t.ports,
        [&](const Ports& table, PortId id, bool own) { return std::pair(own ? table.cage[id].value : mapped(table.cage[id]).value, table.lane[id]); },
        [&](PortId id) { return !byHand(m.ports.device[id]); }, [&](PortId a, PortId b, bool) { copyRow(m.ports, a, t.ports, b, 0); });
}

Result<void> Merge::mergeLinks()
{
    auto& m = m_mine;
    const auto& t = m_theirs;
    // Wiring by hand first: links that the user made hold their ports; links whose ports are gone cannot stay.
    std::vector<std::uint8_t> taken(m.ports.nextId(), 0);
    std::vector<LinkId> lost;
    const auto aliveLink = [&](LinkId id) { return m.ports.contains(m.links.from[id]) && m.ports.contains(m.links.to[id]); };
    m.links.forEach([&](LinkId id) {
        if (m.links.rule[id]) return;
        if (!aliveLink(id))
            lost.push_back(id);
        else
            taken[m.links.from[id].value] = taken[m.links.to[id].value] = 1;
    });
    for (const auto id : lost) {
        m_report.notKept.push_back(fmt::format("a link connected by hand lost a port"));
        m.links.erase(id);
    }
    std::vector<std::uint32_t> oldCableOfPort(m.ports.nextId(), kNone), oldCableOfCage(m.cages.nextId(), kNone);
    m.links.forEach([&](LinkId id) {
        if (!m.links.cable[id] || !aliveLink(id)) return;
        oldCableOfPort[m.links.to[id].value] = oldCableOfCage[m.ports.cage[m.links.to[id]].value] = (*m.links.cable[id]).value;
    });

    const auto deviceOf = [&](PortId port) { return m.ports.contains(port) ? m.ports.device[port].value : kNone; };
    const auto keyOf = [&](const Links& table, LinkId id, bool own) {
        const PortId from = own ? table.from[id] : mapped(table.from[id]), to = own ? table.to[id] : mapped(table.to[id]);
        const auto rule = table.rule[id];
        return std::pair(deviceOf(from), LinkKey{rule ? (own ? *rule : mapped(*rule)).value : kNone, deviceOf(to), table.ordinal[id]});
    };
    std::vector<AddedLink> fresh; // between devices that were there
    const IdMap links = matchParts(
        m.links, t.links, keyOf, [&](LinkId id) { return m.links.rule[id].has_value(); },
        [&](LinkId a, LinkId b, bool isNew) {
            copyRow(m.links, a, t.links, b, 0, &m.links.cable);
            if (!isNew) return;
            const auto [from, rest] = keyOf(t.links, b, false);
            if (const WholeLinkKey key{from, rest}; wasThere(key)) fresh.push_back({key, a});
        });
    if (auto erased = eraseDisconnected(std::move(fresh)); !erased) return erased;

    // A port that the user rewired is not given to the generated link as well.
    std::size_t yielded = 0;
    t.links.forEach([&](LinkId b) {
        const LinkId a(links[b.value]);
        if (!m.links.contains(a)) return;
        if (taken[m.links.from[a].value] || taken[m.links.to[a].value]) {
            m.links.erase(a);
            ++yielded;
        }
    });
    if (yielded) m_report.notKept.push_back(fmt::format("{} generated links left out: their ports are wired by hand", yielded));

    // Cables: kept where the upper port, or its cage, had one, so that lengths and types set by hand stay.
    std::vector<std::uint32_t> cableOf(t.cables.nextId(), kNone);
    std::vector<std::uint8_t> used(m.cables.nextId(), 0);
    t.links.forEach([&](LinkId b) {
        const LinkId a(links[b.value]);
        if (!m.links.contains(a) || !t.links.cable[b]) return;
        auto& cable = cableOf[(*t.links.cable[b]).value];
        if (cable == kNone) {
            const auto ofPort = oldCableOfPort[m.links.to[a].value],
                       old = ofPort != kNone ? ofPort : oldCableOfCage[m.ports.cage[m.links.to[a]].value];
            if (old != kNone && m.cables.alive(old) && !used[old])
                cable = old;
            else
                cable = m.cables.insert().value;
            if (cable < used.size()) used[cable] = 1;
            put(m.cables.medium, CableId(cable), t.cables.medium[*t.links.cable[b]]);
        }
        put(m.links.cable, a, Maybe<CableId>(CableId(cable)));
    });
    std::vector<std::uint8_t> referenced(m.cables.nextId(), 0);
    m.links.forEach([&](LinkId id) {
        if (m.links.cable[id]) referenced[(*m.links.cable[id]).value] = 1;
    });
    for (const CableId id : m.cables.ids())
        if (!referenced[id.value]) m.cables.erase(id);
    return {};
}

void Merge::mergeSettings()
{
    // What the engine found out about the wiring is its own; pools of addresses stay as they are.
    for (const SettingId id : m_mine.settings.ids())
        if (const auto& key = m_mine.settings.key[id]; (key.starts_with("wiring.") || key.starts_with("note.")) && m_theirs.setting(key).empty())
            m_mine.settings.erase(id);
    m_theirs.settings.forEach([&](SettingId id) {
        const auto& key = m_theirs.settings.key[id];
        const bool own = key.starts_with("parameter.") || key.starts_with("choice.") || key.starts_with("template.") || key.starts_with("wiring.") ||
                         key.starts_with("note.");
        if (own) m_mine.putSetting(key, m_theirs.settings.value[id]);
    });
    m_theirs.waivers.forEach([&](WaiverId id) {
        bool present = false;
        m_mine.waivers.forEach([&](WaiverId own) { present = present || m_mine.waivers.finding[own] == m_theirs.waivers.finding[id]; });
        if (present) return;
        const WaiverId own = m_mine.waivers.insert();
        m_mine.waivers.finding.set(own, m_theirs.waivers.finding[id]);
        m_mine.waivers.reason.set(own, m_theirs.waivers.reason[id]);
        m_mine.waivers.author.set(own, m_theirs.waivers.author[id]);
    });
}

/// What was made by hand on something that is gone goes with it.
void Merge::dropOrphans()
{
    dropDangling(m_mine, [&](const auto& table, auto id) {
        ++m_report.erased;
        if constexpr (requires { table.name[id]; })
            m_report.notKept.push_back(fmt::format("{} was added by hand to something that is gone, and went with it", table.name[id]));
    });
}

Result<MergeReport> Merge::run()
{
    mergeTypes();
    m_mine.eachTable([&](auto& table) { // what a row refers to stands in a table before its own
        if constexpr (requires { table.key; }) {
            if (table.key.traits().role == ColumnRole::Key) mergeKeyed(table);
        }
    });
    leaveGoneRacks();
    mergePorts();
    if (const auto merged = mergeLinks(); !merged) return tl::unexpected(merged.error());
    dropOrphans();
    mergeSettings();
    return std::move(m_report);
}

} // namespace

Result<MergeReport> regenerate(Transaction& transaction, const ParameterValues& changed, const Catalogue& catalogue, const Progress& progress)
{
    const Snapshot& base = *transaction;
    const auto design = templateOf(base);
    if (!design) return tl::unexpected(design.error());
    ParameterValues values = parametersOf(base);
    for (const auto& [name, value] : changed) values[name] = value;
    auto theirs = instantiate(*design, values, catalogue, progress);
    if (!theirs) return tl::unexpected(theirs.error());
    const auto before = parametersOf(base);
    return Merge(*transaction, **theirs, [&] { return instantiate(*design, before, catalogue, progress); }).run();
}

} // namespace hw
