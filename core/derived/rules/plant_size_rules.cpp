// SPDX-License-Identifier: GPL-3.0-or-later
// P18 to P20: oversized plant, sets that run almost empty, and what both feeds have in common. C13: headers that take a loop.
#include "core/derived/cooling/survey.h"
#include "core/derived/installed/plant_sizes.h"
#include "core/derived/rules/cooling_view.h"
#include "core/derived/rules/power_view.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

std::vector<Finding> oversizedPlant(const RuleInput& input)
{
    const double most = input.threshold(kOversized);
    std::vector<Finding> out;
    for (const PlantSize& size : plantSizes(input.figures, input.basis)) {
        if (size.ratio() <= most) continue;
        out.push_back(
            {.severity = Severity::Info,
             .message = i18n("{}: installed {}, required {} (ratio {:.1f}, limit {:.1f}), with any one unit or feed lost {} (ratio {:.1f}); choose "
                             "smaller units or a different redundancy scheme",
                             plantPartText(size.part), wattsText(size.installedW), wattsText(size.neededW), size.ratio(), most,
                             wattsText(size.worstW), size.worstRatio()),
             .id = findingId("P18", {wordOf(size.part)})});
    }
    return out;
}

std::vector<Finding> lowGeneratorLoad(const RuleInput& input)
{
    const PowerView v(input);
    const auto sets = elementsOf(input.figures, PowerElement::Generator);
    if (sets.empty()) return {};
    const double least = input.threshold(kGeneratorLeast) / 100;
    const power::Flow alone = flowWithoutUtilities(input.figures, v.chain);
    Groups groups(input, "P19");
    for (const auto i : sets) {
        const DeviceId id(i);
        const double rated = double(v.spec(id).capacity.value.count()), load = double(alone.through[i].total().count());
        if (rated <= 0 || load <= 0 || load >= least * rated) continue;
        groups.add(v.like(id), ref(id), Severity::Warning, 1 - load / rated, [&] {
            return i18n("{} runs at {:.0f} % of its rating during a utility outage (minimum {:.0f} %); choose a smaller set, or add a load bank",
                        v.name(id), 100 * load / rated, 100 * least);
        });
    }
    return groups.findings();
}

std::vector<Finding> commonFeeds(const RuleInput& input)
{
    const PowerView v(input);
    const auto sets = elementsOf(input.figures, PowerElement::Generator);
    power::Survey survey(v.chain.network);
    Groups groups(input, "P20");
    std::vector<power::Index> lost = sets;
    lost.push_back(0);
    std::vector<char> fragile(v.chain.network.size(), 0); // loads that a single loss interrupts, which P3 reports
    const auto darkened = [&](std::span<const power::Index> without, auto&& each) {
        for (const auto i : survey.lose(without).dark)
            if (const DeviceId dark(i); v.draws(dark) && !v.singleFed(dark) && v.kind(dark) != TierKind::Cooling) each(i);
    };
    std::vector<DeviceId> harmless;
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || v.chain.network.uses(id.value).empty() || !v.live(id)) return;
        const PowerElement element = v.element(id);
        if (element == PowerElement::Generator || element == PowerElement::Pdu || element == PowerElement::Shelf) return;
        bool any = false;
        darkened({&id.value, 1}, [&](power::Index i) { fragile[i] = 1, any = true; });
        if (!any) harmless.push_back(id);
    });
    for (const DeviceId id : harmless) {
        lost.back() = id.value;
        Milliwatts without;
        darkened(lost, [&](power::Index i) {
            if (!fragile[i]) without += v.chain.network[i].draw;
        });
        if (without.count() == 0) continue;
        groups.add(v.like(id), ref(id), Severity::Warning, double(without.count()), [&] {
            return i18n("both feeds of {} of IT load depend on {}, and only the generators cover its loss; feed A and B from separate elements",
                        powerText(without), v.name(id));
        });
    }
    return groups.findings();
}

std::vector<Finding> headerLoss(const RuleInput& input)
{
    const CoolingView v(input);
    cooling::Survey survey(v.chain);
    std::vector<double> before;
    for (const auto& loop : survey.base().loops) before.push_back(loop.shortW());
    Groups groups(input, "C13");
    for (const CoolingUnit& unit : v.chain.units) {
        if (unit.element != CoolingElement::Header && unit.element != CoolingElement::Tank) continue;
        const auto& answer = survey.without({&unit.device, 1}, {});
        double missing = 0;
        for (std::size_t l = 0; l < before.size(); ++l) // heat passes several loops: the most of any
            missing = std::max(missing, answer.loops[l].shortW() - before[l]);
        if (missing <= 1) continue;
        const std::int32_t loop = unit.feeds >= 0 ? unit.feeds : unit.takes;
        groups.add((loop >= 0 ? v.subject(v.loop(loop)) : std::string("-")) + "|" + std::string(wordOf(unit.element)), ref(unit.device),
                   Severity::Warning, missing, [&] {
                       return i18n(
                           "{}: its loss or maintenance leaves {} uncooled; add a parallel header or tank with isolation valves, or a valved bypass",
                           input.name(ref(unit.device)), powerText(Milliwatts(std::llround(1e3 * missing))));
                   });
    }
    return groups.findings();
}

} // namespace hw::rules
