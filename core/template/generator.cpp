// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"

#include "core/template/link_builder.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

namespace {

std::int32_t millimetres(const Expression& e) { return e.empty() ? 0 : std::int32_t(std::clamp<std::int64_t>(e.whole(), -2'000'000'000, 2'000'000'000)); }
Millimetres mm(const Expression& e) { return Millimetres(millimetres(e)); }
std::int64_t orElse(const Expression& e, std::int64_t fallback) { return e.empty() ? fallback : e.whole(); }

const ExpressionText& chosen(const SetSpec& spec, const Expression& which)
{
    return spec.types[std::size_t(std::clamp<std::int64_t>(orElse(which, 0), 0, std::int64_t(spec.types.size()) - 1))];
}

std::uint32_t parseColor(const ExpressionText& text)
{
    std::uint32_t rgb = 0;
    const auto [end, error] = std::from_chars(text.text.data() + text.text.starts_with('#'), text.text.data() + text.text.size(), rgb, 16);
    if (error != std::errc() || end != text.text.data() + text.text.size() || rgb > 0xFFFFFF)
        throw mistake(text.where, fmt::format("'{}' is not a colour", text.text), "write \"#rrggbb\"");
    return rgb;
}

} // namespace

Generator::Generator(const TemplateSpec& spec, const ParameterValues& values, const Catalogue& catalogue, const Progress& progress)
    : m_spec(spec), m_values(values), m_catalogue(catalogue), m_progress(progress), m_out(std::make_shared<Snapshot>())
{
}

std::shared_ptr<Snapshot> Generator::run()
{
    evaluateConstants();
    checkConstraints();
    writeSettings();
    copyParts();
    makeNetworks();
    step(0.05, "Laying out halls and racks");
    for (const auto& spec : m_spec.buildings) makeBuildings(spec);
    for (const auto& spec : m_spec.halls) makeHalls(spec);
    for (const auto& spec : m_spec.rows) makeRows(spec);
    for (const auto& spec : m_spec.racks) makeRacks(spec);
    for (const auto& spec : m_spec.trays) makeTrays(spec);
    step(0.15, "Placing devices");
    for (const auto& tier : m_spec.tiers) makeTier(tier);
    step(0.5, "Wiring");
    LinkBuilder(*this).run();
    for (const auto& waiver : m_spec.waivers) makeWaivers(waiver);
    m_out->revision = 1;
    return m_out;
}

void Generator::step(double fraction, std::string_view what) const
{
    if (m_progress.stopRequested()) throw TemplateFailure{Error{ErrorCode::Cancelled, m_spec.name, "cancelled", ""}};
    m_progress.report(fraction, what);
}

void Generator::evaluateConstants()
{
    for (const auto& parameter : m_spec.parameters) m_constants[parameter.name] = double(m_values.at(parameter.name));
    for (const auto& [name, text] : m_spec.values) m_constants[name] = double(Expression(text, m_constants).whole());
}

void Generator::checkConstraints()
{
    for (const auto& constraint : m_spec.constraints)
        if (!Expression(constraint.require, m_constants).truth())
            throw refusal(m_spec.name, fmt::format("{} (constraint: {})", NamePattern(constraint.message, m_constants).text(), constraint.require.text),
                          "change the parameters");
}

void Generator::writeSettings()
{
    m_out->putSetting("project.name", m_spec.title);
    m_out->putSetting("template.name", m_spec.name);
    m_out->putSetting("template.text", m_spec.text);
    for (const auto& [name, value] : m_values) m_out->putSetting("parameter." + name, std::to_string(value));
    for (const auto& [name, value] : m_spec.settings) m_out->putSetting(name, value);
}

PartTypeId Generator::part(const ExpressionText& slug)
{
    if (const auto found = m_parts.find(slug.text); found != m_parts.end()) return found->second;
    const Part* part = m_catalogue.find(slug.text);
    if (!part) throw mistake(slug.where, fmt::format("the catalogue has no part '{}'", slug.text), "add it to resources/catalogue or correct the name");
    const PartTypeId id = m_out->partTypes.insert();
    m_out->partTypes.slug.set(id, part->slug);
    m_out->partTypes.definition.set(id, part->definition);
    constexpr PartKind kinds[] = {PartKind::Device, PartKind::Rack, PartKind::Transceiver, PartKind::Cable, PartKind::Tray};
    m_out->partTypes.kind.set(id, kinds[part->spec.index()]);
    m_parts.emplace(slug.text, id);
    return id;
}

void Generator::copyParts()
{
    for (const auto& slug : m_spec.parts) (void)part({slug, m_spec.file + ": parts"});
}

void Generator::makeWaivers(const TemplateSpec::WaiverSpec& spec)
{
    SetSpec set;
    set.name = "waiver";
    set.where = spec.finding.where;
    set.each = spec.each;
    SetMaker m(*this, set, nullptr);
    const NamePattern finding(spec.finding, m.scope().scope());
    m.forEach([&](std::size_t, std::uint32_t) {
        const auto id = m_out->waivers.insert();
        m_out->waivers.finding.set(id, finding.text());
        m_out->waivers.reason.set(id, spec.reason);
        m_out->waivers.author.set(id, "template " + m_spec.name);
        return id.value;
    });
}

void Generator::makeNetworks()
{
    for (const auto& spec : m_spec.networks) {
        const auto value = [&](const char* key, std::int64_t fallback) { return spec.field(key) ? Expression(*spec.field(key), m_constants).whole() : fallback; };
        const NetworkId id = m_out->networks.insert();
        m_out->networks.key.set(id, spec.name);
        m_out->networks.name.set(id, spec.name);
        m_out->networks.label.set(id, spec.field("label") ? spec.field("label")->text : spec.name);
        m_out->networks.planes.set(id, std::int16_t(value("planes", 1)));
        m_out->networks.rails.set(id, std::int16_t(value("rails", 1)));
        m_out->networks.color.set(id, spec.field("color") ? parseColor(*spec.field("color")) : 0x3b82f6);
        m_networks.emplace(spec.name, id);
    }
}

NetworkId Generator::network(const ExpressionText& name) const
{
    const auto found = m_networks.find(name.text);
    if (found == m_networks.end()) throw mistake(name.where, fmt::format("no network is called '{}'", name.text), "declare it under 'networks'");
    return found->second;
}

void Generator::makeBuildings(const SetSpec& spec)
{
    SetMaker m(*this, spec, nullptr);
    const auto kind = oneOf<BuildingKind>(m.word("kind", "pod"), spec.where, {{"pod", BuildingKind::Pod}, {"network", BuildingKind::Network}});
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
        t.cell.set(id, std::int32_t(orElse(cell, 0)));
        return id.value;
    }));
}

void Generator::makeRacks(const SetSpec& spec)
{
    if (spec.types.empty()) throw mistake(spec.where, "'type' is missing", "name a rack type of the catalogue");
    SetMaker m(*this, spec, &parentOf(spec, m_rows));
    const NamePattern name = m.name();
    const Expression along = m.expression("along"), across = m.expression("across"), which = m.expression("type_index"), limit = m.expression("power_limit_w");
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
    const auto kind = oneOf<TrayKind>(m.word("kind", onRow ? "row" : inHall ? "spine" : "duct"), spec.where,
                                      {{"row", TrayKind::Row}, {"spine", TrayKind::Spine}, {"duct", TrayKind::Duct}});
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
        t.plane.set(id, std::int16_t(orElse(plane, -1)));
        t.count.set(id, std::int16_t(orElse(count, 1)));
        return id.value;
    });
}

} // namespace hw
