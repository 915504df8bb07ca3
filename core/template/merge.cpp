// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/template.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

// Regeneration: the new design ("theirs") is generated whole, then brought into the open one ("mine")
// table by table. Rows are matched by key; what `overridden` marks as changed by hand stays. A link that
// the old parameters give ("base") and mine lacks was disconnected by hand, and stays so. Rows of theirs that somebody
// removed (Removals) are left out, with all that cannot stand without them. A device that was made one of another type
// keeps its own sockets; theirs are found among them by the names of their interfaces.

namespace hw {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// What tells a generated link from all others: rule, devices, number among parallel ones.
struct LinkKey {
    std::uint32_t rule, from, to, ordinal;
    bool operator==(const LinkKey&) const = default;
};

} // namespace
} // namespace hw

template <>
struct std::hash<hw::LinkKey> {
    std::size_t operator()(const hw::LinkKey& k) const noexcept
    {
        std::uint64_t h = (std::uint64_t(k.from) << 32 | k.to) * 0x9E3779B97F4A7C15ull;
        return std::size_t((h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ull + (std::uint64_t(k.rule) << 20) + k.ordinal);
    }
};

namespace hw {
namespace {

/// Row ids of theirs → mine, per table.
using IdMap = std::vector<std::uint32_t>;

template <class ColumnT, class IdT, class T>
void put(ColumnT& column, IdT id, const T& value)
{
    if (!(column[id] == value)) column.set(id, value);
}

class Merge {
public:
    Merge(Snapshot& mine, const Snapshot& theirs, const Snapshot& base) : m_mine(mine), m_theirs(theirs), m_base(base) { findDisconnected(base); }
    MergeReport run();

private:
    /// Matches rows by `keyOf`; calls copy(mineId, theirsId, isNew) for each and drop(mineId) for the rest, of which those
    /// stay for which it says false. Rows of theirs that `stands` refuses become none.
    template <class TableT, class KeyOf, class Owned, class Stands, class Copy, class Drop>
    IdMap match(TableT& mine, const TableT& theirs, KeyOf&& keyOf, Owned&& owned, Stands&& stands, Copy&& copy, Drop&& drop);
    /// Whether all that a row of theirs needs, or is held by, was not left out.
    template <class TableT, class IdT>
    [[nodiscard]] bool standing(const TableT& theirs, IdT id, const ColumnBase* except = nullptr) const;
    template <class TableT>
    [[nodiscard]] std::unordered_set<std::string_view> removedFrom(const TableT& table) const;
    void findRetyped();
    /// The number of mine's cage that a cage of theirs is; none where a device of another type has no such interface.
    [[nodiscard]] std::optional<std::uint16_t> cageNumber(CageId theirs) const;
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
    void findDisconnected(const Snapshot& base);
    void mergeTypes();
    void leaveGoneRacks();
    void mergePorts();
    void mergeLinks();
    void mergeSettings();

    Snapshot& m_mine;
    const Snapshot& m_theirs;
    const Snapshot& m_base;
    MergeReport m_report;
    std::unordered_set<LinkKey> m_disconnected; ///< in mine's ids
    [[nodiscard]] static std::uint64_t cageKey(DeviceId device, std::uint16_t number) { return std::uint64_t(device.value) << 16 | number; }

    std::unordered_set<std::uint64_t> m_kept;                      ///< cages of devices of another type, in mine
    std::vector<std::uint8_t> m_retyped;                           ///< by mine's device: made one of another type by hand
    std::shared_ptr<const ProjectParts> m_mineParts, m_theirParts; ///< where any device was
    std::array<IdMap, Snapshot::kTables> m_ids;                    ///< theirs → mine, of the tables merged so far
};

template <class TableT, class KeyOf, class Owned, class Stands, class Copy, class Drop>
IdMap Merge::match(TableT& mine, const TableT& theirs, KeyOf&& keyOf, Owned&& owned, Stands&& stands, Copy&& copy, Drop&& drop)
{
    using IdT = typename TableT::IdType;
    using Key = decltype(keyOf(std::as_const(mine), IdT(), true));
    std::unordered_map<Key, std::uint32_t> byKey;
    byKey.reserve(mine.size());
    std::vector<std::uint32_t> gone; // rows without a match; a second row of one key has lost what told it apart
    mine.forEach([&](IdT id) {
        if (owned(id) && !byKey.emplace(keyOf(std::as_const(mine), id, true), id.value).second) gone.push_back(id.value);
    });
    IdMap map(theirs.nextId(), kNone);
    theirs.forEach([&](IdT id) {
        if (!stands(id)) return;
        const auto found = byKey.find(keyOf(theirs, id, false));
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
        if (!drop(IdT(id))) continue;
        mine.erase(IdT(id));
        ++m_report.erased;
    }
    return map;
}

namespace {

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

} // namespace

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
    std::apply([&](const auto&... column) { (look(column), ...); }, theirs.columns());
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

void Merge::findRetyped()
{
    m_retyped.assign(m_mine.devices.nextId(), 0);
    bool any = false;
    m_mine.devices.forEach([&](DeviceId id) {
        if (!(m_mine.devices.overridden[id] & overridden::kType) || m_mine.devices.key[id].empty()) return;
        m_retyped[id.value] = 1;
        any = true;
    });
    if (!any) return;
    if (const auto parts = ProjectParts::of(m_mine.partTypes)) m_mineParts = *parts;
    if (const auto parts = ProjectParts::of(m_theirs.partTypes)) m_theirParts = *parts;
}

std::optional<std::uint16_t> Merge::cageNumber(CageId theirs) const
{
    const std::uint16_t number = m_theirs.cages.number[theirs];
    const DeviceId device = mapped(m_theirs.cages.device[theirs]);
    if (device.value >= m_retyped.size() || !m_retyped[device.value] || !m_mineParts || !m_theirParts) return number;
    const auto& before = m_theirParts->device(m_theirs.devices.type[m_theirs.cages.device[theirs]]).interfaces;
    const auto& after = m_mineParts->device(m_mine.devices.type[device]).interfaces;
    if (number >= before.size()) return number;
    const auto found = std::ranges::find(after, before[number].name, &Interface::name);
    return found != after.end() ? std::optional(std::uint16_t(found - after.begin())) : std::nullopt;
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
    const auto removed = removedFrom(mine);
    const auto drop = [&](IdT id) {
        if constexpr (requires {
                          mine.overridden[id];
                          mine.name[id];
                      })
            if (mine.overridden[id] != 0)
                m_report.notKept.push_back(fmt::format("{} was changed by hand and is no longer part of the design", mine.name[id]));
        return true;
    };
    // What somebody moved elsewhere does not go with the place that it had.
    std::unordered_set<std::string_view> moved;
    if constexpr (requires(IdT id) { mine.overridden[id]; })
        mine.forEach([&](IdT id) {
            if (mine.overridden[id] & overridden::kPlace) moved.insert(mine.key[id]);
        });
    const auto stands = [&](IdT id) { return !removed.contains(theirs.key[id]) && (moved.contains(theirs.key[id]) || standing(theirs, id)); };
    ids<TableT>() = match(
        mine, theirs, [](const TableT& t, IdT id, bool) { return t.key[id]; }, [&](IdT id) { return !mine.key[id].empty(); }, stands,
        [&](IdT target, IdT source, bool isNew) { copyRow(mine, target, theirs, source, isNew ? 0 : keptOf(mine, target)); }, drop);
}

void Merge::findDisconnected(const Snapshot& base)
{
    std::unordered_map<std::string, std::uint32_t> devices, rules;
    m_mine.devices.forEach([&](DeviceId id) { devices.emplace(m_mine.devices.key[id], id.value); });
    m_mine.linkRules.forEach([&](LinkRuleId id) { rules.emplace(m_mine.linkRules.key[id], id.value); });
    std::unordered_set<LinkKey> present;
    present.reserve(m_mine.links.size());
    m_mine.links.forEach([&](LinkId id) {
        const auto& l = m_mine.links;
        if (l.rule[id])
            present.insert({(*l.rule[id]).value, m_mine.ports.device[l.from[id]].value, m_mine.ports.device[l.to[id]].value, l.ordinal[id]});
    });
    IdMap deviceMap(base.devices.nextId(), kNone);
    base.devices.forEach([&](DeviceId id) {
        if (const auto found = devices.find(base.devices.key[id]); found != devices.end()) deviceMap[id.value] = found->second;
    });
    base.links.forEach([&](LinkId id) {
        const auto rule = rules.find(base.linkRules.key[*base.links.rule[id]]);
        const LinkKey key{rule == rules.end() ? kNone : rule->second, deviceMap[base.ports.device[base.links.from[id]].value],
                          deviceMap[base.ports.device[base.links.to[id]].value], base.links.ordinal[id]};
        if (key.rule != kNone && key.from != kNone && key.to != kNone && !present.contains(key)) m_disconnected.insert(key);
    });
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
    findRetyped();
    const auto byHand = [&](DeviceId d) { return !m.devices.contains(d) ? false : m.devices.key[d].empty(); };
    const auto retyped = [&](DeviceId d) { return d.value < m_retyped.size() && m_retyped[d.value]; };
    // Sockets of a device of another type stay as they are, and no other than its own are made.
    const auto fitting = [&](CageId id) {
        const DeviceId device = mapped(t.cages.device[id]);
        return device.value != kNone && (!retyped(device) || (cageNumber(id) && m_kept.contains(cageKey(device, *cageNumber(id)))));
    };
    m_kept.clear();
    m.cages.forEach([&](CageId id) {
        if (retyped(m.cages.device[id])) m_kept.insert(cageKey(m.cages.device[id], m.cages.number[id]));
    });
    ids<Cages>() = match(
        m.cages, t.cages,
        [&](const Cages& table, CageId id, bool own) {
            return own ? cageKey(table.device[id], table.number[id]) : cageKey(mapped(table.device[id]), *cageNumber(id));
        },
        [&](CageId id) { return !byHand(m.cages.device[id]); }, fitting,
        [&](CageId a, CageId b, bool) {
            if (!retyped(mapped(t.cages.device[b]))) copyRow(m.cages, a, t.cages, b, 0);
        },
        [&](CageId id) { return !retyped(m.cages.device[id]); });
    const auto portStands = [&](PortId id) {
        const CageId cage = mapped(t.ports.cage[id]);
        return cage.value != kNone && standing(t.ports, id) && (!retyped(m.cages.device[cage]) || t.ports.lane[id] < m.cages.split[cage]);
    };
    ids<Ports>() = match(
        m.ports, t.ports,
        [&](const Ports& table, PortId id, bool own) {
            return std::uint64_t(own ? table.cage[id].value : mapped(table.cage[id]).value) << 8 | table.lane[id];
        },
        [&](PortId id) { return !byHand(m.ports.device[id]); }, portStands,
        [&](PortId a, PortId b, bool isNew) {
            if (isNew || !retyped(mapped(t.ports.device[b]))) copyRow(m.ports, a, t.ports, b, 0);
        },
        [&](PortId id) { return !retyped(m.ports.device[id]); });
}

void Merge::mergeLinks()
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
        return LinkKey{rule ? (own ? *rule : mapped(*rule)).value : kNone, deviceOf(from), deviceOf(to), table.ordinal[id]};
    };
    const auto ratesAgree = [&](LinkId id) { // of another type, a device may have other rates
        return m.ports.rate[mapped(t.links.from[id])] == m.ports.rate[mapped(t.links.to[id])];
    };
    std::vector<LinkId> disconnected;
    const IdMap links = match(
        m.links, t.links, keyOf, [&](LinkId id) { return m.links.rule[id].has_value(); },
        [&](LinkId id) { return standing(t.links, id, &t.links.cable) && ratesAgree(id); },
        [&](LinkId a, LinkId b, bool isNew) {
            if (isNew && !m_disconnected.empty() && m_disconnected.contains(keyOf(t.links, b, false))) disconnected.push_back(a);
            copyRow(m.links, a, t.links, b, 0, &m.links.cable);
        },
        [](LinkId) { return true; });

    for (const LinkId id : disconnected) m.links.erase(id);

    // A port that the user rewired is not given to the generated link as well.
    std::size_t yielded = 0;
    t.links.forEach([&](LinkId b) {
        const LinkId a(links[b.value]);
        if (a.value == kNone || !m.links.contains(a)) return;
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
        if (a.value == kNone || !m.links.contains(a) || !t.links.cable[b]) return;
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
}

void Merge::mergeSettings()
{
    // What the engine found out about the wiring is its own; a pool that the user changed stays.
    for (const SettingId id : m_mine.settings.ids())
        if (const auto& key = m_mine.settings.key[id]; (key.starts_with("wiring.") || key.starts_with("note.")) && m_theirs.setting(key).empty())
            m_mine.settings.erase(id);
    m_theirs.settings.forEach([&](SettingId id) {
        const auto& key = m_theirs.settings.key[id];
        const bool own = key.starts_with("parameter.") || key.starts_with("choice.") || key.starts_with("template.") || key.starts_with("wiring.") ||
                         key.starts_with("note.");
        const bool pool = key.starts_with("addressing.") && m_mine.setting(key) == m_base.setting(key);
        if (own || pool) m_mine.putSetting(key, m_theirs.settings.value[id]);
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

MergeReport Merge::run()
{
    mergeTypes();
    m_mine.eachTable([&](auto& table) { // what a row refers to stands in a table before its own
        if constexpr (requires { table.key; }) {
            if (table.key.traits().role == ColumnRole::Key) mergeKeyed(table);
        }
    });
    leaveGoneRacks();
    mergePorts();
    mergeLinks();
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
    const auto old = instantiate(*design, parametersOf(base), catalogue, progress);
    if (!old) return tl::unexpected(old.error());
    return Merge(*transaction, **theirs, **old).run();
}

} // namespace hw
