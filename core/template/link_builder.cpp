// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/link_builder.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace hw {

/// A link rule bound to its tiers, with one variable per coordinate of both ends and per loop.
struct LinkBuilder::Rule {
    const LinkSpec& spec;
    const Generator::TierInstance& from;
    const Generator::TierInstance& to;
    const Generator::GroupLayout& fromGroup;
    const Generator::GroupLayout& toGroup;
    LinkRuleId id;
    LinkRole role = LinkRole::Active;
    Medium medium = Medium::Data;
    SetScope scope;
    std::vector<double*> toSlots, toPlain; ///< "to.x", and plain "x" where only the target has it
    struct Source { Expression expression; std::optional<std::size_t> shared; bool free = false; };
    std::vector<Source> sources;           ///< by target coordinate
    std::vector<std::int64_t> loops;
    std::vector<double*> loopSlots;
    Expression when, fromIndex, toIndex;
    std::size_t lastFrom = SIZE_MAX, lastTo = SIZE_MAX;
    std::uint16_t ordinal = 0;
};

namespace {

template <class Tiers>
auto& tierOf(Tiers& tiers, const std::string& name, const LinkSpec& spec)
{
    const auto found = tiers.find(name);
    if (found == tiers.end()) throw mistake(spec.where, fmt::format("no tier is called '{}'", name), "declare it under 'tiers'");
    return found->second;
}

template <class Groups>
auto& groupOf(const Groups& groups, const std::string& tier, const std::string& name, const LinkSpec& spec)
{
    for (const auto& group : groups)
        if (group.name == name) return group;
    throw mistake(spec.where, fmt::format("tier '{}' has no port group '{}'", tier, name), "declare it under the tier's 'ports'");
}

std::vector<std::string> variables(const SetInstance& from, const SetInstance& to, const LinkSpec& spec)
{
    std::vector<std::string> names = from.coordinates;
    for (const auto& name : to.coordinates) names.push_back("to." + name);
    for (const auto& name : to.coordinates)
        if (!from.coordinate(name)) names.push_back(name);
    for (const auto& [name, count] : spec.each) names.push_back(name);
    return names;
}

} // namespace

void LinkBuilder::run()
{
    m_used.assign(m_g.m_out->ports.nextId(), 0);
    m_nextFree.assign(m_g.m_out->ports.nextId(), 0);
    for (const auto& spec : m_g.m_spec.links) build(spec);
    m_g.step(0.9, "Cabling");
    makeCables();
}

void LinkBuilder::build(const LinkSpec& spec)
{
    auto& out = *m_g.m_out;
    const auto& from = tierOf(m_g.m_tiers, spec.from, spec);
    const auto& to = tierOf(m_g.m_tiers, spec.to, spec);
    Rule rule{spec, from, to, groupOf(from.groups, spec.from, spec.fromGroup, spec), groupOf(to.groups, spec.to, spec.toGroup, spec), out.linkRules.insert(),
              LinkRole::Active, Medium::Data, SetScope(m_g.m_constants, variables(from.set, to.set, spec)), {}, {}, {}, {}, {}, {}, {}, {}};
    const auto field = [&](const char* key) -> const ExpressionText* { const auto f = spec.fields.find(key); return f == spec.fields.end() ? nullptr : &f->second; };
    rule.medium = oneOf<Medium>(field("medium") ? field("medium")->text : "data", spec.where, {{"data", Medium::Data}, {"power", Medium::Power}, {"coolant", Medium::Coolant}});
    if (field("backup") && field("backup")->text != "0") rule.role = LinkRole::Backup;

    auto& scope = rule.scope.scope();
    for (const auto& name : to.set.coordinates) {
        rule.toSlots.push_back(&scope["to." + name]);
        rule.toPlain.push_back(from.set.coordinate(name) ? nullptr : &scope[name]);
        const auto given = spec.at.find(name);
        const bool isFree = std::find(spec.free.begin(), spec.free.end(), name) != spec.free.end();
        if (given != spec.at.end()) rule.sources.push_back({Expression(given->second, scope), std::nullopt, false});
        else if (const auto shared = from.set.coordinate(name); shared && !isFree) rule.sources.push_back({Expression(), shared, false});
        else rule.sources.push_back({Expression(), std::nullopt, true});
    }
    for (const auto& [name, text] : spec.at)
        if (!to.set.coordinate(name)) throw mistake(text.where, fmt::format("tier '{}' has no coordinate '{}'", spec.to, name), "correct the name");
    for (const auto& [name, count] : spec.each) {
        rule.loops.push_back(Expression(count, m_g.m_constants).whole());
        rule.loopSlots.push_back(&scope[name]);
    }
    if (field("when")) rule.when = Expression(*field("when"), scope);
    if (field("from_index")) rule.fromIndex = Expression(*field("from_index"), scope);
    if (field("to_index")) rule.toIndex = Expression(*field("to_index"), scope);

    out.linkRules.key.set(rule.id, spec.name);
    if (field("network")) out.linkRules.network.set(rule.id, m_g.network(*field("network")));
    out.linkRules.from.set(rule.id, from.id);
    out.linkRules.to.set(rule.id, to.id);
    out.linkRules.medium.set(rule.id, rule.medium);
    for (std::size_t ordinal = 0; ordinal < from.set.size(); ++ordinal) {
        if (from.set.members[ordinal] == SetInstance::kAbsent) continue;
        if (ordinal % 256 == 0) m_g.step(0.5 + 0.4 * double(ordinal) / double(from.set.size()), "Wiring");
        rule.scope.load(from.set, ordinal);
        joinMember(rule, ordinal);
    }
}

void LinkBuilder::joinMember(Rule& rule, std::size_t fromOrdinal)
{
    const auto& extents = rule.to.set.extents;
    std::vector<std::int64_t> value(extents.size(), 0);
    // Free coordinates count up like an odometer; the others are fixed or follow from them.
    for (;;) {
        bool inside = true;
        std::size_t toOrdinal = 0;
        for (std::size_t i = 0; i < extents.size(); ++i) {
            const auto& source = rule.sources[i];
            if (source.shared) value[i] = std::int64_t(rule.scope.slot(*source.shared));
            else if (!source.free) value[i] = source.expression.whole();
            inside = inside && value[i] >= 0 && value[i] < extents[i];
            *rule.toSlots[i] = double(value[i]);
            if (rule.toPlain[i]) *rule.toPlain[i] = double(value[i]);
            toOrdinal = toOrdinal * std::size_t(extents[i]) + std::size_t(value[i]);
        }
        if (!inside) throw refusal(rule.spec.where, fmt::format("a member of tier '{}' would be joined to a '{}' that does not exist", rule.spec.from, rule.spec.to),
                                   "make the target tier larger or the mapping smaller");
        if (rule.to.set.members[toOrdinal] != SetInstance::kAbsent) connect(rule, fromOrdinal, toOrdinal);
        std::size_t i = extents.size();
        while (i-- > 0) {
            if (!rule.sources[i].free) continue;
            if (++value[i] < extents[i]) break;
            value[i] = 0;
        }
        if (i == SIZE_MAX) return;
    }
}

void LinkBuilder::connect(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal)
{
    auto& out = *m_g.m_out;
    std::int64_t total = 1;
    for (const auto count : rule.loops) total *= count;
    rule.ordinal = 0;
    for (std::int64_t k = 0; k < total; ++k) {
        std::int64_t rest = k;
        for (std::size_t i = rule.loops.size(); i-- > 0;) {
            *rule.loopSlots[i] = double(rest % rule.loops[i]);
            rest /= rule.loops[i];
        }
        if (!rule.when.empty() && !rule.when.truth()) continue;
        const PortId a = takePort(rule, true, fromOrdinal), b = takePort(rule, false, toOrdinal);
        if (out.ports.rate[a] != out.ports.rate[b])
            throw refusal(rule.spec.where, fmt::format("a {} Gb/s port of '{}' meets a {} Gb/s port of '{}'", out.ports.rate[a].count(), rule.spec.from, out.ports.rate[b].count(), rule.spec.to),
                          "split the ports so that the speeds agree");
        const LinkId link = out.links.insert();
        out.links.rule.set(link, rule.id);
        out.links.from.set(link, a), out.links.to.set(link, b);
        out.links.ordinal.set(link, rule.ordinal++);
        out.links.role.set(link, rule.role);
    }
}

PortId LinkBuilder::takePort(Rule& rule, bool from, std::size_t ordinal)
{
    const auto& tier = from ? rule.from : rule.to;
    const auto& group = from ? rule.fromGroup : rule.toGroup;
    const auto& index = from ? rule.fromIndex : rule.toIndex;
    const std::uint32_t first = tier.firstPort[ordinal] + group.offset;
    const std::int64_t wanted = !index.empty() ? index.whole() : group.count ? std::int64_t(m_nextFree[first]++) : 0;
    const auto device = [&] { return m_g.m_out->devices.name[DeviceId(tier.set.members[ordinal])]; };
    if (wanted < 0 || wanted >= std::int64_t(group.count))
        throw refusal(rule.spec.where, fmt::format("{} has {} '{}' ports, and this rule needs number {}", device(), group.count, group.name, wanted + 1),
                      "use fewer links or a device with more ports");
    const PortId port(first + std::uint32_t(wanted));
    if (std::exchange(m_used[port.value], 1))
        throw refusal(rule.spec.where, fmt::format("port {} of group '{}' of {} would be used twice", wanted + 1, group.name, device()), "correct the index mapping");
    return port;
}

void LinkBuilder::makeCables()
{
    auto& out = *m_g.m_out;
    std::vector<std::uint32_t> root(out.cages.nextId());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t cage) {
        while (root[cage] != cage) cage = root[cage] = root[root[cage]];
        return cage;
    };
    out.links.forEach([&](LinkId link) {
        const auto a = find(out.ports.cage[out.links.from[link]].value), b = find(out.ports.cage[out.links.to[link]].value);
        root[std::max(a, b)] = std::min(a, b);
    });
    std::vector<std::uint32_t> cableOf(root.size(), SetInstance::kAbsent);
    out.links.forEach([&](LinkId link) {
        const PortId port = out.links.from[link];
        auto& cable = cableOf[find(out.ports.cage[port].value)];
        if (cable == SetInstance::kAbsent) {
            const CableId id = out.cables.insert();
            out.cables.medium.set(id, out.ports.medium[port]);
            cable = id.value;
        }
        out.links.cable.set(link, CableId(cable));
    });
}

} // namespace hw
