// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/uncabled.h"
#include "core/derived/rules/functions.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// The rule of the template that made a cable's links; none for cables connected by hand.
Maybe<LinkRuleId> ruleOf(const RuleInput& input, CableId cable)
{
    const auto links = input.figures.cabling->linksOf(cable);
    return links.empty() ? Maybe<LinkRuleId>() : input.snapshot().links.rule[links.front()];
}

std::string ruleSubject(const RuleInput& input, Maybe<LinkRuleId> rule)
{
    return rule ? input.snapshot().linkRules.key[*rule] : std::string("by-hand");
}

struct Group {
    std::vector<CableId> cables;
    std::int32_t shortestMm = 0, longestMm = 0;
    CableId longest;
    void add(CableId id, std::int32_t lengthMm)
    {
        if (cables.empty() || lengthMm < shortestMm) shortestMm = lengthMm;
        if (cables.empty() || lengthMm > longestMm) {
            longestMm = lengthMm;
            longest = id;
        }
        cables.push_back(id);
    }
    /// The longest cable first: it is the one to look at.
    [[nodiscard]] std::vector<EntityRef> entities() const
    {
        std::vector<EntityRef> out{ref(longest)};
        for (const CableId id : cables)
            if (id != longest) out.push_back(ref(id));
        return out;
    }
};

/// What ends a cable's reach: a part and how far it carries. No part: nothing in the catalog fits.
struct Limit {
    Maybe<PartTypeId> part;
    std::optional<Millimeters> reach;
};

std::optional<Millimeters> reachOver(const TransceiverSpec& module, const std::string& medium)
{
    const auto found = module.reach.find(medium);
    return found == module.reach.end() ? std::nullopt : std::optional(found->second.value);
}

/// The weaker of the two modules over this cable; without modules the longest piece of cable sold.
Limit limitOf(const ProjectParts& parts, const Cabling::Cable& cable)
{
    if (!cable.type) return {cable.moduleFrom, std::nullopt};
    const CableSpec& spec = parts.cable(*cable.type);
    Limit weaker;
    for (const auto module : {cable.moduleFrom, cable.moduleTo}) {
        if (!module) continue;
        const auto reach = reachOver(parts.transceiver(*module), spec.medium);
        if (!weaker.part || reach < weaker.reach) weaker = {module, reach};
    }
    if (weaker.part) return weaker;
    if (!spec.fits.empty()) return {cable.type, spec.reach.value};
    return {cable.type, spec.stocked.empty() ? std::nullopt : std::optional(spec.stocked.back())};
}

/// Of all cables of its links together.
std::int32_t channelMm(const RuleInput& input, CableId cable)
{
    const auto links = input.figures.cabling->linksOf(cable);
    return links.empty() ? (*input.figures.cabling)[cable].lengthMm : std::int32_t(input.figures.cabling->channelMm(input.snapshot(), links.front()));
}

/// It is the loss that ends it: rule N6 says so.
bool withinReach(const ProjectParts& parts, const Cabling::Cable& cable, std::int32_t lengthMm)
{
    const Limit limit = limitOf(parts, cable);
    return cable.type && cable.moduleFrom && limit.reach && lengthMm <= (*limit.reach).count();
}

Text lengths(const Group& g)
{
    return g.shortestMm == g.longestMm ? lengthText(g.longestMm) : i18n("{} to {}", lengthText(g.shortestMm), lengthText(g.longestMm));
}

} // namespace

namespace {

std::string linksMark(const RuleInput& input, std::span<const LinkId> links)
{
    const Snapshot& s = input.snapshot();
    const auto deviceKey = [&](PortId port) {
        const DeviceId device = s.ports.device[port];
        return keyOrId(s.devices.key[device], device.value);
    };
    std::vector<std::string> keys;
    for (const LinkId link : links)
        keys.push_back(fmt::format("{}|{}|{}", deviceKey(s.links.from[link]), deviceKey(s.links.to[link]), s.links.ordinal[link]));
    return groupMark(std::move(keys));
}

} // namespace

std::string cablesMark(const RuleInput& input, std::span<const EntityRef> cables)
{
    std::vector<LinkId> links;
    for (const EntityRef cable : cables) {
        const auto of = input.figures.cabling->linksOf(CableId(cable.id));
        links.insert(links.end(), of.begin(), of.end());
    }
    return linksMark(input, links);
}

/// One finding per link rule and reason.
std::vector<Finding> withoutCable(const RuleInput& input, std::string_view rule, NoCableReason::Cause cause)
{
    std::vector<Finding> out;
    for (const auto& gap : input.figures.get<UncabledNode>()) {
        if (gap.noRoute || gap.why.cause != cause) continue;
        Finding f;
        f.message =
            i18np(gap.links.size(), "{:L} link {} without cable and transceivers: {}; {}", "{:L} links {} without cables and transceivers: {}; {}",
                  tiersJoined(input.snapshot(), gap.rule), gap.why.what, gap.why.todo);
        for (const CableId cable : gap.cables) f.entities.push_back(ref(cable));
        if (gap.cables.empty())
            for (const LinkId link : gap.links) f.entities.push_back(ref(link));
        f.id = findingId(rule, {"none", ruleSubject(input, gap.rule)}) + linksMark(input, gap.links);
        out.push_back(std::move(f));
    }
    return out;
}

/// One finding per (link rule, limiting module, cable type), with every cable as an entity: a module that
/// is too weak fails on thousands of cables at once, and it is one decision to take or to accept.
std::vector<Finding> reach(const RuleInput& input)
{
    using Kind = std::array<std::uint32_t, 3>;
    const auto raw = [](auto maybe) { return maybe ? (*maybe).value : 0xFFFFFFFFu; };
    const Cabling& cabling = *input.figures.cabling;
    const ProjectParts& parts = input.parts();
    std::map<Kind, Group> groups;
    input.snapshot().cables.forEach([&](CableId id) {
        const auto& cable = cabling[id];
        if (!cable.reachExceeded) return;
        const auto lengthMm = channelMm(input, id);
        if (!withinReach(parts, cable, lengthMm))
            groups[{raw(ruleOf(input, id)), raw(limitOf(parts, cable).part), raw(cable.type)}].add(id, lengthMm);
    });
    std::vector<Finding> out;
    for (const auto& [kind, group] : groups) {
        const auto rule = ruleOf(input, group.longest);
        const Limit limit = limitOf(parts, cabling[group.longest]);
        const std::string part = limit.part ? parts[*limit.part].slug : "none";
        const Text medium = cabling[group.longest].type ? verbatim(parts[*cabling[group.longest].type].slug) : i18n("any cable");
        Finding f{.entities = group.entities()};
        f.id = findingId("N5", {ruleSubject(input, rule), part}) + cablesMark(input, f.entities);
        const Text why = !limit.part   ? i18n("no module and cable of the project have this reach")
                         : limit.reach ? i18n("{} reaches {} over {}", part, lengthText((*limit.reach).count()), medium)
                                       : i18n("{} is not compatible with {}", part, medium);
        f.message = i18np(group.cables.size(), "{:L} cable {}, length {}: {}", "{:L} cables {}, length {}: {}", tiersJoined(input.snapshot(), rule),
                          lengths(group), why);
        out.push_back(std::move(f));
    }
    std::ranges::move(withoutCable(input, "N5", NoCableReason::Cause::Reach), std::back_inserter(out));
    return out;
}

/// A length that was set by hand and does not even cover the way along the trays, without any slack.
std::vector<Finding> cableLengths(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out;
    s.cables.forEach([&](CableId id) {
        const auto& cable = (*input.figures.cabling)[id];
        const std::int32_t set = s.cables.length[id].count();
        const auto links = input.figures.cabling->linksOf(id);
        if (set <= 0 || cable.noRoute || set >= cable.routeMm || links.empty()) return;
        const LinkId link = links.front();
        const EntityRef from = ref(s.links.from[link]), to = ref(s.links.to[link]);
        out.push_back({.message = i18n("{} from {} to {} is set to {}, but its route requires {}", input.name(ref(id)), input.name(from),
                                       input.name(to), lengthText(set), lengthText(cable.routeMm)),
                       .entities = {ref(id), from, to},
                       .id = findingId("K3", {input.subject(from), input.subject(to)})});
    });
    return out;
}

/// One finding per link rule.
std::vector<Finding> cablePaths(const RuleInput& input)
{
    std::map<std::uint32_t, Group> groups;
    input.snapshot().cables.forEach([&](CableId id) {
        if (!(*input.figures.cabling)[id].noRoute) return;
        const auto rule = ruleOf(input, id);
        groups[rule ? (*rule).value : 0xFFFFFFFFu].add(id, 0);
    });
    std::vector<Finding> out;
    for (const auto& [key, group] : groups) {
        const auto rule = ruleOf(input, group.longest);
        Finding f{.message = i18np(group.cables.size(), "no tray route for {:L} cable {}", "no tray route for {:L} cables {}",
                                   tiersJoined(input.snapshot(), rule)),
                  .entities = group.entities()};
        f.id = findingId("K6", {ruleSubject(input, rule)}) + cablesMark(input, f.entities);
        out.push_back(std::move(f));
    }
    return together(std::move(out), supplyPaths(input));
}

} // namespace hw::rules
