// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/catalog/rejection.h"

#include <algorithm>

namespace hw {
namespace {

RejectionPoint between(const RejectionPoint& a, const RejectionPoint& b, double t, double ambientC, double supplyC)
{
    return {ambientC, supplyC, a.share + t * (b.share - a.share), a.cop > 0 && b.cop > 0 ? a.cop + t * (b.cop - a.cop) : 0};
}

/// Of points at one outdoor temperature.
RejectionPoint overSupply(std::span<const RejectionPoint> row, double supplyC)
{
    const double ambientC = row.front().ambientC;
    if (supplyC < row.front().supplyC) return {ambientC, supplyC, 0, 0};
    const auto above = std::ranges::find_if(row, [&](const RejectionPoint& p) { return p.supplyC >= supplyC; });
    if (above == row.begin() || above == row.end()) return above == row.end() ? row.back() : row.front();
    const auto& below = *(above - 1);
    return between(below, *above, (supplyC - below.supplyC) / (above->supplyC - below.supplyC), ambientC, supplyC);
}

} // namespace

RejectionPoint rejectionAt(std::span<const RejectionPoint> points, double ambientC, double supplyC)
{
    if (points.empty()) return {ambientC, supplyC, 1, 0};
    RejectionPoint before;
    for (std::size_t first = 0, end = 0; first < points.size(); first = end) {
        while (end < points.size() && points[end].ambientC == points[first].ambientC) ++end;
        const RejectionPoint here = overSupply(points.subspan(first, end - first), supplyC);
        if (ambientC <= here.ambientC)
            return first == 0 ? here : between(before, here, (ambientC - before.ambientC) / (here.ambientC - before.ambientC), ambientC, supplyC);
        before = here;
    }
    return {ambientC, supplyC, 0, 0};
}

double leastSupplyC(std::span<const RejectionPoint> points, double ambientC, double fromC, double share)
{
    constexpr double kStep = 0.5, kMost = 60;
    if (points.empty()) return fromC;
    for (double c = fromC; c <= kMost; c += kStep)
        if (rejectionAt(points, ambientC, c).share >= share) return c;
    return fromC;
}

} // namespace hw
