// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/plant/coolers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hw::plant {

namespace {

constexpr double kAirExponent = 0.7;

/// By powers of water over air, of the range and of the wet bulb, each from 0 to 2 (YorkCalc; Modelica Buildings, modified BSD license).
constexpr std::array<double, 27> kYork{
    -0.359741205,     -0.055053608, 0.0023850432, 0.173926877,   -0.0248473764, 0.00048430224, -0.005589849456,  0.0005770079712, -1.342427256e-05,
    2.84765801111,    -0.121765149, 0.0014599242, 1.680428651,   -0.0166920786, -0.0007190532, -0.025485194448,  4.87491696e-05,  2.719234152e-05,
    -0.0653766255555, -0.002278167, 0.0002500254, -0.0910565458, 0.00318176316, 3.8621772e-05, -0.0034285382352, 8.56589904e-06,  -1.516821552e-06};

} // namespace

double coolerSpeed(double share) { return share <= kFreeConvection ? 0 : std::min(1.0, std::pow(share, 1 / kAirExponent)); }

double towerApproach(double wetBulbC, double rangeK, double water, double air)
{
    const double wet = std::clamp(wetBulbC, -34.4, 26.7), range = std::clamp(rangeK, 1.1, 22.2);
    const double ratio = std::min(std::clamp(water, 0.75, 1.25) / std::max(air, 0.01), 8.0);
    double sum = 0, byRatio = 1;
    std::size_t k = 0;
    for (int i = 0; i < 3; ++i, byRatio *= ratio) {
        double byRange = byRatio;
        for (int j = 0; j < 3; ++j, byRange *= range) {
            double term = byRange;
            for (int w = 0; w < 3; ++w, term *= wet) sum += kYork[k++] * term;
        }
    }
    return std::clamp(sum, 1.1, 40.0);
}

double carnotCop(double supplyC, double outsideC, bool airCooled)
{
    constexpr double kEvaporatorK = 2, kAirK = 12, kWaterK = 7, kLeastLiftK = 8;
    const double cold = supplyC - kEvaporatorK, hot = outsideC + (airCooled ? kAirK : kWaterK);
    return (cold + 273.15) / std::max(hot - cold, kLeastLiftK);
}

} // namespace hw::plant
