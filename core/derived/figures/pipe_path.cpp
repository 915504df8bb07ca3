// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/figures/pipe_path.h"

#include <algorithm>
#include <cmath>

namespace hw {

namespace {

constexpr double kPipeWallShare = 0.08; ///< wall of a pipe, of its inner diameter, where only that is stated (assumed)

Box standOfPipe(const Figures& f, DeviceId id)
{
    const auto rack = f.snapshot->devices.rack[id];
    return rack ? f.placement->rack(*rack) : f.placement->device(*f.snapshot, *f.parts, id);
}

/// From the top of what is cooled up, along x, along y, and to where the supplier is nearest.
std::vector<Point> straightPipe(const Figures& f, const SupplyLine& line)
{
    const Box from = standOfPipe(f, line.consumer), to = standOfPipe(f, line.supplier);
    const Point a{(from.low.x + from.high.x) / 2, (from.low.y + from.high.y) / 2, from.high.z};
    const Point b{std::clamp(a.x, to.low.x, to.high.x), std::clamp(a.y, to.low.y, to.high.y), to.low.z >= a.z ? to.low.z : to.high.z};
    const std::int32_t level = std::max(a.z, b.z);
    return {a, {a.x, a.y, level}, {b.x, a.y, level}, {b.x, b.y, level}, b};
}

} // namespace

std::vector<Point> pipePath(const Figures& f, const SupplyLine& line)
{
    return line.pair == Routing::kNoPair ? straightPipe(f, line) : f.get<SupplyNode>().routing(Medium::Coolant).path(line.pair);
}

std::int32_t pipeOuterMm(const ProjectParts& parts, const SupplyLine& line)
{
    if (!line.size.type) return kAssumedPipeMm;
    const CableSpec& spec = parts.cable(*line.size.type);
    const double inner = spec.innerMm.value;
    if (const auto stated = spec.diameter.value.count(); stated > 0 && stated > inner) return stated;
    return inner > 0 ? std::int32_t(std::lround(inner * (1 + 2 * kPipeWallShare))) + 1 : kAssumedPipeMm;
}

} // namespace hw
