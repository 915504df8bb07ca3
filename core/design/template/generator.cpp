// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/generator.h"

#include "core/design/build/panels.h"
#include "core/design/template/layout_section.h"
#include "core/design/template/link_builder.h"
#include "core/design/template/offered_parts.h"
#include "core/design/template/phase_section.h"
#include "core/design/template/plane_check.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

GenerationContext::GenerationContext(const TemplateSpec& s, const Catalog& c, const Progress& p)
    : spec(s), catalog(c), progress(p), constants(s), out(std::make_shared<Snapshot>()), builder(*out)
{
}

void GenerationContext::step(double fraction, TextId what) const
{
    if (progress.stopRequested()) throw TemplateFailure{Error{ErrorCode::Canceled, spec.name, i18n("canceled"), {}}};
    progress.report(fraction, words(what));
}

const Part& GenerationContext::part(const ExpressionText& slug) const
{
    const Part* part = catalog.find(slug.text);
    if (!part) throw noPart(slug, catalog);
    return *part;
}

Generator::Generator(const TemplateSpec& spec, const ParameterValues& values, const Catalog& catalog, const Progress& progress)
    : m(spec, catalog, progress), m_values(values)
{
}

std::shared_ptr<Snapshot> Generator::run(bool places)
{
    m.constants.set(m_values);
    m.constants.check();
    writeSettings();
    for (const auto& slug : m.spec.parts) (void)m.use({slug, m.spec.file + ": parts"});
    makeNetworks();
    m.step(0.05, TextId("Laying out halls and racks"));
    makePlaces();
    m.step(0.15, TextId("Placing devices"));
    for (const auto& tier : m.spec.tiers) makeTier(tier);
    for (const auto& slug : offeredParts(m.out->partTypes, m.catalog)) (void)m.use({slug, m.spec.file + ": parts"});
    m.step(0.5, TextId("Wiring"));
    LinkBuilder(m).run();
    checkPlanes(*m.out, m.catalog, m.spec);
    if (places && m.laidOut) {
        m.step(0.92, TextId("Laying out halls and racks"));
        std::set<std::string> tiers;
        for (const auto& tier : m.spec.tiers) tiers.insert(tier.name);
        checkPlaces(m.spec.layout, tiers);
        if (const auto done = layOut(*m.out, layoutOptions(m.spec.layout, m.constants.scope()), m.catalog); !done)
            throw TemplateFailure{done.error()};
    }
    if (places) feed();
    if (places) leadOverPanels();
    assignPhases(*m.out, m.spec.phases, m.constants.scope());
    for (const auto& waiver : m.spec.waivers) makeWaivers(waiver);
    m.out->revision = 1;
    return m.out;
}

/// A design in buildings of its template is fed where the template asks for it.
void Generator::feed()
{
    const auto& sets = m.spec.buildings;
    if (!sets.empty() && std::ranges::none_of(sets, [](const SetSpec& set) { return set.field("when") != nullptr; })) checkFeedOnly(m.spec.layout);
    const auto options = layoutOptions(m.spec.layout, m.constants.scope());
    if (!options.feed || (!m.laidOut && !m.spec.layout.fields.contains("feed"))) return;
    m.step(0.96, TextId("Building power and cooling supply"));
    if (const auto done = feedDesign(*m.out, options, m.catalog); !done) throw TemplateFailure{done.error()};
}

/// Links of rules that name a patch panel go over it, once everything stands.
void Generator::leadOverPanels()
{
    for (const auto& spec : m.spec.links) {
        const auto field = [&](const char* key) {
            const auto found = spec.fields.find(key);
            return found == spec.fields.end() ? nullptr : &found->second;
        };
        const auto* panel = field("panels.panel");
        if (!panel) continue;
        if (const auto* when = field("panels.when"); when && !Expression(*when, m.constants.scope()).truth()) continue;
        PanelRouting what;
        m.out->links.forEach([&](LinkId link) {
            if (const auto rule = m.out->links.rule[link]; rule && m.out->linkRules.key[*rule] == spec.name) what.links.push_back(link);
        });
        if (what.links.empty()) continue;
        what.panel = m.use(*panel);
        if (const auto* trunk = field("panels.trunk")) what.trunk = m.use(*trunk);
        if (const auto* cord = field("panels.cord")) (void)m.use(*cord);
        if (const auto* by = field("panels.by")) what.byRow = by->text == "row";
        what.key = "panel." + spec.name;
        const auto parts = ProjectParts::of(m.out->partTypes);
        if (!parts) throw TemplateFailure{parts.error()};
        if (const auto led = hw::leadOverPanels(*m.out, **parts, what); !led) {
            Error error = led.error();
            throw refusal(panel->where, i18n("{}: {}", error.where, error.what), error.todo);
        }
    }
}

void Generator::makePlaces()
{
    m.places.emplace(m.spec, m.constants.scope());
    m.places->refresh();
    for (auto& place : m.places->buildings) makeBuildings(*place);
    for (auto& place : m.places->halls) makeHalls(*place);
    for (auto& place : m.places->rows) makeRows(*place);
    for (auto& place : m.places->racks) makeRacks(*place);
    for (auto& tray : m.places->trays) makeTrays(*tray);
    m.laidOut = m.out->buildings.size() == 0;
}

std::shared_ptr<Snapshot> Generator::places(std::map<std::string, MemberRows>& rackRows)
{
    m.constants.set(m_values);
    makePlaces();
    for (const auto& racks : m.places->racks) rackRows[racks->set.spec().name] = m.rows.at(&racks->set);
    return m.out;
}

void Generator::writeSettings()
{
    Snapshot& out = *m.out;
    out.putSetting("project.name", m.spec.title);
    out.putSetting("template.name", m.spec.name);
    out.putSetting("template.text", m.spec.text);
    for (const auto& [name, value] : m_values) out.putSetting("parameter." + name, std::to_string(value));
    for (const auto& p : m.spec.parameters)
        if (!p.choices.empty()) out.putSetting("choice." + p.name, p.textOf(m_values.at(p.name)));
    for (const auto& [name, value] : m.spec.settings) out.putSetting(name, value);
    for (const auto& entry : m.spec.addressing)
        out.putSetting("addressing." + entry.scope + (entry.scope.empty() ? "" : ".") + entry.key, entry.value.text);
}

void Generator::makeWaivers(const TemplateSpec::WaiverSpec& spec)
{
    SetSpec each;
    each.name = "waiver";
    each.where = spec.finding.where;
    each.each = spec.each;
    bound::Set set(each, nullptr, m.constants.scope());
    set.refresh();
    const NamePattern finding(spec.finding, set.variables().scope());
    (void)makeMembers(set, nullptr, [&](std::uint32_t) { return m.builder.waiver(finding.text(), spec.reason, "template " + m.spec.name).value; });
}

void Generator::makeNetworks()
{
    m.networks.emplace(m.spec, m.constants.scope());
    m.networks->refresh();
    for (const auto& network : m.networks->all())
        if (!network.absent)
            (void)m.builder.network({.key = network.name,
                                     .name = network.name,
                                     .label = network.label,
                                     .planes = network.planes,
                                     .rails = network.rails,
                                     .color = network.color,
                                     .kind = network.kind,
                                     .domain = network.domain,
                                     .acceleratorRate = Gbps(network.rate)});
}

} // namespace hw
