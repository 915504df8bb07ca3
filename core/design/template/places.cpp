// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/generator.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

using bound::orElse;

namespace {

Millimeters mm(const Expression& e)
{
    return Millimeters(e.empty() ? 0 : std::int32_t(std::clamp<std::int64_t>(e.whole(), -2'000'000'000, 2'000'000'000)));
}

} // namespace

template <class F>
void Generator::makeSet(bound::Place& place, F&& make)
{
    m.rows[&place.set] = makeMembers(place.set, place.parent ? &m.rows.at(&place.parent->set) : nullptr, std::forward<F>(make));
}

void Generator::makeBuildings(bound::Place& place)
{
    bound::Set& set = place.set;
    const NamePattern name = set.name();
    const Expression sx = set.expression("sizex"), sy = set.expression("sizey"), sz = set.expression("sizez");
    makeSet(place, [&](std::uint32_t) {
        return m.builder
            .building({.key = set.key("building"),
                       .name = name.text(),
                       .kind = place.kind,
                       .x = mm(place.x),
                       .y = mm(place.y),
                       .sizeX = mm(sx),
                       .sizeY = mm(sy),
                       .sizeZ = mm(sz),
                       .itLimit = watts(orElse(place.limit, 0))})
            .value;
    });
}

void Generator::makeHalls(bound::Place& place)
{
    bound::Set& set = place.set;
    const NamePattern name = set.name();
    const Expression sx = set.expression("sizex"), sy = set.expression("sizey"), sz = set.expression("sizez");
    const Expression floorLoad = set.expression("floor_load"), clear = set.expression("clear_height");
    makeSet(place, [&](std::uint32_t building) {
        const std::int64_t bears = orElse(floorLoad, 0);
        if (bears < 0 || bears > 100'000)
            throw refusal(set.spec().where, i18n("floor load rating of {} kg/m² is out of range", bears), i18n("use {} to {}", 0, 100'000));
        return m.builder
            .hall({.key = set.key("hall"),
                   .name = name.text(),
                   .building = BuildingId(building),
                   .x = mm(place.x),
                   .y = mm(place.y),
                   .sizeX = mm(sx),
                   .sizeY = mm(sy),
                   .sizeZ = mm(sz),
                   .kind = place.room,
                   .floor = place.floor,
                   .floorLoad = KilogramsPerSquareMeter(std::int32_t(bears)),
                   .clearHeight = mm(clear),
                   .itLimit = watts(orElse(place.limit, 0))})
            .value;
    });
}

void Generator::makeRows(bound::Place& place)
{
    bound::Set& set = place.set;
    const NamePattern name = set.name();
    const Expression cell = set.expression("cell");
    makeSet(place, [&](std::uint32_t hall) {
        const std::int64_t degrees = orElse(place.angle, 0);
        if (!isQuarterTurn(degrees))
            throw refusal(set.spec().where, i18n("row angle of {} degrees is not supported", degrees), i18n("use 0, 90, 180 or 270"));
        return m.builder
            .row({.key = set.key("row"),
                  .name = name.text(),
                  .hall = HallId(hall),
                  .x = mm(place.x),
                  .y = mm(place.y),
                  .angle = std::int16_t(degrees),
                  .cell = std::int32_t(std::clamp<std::int64_t>(orElse(cell, 0), INT32_MIN, INT32_MAX)),
                  .containment = place.containment})
            .value;
    });
}

void Generator::makeRacks(bound::Place& place)
{
    bound::Set& set = place.set;
    const NamePattern name = set.name();
    const Expression limit = set.expression("power_limit_w");
    makeSet(place, [&](std::uint32_t row) {
        const auto& slug = place.type();
        const PartTypeId type = m.use(slug);
        const auto* rack = std::get_if<RackSpec>(&m.part(slug).spec);
        if (!rack) throw mistake(slug.where, i18n("'{}' is not a rack", slug.text), i18n("specify a rack type"));
        return m.builder
            .rack({.key = set.key("rack"),
                   .name = name.text(),
                   .row = RowId(row),
                   .type = type,
                   .along = mm(place.along),
                   .across = mm(place.across),
                   .powerLimit = limit.empty() ? rack->powerLimit.value : watts(limit.whole())})
            .value;
    });
}

void Generator::makeTrays(bound::Tray& tray)
{
    bound::Set& set = tray.set;
    const TrayKind usual = tray.row ? TrayKind::Row : tray.hall ? TrayKind::Spine : TrayKind::Duct;
    const auto* word = set.spec().field("kind");
    const auto kind = word ? wordIn<TrayKind>(word->text, set.spec().where) : usual;
    const auto said = [&](const char* key, auto usually) {
        const auto* text = set.spec().field(key);
        return text ? wordIn<decltype(usually)>(text->text, set.spec().where) : usually;
    };
    const Carries carries = said("carries", Carries::Any);
    const PowerSide side = said("side", PowerSide::None);
    const Expression barrier = set.expression("barrier");
    const NamePattern name = set.name();
    const Expression plane = set.expression("plane");
    const bound::Place* parent = tray.row ? tray.row : tray.hall;
    (void)makeMembers(set, parent ? &m.rows.at(&parent->set) : nullptr, [&](std::uint32_t row) {
        return m.builder
            .tray({.key = set.key("tray"),
                   .name = name.text(),
                   .kind = kind,
                   .row = tray.row ? Maybe<RowId>(RowId(row)) : Maybe<RowId>(),
                   .hall = tray.hall ? Maybe<HallId>(HallId(row)) : Maybe<HallId>(),
                   .type = m.use(set.spec().types.front()),
                   .x1 = mm(tray.from[0]),
                   .y1 = mm(tray.from[1]),
                   .z1 = mm(tray.from[2]),
                   .x2 = mm(tray.to[0]),
                   .y2 = mm(tray.to[1]),
                   .z2 = mm(tray.to[2]),
                   .plane = std::int16_t(std::clamp<std::int64_t>(orElse(plane, -1), -1, INT16_MAX)),
                   .count = std::int16_t(std::clamp<std::int64_t>(orElse(tray.count, 1), 0, INT16_MAX)),
                   .carries = carries,
                   .side = side,
                   .barrier = orElse(barrier, 0) != 0})
            .value;
    });
}

} // namespace hw
