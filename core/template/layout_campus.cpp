// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/template/layout_plan.h"

#include <algorithm>
#include <cmath>

namespace hw::layout {

namespace {

constexpr std::int32_t kLaneMm = 12'000;  ///< between buildings
constexpr std::int32_t kTrunkMm = 3'500;  ///< from a building's end to the duct beside it
constexpr std::int32_t kCoreMm = 9'000;   ///< from a building's end to the core building

/// As many columns as make the campus about square, always in pairs with a duct between them.
std::int32_t columnsFor(std::size_t buildings, std::int32_t pitchX, std::int32_t pitchY)
{
    if (buildings < 2) return 1;
    const double square = std::sqrt(double(buildings) * pitchY / pitchX);
    return 2 * std::max(1, std::int32_t(std::lround(square / 2)));
}

} // namespace

void arrangeCampus(Plan& plan)
{
    const bool core = plan.buildings.back().core;
    const std::size_t count = plan.buildings.size() - (core ? 1 : 0);
    std::int32_t x = 0, y = 0;
    for (std::size_t n = 0; n < count; ++n) x = std::max(x, plan.buildings[n].sizeX), y = std::max(y, plan.buildings[n].sizeY);
    auto& campus = plan.campus;
    campus.columns = columnsFor(count, x + kLaneMm, y + kLaneMm);
    campus.rows = std::int32_t((count + std::size_t(campus.columns) - 1) / std::size_t(campus.columns));
    const std::int32_t pitchY = y + kLaneMm, pairs = (campus.columns + 1) / 2, middle = pairs / 2;
    std::vector<std::int32_t> left(std::size_t(campus.columns), 0);
    std::int32_t at = 0;
    for (std::int32_t c = 0; c < campus.columns; ++c) {
        left[std::size_t(c)] = at;
        at += x + kLaneMm;
        if (c % 2 != 0 || count < 2) continue;
        campus.trunks.push_back(left[std::size_t(c)] + x + kTrunkMm);
        if (core && c / 2 == middle) at += plan.buildings.back().sizeX + kCoreMm - kLaneMm / 2;
    }
    for (std::size_t n = 0; n < count; ++n) {
        auto& building = plan.buildings[n];
        const auto column = std::int32_t(n % std::size_t(campus.columns)), row = std::int32_t(n / std::size_t(campus.columns));
        building.x = left[std::size_t(column)];
        building.y = row * pitchY;
    }
    campus.middleY = ((campus.rows - 1) * pitchY + y) / 2;
    if (!core) return;
    auto& building = plan.buildings.back();
    building.x = left[std::size_t(2 * middle)] + x + kCoreMm;
    building.y = campus.middleY - building.sizeY / 2;
}

} // namespace hw::layout
