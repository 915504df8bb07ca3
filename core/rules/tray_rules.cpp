// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/functions.h"

#include <algorithm>
#include <numbers>

#include <fmt/format.h>

namespace hw::rules {

namespace {

/// Cross-section of the cables in every tray section, in mm² (as circles), and their number.
struct SectionUse { double areaMm2 = 0; std::int64_t cables = 0; };

std::vector<SectionUse> sectionUse(const RuleInput& input)
{
    const Routing& routing = *input.figures.routing;
    const Cabling& cabling = *input.figures.cabling;
    std::vector<SectionUse> use(routing.sections().size());
    for (std::uint32_t pair = 0; pair < routing.pairs().size(); ++pair) {
        SectionUse bundle;
        for (const CableId id : cabling.cablesOfPair(pair)) {
            const auto type = cabling[id].type;
            const double diameter = type ? double(input.parts().cable(*type).diameter.value.count()) : 0.0;
            bundle.areaMm2 += diameter * diameter * std::numbers::pi / 4;
            ++bundle.cables;
        }
        if (bundle.cables == 0) continue;
        for (const auto section : routing.sectionsOf(pair)) {
            use[section].areaMm2 += bundle.areaMm2;
            use[section].cables += bundle.cables;
        }
    }
    return use;
}

} // namespace

std::vector<Finding> trayFill(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const auto use = sectionUse(input);
    std::vector<SectionUse> fullest(s.trays.nextId());
    for (std::size_t i = 0; i < use.size(); ++i) {
        const auto tray = input.figures.routing->sections()[i].tray;
        if (tray && use[i].areaMm2 > fullest[(*tray).value].areaMm2) fullest[(*tray).value] = use[i];
    }
    const double planned = input.threshold(kTrayPlanned), full = input.threshold(kTrayFull);
    std::vector<Finding> out;
    s.trays.forEach([&](TrayId tray) {
        const auto& spec = input.parts().tray(s.trays.type[tray]);
        const double section = double(spec.width.value.count()) * double(spec.height.value.count()) * std::max<int>(1, s.trays.count[tray]);
        const SectionUse& worst = fullest[tray.value];
        const double percent = section > 0 ? 100.0 * worst.areaMm2 / section : 0.0;
        if (percent <= planned) return;
        out.push_back({.severity = percent > full ? Severity::Error : Severity::Warning,
                       .message = fmt::format("{} is filled to {:.1f} % where it is fullest ({} cables, {:.0f} of {:.0f} mm²); {} is {:.3g} %",
                                              input.name(ref(tray)), percent, grouped(worst.cables), worst.areaMm2, section,
                                              percent > full ? "the limit" : "planned", percent > full ? full : planned),
                       .entities = {ref(tray)}, .id = findingId("K1", {input.subject(ref(tray))})});
    });
    return out;
}

std::vector<Finding> ceiling(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const double clearance = input.threshold(kCeilingClearance);
    std::vector<Finding> out;
    s.trays.forEach([&](TrayId tray) {
        const auto row = s.trays.row[tray];
        const Maybe<HallId> hall = row ? Maybe<HallId>(s.rows.hall[*row]) : s.trays.hall[tray];
        if (!hall || s.halls.sizeZ[*hall].count() <= 0) return;
        const auto line = input.figures.placement->tray(tray);
        const std::int32_t top = std::max(line.a.z, line.b.z) + input.parts().tray(s.trays.type[tray]).height.value.count();
        const std::int32_t left = input.figures.placement->hall(*hall).high.z - top;
        if (double(left) >= clearance) return;
        out.push_back({.severity = Severity::Warning,
                       .message = fmt::format("{} leaves {} mm under the ceiling of {}, {:.0f} mm are wanted", input.name(ref(tray)), left,
                                              input.name(ref(*hall)), clearance),
                       .entities = {ref(tray), ref(*hall)}, .id = findingId("S9", {input.subject(ref(tray))})});
    });
    return out;
}

} // namespace hw::rules
