// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/edits_phase.h"

#include "core/edit/kinds.h"
#include "core/edit/places.h"
#include "core/money/phases.h"

#include <algorithm>

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

Result<SnapshotPtr> designAtPhase(const SnapshotPtr& design, int number)
{
    const PhaseIndex phases(*design);
    if (!std::ranges::binary_search(phases.numbers(), number))
        return fail(ErrorCode::Refused, "phase " + std::to_string(number), i18n("the design has no such phase"),
                    i18n("choose from {}", knownNumbers(phases)));
    std::vector<EntityRef> out;
    later(design->buildings, phases, number, out);
    later(design->halls, phases, number, out);
    later(design->rows, phases, number, out);
    later(design->racks, phases, number, out);
    later(design->devices, phases, number, out);
    if (out.empty()) return design;
    auto after = std::make_shared<Snapshot>(*design);
    Lookup lookup(design);
    leaveOut(*after, lookup, out);
    return SnapshotPtr(std::move(after));
}

Result<std::size_t> setMany(Transaction& t, const ProjectParts& parts, Lookup& lookup, const ManyThings& many, std::string_view column,
                            const std::optional<std::string>& value)
{
    const auto things = Filter(*t, parts, lookup, many).run();
    if (things.empty())
        return fail(ErrorCode::Refused, std::string(kindWord(many.kind)), i18n("nothing fits this filter"), i18n("look at the names in `report`"));
    const bool inTurn = (many.kind == EntityKind::Device && column == "rack") || column == "name"; // each takes what the next would
    for (const EntityRef thing : things) {
        if (auto done = setField(t, parts, lookup, thing, column, value); !done) return tl::unexpected(done.error());
        if (inTurn) lookup.follow(t.preview());
    }
    return things.size();
}

} // namespace hw::edit
