// SPDX-License-Identifier: GPL-3.0-or-later
// Trays over all media. K1: weight, and cables that turn aside. K2: bend radius. K6: feeders without a way. K7: both sides in one tray.
#include "core/derived/figures/tray_load.h"
#include "core/derived/rules/functions.h"
#include "core/derived/rules/groups.h"
#include "core/foundation/model/places.h"

#include <algorithm>
#include <map>

namespace hw::rules {

namespace {

std::string tiersOfLine(const Snapshot& s, const SupplyLine& line)
{
    return s.tiers.key[s.devices.tier[line.consumer]] + '|' + s.tiers.key[s.devices.tier[line.supplier]];
}

Maybe<HallId> hallOfTray(const Snapshot& s, TrayId tray)
{
    const auto row = s.trays.row[tray];
    return row ? Maybe<HallId>(s.rows.hall[*row]) : s.trays.hall[tray];
}

std::string hallSubject(const RuleInput& input, TrayId tray)
{
    const auto hall = hallOfTray(input.snapshot(), tray);
    return hall ? input.subject(ref(*hall)) : std::string("campus");
}

/// The least radius that a cable may be laid with, mm: what its type states, else so many diameters.
double bendOf(const CableSpec& cable, double factor)
{
    return cable.bend.value.count() > 0 ? double(cable.bend.value.count()) : factor * cable.diameter.value.count();
}

/// Trays one after the other on a way.
std::vector<TrayId> traysInTurn(const Routing& routing, const std::vector<std::uint32_t>& sections)
{
    std::vector<TrayId> trays;
    for (const std::uint32_t section : sections)
        if (const auto tray = routing.sections()[section].tray; tray && (trays.empty() || !(trays.back() == *tray))) trays.push_back(*tray);
    return trays;
}

/// Where a way turns from tray to tray, against the narrower of both.
class Bends {
public:
    Bends(const RuleInput& input, Groups& groups) : m_input(input), m_groups(groups)
    {
        const Snapshot& s = input.snapshot();
        s.trays.forEach([&](TrayId id) { m_least = std::min(m_least, widthOf(id)); });
    }
    /// The narrowest tray of the design turns so much: what wants less is fine everywhere.
    [[nodiscard]] bool always(double radius) const { return radius <= m_least; }
    void look(const Routing& routing, const std::vector<std::uint32_t>& sections, double radius, PartTypeId type)
    {
        const auto trays = traysInTurn(routing, sections);
        for (std::size_t i = 1; i < trays.size(); ++i) {
            const TrayId narrow = widthOf(trays[i]) < widthOf(trays[i - 1]) ? trays[i] : trays[i - 1];
            if (radius <= widthOf(narrow)) continue;
            const std::string slug = m_input.parts()[type].slug;
            m_groups.add(slug, ref(narrow), Severity::Error, radius - widthOf(narrow), [&] {
                return i18n("{} bends where its route leaves or enters {}, whose fittings have a radius of {:.0f} mm; minimum "
                            "bend radius: {:.0f} mm",
                            slug, m_input.name(ref(narrow)), widthOf(narrow), radius);
            });
        }
    }

private:
    [[nodiscard]] double widthOf(TrayId id) const { return m_input.parts().tray(m_input.snapshot().trays.type[id]).width.value.count(); }
    const RuleInput& m_input;
    Groups& m_groups;
    double m_least = 1e9;
};

} // namespace

std::vector<Finding> trayWeight(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const auto& loads = input.figures.get<TrayLoadNode>();
    std::vector<Finding> out;
    s.trays.forEach([&](TrayId tray) {
        const std::int64_t bears = bearsGrams(s, input.parts(), tray), grams = loads[tray.value].all.grams;
        if (bears <= 0 || grams <= bears) return;
        out.push_back({.message = i18n("{} carries {:.1f} kg/m at the most loaded point, rating {:.1f} kg/m", input.name(ref(tray)),
                                       double(grams) / 1000, double(bears) / 1000),
                       .entities = {ref(tray)},
                       .id = findingId("K1", {"weight", input.subject(ref(tray))})});
    });
    return out;
}

/// What does not go the shortest way, so that nobody wonders about its length.
std::vector<Finding> turnedAside(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    struct Aside {
        std::int64_t ways = 0;
        std::int32_t mostMm = 0;
    };
    std::map<TrayId, Aside> trays;
    const auto& supply = input.figures.get<SupplyNode>();
    const Routing& data = *input.figures.routing;
    for (const Routing* routing : {&data, &supply.routing(Medium::Power), &supply.routing(Medium::Coolant)})
        for (const Routing::Detour& detour : routing->detours()) {
            Aside& aside = trays[detour.full];
            ++aside.ways;
            aside.mostMm = std::max(aside.mostMm, detour.moreMm);
        }
    std::vector<Finding> out;
    for (const auto& [tray, aside] : trays) {
        if (!s.trays.contains(tray)) continue;
        out.push_back({.severity = Severity::Info,
                       .message = i18np(aside.ways, "{1} is full: {0:L} route bypasses it, up to {2} longer",
                                        "{1} is full: {0:L} routes bypass it, up to {2} longer", input.name(ref(tray)), lengthText(aside.mostMm)),
                       .entities = {ref(tray)},
                       .id = findingId("K1", {"aside", input.subject(ref(tray))})});
    }
    return out;
}

std::vector<Finding> bendRadius(const RuleInput& input)
{
    const double factor = input.threshold(kBendFactor);
    const ProjectParts& parts = input.parts();
    Groups groups(input, "K2");
    Bends bends(input, groups);
    const auto& supply = input.figures.get<SupplyNode>();
    for (const SupplyLine& line : supply.lines()) {
        if (!line.size.type || line.pair == Routing::kNoPair) continue;
        const double radius = bendOf(parts.cable(*line.size.type), factor);
        if (!bends.always(radius)) bends.look(supply.routing(line.medium), supply.sectionsOf(line), radius, *line.size.type);
    }
    const Routing& routing = *input.figures.routing;
    std::vector<double> radii(parts.size(), -1);
    for (std::uint32_t pair = 0; pair < routing.pairs().size(); ++pair) {
        Maybe<PartTypeId> stiffest;
        for (const CableId cable : input.figures.cabling->cablesOfPair(pair)) {
            const auto type = (*input.figures.cabling)[cable].type;
            if (!type) continue;
            double& radius = radii[(*type).value];
            if (radius < 0) radius = bendOf(parts.cable(*type), factor);
            if (!stiffest || radius > radii[(*stiffest).value]) stiffest = type;
        }
        if (stiffest && !bends.always(radii[(*stiffest).value])) bends.look(routing, routing.sectionsOf(pair), radii[(*stiffest).value], *stiffest);
    }
    return groups.findings();
}

/// One finding per pair of tiers.
std::vector<Finding> supplyPaths(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::map<std::string, std::vector<const SupplyLine*>> groups;
    for (const SupplyLine& line : input.figures.get<SupplyNode>().lines())
        if (line.noWay) groups[tiersOfLine(s, line)].push_back(&line);
    std::vector<Finding> out;
    for (const auto& [tiers, lines] : groups) {
        const SupplyLine& first = *lines.front();
        Finding f{.message = i18np(lines.size(), "no tray route for {0:L} feeder, from {1} to {2}",
                                   "no tray route for {0:L} feeders, for example from {1} to {2}", input.name(ref(first.supplier)),
                                   input.name(ref(first.consumer)))};
        std::vector<std::string> keys;
        for (const SupplyLine* line : lines) {
            f.entities.push_back(ref(line->link));
            keys.push_back(keyOrId(s.devices.key[line->consumer], line->consumer.value) + '|' +
                           keyOrId(s.devices.key[line->supplier], line->supplier.value));
        }
        f.id = findingId("K6", {"feeder", tiers}) + groupMark(std::move(keys));
        out.push_back(std::move(f));
    }
    return out;
}

/// Feeders of two sides in one piece of tray, duct or riser.
std::vector<Finding> feedersTogether(const RuleInput& input)
{
    const auto& supply = input.figures.get<SupplyNode>();
    const Routing& routing = supply.routing(Medium::Power);
    struct Sides {
        const SupplyLine *first = nullptr, *other = nullptr;
    };
    std::vector<Sides> sections(routing.sections().size());
    for (const SupplyLine& line : supply.lines()) {
        if (line.medium != Medium::Power || line.side == 0) continue;
        for (const std::uint32_t section : supply.sectionsOf(line)) {
            Sides& sides = sections[section];
            if (!sides.first)
                sides.first = &line;
            else if (sides.first->side != line.side && !sides.other)
                sides.other = &line;
        }
    }
    std::map<TrayId, Sides> trays;
    for (std::size_t i = 0; i < sections.size(); ++i)
        if (const auto tray = routing.sections()[i].tray; tray && sections[i].other) trays.try_emplace(*tray, sections[i]);
    Groups groups(input, "K7");
    for (const auto& [tray, sides] : trays)
        groups.add("feeders|" + hallSubject(input, tray), ref(tray), Severity::Warning, 0, [&, tray = tray, sides = sides] {
            return i18n("{} carries A and B feeders, for example those of {} and {}: both fail together", input.name(ref(tray)),
                        input.name(ref(sides.first->consumer)), input.name(ref(sides.other->consumer)));
        });
    return groups.findings();
}

} // namespace hw::rules
