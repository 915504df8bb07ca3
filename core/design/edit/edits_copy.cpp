// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/edit/copier.h"
#include "core/design/edit/edits_create.h"
#include "core/design/edit/kinds.h"
#include "core/design/edit/lookup.h"
#include "core/design/edit/places.h"

#include <algorithm>
#include <unordered_map>

namespace hw::edit {

namespace {

constexpr int kMostCopies = 10'000;
constexpr std::int64_t kFarthestStep_mm = 2 * column::kFarthest;

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
            if (auto held = hold(*m_t, copy, *m_options.into); !held) return held;
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
        result.copies.push_back(copier.make(options.name).front());
        if (auto placed = placer.place(result.copies.back(), i); !placed) return tl::unexpected(placed.error());
    }
    result.made = copier.made();
    return result;
}

} // namespace hw::edit
