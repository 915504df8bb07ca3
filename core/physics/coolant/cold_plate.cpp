// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/cold_plate.h"

#include <algorithm>

namespace hw::coolant {

Result<double> ColdPlate::resistance(double lpm) const
{
    if (!(lpm >= flowLpm.front()))
        return fail(ErrorCode::Refused, slug, i18n("no data for {:g} L/min through one cold plate", lpm),
                    i18n("use {:g} L/min or more", flowLpm.front()));
    const auto above = std::ranges::upper_bound(flowLpm, lpm);
    if (above == flowLpm.end()) return kelvinPerWatt.back();
    const auto i = std::size_t(above - flowLpm.begin());
    const double share = (lpm - flowLpm[i - 1]) / (flowLpm[i] - flowLpm[i - 1]);
    return kelvinPerWatt[i - 1] + share * (kelvinPerWatt[i] - kelvinPerWatt[i - 1]);
}

Result<double> ColdPlate::caseOverInletK(double watts, double lpm) const
{
    const auto r = resistance(lpm);
    if (!r) return tl::unexpected(r.error());
    return *r * watts;
}

Result<double> ColdPlate::flowFor(double watts, double overInletK) const
{
    const auto warm = [&](std::size_t i) { return kelvinPerWatt[i] * watts; };
    for (std::size_t i = 0; i < flowLpm.size(); ++i) {
        if (warm(i) > overInletK) continue;
        if (i == 0 || warm(i - 1) == warm(i)) return flowLpm[i];
        return flowLpm[i - 1] + (flowLpm[i] - flowLpm[i - 1]) * (warm(i - 1) - overInletK) / (warm(i - 1) - warm(i));
    }
    return fail(ErrorCode::Refused, slug,
                i18n("no flow rate keeps {:g} W within {:g} K of the inlet temperature: {:g} K at {:g} L/min", watts, overInletK,
                     kelvinPerWatt.back() * watts, flowLpm.back()),
                i18n("lower the supply temperature, or use another cold plate"));
}

} // namespace hw::coolant
