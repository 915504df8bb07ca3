// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/functions.h"

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

/// "tor – agg" or "connected by hand".
std::string ruleText(const RuleInput& input, Maybe<LinkRuleId> rule)
{
    const Snapshot& s = input.snapshot();
    return rule ? s.tiers.name[s.linkRules.from[*rule]] + " – " + s.tiers.name[s.linkRules.to[*rule]] : std::string("connected by hand");
}

struct Group {
    std::vector<CableId> cables;
    std::int32_t shortestMm = 0, longestMm = 0;
    CableId longest;
    void add(CableId id, std::int32_t lengthMm)
    {
        if (cables.empty() || lengthMm < shortestMm) shortestMm = lengthMm;
        if (cables.empty() || lengthMm > longestMm) { longestMm = lengthMm; longest = id; }
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

/// How far the chosen module carries over the chosen cable; nothing where the catalogue does not say.
std::optional<Millimetres> reachOf(const ProjectParts& parts, const Cabling::Cable& cable)
{
    if (cable.moduleFrom) {
        const auto& reach = parts.transceiver(*cable.moduleFrom).reach;
        if (!cable.type) {
            const auto best = std::ranges::max_element(reach, {}, [](const auto& entry) { return entry.second.value; });
            return best == reach.end() ? std::nullopt : std::optional(best->second.value);
        }
        const auto medium = reach.find(parts.cable(*cable.type).medium);
        return medium == reach.end() ? std::nullopt : std::optional(medium->second.value);
    }
    if (!cable.type || parts.cable(*cable.type).stocked.empty()) return std::nullopt;
    return parts.cable(*cable.type).stocked.back();
}

std::string lengths(const Group& g)
{
    return g.shortestMm == g.longestMm ? fmt::format("{:.4g} m", g.longestMm / 1000.0)
                                       : fmt::format("{:.4g} to {:.4g} m", g.shortestMm / 1000.0, g.longestMm / 1000.0);
}

} // namespace

/// One finding per (link rule, module, cable type), with every cable as an entity: a module that is too
/// weak fails on thousands of cables at once, and it is one decision to take or to accept.
std::vector<Finding> reach(const RuleInput& input)
{
    using Kind = std::array<std::uint32_t, 3>;
    const auto raw = [](auto maybe) { return maybe ? (*maybe).value : 0xFFFFFFFFu; };
    const Cabling& cabling = *input.figures.cabling;
    const ProjectParts& parts = input.parts();
    std::map<Kind, Group> groups;
    input.snapshot().cables.forEach([&](CableId id) {
        const auto& cable = cabling[id];
        if (cable.reachExceeded) groups[{raw(ruleOf(input, id)), raw(cable.moduleFrom), raw(cable.type)}].add(id, cable.lengthMm);
    });
    std::vector<Finding> out;
    for (const auto& [kind, group] : groups) {
        const auto& cable = cabling[group.longest];
        const auto rule = ruleOf(input, group.longest);
        const std::string part = cable.moduleFrom ? parts[*cable.moduleFrom].slug : cable.type ? parts[*cable.type].slug : "none";
        const auto limit = reachOf(parts, cable);
        Finding f{.entities = group.entities(), .id = findingId("N5", {ruleSubject(input, rule), part})};
        f.message = fmt::format("{} cable{} {} measure{} {}, ", grouped(std::int64_t(group.cables.size())), group.cables.size() == 1 ? "" : "s",
                                ruleText(input, rule), group.cables.size() == 1 ? "s" : "", lengths(group));
        f.message += part == "none" ? std::string("no module and cable of the catalogue reaches that far")
            : limit                 ? fmt::format("{} reaches {:.4g} m", part, toMetres(*limit))
                                    : fmt::format("{} has no reach over this cable", part);
        out.push_back(std::move(f));
    }
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
        out.push_back({.message = fmt::format("{} cable{} {} find{} no way through the trays", grouped(std::int64_t(group.cables.size())),
                                              group.cables.size() == 1 ? "" : "s", ruleText(input, rule), group.cables.size() == 1 ? "s" : ""),
                       .entities = group.entities(), .id = findingId("K6", {ruleSubject(input, rule)})});
    }
    return out;
}

} // namespace hw::rules
