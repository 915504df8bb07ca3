// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/tray_load.h"
#include "core/derived/rules/functions.h"

#include <algorithm>

namespace hw::rules {

std::vector<Finding> trayFill(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    const auto& loads = input.figures.get<TrayLoadNode>();
    const double planned = 10 * input.threshold(kTrayPlanned), full = 10 * input.threshold(kTrayFull);
    std::vector<Finding> out;
    s.trays.forEach([&](TrayId tray) {
        const TrayLoad::Of& worst = loads[tray.value].all;
        const std::int32_t permille = fillPermille(s, input.parts(), tray, loads[tray.value]);
        if (permille <= planned) return;
        const bool over = permille > full;
        const double percent = (over ? full : planned) / 10.0;
        const Text limit = over ? i18n("limit {:.3g} %", percent) : i18n("planned {:.3g} %", percent);
        out.push_back({.severity = over ? Severity::Error : Severity::Warning,
                       .message = i18np(worst.cables, "{1}: maximum fill {2:.1f} % with {0:L} cable; {3}",
                                        "{1}: maximum fill {2:.1f} % with {0:L} cables; {3}", input.name(ref(tray)), permille / 10.0, limit),
                       .entities = {ref(tray)},
                       .id = findingId("K1", {input.subject(ref(tray))})});
    });
    return together(std::move(out), trayWeight(input), turnedAside(input));
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
                       .message = i18n("{} has {} mm of clearance below the ceiling of {}; required: {:.0f} mm", input.name(ref(tray)), left,
                                       input.name(ref(*hall)), clearance),
                       .entities = {ref(tray), ref(*hall)},
                       .id = findingId("S9", {input.subject(ref(tray))})});
    });
    return out;
}

} // namespace hw::rules
