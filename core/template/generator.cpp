// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/generator.h"

#include "core/template/link_builder.h"
#include "core/template/offered_parts.h"
#include "core/template/plane_check.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace hw {

namespace {

std::uint32_t parseColor(const ExpressionText& text)
{
    std::uint32_t rgb = 0;
    const auto [end, error] = std::from_chars(text.text.data() + text.text.starts_with('#'), text.text.data() + text.text.size(), rgb, 16);
    if (error != std::errc() || end != text.text.data() + text.text.size() || rgb > 0xFFFFFF)
        throw mistake(text.where, fmt::format("'{}' is not a colour", text.text), "write \"#rrggbb\"");
    return rgb;
}

NetworkKind parseKind(const SetSpec& spec)
{
    const auto* kind = spec.field("kind");
    return wordIn<NetworkKind>(kind ? kind->text : "backend", kind ? kind->where : spec.where);
}

} // namespace

Generator::Generator(const TemplateSpec& spec, const ParameterValues& values, const Catalogue& catalogue, const Progress& progress)
    : m_spec(spec), m_values(values), m_catalogue(catalogue), m_progress(progress), m_out(std::make_shared<Snapshot>())
{
}

void Generator::checkValues()
{
    try {
        evaluateConstants();
    } catch (const TemplateFailure&) {
        checkConstraints(true); // a constraint says better why a value cannot be had
        throw;
    }
    checkConstraints(false);
}

std::shared_ptr<Snapshot> Generator::run()
{
    checkValues();
    writeSettings();
    copyParts();
    makeNetworks();
    step(0.05, "Laying out halls and racks");
    makePlaces();
    step(0.15, "Placing devices");
    for (const auto& tier : m_spec.tiers) makeTier(tier);
    for (const auto& slug : offeredParts(m_out->partTypes, m_catalogue)) (void)part({slug, m_spec.file + ": parts"});
    step(0.5, "Wiring");
    LinkBuilder(*this).run();
    checkPlanes(*m_out, m_catalogue, m_spec);
    if (m_spec.buildings.empty()) {
        step(0.92, "Laying out halls and racks");
        Scope constants = m_constants;
        std::set<std::string> tiers;
        for (const auto& tier : m_spec.tiers) tiers.insert(tier.name);
        checkPlaces(m_spec.layout, tiers);
        if (const auto done = layOut(*m_out, layoutOptions(m_spec.layout, constants), m_catalogue); !done) throw TemplateFailure{done.error()};
    }
    for (const auto& waiver : m_spec.waivers) makeWaivers(waiver);
    m_out->revision = 1;
    return m_out;
}

void Generator::makePlaces()
{
    for (const auto& spec : m_spec.buildings) makeBuildings(spec);
    for (const auto& spec : m_spec.halls) makeHalls(spec);
    for (const auto& spec : m_spec.rows) makeRows(spec);
    for (const auto& spec : m_spec.racks) makeRacks(spec);
    for (const auto& spec : m_spec.trays) makeTrays(spec);
}

std::shared_ptr<Snapshot> Generator::places(std::map<std::string, std::vector<std::uint32_t>>& rackRows)
{
    evaluateConstants();
    makePlaces();
    for (const auto& [name, set] : m_racks) rackRows[name] = set.members;
    return m_out;
}

void Generator::step(double fraction, std::string_view what) const
{
    if (m_progress.stopRequested()) throw TemplateFailure{Error{ErrorCode::Cancelled, m_spec.name, "cancelled", ""}};
    m_progress.report(fraction, what);
}

void Generator::checkConstraints(bool someValuesMissing)
{
    const auto holds = [&](const ConstraintSpec& constraint) {
        try {
            return Expression(constraint.require, m_constants).truth() ||
                   (someValuesMissing && NamePattern(constraint.message, m_constants).text().empty());
        } catch (const TemplateFailure&) {
            if (!someValuesMissing) throw;
            return true; // it reads what is not there
        }
    };
    for (const auto& constraint : m_spec.constraints)
        if (!holds(constraint))
            throw refusal(m_spec.name,
                          fmt::format("{} (constraint: {})", NamePattern(constraint.message, m_constants).text(), constraint.require.text),
                          "change the parameters");
}

void Generator::writeSettings()
{
    m_out->putSetting("project.name", m_spec.title);
    m_out->putSetting("template.name", m_spec.name);
    m_out->putSetting("template.text", m_spec.text);
    for (const auto& [name, value] : m_values) m_out->putSetting("parameter." + name, std::to_string(value));
    for (const auto& p : m_spec.parameters)
        if (!p.choices.empty()) m_out->putSetting("choice." + p.name, p.textOf(m_values.at(p.name)));
    for (const auto& [name, value] : m_spec.settings) m_out->putSetting(name, value);
    for (const auto& entry : m_spec.addressing)
        m_out->putSetting("addressing." + entry.scope + (entry.scope.empty() ? "" : ".") + entry.key, entry.value.text);
}

PartTypeId Generator::part(const ExpressionText& slug)
{
    if (const auto found = m_parts.find(slug.text); found != m_parts.end()) return found->second;
    const Part* part = m_catalogue.find(slug.text);
    if (!part) throw noPart(slug, m_catalogue);
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
        const auto value = [&](const char* key, std::int64_t fallback, std::int64_t least, std::int64_t most) {
            const auto* text = spec.field(key);
            const std::int64_t given = text ? Expression(*text, m_constants).whole() : fallback;
            if (given < least || given > most)
                throw refusal(text->where, fmt::format("{} is {}, and {} to {} can be", key, given, least, most), "change the parameters");
            return given;
        };
        if (value("when", 1, INT64_MIN, INT64_MAX) == 0) {
            m_absentNetworks.insert(spec.name);
            continue;
        }
        const NetworkId id = m_out->networks.insert();
        auto& t = m_out->networks;
        t.key.set(id, spec.name);
        t.name.set(id, spec.name);
        t.label.set(id, spec.field("label") ? spec.field("label")->text : spec.name);
        t.planes.set(id, std::int16_t(value("planes", 1, 1, 1024)));
        t.rails.set(id, std::int16_t(value("rails", 1, 1, 1024)));
        t.color.set(id, spec.field("color") ? parseColor(*spec.field("color")) : 0x3b82f6);
        t.kind.set(id, parseKind(spec));
        t.domain.set(id, std::int32_t(value("domain", 0, 0, 1'000'000)));
        t.acceleratorRate.set(id, Gbps(std::int32_t(value("rate_gbps", 0, 0, 10'000'000))));
        m_networks.emplace(spec.name, id);
    }
}

NetworkId Generator::network(const ExpressionText& name) const
{
    const auto found = m_networks.find(name.text);
    if (found == m_networks.end()) throw mistake(name.where, fmt::format("no network is called '{}'", name.text), "declare it under 'networks'");
    return found->second;
}

} // namespace hw
