// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/coolant/flow_need.h"

#include <algorithm>

namespace hw::coolant {

FlowNeed FlowNeed::ofPlates(const ColdPlate& plate, double wattsPerPlate, double caseLimitC, double leastC, double mostC, double stepK)
{
    FlowNeed out;
    out.name = plate.slug;
    if (!(wattsPerPlate > 0) || !(stepK > 0)) return out;
    for (std::int64_t i = 0; leastC + double(i) * stepK <= mostC; ++i) {
        const double supply = leastC + double(i) * stepK;
        const auto flow = plate.flowFor(wattsPerPlate, caseLimitC - supply);
        if (!flow) break;
        out.supplyC.push_back(supply);
        out.lpmPerKw.push_back(*flow / (wattsPerPlate / 1000));
    }
    return out;
}

Result<double> FlowNeed::lpm(double liquidW, double supply) const
{
    if (supplyC.empty() || supplyC.size() != lpmPerKw.size())
        return fail(ErrorCode::Refused, name, i18n("no data for flow vs supply temperature"), i18n("specify supply temperatures and flows"));
    if (!(supply <= supplyC.back()))
        return fail(ErrorCode::Refused, name, i18n("supply temperature {:g} °C is too high", supply), i18n("use {:g} °C or less", supplyC.back()));
    const auto above = std::ranges::upper_bound(supplyC, supply);
    const double kw = liquidW / 1000;
    if (above == supplyC.begin()) return kw * lpmPerKw.front();
    if (above == supplyC.end()) return kw * lpmPerKw.back();
    const auto i = std::size_t(above - supplyC.begin());
    const double share = (supply - supplyC[i - 1]) / (supplyC[i] - supplyC[i - 1]);
    return kw * (lpmPerKw[i - 1] + share * (lpmPerKw[i] - lpmPerKw[i - 1]));
}

} // namespace hw::coolant
