// SPDX-License-Identifier: GPL-3.0-or-later
// P16: short circuits at boards. P17: what the grid operator and the contract ask.
#include "core/derived/rules/grid_rules.h"

#include "core/derived/cooling/facility.h"
#include "core/derived/feeders/feeders.h"
#include "core/derived/feeders/grid.h"
#include "core/derived/rules/power_view.h"
#include "core/foundation/money/phases.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

double withstandAmps(const RuleInput& input, const FaultLevel& level)
{
    const PowerElement element = input.parts().device(input.snapshot().devices.type[level.at]).power.element;
    if (element != PowerElement::Switchgear && element != PowerElement::Switchboard) return 0;
    return std::max(0.0, input.threshold(level.volts > 1000 ? kMediumWithstand : kLowWithstand)) * 1000;
}

std::vector<Finding> faultLevels(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P16");
    for (const FaultLevel& level : faultLevelsOf(input.figures)) {
        const double limit = withstandAmps(input, level);
        if (limit <= 0 || level.most() <= limit) continue;
        groups.add("fault|" + v.like(level.at), ref(level.at), Severity::Error, level.most() / limit, [&] {
            return level.gridAmps >= level.setsAmps
                       ? i18n("{}: bolted three-phase short circuit {:.1f} kA from the grid, withstand {:.0f} kA; choose higher-rated equipment, "
                              "open the tie or limit the current",
                              v.name(level.at), level.gridAmps / 1000, limit / 1000)
                       : i18n("{}: bolted three-phase short circuit {:.1f} kA from generators in parallel, withstand {:.0f} kA; choose "
                              "higher-rated equipment or fewer sets on the bus",
                              v.name(level.at), level.setsAmps / 1000, limit / 1000);
        });
    }
    return groups.findings();
}

namespace {

void powerFactor(const PowerView& v, Groups& groups)
{
    const double least = v.input.threshold(kPowerFactor);
    if (least <= 0) return;
    constexpr double kIdle = 0.05; // of its worst load, assumed: a feed in reserve carries little but the magnetizing current of transformers
    for (const UtilityLoad& load : utilityLoadsOf(FeederLoads(v.input.figures, v.input.basis)))
        if (load.factor() < least && load.watts > kIdle * toWatts(v.worstLoad(load.at)))
            groups.add("factor|" + v.like(load.at), ref(load.at), Severity::Warning, 1 - load.factor(), [&] {
                return i18n("{}: power factor {:.3f} ({:.0f} kW, {:.0f} kvar), minimum {:.2f}; add compensation", v.name(load.at), load.factor(),
                            load.watts / 1000, load.vars / 1000, least);
            });
}

Finding ofSite(std::string_view what, Text message)
{
    return {.severity = Severity::Warning, .message = std::move(message), .id = findingId("P17", {what})};
}

void gridLimits(const RuleInput& input, double facilityW, std::vector<Finding>& out)
{
    const auto grid = gridOf(input.snapshot());
    if (!grid) {
        out.push_back(ofSite("grid", i18n("{}: {}; {}", grid.error().where, grid.error().what, grid.error().todo)));
        return;
    }
    if (!*grid || facilityW < (*grid)->fromMw * 1e6) return;
    const LoadSwing swing = loadSwing(input.figures, input.basis);
    const auto mw = [](double watts) { return watts / 1e6; };
    if ((*grid)->stepMw > 0 && mw(swing.within((*grid)->stepS)) > (*grid)->stepMw)
        out.push_back(ofSite("step", i18n("{}: job starts and stalls change the load by {:.1f} MW within {:g} s, limit {:g} MW; smooth the load of "
                                          "accelerators or add storage",
                                          (*grid)->title, mw(swing.within((*grid)->stepS)), (*grid)->stepS, (*grid)->stepMw)));
    if ((*grid)->rampMwPerMin > 0 && mw(swing.within(60)) > (*grid)->rampMwPerMin)
        out.push_back(ofSite("ramp", i18n("{}: job starts and stalls change the load by {:.1f} MW within a minute, limit {:g} MW; limit the ramp of "
                                          "jobs or add storage",
                                          (*grid)->title, mw(swing.within(60)), (*grid)->rampMwPerMin)));
}

} // namespace

std::vector<Finding> gridConnection(const RuleInput& input)
{
    const PowerView v(input);
    Groups groups(input, "P17");
    powerFactor(v, groups);
    auto out = groups.findings();
    const double facilityW = toWatts(pueOf(input.figures, input.basis).facility);
    gridLimits(input, facilityW, out);
    const auto steps = contractSteps(v.s);
    if (!steps) {
        out.push_back(ofSite("contract", i18n("{}: {}; {}", steps.error().where, steps.error().what, steps.error().todo)));
    } else if (!steps->empty()) {
        const int phase = PhaseIndex(v.s).numbers().back();
        const double contract = contractAt(v.s, *steps, phase);
        if (contract > 0 && facilityW > contract)
            out.push_back(ofSite(
                "contract",
                i18n("facility power in phase {}: {:.2f} MW ({} basis), contracted {:g} MW; agree on an increase with the utility before this phase",
                     phase, facilityW / 1e6, powerBasisName(input.basis), contract / 1e6)));
    }
    return out;
}

} // namespace hw::rules
