// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/link_builder.h"

#include "core/template/bound_sets.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw {

/// A link rule bound to its tiers, with one variable per coordinate of both ends and per loop.
struct LinkBuilder::Rule {
    const LinkSpec& spec;
    const Generator::TierInstance& from;
    const Generator::TierInstance& to;
    const Generator::GroupLayout& fromGroup;
    const Generator::GroupLayout& toGroup;
    SetScope scope;
    LinkRuleId id{};
    LinkRole role = LinkRole::Active;
    Medium medium = Medium::Data;
    std::vector<double*> toSlots{}, toPlain{}; ///< "to.x", and plain "x" where only the target has it
    struct Source {
        Expression expression;
        std::optional<std::size_t> shared{};
        bool free = false;
    };
    std::vector<Source> sources{}; ///< by target coordinate
    std::vector<std::int64_t> loops{};
    std::vector<double*> loopSlots{};
    std::int64_t loopTotal = 1;
    bool loopsMoveTarget = false;         ///< a mapping reads a loop: each turn has a target of its own
    std::optional<std::size_t> outside{}; ///< the coordinate with which the last target left its set
    Expression when{}, fromIndex{}, toIndex{};
    Expression spreadCount{};  ///< ports that a lower device deals out; empty: all of the group
    std::size_t dealtOver = 0; ///< links that did not divide so far: the next device goes on after them
    bool notedUneven = false;
    std::uint16_t ordinal = 0;

    [[nodiscard]] const ExpressionText* field(const char* key) const
    {
        const auto found = spec.fields.find(key);
        return found == spec.fields.end() ? nullptr : &found->second;
    }
    [[nodiscard]] bool holds() const { return when.empty() || when.truth(); }
    void setLoops(std::int64_t turn) const
    {
        for (std::size_t i = loops.size(); i-- > 0; turn /= loops[i]) *loopSlots[i] = double(turn % loops[i]);
    }
    /// Whether any turn of the loops wants a link from here to the target in the scope.
    [[nodiscard]] bool wanted() const
    {
        if (loopsMoveTarget) return holds(); // the turn is set
        for (std::int64_t turn = 0; turn < loopTotal; ++turn) {
            setLoops(turn);
            if (holds()) return true;
        }
        return false;
    }
};

TemplateFailure noNetwork(const LinkSpec& spec, bool from)
{
    return refusal(spec.where,
                   fmt::format("the ports '{}.{}' belong to no network", from ? spec.from : spec.to, from ? spec.fromGroup : spec.toGroup),
                   "give the port group or its tier a 'network', or the link the 'medium' power");
}

Expression spreadCount(const LinkSpec& spec, const std::vector<std::string>& lower, const std::vector<std::string>& upper, Scope& scope)
{
    const ExpressionText& count = spec.fields.at("count");
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const auto& name : namesUsed(count))
        if (name.starts_with("to.") || (has(upper, name) && !has(lower, name)))
            throw mistake(count.where,
                          fmt::format("'{}' is the target's, and how many ports a device deals out is asked before it has a target", name),
                          "use coordinates of the lower tier");
    return Expression(count, scope);
}

TemplateFailure tooManyToDeal(const LinkSpec& spec, std::int64_t ports, const std::string& group, std::int64_t has)
{
    return refusal(spec.where, fmt::format("{} ports are to be dealt out, and group '{}' has {}", ports, group, has), "correct 'count'");
}

TemplateFailure noTarget(const LinkSpec& spec, const std::string& coordinate, std::int64_t value, std::int64_t extent)
{
    return refusal(
        spec.where,
        fmt::format("a member of tier '{}' would be joined to a '{}' that does not exist: its '{}' would be {}, counted from 0, and there are {}",
                    spec.from, spec.to, coordinate, value, extent),
        "make the target tier larger or the mapping smaller, or leave the link out with 'when'");
}

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

constexpr std::int64_t kMostLoops = 1'000'000;
constexpr std::int64_t kMostWork = 60'000'000; ///< pairs of devices and loops that the rules of a design look at

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
    const auto& from = tierOf(m_g.m_tiers, spec.from, spec);
    const auto& to = tierOf(m_g.m_tiers, spec.to, spec);
    if (from.absent || to.absent) return;
    const auto& fromGroup = groupOf(from.groups, spec.from, spec.fromGroup, spec);
    const auto& toGroup = groupOf(to.groups, spec.to, spec.toGroup, spec);
    Rule rule{spec, from, to, fromGroup, toGroup, SetScope(m_g.m_constants, variables(from.set, to.set, spec))};
    if (fromGroup.absent || toGroup.absent || m_g.absent(rule.field("network"))) return;
    bindTargets(rule);
    bindFields(rule);
    checkNetworks(rule);
    writeRule(rule);
    for (std::size_t ordinal = 0; ordinal < from.set.size(); ++ordinal) {
        if (from.set.members[ordinal] == SetInstance::kAbsent) continue;
        if (ordinal % 256 == 0) m_g.step(0.5 + 0.4 * double(ordinal) / double(from.set.size()), "Wiring");
        rule.scope.load(from.set, ordinal);
        if (spec.spread)
            spreadMember(rule, ordinal);
        else
            joinMember(rule, ordinal);
    }
}

void LinkBuilder::bindTargets(Rule& rule) const
{
    const auto& spec = rule.spec;
    const auto& target = rule.to.set;
    auto& scope = rule.scope.scope();
    for (const auto& name : target.coordinates) {
        rule.toSlots.push_back(&scope["to." + name]);
        rule.toPlain.push_back(rule.from.set.coordinate(name) ? nullptr : &scope[name]);
        const auto given = spec.at.find(name);
        const bool isFree = std::find(spec.free.begin(), spec.free.end(), name) != spec.free.end();
        if (given != spec.at.end())
            rule.sources.push_back({Expression(given->second, scope), std::nullopt, false});
        else if (const auto shared = rule.from.set.coordinate(name); shared && !isFree)
            rule.sources.push_back({Expression(), shared, false});
        else
            rule.sources.push_back({Expression(), std::nullopt, true});
    }
    for (const auto& [name, text] : spec.at)
        if (!target.coordinate(name)) throw mistake(text.where, fmt::format("tier '{}' has no coordinate '{}'", spec.to, name), "correct the name");
    for (const auto& name : spec.free)
        if (!target.coordinate(name))
            throw mistake(spec.where, fmt::format("tier '{}' has no coordinate '{}' to be free", spec.to, name), "correct the name");
}

void LinkBuilder::bindFields(Rule& rule) const
{
    std::vector<std::string> loops;
    for (const auto& [name, count] : rule.spec.each) loops.push_back(name);
    for (const auto& [name, text] : rule.spec.at) rule.loopsMoveTarget = rule.loopsMoveTarget || bound::usedNames(&text, loops) != 0;
    auto& scope = rule.scope.scope();
    Scope constants = m_g.m_constants;
    const auto* medium = rule.field("medium");
    rule.medium = wordIn<Medium>(medium ? medium->text : "data", rule.spec.where);
    if (const auto* backup = rule.field("backup"); backup && Expression(*backup, constants).truth()) rule.role = LinkRole::Backup;
    for (const auto& [name, count] : rule.spec.each) {
        const std::int64_t times = Expression(count, constants).whole();
        if (times < 0 || times > kMostLoops || rule.loopTotal * std::max<std::int64_t>(times, 1) > kMostLoops)
            throw refusal(count.where, fmt::format("{} times are too many for one link rule", times), fmt::format("use 0 to {}", kMostLoops));
        rule.loopTotal *= times;
        rule.loops.push_back(times);
        rule.loopSlots.push_back(&scope[name]);
    }
    if (rule.field("when")) rule.when = Expression(*rule.field("when"), scope);
    if (rule.field("from_index")) rule.fromIndex = Expression(*rule.field("from_index"), scope);
    if (rule.field("to_index")) rule.toIndex = Expression(*rule.field("to_index"), scope);
    if (rule.field("count")) rule.spreadCount = spreadCount(rule.spec, rule.from.set.coordinates, rule.to.set.coordinates, scope);
}

std::int64_t LinkBuilder::portsToDeal(const Rule& rule) const
{
    const std::int64_t ports = rule.spreadCount.empty() ? std::int64_t(rule.fromGroup.count) : rule.spreadCount.whole();
    if (ports < 0 || ports > std::int64_t(rule.fromGroup.count)) throw tooManyToDeal(rule.spec, ports, rule.fromGroup.name, rule.fromGroup.count);
    return ports;
}

void LinkBuilder::checkNetworks(const Rule& rule) const
{
    const auto& networks = m_g.m_out->networks;
    const auto name = [&](Maybe<NetworkId> id) { return networks.name[*id]; };
    const auto a = rule.fromGroup.network, b = rule.toGroup.network;
    if (rule.medium == Medium::Data && !(a && b)) throw noNetwork(rule.spec, !a);
    if (rule.medium == Medium::Data && a && b && !(a == b))
        throw refusal(rule.spec.where, fmt::format("ports of network '{}' would be joined to ports of network '{}'", name(a), name(b)),
                      "join ports of one network");
    const auto* own = rule.field("network");
    if (own && a && !(a == m_g.network(*own)))
        throw refusal(own->where, fmt::format("the rule is of network '{}' and its ports are of network '{}'", own->text, name(a)),
                      "name the network of the ports");
}

void LinkBuilder::writeRule(Rule& rule)
{
    auto& t = m_g.m_out->linkRules;
    rule.id = t.insert();
    t.key.set(rule.id, rule.spec.name);
    if (const auto* network = rule.field("network"))
        t.network.set(rule.id, m_g.network(*network));
    else if (rule.medium == Medium::Data)
        t.network.set(rule.id, rule.fromGroup.network ? rule.fromGroup.network : rule.toGroup.network);
    t.from.set(rule.id, rule.from.id);
    t.to.set(rule.id, rule.to.id);
    t.medium.set(rule.id, rule.medium);
}

void LinkBuilder::countWork(const Rule& rule, std::int64_t pairs)
{
    m_work += pairs;
    if (m_work > kMostWork)
        throw refusal(rule.spec.where, fmt::format("the rules look at more than {} pairs of devices", kMostWork),
                      "let the tiers share more coordinates, or make them smaller");
}

template <class F>
void LinkBuilder::forEachTarget(Rule& rule, F&& f)
{
    const auto& extents = rule.to.set.extents;
    std::vector<std::int64_t> value(extents.size(), 0);
    for (std::size_t i = 0; i < extents.size(); ++i)
        if (rule.sources[i].free && extents[i] == 0) return;
    const auto visit = [&] {
        const auto target = targetOf(rule, value);
        countWork(rule, 1);
        if (target && rule.to.set.members[*target] != SetInstance::kAbsent)
            f(*target);
        else if (!target && rule.wanted())
            throw noTarget(rule.spec, rule.to.set.coordinates[*rule.outside], value[*rule.outside], extents[*rule.outside]);
    };
    // Free coordinates count up like an odometer; the others are fixed or follow from them.
    for (;;) {
        for (std::int64_t turn = 0; turn < (rule.loopsMoveTarget ? rule.loopTotal : 1); ++turn) {
            if (rule.loopsMoveTarget) rule.setLoops(turn);
            visit();
        }
        std::size_t i = extents.size();
        while (i-- > 0) {
            if (!rule.sources[i].free) continue;
            if (++value[i] < extents[i]) break;
            value[i] = 0;
        }
        if (i == SIZE_MAX) return;
    }
}

std::optional<std::size_t> LinkBuilder::targetOf(Rule& rule, std::vector<std::int64_t>& value) const
{
    const auto& extents = rule.to.set.extents;
    std::size_t ordinal = 0;
    rule.outside.reset();
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const auto& source = rule.sources[i];
        if (source.shared)
            value[i] = std::int64_t(rule.scope.slot(*source.shared));
        else if (!source.free)
            value[i] = source.expression.whole();
        if ((value[i] < 0 || value[i] >= extents[i]) && !rule.outside) rule.outside = i;
        *rule.toSlots[i] = double(value[i]);
        if (rule.toPlain[i]) *rule.toPlain[i] = double(value[i]);
        ordinal = ordinal * std::size_t(extents[i]) + std::size_t(value[i]);
    }
    return rule.outside ? std::nullopt : std::optional(ordinal);
}

void LinkBuilder::joinMember(Rule& rule, std::size_t fromOrdinal)
{
    if (!rule.loopsMoveTarget) {
        forEachTarget(rule, [&](std::size_t toOrdinal) { connect(rule, fromOrdinal, toOrdinal); });
        return;
    }
    std::map<std::size_t, std::uint16_t> links; // so far, by target
    forEachTarget(rule, [&](std::size_t toOrdinal) {
        if (!rule.holds()) return;
        rule.ordinal = links[toOrdinal]++;
        makeLink(rule, fromOrdinal, toOrdinal);
    });
}

void LinkBuilder::spreadMember(Rule& rule, std::size_t fromOrdinal)
{
    std::vector<std::size_t> targets;
    forEachTarget(rule, [&](std::size_t toOrdinal) {
        if (rule.holds()) targets.push_back(toOrdinal);
    });
    if (targets.empty()) return;
    const std::int64_t ports = portsToDeal(rule);
    if (ports == 0) return;
    const std::size_t each = std::size_t(ports) / targets.size(), rest = std::size_t(ports) % targets.size();
    const std::size_t start = rule.dealtOver % targets.size();
    rule.dealtOver += rest;
    if (rest != 0) noteUneven(rule, ports, targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const bool more = (i + targets.size() - start) % targets.size() < rest;
        rule.ordinal = 0;
        for (std::size_t k = 0; k < each + more; ++k) makeLink(rule, fromOrdinal, targets[i]);
    }
}

void LinkBuilder::noteUneven(Rule& rule, std::int64_t ports, std::size_t targets)
{
    if (std::exchange(rule.notedUneven, true)) return;
    const std::int64_t each = ports / std::int64_t(targets), rest = ports % std::int64_t(targets);
    m_g.m_out->putSetting("wiring." + rule.spec.name + ".uneven",
                          fmt::format("each {} deals {} ports over {} {}: {} of them get {}, {} get {}", rule.spec.from, ports, targets, rule.spec.to,
                                      rest, each + 1, std::int64_t(targets) - rest, each));
}

void LinkBuilder::connect(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal)
{
    rule.ordinal = 0;
    countWork(rule, rule.loopTotal);
    for (std::int64_t turn = 0; turn < rule.loopTotal; ++turn) {
        rule.setLoops(turn);
        if (rule.holds()) makeLink(rule, fromOrdinal, toOrdinal);
    }
}

void LinkBuilder::makeLink(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal)
{
    auto& out = *m_g.m_out;
    if (&rule.from == &rule.to && fromOrdinal == toOrdinal)
        throw refusal(rule.spec.where, fmt::format("{} would be joined to itself", out.devices.name[DeviceId(rule.from.set.members[fromOrdinal])]),
                      "leave that link out with 'when'");
    const PortId a = takePort(rule, true, fromOrdinal, toOrdinal), b = takePort(rule, false, fromOrdinal, toOrdinal);
    if (out.ports.rate[a] != out.ports.rate[b])
        throw refusal(rule.spec.where,
                      fmt::format("a {} Gb/s port of '{}' meets a {} Gb/s port of '{}'", out.ports.rate[a].count(), rule.spec.from,
                                  out.ports.rate[b].count(), rule.spec.to),
                      "split the ports so that the speeds agree");
    const LinkId link = out.links.insert();
    out.links.rule.set(link, rule.id);
    out.links.from.set(link, a), out.links.to.set(link, b);
    out.links.ordinal.set(link, rule.ordinal++);
    out.links.role.set(link, rule.role);
}

PortId LinkBuilder::takePort(Rule& rule, bool from, std::size_t fromOrdinal, std::size_t toOrdinal)
{
    const std::size_t ordinal = from ? fromOrdinal : toOrdinal;
    const auto& tier = from ? rule.from : rule.to;
    const auto& group = from ? rule.fromGroup : rule.toGroup;
    const auto& index = from ? rule.fromIndex : rule.toIndex;
    const std::uint32_t first = tier.firstPort[ordinal] + group.offset;
    const std::int64_t wanted = !index.empty() ? index.whole() : group.count ? std::int64_t(m_nextFree[first]++) : 0;
    const auto name = [&](const auto& instance, std::size_t member) { return m_g.m_out->devices.name[DeviceId(instance.set.members[member])]; };
    const auto device = [&] { return name(tier, ordinal); };
    if (wanted < 0 || wanted >= std::int64_t(group.count))
        throw refusal(rule.spec.where,
                      fmt::format("{} has {} '{}' ports, and this rule needs number {}", device(), group.count, group.name, wanted + 1),
                      "use fewer links or a device with more ports");
    const PortId port(first + std::uint32_t(wanted));
    if (std::exchange(m_used[port.value], 1))
        throw refusal(rule.spec.where,
                      fmt::format("port {} of group '{}' of {} would be used twice, the second time from {} to {}", wanted + 1, group.name, device(),
                                  name(rule.from, fromOrdinal), name(rule.to, toOrdinal)),
                      index.empty() ? "give all rules of the group an index or none"
                                    : "correct the index mapping, or leave out with 'when' what comes twice");
    return port;
}

} // namespace hw
