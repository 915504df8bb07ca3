// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/sizing/panels_of_size.h"

#include <algorithm>

namespace hw::sizing {

namespace {

std::int64_t upwards(std::int64_t sum, std::int64_t each) { return (sum + each - 1) / each; }

} // namespace

PanelsOfRule panelsOfRule(TemplateCounter& counter, const TemplateCount& count, std::size_t number, const SitePlan& site, const Catalog& catalog)
{
    const TemplateCount::Rule& rule = count.rules[number];
    const auto& panel = std::get<DeviceSpec>(catalog.find(rule.panels->panel)->spec);
    PanelsOfRule out;
    out.panelPrice = panel.price;
    out.trunk = rule.panels->trunk;
    const int each = out.trunk.empty() ? 1 : std::get<CableSpec>(catalog.find(out.trunk)->spec).positions * panel.panel.perRear;
    const auto placeOf = [&](std::size_t tier, std::size_t member) -> std::optional<std::uint32_t> {
        const auto spot = counter.spot(site, tier, member);
        if (!spot) return std::nullopt;
        return rule.panels->byRow ? site.places->racks.row[spot->rack].value : spot->rack.value;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> links; // by lower and upper place
    for (const LinkSample& link : counter.sampleLinks(number, std::size_t(rule.links)))
        if (const auto a = placeOf(rule.from, link.fromMember), b = placeOf(rule.to, link.toMember); a && b) ++links[{*a, *b}];
    std::map<std::pair<bool, std::uint32_t>, std::int64_t> chunks; // of positions that are taken together, by side and place
    for (const auto& [places, between] : links) {
        const std::int64_t cords = upwards(between * rule.cables, rule.links), together = upwards(cords, each);
        out.cords += 2 * cords;
        if (!out.trunk.empty()) out.trunks += together, chunks[{true, places.first}] += together;
        chunks[{false, places.second}] += together;
    }
    const int ofPanel = std::max(panel.panel.positions / each, 1);
    for (const auto& [place, taken] : chunks) out.panels += upwards(taken, ofPanel);
    return out;
}

} // namespace hw::sizing
