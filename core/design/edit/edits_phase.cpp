// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/edits_phase.h"

#include "core/derived/figures/failure_domains.h"
#include "core/derived/geometry/frame.h"
#include "core/derived/installed/plant_phases.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/places.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <map>
#include <set>

namespace hw::edit {

namespace {

/// The topmost things of a table that come later: those that something else takes along anyway need not be named.
template <class Table>
void later(const Table& table, const PhaseIndex& phases, int number, std::vector<EntityRef>& out)
{
    table.forEach([&](auto id) {
        if (phases.of(id) > number) out.push_back(ref(id));
    });
}

std::string knownNumbers(const PhaseIndex& phases)
{
    std::vector<std::string> known;
    for (const int number : phases.numbers()) known.push_back(std::to_string(number));
    return words(listedNames(known));
}

/// The type of a row's part; nothing for tables without one.
template <class Table, class IdT>
std::optional<PartTypeId> typeOf(const Table& table, IdT id)
{
    if constexpr (requires { PartTypeId(table.type[id]); })
        return table.type[id];
    else if constexpr (requires { *table.type[id]; })
        return table.type[id] ? std::optional<PartTypeId>(*table.type[id]) : std::nullopt;
    else
        return std::nullopt;
}

bool stands(const Snapshot& s, EntityRef entity, EntityRef in)
{
    const auto chain = ancestry(s, entity);
    return std::ranges::find(chain, in) != chain.end();
}

/// Rows of one kind that a filter lets through.
class Filter {
public:
    Filter(const Snapshot& s, const ProjectParts& parts, Lookup& lookup, const ManyThings& many)
        : m_s(s), m_parts(parts), m_lookup(lookup), m_many(many)
    {
    }

    std::vector<EntityRef> run() const
    {
        std::vector<EntityRef> found;
        m_s.eachTable([&](const auto& table) {
            using T = std::decay_t<decltype(table)>;
            if constexpr (kKindOf<T> != EntityKind::None)
                if (kKindOf<T> == m_many.kind)
                    table.forEach([&](auto id) {
                        if (fits(table, id)) found.push_back(ref(id));
                    });
        });
        return found;
    }

private:
    template <class Table, class IdT>
    bool fits(const Table& table, IdT id) const
    {
        return (m_many.type.empty() || isOfType(table, id)) && (!m_many.in || isIn(id));
    }
    template <class Table, class IdT>
    bool isOfType(const Table& table, IdT id) const
    {
        const auto type = typeOf(table, id);
        return type && m_parts[*type].slug == m_many.type;
    }
    /// Sockets have no part type: what they are is said by the interface.
    bool isOfType(const Cages& cages, CageId id) const
    {
        const auto& interfaces = m_parts.device(m_s.devices.type[cages.device[id]]).interfaces;
        return cages.number[id] < interfaces.size() && interfaces[cages.number[id]].socketSlug() == m_many.type;
    }
    template <class IdT>
    bool isIn(IdT id) const
    {
        return stands(m_s, ref(id), *m_many.in) || ofTier(id);
    }
    /// A cable is where one of its ends is.
    bool isIn(CableId id) const
    {
        bool any = false;
        m_lookup.referring(&Links::cable, id.value, [&](std::uint32_t row) {
            const LinkId link(row);
            any = any || isIn(m_s.ports.device[m_s.links.from[link]]) || isIn(m_s.ports.device[m_s.links.to[link]]);
        });
        return any;
    }
    /// Of the tier of the device that it is, or is a part of.
    template <class IdT>
    bool ofTier(IdT id) const
    {
        if (m_many.in->kind != EntityKind::Tier) return false;
        const auto chain = ancestry(m_s, ref(id));
        return std::ranges::any_of(chain,
                                   [&](EntityRef e) { return e.kind == EntityKind::Device && ref(m_s.devices.tier[DeviceId(e.id)]) == *m_many.in; });
    }

    const Snapshot& m_s;
    const ProjectParts& m_parts;
    Lookup& m_lookup;
    const ManyThings& m_many;
};

} // namespace

namespace {

/// A tray without its row, and without its room where that comes later, at the same place.
void hangAlone(Snapshot& s, TrayId tray, const TrayLine& line, Maybe<HallId> hall)
{
    const Frame o = hall ? hallFrame(s, *hall) : Frame{};
    s.trays.row.set(tray, {}), s.trays.hall.set(tray, hall);
    s.trays.x1.set(tray, Millimeters(line.a.x - o.x)), s.trays.y1.set(tray, Millimeters(line.a.y - o.y));
    s.trays.x2.set(tray, Millimeters(line.b.x - o.x)), s.trays.y2.set(tray, Millimeters(line.b.y - o.y));
}

/// Trays of what comes later that something of this phase runs through.
void keepUsedTrays(const Figures& whole, const PhaseIndex& phases, int number, Snapshot& out)
{
    const Snapshot& s = *whole.snapshot;
    const auto& data = whole.get<FailureDomainsNode>();
    const auto& feeders = whole.get<FeederDomainsNode>();
    s.trays.forEach([&](TrayId id) {
        if (phases.of(id) <= number || phases.of(id, linksThrough(data, feeders, id)) > number) return;
        const auto row = s.trays.row[id];
        const auto hall = row ? Maybe<HallId>(s.rows.hall[*row]) : s.trays.hall[id];
        hangAlone(out, id, whole.placement->tray(id), hall && phases.of(*hall) <= number ? hall : Maybe<HallId>());
    });
}

/// A cable of several legs, some of which come later, is as long as it will be with all of them.
void keepLengths(const Figures& whole, Snapshot& out)
{
    std::map<CableId, std::size_t> legs;
    out.links.forEach([&](LinkId link) {
        if (const auto cable = out.links.cable[link]; cable && out.cables.medium[*cable] == Medium::Data) ++legs[*cable];
    });
    const Cabling& cabling = *whole.cabling;
    for (const auto& [cable, count] : legs)
        if (out.cables.length[cable].count() == 0 && cabling[cable].lengthMm > 0 && count < cabling.linksOf(cable).size())
            out.cables.length.set(cable, Millimeters(cabling[cable].lengthMm));
}

} // namespace

Result<FiguresPtr> figuresAtPhase(const FiguresPtr& whole, int number)
{
    const SnapshotPtr& design = whole->snapshot;
    const PhaseIndex phases(*design);
    if (!std::ranges::binary_search(phases.numbers(), number))
        return fail(ErrorCode::Refused, "phase " + std::to_string(number), i18n("unknown phase"), i18n("choose from {}", knownNumbers(phases)));
    std::vector<EntityRef> out;
    later(design->buildings, phases, number, out);
    later(design->halls, phases, number, out);
    later(design->rows, phases, number, out);
    later(design->racks, phases, number, out);
    later(design->devices, phases, number, out);
    if (out.empty()) return whole;
    auto after = std::make_shared<Snapshot>(*design);
    keepUsedTrays(*whole, phases, number, *after);
    Lookup lookup(std::make_shared<const Snapshot>(*after));
    leaveOut(*after, lookup, out);
    keepLengths(*whole, *after);
    return FiguresPtr(std::make_shared<const Figures>(SnapshotPtr(std::move(after)), *whole));
}

Result<SnapshotPtr> designAtPhase(const SnapshotPtr& design, int number)
{
    const auto whole = figuresOf(design);
    if (!whole) return tl::unexpected(whole.error());
    const auto figures = figuresAtPhase(*whole, number);
    if (!figures) return tl::unexpected(figures.error());
    return (*figures)->snapshot;
}

Result<std::size_t> setMany(Transaction& t, const ProjectParts& parts, Lookup& lookup, const ManyThings& many, std::string_view column,
                            const std::optional<std::string>& value)
{
    const auto things = Filter(*t, parts, lookup, many).run();
    if (things.empty())
        return fail(ErrorCode::Refused, std::string(kindWord(many.kind)), i18n("no object matches this filter"), i18n("see the names in `report`"));
    const bool inTurn = (many.kind == EntityKind::Device && column == "rack") || column == "name"; // each takes what the next would
    for (const EntityRef thing : things) {
        if (auto done = setField(t, parts, lookup, thing, column, value); !done) return tl::unexpected(done.error());
        if (inTurn) lookup.follow(t.preview());
    }
    return things.size();
}

namespace {

bool hasPhase(EntityKind kind)
{
    return kind == EntityKind::Building || kind == EntityKind::Hall || kind == EntityKind::Row || kind == EntityKind::Rack ||
           kind == EntityKind::Device;
}

using Segment = std::pair<int, int>; ///< pod and segment; -1: none

/// Racks that hold devices of the segments, and devices of them that are in no rack.
void segmentObjects(const Snapshot& s, const std::set<Segment>& segments, std::set<EntityRef>& out)
{
    s.devices.forEach([&](DeviceId id) {
        if (!segments.contains({s.devices.pod[id], s.devices.segment[id]})) return;
        const auto rack = s.devices.rack[id];
        out.insert(rack ? ref(*rack) : ref(id));
    });
}

/// Segments of the devices that are, or stand in, what is selected.
std::set<Segment> segmentsOf(const Snapshot& s, std::span<const EntityRef> selection)
{
    const std::set<EntityRef> wanted(selection.begin(), selection.end());
    std::set<Segment> segments;
    s.devices.forEach([&](DeviceId id) {
        if (s.devices.segment[id] < 0) return;
        const auto chain = ancestry(s, ref(id));
        if (std::ranges::any_of(chain, [&](EntityRef e) { return wanted.contains(e); })) segments.insert({s.devices.pod[id], s.devices.segment[id]});
    });
    return segments;
}

} // namespace

std::vector<EntityRef> phaseObjects(const Snapshot& s, std::span<const EntityRef> selection, PhaseScope scope)
{
    std::set<EntityRef> out;
    if (scope == PhaseScope::Segments) {
        segmentObjects(s, segmentsOf(s, selection), out);
        return {out.begin(), out.end()};
    }
    for (const EntityRef entity : selection) {
        const auto chain = ancestry(s, entity); // from the outside in
        const auto found = std::find_if(chain.rbegin(), chain.rend(),
                                        [&](EntityRef e) { return scope == PhaseScope::Rows ? e.kind == EntityKind::Row : hasPhase(e.kind); });
        if (found != chain.rend()) out.insert(*found);
    }
    return {out.begin(), out.end()};
}

std::vector<EntityRef> phaseObjects(const Snapshot& s, const ProjectParts& parts, CostSystem system)
{
    std::vector<EntityRef> out;
    s.devices.forEach([&](DeviceId id) {
        if (systemOf(parts[s.devices.type[id]], s.tiers.kind[s.devices.tier[id]]) == system) out.push_back(ref(id));
    });
    return out;
}

Result<std::size_t> assignPhase(Transaction& t, const ProjectParts& parts, Lookup& lookup, std::span<const EntityRef> objects, int number)
{
    if (objects.empty())
        return fail(ErrorCode::Refused, "assign-phase", i18n("no object matches"), i18n("specify buildings, halls, rows, racks or devices"));
    if (number < 1 || number > 1000)
        return fail(ErrorCode::Refused, "assign-phase", i18n("{} is out of range", number), i18n("specify {} to {}", 1, 1000));
    if (!phaseOfNumber(*t, number)) {
        Snapshot& s = *t;
        const PhaseId id = s.phases.insert();
        s.phases.name.set(id, FreshNames(lookup).of("phase-" + std::to_string(number)));
        s.phases.number.set(id, number);
        lookup.follow(t.preview());
    }
    const std::string name = t->phases.name[*phaseOfNumber(*t, number)];
    const std::set<EntityRef> wanted(objects.begin(), objects.end());
    const auto clear = [&](EntityRef entity, bool own) -> Result<void> { // of what stands in an object
        if (!own || wanted.contains(entity)) return {};
        const auto chain = ancestry(*t, entity);
        if (std::ranges::none_of(chain, [&](EntityRef e) { return wanted.contains(e); })) return {};
        return setField(t, parts, lookup, entity, "phase", std::nullopt);
    };
    const auto clearAll = [&](const auto& table) -> Result<void> {
        for (const auto id : table.ids())
            if (auto done = clear(ref(id), bool(table.phase[id])); !done) return done;
        return {};
    };
    const Snapshot before = *t;
    for (auto done : {clearAll(before.halls), clearAll(before.rows), clearAll(before.racks), clearAll(before.devices)})
        if (!done) return tl::unexpected(done.error());
    for (const EntityRef object : objects)
        if (auto done = setField(t, parts, lookup, object, "phase", name); !done) return tl::unexpected(done.error());
    return objects.size();
}

Result<std::size_t> phasePlant(Transaction& t, const ProjectParts& parts, Lookup& lookup)
{
    const auto design = std::make_shared<const Snapshot>(*t);
    if (PhaseIndex(*design).single())
        return fail(ErrorCode::Refused, "phase-plant", i18n("the design has only one phase"),
                    i18n("add phases and assign rows, racks or halls to them: 'add' phase, 'set' column \"phase\""));
    const auto found = plantPhases(SnapshotPtr(design));
    if (!found) return tl::unexpected(found.error());
    const std::vector<int>& numbers = *found;
    const Snapshot& s = *design;
    const PhaseIndex phases(s);
    std::size_t changed = 0;
    for (const DeviceId id : s.devices.ids()) {
        if (numbers[id.value] == 0) continue;
        const auto hall = s.devices.hall[id];
        const int held = hall ? phases.of(*hall) : 1;
        const auto wanted = numbers[id.value] > held ? phaseOfNumber(s, numbers[id.value]) : std::nullopt;
        const Maybe<PhaseId> is = s.devices.phase[id];
        if (wanted ? is == Maybe<PhaseId>(*wanted) : !is) continue;
        const auto value = wanted ? std::optional<std::string>(s.phases.name[*wanted]) : std::nullopt;
        if (auto done = setField(t, parts, lookup, ref(id), "phase", value); !done) return tl::unexpected(done.error());
        ++changed;
    }
    return changed;
}

} // namespace hw::edit
