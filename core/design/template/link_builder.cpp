// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/template/link_builder.h"

#include <algorithm>

#include <fmt/format.h>

namespace hw {

/// A link rule with the ends of its links.
struct LinkBuilder::Rule : bound::Rule {
    Rule(const LinkSpec& spec, MadeTier& a, MadeTier& b, Scope& constants)
        : bound::Rule(spec, a.bound->set, b.bound->set, constants), from(a), to(b), fromGroup(group(true)), toGroup(group(false))
    {
    }
    const MadeTier &from, &to;
    const PortGroupLayout &fromGroup, &toGroup;
    LinkRuleId id{};
    std::size_t dealtOver = 0; ///< links that did not divide so far: the next device goes on after them
    bool notedUneven = false;
    std::uint16_t ordinal = 0;

    /// Whether any turn of the loops wants a link from here to the target in the scope.
    [[nodiscard]] bool wanted()
    {
        if (loopsMoveTarget()) return when(); // the turn is set
        for (std::int64_t turn = 0; turn < turns(); ++turn) {
            assignTurn(turn);
            if (when()) return true;
        }
        return false;
    }

private:
    [[nodiscard]] const PortGroupLayout& group(bool lower) const
    {
        for (const auto& group : (lower ? from : to).groups)
            if (group.name == (lower ? spec().fromGroup : spec().toGroup)) return group;
        throw bound::noPortGroup(spec(), lower);
    }
};

namespace {

MadeTier& tierOf(std::map<std::string, MadeTier>& tiers, const std::string& name, const LinkSpec& spec)
{
    const auto found = tiers.find(name);
    if (found == tiers.end()) throw mistake(spec.where, i18n("unknown tier '{}'", name), i18n("declare it under 'tiers'"));
    return found->second;
}

constexpr std::int64_t kMostWork = 60'000'000; ///< pairs of devices and loops that the rules of a design look at

} // namespace

void LinkBuilder::run()
{
    m_used.assign(m.out->ports.nextId(), 0);
    m_nextFree.assign(m.out->ports.nextId(), 0);
    for (const auto& spec : m.spec.links) build(spec);
    m.step(0.9, TextId("Cabling"));
    makeCables();
}

void LinkBuilder::build(const LinkSpec& spec)
{
    MadeTier &from = tierOf(m.tiers, spec.from, spec), &to = tierOf(m.tiers, spec.to, spec);
    if (!from.bound || !to.bound) return;
    Rule rule(spec, from, to, m.constants.scope());
    const auto* network = rule.field("network");
    if (rule.fromGroup.absent || rule.toGroup.absent || (network && m.networks->absent(network->text))) return;
    rule.refresh();
    checkNetworks(rule);
    writeRule(rule);
    for (std::size_t member = 0; member < from.devices.size(); ++member) {
        if (from.devices[member] == kNoRow) continue;
        if (member % 256 == 0) m.step(0.5 + 0.4 * double(member) / double(from.devices.size()), TextId("Wiring"));
        rule.assignLower(member);
        if (spec.spread)
            spreadMember(rule, member);
        else
            joinMember(rule, member);
    }
}

void LinkBuilder::checkNetworks(const Rule& rule) const
{
    const auto a = rule.fromGroup.network, b = rule.toGroup.network;
    if (rule.medium() == Medium::Data && !(a && b)) throw bound::noNetwork(rule.spec(), !a);
    if (rule.medium() == Medium::Data && !(a == b)) throw bound::twoNetworks(rule.spec(), m.networks->name(*a), m.networks->name(*b));
    const auto* own = rule.field("network");
    if (own && a && !(a == m.networks->id(*own)))
        throw refusal(own->where, i18n("the rule belongs to network '{}', but its ports belong to network '{}'", own->text, m.networks->name(*a)),
                      i18n("specify the network of the ports"));
}

void LinkBuilder::writeRule(Rule& rule)
{
    Maybe<NetworkId> network;
    if (const auto* own = rule.field("network"))
        network = m.networks->id(*own);
    else if (rule.medium() == Medium::Data)
        network = rule.fromGroup.network ? rule.fromGroup.network : rule.toGroup.network;
    rule.id = m.builder.linkRule({.key = rule.spec().name, .network = network, .from = rule.from.id, .to = rule.to.id, .medium = rule.medium()});
}

void LinkBuilder::countWork(const Rule& rule, std::int64_t pairs)
{
    m_work += pairs;
    if (m_work > kMostWork)
        throw refusal(rule.spec().where, i18n("the rules compare more than {} device pairs", kMostWork),
                      i18n("let the tiers share more coordinates, or reduce their size"));
}

template <class F>
void LinkBuilder::forEachTarget(Rule& rule, F&& f)
{
    const auto& free = rule.free();
    const std::size_t first = rule.lowerVariables();
    std::vector<std::int64_t> value(free.size(), 0);
    for (std::size_t i = 0; i < free.size(); ++i) {
        if (rule.extent(first + i) == 0) return;
        rule.assign(first + i, 0);
    }
    const auto visit = [&] {
        rule.follow(rule.all());
        const auto outside = rule.outside();
        countWork(rule, 1);
        if (outside && rule.wanted()) throw noTarget(rule, *outside);
        if (outside) return;
        if (const std::size_t target = rule.upperOrdinal(); rule.to.devices[target] != kNoRow) f(target);
    };
    // Free coordinates count up like an odometer; the others are fixed or follow from them.
    for (;;) {
        for (std::int64_t turn = 0; turn < (rule.loopsMoveTarget() ? rule.turns() : 1); ++turn) {
            if (rule.loopsMoveTarget()) rule.assignTurn(turn);
            visit();
        }
        std::size_t i = free.size();
        while (i-- > 0) {
            value[i] = value[i] + 1 < rule.extent(first + i) ? value[i] + 1 : 0;
            rule.assign(first + i, value[i]);
            if (value[i] != 0) break;
        }
        if (i == SIZE_MAX) return;
    }
}

TemplateFailure LinkBuilder::noTarget(Rule& rule, std::size_t coordinate)
{
    const bound::Set& set = rule.to.bound->set;
    return bound::noTarget(rule.spec(), set.coordinates()[coordinate], rule.upper(coordinate), set.extents()[coordinate]);
}

void LinkBuilder::joinMember(Rule& rule, std::size_t fromOrdinal)
{
    if (!rule.loopsMoveTarget()) {
        forEachTarget(rule, [&](std::size_t toOrdinal) { connect(rule, fromOrdinal, toOrdinal); });
        return;
    }
    std::map<std::size_t, std::uint16_t> links; // so far, by target
    forEachTarget(rule, [&](std::size_t toOrdinal) {
        if (!rule.when()) return;
        rule.ordinal = links[toOrdinal]++;
        makeLink(rule, fromOrdinal, toOrdinal);
    });
}

void LinkBuilder::spreadMember(Rule& rule, std::size_t fromOrdinal)
{
    std::vector<std::size_t> targets;
    forEachTarget(rule, [&](std::size_t toOrdinal) {
        if (rule.when()) targets.push_back(toOrdinal);
    });
    if (targets.empty()) return;
    const std::int64_t ports = rule.portsToDeal(rule.fromGroup.count);
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
    m.out->putSetting("wiring." + rule.spec().name + ".uneven",
                      words(i18n("each {} distributes {} ports across {} {}: {} of them get {}, {} get {}", rule.spec().from, ports, targets,
                                 rule.spec().to, rest, each + 1, std::int64_t(targets) - rest, each)));
}

void LinkBuilder::connect(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal)
{
    rule.ordinal = 0;
    countWork(rule, rule.turns());
    for (std::int64_t turn = 0; turn < rule.turns(); ++turn) {
        rule.assignTurn(turn);
        if (rule.when()) makeLink(rule, fromOrdinal, toOrdinal);
    }
}

void LinkBuilder::makeLink(Rule& rule, std::size_t fromOrdinal, std::size_t toOrdinal)
{
    const auto& out = *m.out;
    if (&rule.from == &rule.to && fromOrdinal == toOrdinal)
        throw refusal(rule.spec().where, i18n("{} would be connected to itself", out.devices.name[DeviceId(rule.from.devices[fromOrdinal])]),
                      i18n("exclude that link with 'when'"));
    const PortId a = takePort(rule, true, fromOrdinal, toOrdinal), b = takePort(rule, false, fromOrdinal, toOrdinal);
    if (out.ports.rate[a] != out.ports.rate[b])
        throw refusal(rule.spec().where,
                      i18n("a {} Gb/s port of '{}' is connected to a {} Gb/s port of '{}'", out.ports.rate[a].count(), rule.spec().from,
                           out.ports.rate[b].count(), rule.spec().to),
                      i18n("break out the ports so that the speeds match"));
    (void)m.builder.link({.rule = rule.id, .from = a, .to = b, .ordinal = rule.ordinal++, .role = rule.role()});
}

PortId LinkBuilder::takePort(Rule& rule, bool from, std::size_t fromOrdinal, std::size_t toOrdinal)
{
    const std::size_t ordinal = from ? fromOrdinal : toOrdinal;
    const auto& tier = from ? rule.from : rule.to;
    const auto& group = from ? rule.fromGroup : rule.toGroup;
    const std::uint32_t first = tier.firstPort[ordinal] + group.offset;
    const std::int64_t wanted = rule.hasIndex(from) ? rule.index(from) : group.count ? std::int64_t(m_nextFree[first]++) : 0;
    const auto name = [&](const auto& instance, std::size_t member) { return m.out->devices.name[DeviceId(instance.devices[member])]; };
    const auto device = [&] { return name(tier, ordinal); };
    if (wanted < 0 || wanted >= std::int64_t(group.count))
        throw refusal(rule.spec().where, i18n("{} has {} '{}' ports, but this rule requires port {}", device(), group.count, group.name, wanted + 1),
                      i18n("use fewer links or a device with more ports"));
    const PortId port(first + std::uint32_t(wanted));
    if (std::exchange(m_used[port.value], 1))
        throw refusal(rule.spec().where,
                      i18n("port {} of group '{}' on {} would be used twice, the second time for link {} – {}", wanted + 1, group.name, device(),
                           name(rule.from, fromOrdinal), name(rule.to, toOrdinal)),
                      !rule.hasIndex(from) ? i18n("set an index on all rules of the group or on none")
                                           : i18n("correct the index mapping, or exclude duplicates with 'when'"));
    return port;
}

} // namespace hw
