// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/functions.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace hw::rules {

namespace {

struct Modules { std::uint32_t from, to, cable; auto operator<=>(const Modules&) const = default; };

/// Why two modules and a cable do not work together; empty when they do.
std::string fault(const ProjectParts& parts, const Cabling::Cable& cable, int splitFrom, int splitTo)
{
    const TransceiverSpec &a = parts.transceiver(*cable.moduleFrom), &b = parts.transceiver(*cable.moduleTo);
    const std::string both = parts[*cable.moduleFrom].slug + " and " + parts[*cable.moduleTo].slug;
    if (!interoperate(a, splitFrom, b, splitTo)) return both + " do not understand each other";
    if (!cable.type) return {};
    const CableSpec& cord = parts.cable(*cable.type);
    if (a.connector != cord.connector || b.connector != cord.connector)
        return fmt::format("{} do not take the connector of {}", both, parts[*cable.type].slug);
    return {};
}

} // namespace

/// Only what was chosen by hand can fail here; one finding per set of parts.
std::vector<Finding> opticPairs(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::map<Modules, std::pair<std::string, std::vector<EntityRef>>> faults;
    std::map<std::tuple<Modules, int, int>, std::string> known;
    s.cables.forEach([&](CableId id) {
        const auto& cable = (*input.figures.cabling)[id];
        const auto links = input.figures.cabling->linksOf(id);
        if (!cable.moduleFrom || !cable.moduleTo || links.empty()) return;
        const auto split = [&](PortId port) { return std::max<int>(1, s.cages.split[s.ports.cage[port]]); };
        const int from = split(s.links.from[links.front()]), to = split(s.links.to[links.front()]);
        const Modules set{(*cable.moduleFrom).value, (*cable.moduleTo).value, cable.type ? (*cable.type).value : 0xFFFFFFFFu};
        const auto [verdict, isNew] = known.try_emplace({set, from, to});
        if (isNew) verdict->second = fault(input.parts(), cable, from, to);
        if (verdict->second.empty()) return;
        auto& [text, entities] = faults[set];
        text = verdict->second;
        entities.push_back(ref(id));
    });
    std::vector<Finding> out;
    for (auto& [set, found] : faults) {
        auto& [text, entities] = found;
        const auto slug = [&](std::uint32_t type) { return type == 0xFFFFFFFFu ? std::string("none") : input.parts()[PartTypeId(type)].slug; };
        const std::string id = findingId("N3", {slug(set.from), slug(set.to), slug(set.cable)}) + cablesMark(input, entities);
        out.push_back({.message = fmt::format("{} ({})", text, counted(entities.size(), "cable")), .entities = std::move(entities), .id = id});
    }
    return out;
}

} // namespace hw::rules
