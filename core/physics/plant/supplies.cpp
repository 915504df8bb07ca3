// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/plant/supplies.h"

#include <algorithm>
#include <array>
#include <span>

namespace hw::plant {

namespace {

struct SupplyPoint {
    double output, efficiency;
};
constexpr std::array<SupplyPoint, 4> kPlatinum{{{0.1, 0.88}, {0.2, 0.90}, {0.5, 0.94}, {1, 0.91}}}; // at 10 % assumed
constexpr std::array<SupplyPoint, 4> kTitanium{{{0.1, 0.90}, {0.2, 0.94}, {0.5, 0.96}, {1, 0.91}}};
constexpr std::array<SupplyPoint, 5> kRuby{{{0.05, 0.90}, {0.1, 0.91}, {0.2, 0.95}, {0.5, 0.965}, {1, 0.92}}};
constexpr double kDriveLoss = 0.05;

std::span<const SupplyPoint> pointsOf(SupplyClass kind)
{
    switch (kind) {
    case SupplyClass::Platinum: return kPlatinum;
    case SupplyClass::Titanium: return kTitanium;
    case SupplyClass::Ruby: return kRuby;
    }
    return kTitanium;
}

} // namespace

std::optional<SupplyClass> supplyClassFromName(std::string_view name)
{
    if (name == "platinum") return SupplyClass::Platinum;
    if (name == "titanium") return SupplyClass::Titanium;
    if (name == "ruby") return SupplyClass::Ruby;
    return std::nullopt;
}

double supplyEfficiency(SupplyClass kind, double output)
{
    const auto points = pointsOf(kind);
    const auto& first = points.front();
    if (output <= 0) return 0;
    if (output < first.output) return output / (output + first.output * (1 / first.efficiency - 1));
    for (std::size_t i = 1; i < points.size(); ++i)
        if (output <= points[i].output)
            return points[i - 1].efficiency +
                   (points[i].efficiency - points[i - 1].efficiency) * (output - points[i - 1].output) / (points[i].output - points[i - 1].output);
    return points.back().efficiency;
}

double supplyOutput(SupplyClass kind, double input)
{
    double low = 0, high = std::max(input, 0.0);
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2, eta = supplyEfficiency(kind, middle);
        (eta > 0 && middle / eta < input ? low : high) = middle;
    }
    return (low + high) / 2;
}

double drivePower(double flow, double fixedHead)
{
    if (flow <= 0) return 0;
    return flow * (fixedHead + (1 - fixedHead) * flow * flow) / (1 - kDriveLoss * std::max(0.0, 1 - flow));
}

WaterUse towerWater(double latentW, double circulatingKgS, double cycles, double driftShare)
{
    WaterUse out;
    out.evaporation = latentW / kLatentJ, out.drift = circulatingKgS * driftShare;
    out.blowDown = cycles > 1 ? std::max(0.0, out.evaporation / (cycles - 1) - out.drift) : 0;
    return out;
}

} // namespace hw::plant
