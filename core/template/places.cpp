// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

std::int32_t millimetres(const Expression& e)
{
    return e.empty() ? 0 : std::int32_t(std::clamp<std::int64_t>(e.whole(), -2'000'000'000, 2'000'000'000));
}
Millimetres mm(const Expression& e) { return Millimetres(millimetres(e)); }
std::int64_t orElse(const Expression& e, std::int64_t fallback) { return e.empty() ? fallback : e.whole(); }

const ExpressionText& chosen(const SetSpec& spec, const Expression& which)
{
    return spec.types[std::size_t(std::clamp<std::int64_t>(orElse(which, 0), 0, std::int64_t(spec.types.size()) - 1))];
}

} // namespace

void Generator::makeBuildings(const SetSpec& spec)
{
    SetMaker m(*this, spec, nullptr);
    const auto kind = wordIn<BuildingKind>(m.word("kind", "pod"), spec.where);
    const NamePattern name = m.name();
    const Expression x = m.expression("atx"), y = m.expression("aty"), limit = m.expression("it_limit_w");
    const Expression sx = m.expression("sizex"), sy = m.expression("sizey"), sz = m.expression("sizez");
    m_buildings.emplace(spec.name, m.forEach([&](std::size_t ordinal, std::uint32_t) {
        auto& t = m_out->buildings;
        const BuildingId id = t.insert();
        t.key.set(id, key("building", m.set(), ordinal));
        t.name.set(id, name.text());
        t.kind.set(id, kind);
        t.x.set(id, mm(x)), t.y.set(id, mm(y));
        t.sizeX.set(id, mm(sx)), t.sizeY.set(id, mm(sy)), t.sizeZ.set(id, mm(sz));
        t.itLimit.set(id, watts(orElse(limit, 0)));
        return id.value;
    }));
}

void Generator::makeHalls(const SetSpec& spec)
{
    SetMaker m(*this, spec, &parentOf(spec, m_buildings));
    const NamePattern name = m.name();
    const Expression x = m.expression("atx"), y = m.expression("aty");
    const Expression sx = m.expression("sizex"), sy = m.expression("sizey"), sz = m.expression("sizez");
    m_halls.emplace(spec.name, m.forEach([&](std::size_t ordinal, std::uint32_t building) {
        auto& t = m_out->halls;
        const HallId id = t.insert();
        t.key.set(id, key("hall", m.set(), ordinal));
        t.name.set(id, name.text());
        t.building.set(id, BuildingId(building));
        t.x.set(id, mm(x)), t.y.set(id, mm(y));
        t.sizeX.set(id, mm(sx)), t.sizeY.set(id, mm(sy)), t.sizeZ.set(id, mm(sz));
        return id.value;
    }));
}

void Generator::makeRows(const SetSpec& spec)
{
    SetMaker m(*this, spec, &parentOf(spec, m_halls));
    const NamePattern name = m.name();
    const Expression x = m.expression("atx"), y = m.expression("aty"), angle = m.expression("angle"), cell = m.expression("cell");
    m_rows.emplace(spec.name, m.forEach([&](std::size_t ordinal, std::uint32_t hall) {
        auto& t = m_out->rows;
        const std::int64_t degrees = orElse(angle, 0);
        if (degrees % 90 != 0 || degrees < 0 || degrees >= 360)
            throw refusal(spec.where, fmt::format("a row at {} degrees cannot be laid out", degrees), "use 0, 90, 180 or 270");
        const RowId id = t.insert();
        t.key.set(id, key("row", m.set(), ordinal));
        t.name.set(id, name.text());
        t.hall.set(id, HallId(hall));
        t.x.set(id, mm(x)), t.y.set(id, mm(y));
        t.angle.set(id, std::int16_t(degrees));
        t.cell.set(id, std::int32_t(std::clamp<std::int64_t>(orElse(cell, 0), INT32_MIN, INT32_MAX)));
        return id.value;
    }));
}

void Generator::makeRacks(const SetSpec& spec)
{
    if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a rack type of the catalogue");
    SetMaker m(*this, spec, &parentOf(spec, m_rows));
    const NamePattern name = m.name();
    const Expression along = m.expression("along"), across = m.expression("across"), which = m.expression("type_index"),
                     limit = m.expression("power_limit_w");
    m_racks.emplace(spec.name, m.forEach([&](std::size_t ordinal, std::uint32_t row) {
        auto& t = m_out->racks;
        const auto& slug = chosen(spec, which);
        const PartTypeId type = part(slug);
        const auto* rack = std::get_if<RackSpec>(&m_catalogue.find(slug.text)->spec);
        if (!rack) throw mistake(slug.where, fmt::format("'{}' is not a rack", slug.text), "name a rack type");
        const RackId id = t.insert();
        t.key.set(id, key("rack", m.set(), ordinal));
        t.name.set(id, name.text());
        t.row.set(id, RowId(row));
        t.type.set(id, type);
        t.along.set(id, mm(along)), t.across.set(id, mm(across));
        t.powerLimit.set(id, limit.empty() ? rack->powerLimit.value : watts(limit.whole()));
        return id.value;
    }));
}

void Generator::makeTrays(const SetSpec& spec)
{
    if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a tray type of the catalogue");
    const bool onRow = m_rows.contains(spec.parent), inHall = m_halls.contains(spec.parent);
    SetMaker m(*this, spec, spec.parent.empty() ? nullptr : onRow ? &m_rows.at(spec.parent) : &parentOf(spec, m_halls));
    const TrayKind usual = onRow ? TrayKind::Row : inHall ? TrayKind::Spine : TrayKind::Duct;
    const auto kind = wordIn<TrayKind>(m.word("kind", std::string(wordOf(usual))), spec.where);
    const NamePattern name = m.name();
    const Expression x1 = m.expression("fromx"), y1 = m.expression("fromy"), z1 = m.expression("fromz");
    const Expression x2 = m.expression("tox"), y2 = m.expression("toy"), z2 = m.expression("toz");
    const Expression plane = m.expression("plane"), count = m.expression("count");
    m.forEach([&](std::size_t ordinal, std::uint32_t parent) {
        auto& t = m_out->trays;
        const PartTypeId type = part(spec.types.front());
        const TrayId id = t.insert();
        t.key.set(id, key("tray", m.set(), ordinal));
        t.name.set(id, name.text());
        t.kind.set(id, kind);
        if (onRow) t.row.set(id, RowId(parent));
        if (inHall) t.hall.set(id, HallId(parent));
        t.type.set(id, type);
        t.x1.set(id, mm(x1)), t.y1.set(id, mm(y1)), t.z1.set(id, mm(z1));
        t.x2.set(id, mm(x2)), t.y2.set(id, mm(y2)), t.z2.set(id, mm(z2));
        t.plane.set(id, std::int16_t(std::clamp<std::int64_t>(orElse(plane, -1), -1, INT16_MAX)));
        t.count.set(id, std::int16_t(std::clamp<std::int64_t>(orElse(count, 1), 0, INT16_MAX)));
        return id.value;
    });
}

} // namespace hw
