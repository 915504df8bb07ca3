// SPDX-License-Identifier: GPL-3.0-or-later
// One-line diagram, cooling loops, plans and elevations.
#include "core/output/document/parts.h"

#include "core/derived/cooling/chain.h"
#include "core/output/report/amounts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::document {
namespace {

using namespace amounts;

bool hasTier(const Snapshot& s, TierKind kind)
{
    bool found = false;
    s.devices.forEach([&](DeviceId id) { found = found || s.tiers.kind[s.devices.tier[id]] == kind; });
    return found;
}

/// A section with one drawing, or with why there is none.
Section drawn(const Text& title, const char* anchor, bool there, Figure figure, const Text& missing)
{
    Section section{title, 1, anchor, {}};
    if (there)
        section.blocks.push_back(std::move(figure));
    else
        section.blocks.push_back(Paragraph{missing});
    return section;
}

/// Rooms with racks or equipment in them, in the order of their buildings.
std::vector<HallId> roomsToDraw(const Snapshot& s)
{
    std::vector<char> used(s.halls.nextId(), 0);
    s.rows.forEach([&](RowId id) { used[s.rows.hall[id].value] = 1; });
    s.devices.forEach([&](DeviceId id) {
        if (const auto hall = s.devices.hall[id]) used[(*hall).value] = 1;
    });
    std::vector<HallId> halls;
    s.halls.forEach([&](HallId id) {
        if (used[id.value]) halls.push_back(id);
    });
    std::ranges::stable_sort(halls, {}, [&](HallId id) { return s.halls.building[id]; });
    return halls;
}

Text flowText(const CoolingLoop& loop)
{
    if (loop.kind == LoopKind::Air) return i18n("{:.0Lf} m³/s", loop.airM3s);
    return i18n("{:L} L/min", std::int64_t(std::llround(loop.lpm)));
}

Table loopsTable(const CoolingChain& chain)
{
    Table table;
    table.caption = i18n("Loops");
    table.columns = {
        {i18n("Loop"), 2.4},       {i18n("Coolant"), 0.6},          {i18n("Heat"), 0.9, true},        {i18n("Capacity"), 0.9, true},
        {i18n("Flow"), 0.9, true}, {i18n("Supply, °C"), 0.7, true}, {i18n("Return, °C"), 0.7, true},  {i18n("Units required"), 0.8, true},
        {i18n("Redundancy"), 0.9}, {i18n("Worst case"), 0.9, true}, {i18n("Ride-through"), 0.8, true}};
    for (const CoolingLoop& loop : chain.loops) {
        const Tone tone = loop.fits ? Tone::Good : loop.carries() ? Tone::Warning : Tone::Bad;
        table.rows.push_back(
            {{verbatim(loop.name), verbatim(loop.coolant), powerText(loop.heatW), loop.capacityW > 0 ? powerText(loop.capacityW) : verbatim("–"),
              flowText(loop), i18n("{:.1f}", loop.supplyC), i18n("{:.1f}", loop.returnC),
              loop.carries() || loop.units == 0 ? i18n("{} of {}", loop.running, loop.units) : i18n("more than {}", loop.units),
              Cell(verbatim(loop.redundancy()), tone), Cell(powerText(loop.worstW), loop.worstW < loop.heatW ? Tone::Warning : Tone::Plain),
              loop.rideThroughS > 0 ? i18n("{:.0f} s", loop.rideThroughS) : verbatim("–")}});
    }
    return table;
}

/// What a rack holds, so that racks compare: its cabinet, then each device with its place.
using Content = std::vector<std::array<std::int64_t, 4>>;

Content contentOf(const Figures& figures, RackId rack)
{
    const Snapshot& s = *figures.snapshot;
    Content content;
    for (const DeviceId id : figures.get<IndexNode>().devicesOfRack[rack.value])
        content.push_back({s.devices.u[id], std::int64_t(s.devices.face[id]), s.devices.type[id].value, std::int64_t(s.devices.role[id])});
    std::ranges::sort(content);
    content.insert(content.begin(), {s.racks.type[rack].value, 0, 0, 0});
    return content;
}

} // namespace

std::vector<RackType> distinctRacks(const Figures& figures)
{
    const Snapshot& s = *figures.snapshot;
    std::map<Content, std::size_t> numbers;
    std::vector<RackType> types;
    s.racks.forEach([&](RackId id) {
        const auto [at, fresh] = numbers.emplace(contentOf(figures, id), types.size());
        if (fresh) types.push_back({id, 0, {}});
        ++types[at->second].count;
        types[at->second].like.push_back(id);
    });
    std::ranges::stable_sort(types, std::greater(), &RackType::count);
    return types;
}

void addDrawings(const Input& in, std::vector<Section>& sections)
{
    const Snapshot& s = in.snapshot();
    sections.push_back(drawn(i18n("One-line diagram"), "one-line", hasTier(s, TierKind::Power) || in.report.power.itAtBasis().count() > 0,
                             {Drawing::OneLine, 0, i18n("Power chain from the utility to the racks"),
                              i18n("Identical elements are grouped; percentages are load over capacity at the worst single failure.")},
                             i18n("The design contains no power equipment or loads.")));
    sections.push_back(drawn(i18n("Cooling loops"), "cooling", hasTier(s, TierKind::Cooling),
                             {Drawing::Cooling, 0, i18n("Cooling loops from outside air to the cabinets"), i18n("Identical elements are grouped.")},
                             i18n("The design has no cooling equipment.")));
    if (const CoolingChain& chain = in.figures.get<CoolingChainNode>(); !chain.loops.empty())
        sections.push_back({i18n("Loop capacity and redundancy"), 2, "cooling.loops", {loopsTable(chain)}});
    sections.push_back({i18n("Plans"), 1, "plans", {}});
    if (s.halls.size() == 0 && s.buildings.size() == 0) {
        sections.back().blocks.push_back(Paragraph{i18n("The design contains no buildings.")});
        return;
    }
    sections.back().blocks.push_back(Figure{Drawing::Site, 0, i18n("Site plan"), {}});
    for (const HallId hall : roomsToDraw(s))
        sections.push_back({verbatim(s.buildings.name[s.halls.building[hall]] + " / " + s.halls.name[hall]),
                            2,
                            "plans." + std::to_string(hall.value),
                            {Figure{Drawing::Hall, hall.value, verbatim(s.halls.name[hall]), {}}}});
    if (s.trays.size() == 0) return;
    const Text caption = i18n("Cable trays, colored by fill");
    sections.push_back({i18n("Tray fill"), 2, "plans.trays", {Figure{Drawing::Trays, 0, caption, {}}}});
    std::vector<char> racked(s.halls.nextId(), 0);
    s.racks.forEach([&](RackId id) { racked[s.rows.hall[s.racks.row[id]].value] = 1; });
    for (const HallId hall : roomsToDraw(s))
        if (racked[hall.value])
            sections.push_back({i18n("Trays in {}", s.halls.name[hall]),
                                2,
                                "plans.trays." + std::to_string(hall.value),
                                {Figure{Drawing::HallTrays, hall.value, caption, i18n("The color scale covers all trays of the design.")}}});
}

void addRacks(const Input& in, std::vector<Section>& sections)
{
    constexpr std::size_t kMost = 40; // drawn; more are named
    Section section{i18n("Elevations"), 1, "elevations", {}};
    const auto types = distinctRacks(in.figures);
    if (types.empty()) {
        section.blocks.push_back(Paragraph{i18n("The design contains no racks.")});
        sections.push_back(std::move(section));
        return;
    }
    const Snapshot& s = in.snapshot();
    section.blocks.push_back(Paragraph{i18n("{} with {}; racks with identical contents and positions are drawn once.",
                                            i18np(std::int64_t(s.racks.size()), "{:L} rack", "{:L} racks"),
                                            i18np(std::int64_t(types.size()), "{:L} distinct layout", "{:L} distinct layouts"))});
    Gallery gallery;
    for (std::size_t i = 0; i < types.size() && i < kMost; ++i) {
        const RackType& type = types[i];
        std::vector<std::string> names;
        for (std::size_t n = 1; n < type.like.size() && n <= 6; ++n) names.push_back(s.racks.name[type.like[n]]);
        const Text like = type.count > std::int64_t(names.size()) + 1 ? i18n("also {} …", listedNames(names)) : i18n("also {}", listedNames(names));
        gallery.figures.push_back({Drawing::Rack, type.first.value, i18np(type.count, "{0:L} × {1}", "{0:L} × {1}", s.racks.name[type.first]),
                                   names.empty() ? i18n("unique") : like});
    }
    section.blocks.push_back(std::move(gallery));
    if (types.size() > kMost) {
        std::vector<std::string> rest;
        for (std::size_t i = kMost; i < types.size(); ++i) rest.push_back(s.racks.name[types[i].first]);
        section.blocks.push_back(Paragraph{i18n("Other distinct racks: {}.", listedNames(rest))});
    }
    sections.push_back(std::move(section));
}

} // namespace hw::document
