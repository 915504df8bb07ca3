// SPDX-License-Identifier: GPL-3.0-or-later
// P4: whether the three phases carry alike.
#include "core/derived/rules/power_view.h"

#include <algorithm>
#include <cmath>

namespace hw::rules {

namespace {

/// Spread of the phases over what they are measured by, 1 = 100 %.
struct Spread {
    double share = 0;
    double low = 0, high = 0; ///< W of the phase with least and with most
};

/// Over the mean of the phases, or the least share of what one of them may carry. A strip has a few cords only: over all that it may carry.
std::optional<Spread> spreadOf(const PowerView& v, DeviceId id, double least)
{
    const auto& mw = v.chain.flow.intake[id.value].mw;
    const auto [low, high] = std::ranges::minmax(mw);
    double over = double(mw[0] + mw[1] + mw[2]) / 3;
    const double rated = double(ratingOf(v.spec(id), v.powerFactor, 1).real.count()) / 3;
    over = std::max(over, rated * (v.element(id) == PowerElement::Pdu ? 1 : least));
    if (over <= 0) return {};
    return Spread{double(high - low) / over, double(low) / 1000, double(high) / 1000};
}

/// Current in the neutral of three currents 120 degrees apart, whose third harmonics add up there.
double neutralAmps(const power::Phases& phases, double volts, double powerFactor, double third)
{
    std::array<double, 3> i{};
    for (std::size_t p = 0; p < 3; ++p) i[p] = double(phases.mw[p]) / 1000 / volts / powerFactor;
    const double uneven = std::max(0.0, i[0] * i[0] + i[1] * i[1] + i[2] * i[2] - i[0] * i[1] - i[1] * i[2] - i[2] * i[0]);
    return std::hypot(std::sqrt(uneven), third * (i[0] + i[1] + i[2]));
}

} // namespace

std::vector<Finding> phaseBalance(const RuleInput& input)
{
    const PowerView v(input);
    const double advised = input.threshold(kImbalanceAdvised) / 100, most = input.threshold(kImbalanceMost) / 100,
                 volts = input.threshold(kPhaseVoltage), least = input.threshold(kImbalanceLeast) / 100,
                 third = input.threshold(kThirdHarmonic) / 100, neutralMost = input.threshold(kNeutralMost) / 100;
    Groups groups(input, "P4");
    v.s.devices.forEach([&](DeviceId id) {
        if (!v.isPower(id) || takesDirectCurrent(v.spec(id))) return;
        const double neutral = neutralAmps(v.chain.flow.intake[id.value], volts, v.powerFactor, third),
                     phase = double(ratingOf(v.spec(id), v.powerFactor, 1).real.count()) / 3000 / volts / v.powerFactor;
        const bool feedsPlugs = v.element(id) == PowerElement::Pdu || v.element(id) == PowerElement::Busway; // above, a delta winding closes them
        if (feedsPlugs && phase > 0 && neutral > neutralMost * phase)
            groups.add("neutral|" + v.like(id), ref(id), Severity::Warning, neutral / phase, [&] {
                return i18n("about {:.0f} A in the neutral of {}: {:.0f} % of the phase current (allowable {:.0f} %)", neutral, v.name(id),
                            100 * neutral / phase, 100 * neutralMost);
            });
        const auto spread = spreadOf(v, id, least);
        if (!spread || spread->share <= advised) return;
        const bool error = spread->share > most;
        groups.add(v.like(id), ref(id), error ? Severity::Error : Severity::Warning, spread->share, [&] {
            return i18n("phases of {}: {:.1f} to {:.1f} kW, imbalance {:.0f} % (allowable {:.0f} %, recommended {:.0f} %); "
                        "about {:.0f} A in the neutral",
                        v.name(id), spread->low / 1000, spread->high / 1000, 100 * spread->share, 100 * most, 100 * advised, neutral);
        });
    });
    return groups.findings();
}

} // namespace hw::rules
