// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/coolant/loop_sizing.h"

#include "core/coolant/cold_plate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::coolant {

namespace {

/// Units that carry a load; what only the binary form of a rating adds is no unit more.
double unitsFor(double load, double each)
{
    if (load <= 0) return 0;
    return each > 0 ? std::ceil(load / each - 1e-9) : double(std::numeric_limits<std::int32_t>::max());
}

} // namespace

CabinetHeat cabinetHeat(std::span<const HeatSource> sources)
{
    CabinetHeat out;
    for (const auto& source : sources) {
        const double liquid = source.watts * std::clamp(source.liquidShare, 0.0, 1.0);
        out.liquidW += liquid;
        out.airW += source.watts - liquid;
    }
    return out;
}

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
        return fail(ErrorCode::Refused, name, i18n("no flow over supply temperature is known"), i18n("state supply temperatures and flows"));
    if (!(supply <= supplyC.back()))
        return fail(ErrorCode::Refused, name, i18n("a supply of {:g} °C is too warm", supply), i18n("use {:g} °C or less", supplyC.back()));
    const auto above = std::ranges::upper_bound(supplyC, supply);
    const double kw = liquidW / 1000;
    if (above == supplyC.begin()) return kw * lpmPerKw.front();
    if (above == supplyC.end()) return kw * lpmPerKw.back();
    const auto i = std::size_t(above - supplyC.begin());
    const double share = (supply - supplyC[i - 1]) / (supplyC[i] - supplyC[i - 1]);
    return kw * (lpmPerKw[i - 1] + share * (lpmPerKw[i] - lpmPerKw[i - 1]));
}

LoopSizing sizeLoop(double heatW, double lpm, const UnitCapacity& unit, std::int64_t units)
{
    LoopSizing out;
    out.units = units;
    out.heatW = heatW, out.lpm = lpm;
    out.capacityW = unit.heatW, out.capacityLpm = unit.lpm;
    out.needed = std::int64_t(std::max(unitsFor(heatW, unit.heatW), unitsFor(lpm, unit.lpm)));
    return out;
}

double LoopSizing::lpmEach(std::int64_t lost) const { return units > lost ? lpm / double(units - lost) : 0; }
double LoopSizing::heatEachW(std::int64_t lost) const { return units > lost ? heatW / double(units - lost) : 0; }

double LoopSizing::shortW(std::int64_t lost) const
{
    const double left = double(std::max<std::int64_t>(units - lost, 0));
    const double byHeat = heatW - left * capacityW;
    const double byFlow = lpm > 0 ? heatW * (1 - left * capacityLpm / lpm) : 0; // heat goes with the flow that is missing
    return std::max({byHeat, byFlow, 0.0});
}

} // namespace hw::coolant
