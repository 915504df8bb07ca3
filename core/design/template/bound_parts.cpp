// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/bound_parts.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace hw::bound {

namespace {

std::string textOr(const SetSpec& spec, const char* key, const std::string& fallback) { return spec.field(key) ? spec.field(key)->text : fallback; }

std::uint32_t colorOf(const ExpressionText& text)
{
    std::uint32_t rgb = 0;
    const char* const end = text.text.data() + text.text.size();
    const auto [rest, error] = std::from_chars(text.text.data() + text.text.starts_with('#'), end, rgb, 16);
    if (error != std::errc() || rest != end || rgb > 0xFFFFFF)
        throw mistake(text.where, i18n("'{}' is not a color", text.text), i18n("use the format \"#rrggbb\""));
    return rgb;
}

std::size_t chosen(const SetSpec& spec, const Expression& which)
{
    return std::size_t(std::clamp<std::int64_t>(orElse(which, 0), 0, std::int64_t(spec.types.size()) - 1));
}

TemplateFailure noParent(const SetSpec& spec)
{
    return mistake(spec.where, i18n("'in: {}' does not name a parent set", spec.parent), i18n("specify a set of the level above"));
}

Set* setOf(Place* place) { return place ? &place->set : nullptr; }

} // namespace

Networks::Networks(const TemplateSpec& spec, Scope& constants) : m_spec(spec)
{
    for (const auto& network : spec.networks) {
        const auto* kind = network.field("kind");
        Network made{network.name, textOr(network, "label", network.name),
                     wordIn<NetworkKind>(kind ? kind->text : "backend", kind ? kind->where : network.where)};
        if (const auto* color = network.field("color")) made.color = colorOf(*color);
        m_all.push_back(std::move(made));
        auto& numbers = m_numbers.emplace_back();
        for (const char* key : {"when", "planes", "rails", "domain", "rate_gbps"})
            if (const auto* text = network.field(key)) numbers.emplace(key, Expression(*text, constants));
    }
}

std::int64_t Networks::value(std::size_t network, const char* key, std::int64_t fallback, std::int64_t least, std::int64_t most) const
{
    const auto found = m_numbers[network].find(key);
    const std::int64_t given = found == m_numbers[network].end() ? fallback : found->second.whole();
    if (given < least || given > most)
        throw refusal(m_spec.networks[network].field(key)->where, i18n("{} is {}; allowed range: {} to {}", key, given, least, most),
                      i18n("change the parameters"));
    return given;
}

void Networks::refresh()
{
    m_present.clear();
    for (std::size_t n = 0; n < m_all.size(); ++n) {
        auto& network = m_all[n];
        network.absent = value(n, "when", 1, INT64_MIN, INT64_MAX) == 0;
        if (network.absent) continue;
        network.planes = std::int16_t(value(n, "planes", 1, 1, 1024)), network.rails = std::int16_t(value(n, "rails", 1, 1, 1024));
        network.domain = std::int32_t(value(n, "domain", 0, 0, 1'000'000));
        network.rate = std::int32_t(value(n, "rate_gbps", 0, 0, 10'000'000));
        m_present.push_back(n);
    }
}

bool Networks::absent(std::string_view name) const
{
    return std::ranges::any_of(m_all, [&](const Network& n) { return n.absent && n.name == name; });
}

NetworkId Networks::id(const ExpressionText& name) const
{
    for (std::uint32_t i = 0; i < m_present.size(); ++i)
        if (m_all[m_present[i]].name == name.text) return NetworkId(i);
    throw mistake(name.where, i18n("unknown network '{}'", name.text), i18n("declare it under 'networks'"));
}

Place::Place(const SetSpec& spec, Place* in, Scope& constants) : set(spec, setOf(in), constants), parent(in)
{
    x = set.expression("atx"), y = set.expression("aty"), angle = set.expression("angle");
    along = set.expression("along"), across = set.expression("across");
    typeIndex = set.expression("type_index"), typeMask = set.uses(spec.field("type_index"));
    limit = set.expression("it_limit_w");
    if (!in)
        kind = wordIn<BuildingKind>(textOr(spec, "kind", "pod"), spec.where);
    else if (!in->parent)
        room = wordIn<RoomKind>(textOr(spec, "kind", "hall"), spec.where);
    floor = wordIn<FloorKind>(textOr(spec, "floor", "slab"), spec.where);
    containment = wordIn<Containment>(textOr(spec, "containment", "none"), spec.where);
}

const ExpressionText& Place::type() const { return set.spec().types[chosen(set.spec(), typeIndex)]; }

Tray::Tray(const SetSpec& spec, Place* onRow, Place* inHall, Scope& constants)
    : set(spec, setOf(onRow ? onRow : inHall), constants), row(onRow), hall(inHall)
{
    constexpr const char *kFrom[] = {"fromx", "fromy", "fromz"}, *kTo[] = {"tox", "toy", "toz"};
    for (int i = 0; i < 3; ++i) {
        from[i] = set.expression(kFrom[i]), to[i] = set.expression(kTo[i]);
        mask |= set.uses(spec.field(kFrom[i])) | set.uses(spec.field(kTo[i]));
    }
    count = set.expression("count");
    mask |= set.uses(spec.field("count"));
}

Place* Places::find(const PlaceSets& sets, const std::string& name)
{
    for (const auto& set : sets)
        if (set->set.spec().name == name) return set.get();
    return nullptr;
}

void Places::add(PlaceSets& into, const SetSpec& spec, const PlaceSets* parents, Scope& constants)
{
    Place* const parent = parents ? find(*parents, spec.parent) : nullptr;
    if (parents && !parent) throw noParent(spec);
    into.push_back(std::make_unique<Place>(spec, parent, constants));
}

Places::Places(const TemplateSpec& spec, Scope& constants)
{
    for (const auto& set : spec.buildings) add(buildings, set, nullptr, constants);
    for (const auto& set : spec.halls) add(halls, set, &buildings, constants);
    for (const auto& set : spec.rows) add(rows, set, &halls, constants);
    for (const auto& set : spec.racks) {
        if (set.types.empty()) throw mistake(set.where, i18n("'type' is missing"), i18n("specify a rack type from the catalog"));
        add(racks, set, &rows, constants);
    }
    for (const auto& set : spec.trays) {
        if (set.types.empty()) throw mistake(set.where, i18n("'type' is missing"), i18n("specify a tray type from the catalog"));
        Place* const row = find(rows, set.parent);
        Place* const hall = row ? nullptr : find(halls, set.parent);
        if (!row && !hall && !set.parent.empty()) throw noParent(set);
        trays.push_back(std::make_unique<Tray>(set, row, hall, constants));
    }
}

void Places::refresh()
{
    for (auto* sets : {&buildings, &halls, &rows, &racks})
        for (auto& place : *sets) place->set.refresh();
    for (auto& tray : trays) tray->set.refresh();
}

Tier::Tier(const SetSpec& spec, const Places& places, Scope& constants)
    : inRack(Places::find(places.racks, spec.parent)), inHall(inRack ? nullptr : Places::find(places.halls, spec.parent)),
      set(spec, setOf(inRack ? inRack : inHall), constants), name(spec.name), label(textOr(spec, "label", spec.name)),
      network(textOr(spec, "network", ""))
{
    if (!spec.parent.empty() && !inRack && !inHall) broken = noParent(spec).error;
    kind = wordIn<TierKind>(textOr(spec, "kind", "switch"), spec.where);
    role = wordIn<DeviceRole>(textOr(spec, "role", "active"), spec.where);
    if (const auto* text = spec.field("level")) level = Expression(*text, constants);
    typeIndex = set.expression("type_index"), typeMask = set.uses(spec.field("type_index"));
    backup = set.expression("backup"), backupMask = set.uses(spec.field("backup"));
    unit = set.expression("u"), x = set.expression("atx"), y = set.expression("aty"), angle = set.expression("angle");
    const auto find = [&](const char* section, const PlaceSets& sets, Place*& place, std::optional<MemberOf>& member) {
        const auto given = spec.members.find(section);
        if (given == spec.members.end()) return;
        place = Places::find(sets, given->second.set);
        if (place)
            member.emplace(given->second, place->set, set);
        else if (!broken)
            broken = mistake(given->second.where,
                             std::string_view(section) == "rack" ? i18n("unknown rack set '{}'", given->second.set)
                                                                 : i18n("unknown hall set '{}'", given->second.set),
                             i18n("declare them under '{}s'", section))
                         .error;
    };
    find("rack", places.racks, rackSet, rack);
    find("hall", places.halls, hallSet, hall);
}

std::size_t Tier::typeNumber() const { return chosen(set.spec(), typeIndex); }

const Place* Tier::standsIn() const { return rackSet ? rackSet : hallSet ? hallSet : inRack ? inRack : inHall; }

} // namespace hw::bound
