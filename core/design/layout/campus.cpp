// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/layout/plan.h"

#include <algorithm>
#include <cmath>

namespace hw::layout {

namespace {

constexpr std::int32_t kStreetMm = 12'000; ///< between buildings
constexpr std::int32_t kTrunkMm = 3'500;   ///< from a building's end to the duct beside it
constexpr std::int32_t kCoreMm = 9'000;    ///< from a building's end to the core building

/// As many columns of buildings as make the campus about square, always in pairs with a duct between them.
std::int32_t columnsFor(std::size_t buildings, std::int32_t pitchX, std::int32_t pitchY)
{
    if (buildings < 2) return 1;
    const double square = std::sqrt(double(buildings) * pitchY / pitchX);
    return 2 * std::max(1, std::int32_t(std::lround(square / 2)));
}

} // namespace

void arrangeCampus(Plan& plan)
{
    const bool core = plan.halls.back().core;
    struct Site {
        std::int32_t sizeX = 0, sizeY = 0, x = 0, y = 0, column = 0, builtY = 0;
    };
    std::vector<Site> sites;
    for (const auto& hall : plan.halls) {
        if (hall.core) continue;
        sites.resize(std::max<std::size_t>(sites.size(), hall.site + 1));
        sites[hall.site].sizeX = std::max(sites[hall.site].sizeX, hall.sizeX);
        sites[hall.site].sizeY += hall.sizeY;
    }
    std::int32_t x = 0, y = 0;
    for (const auto& site : sites) x = std::max(x, site.sizeX), y = std::max(y, site.sizeY);
    auto& campus = plan.campus;
    campus.columns = columnsFor(sites.size(), x + kStreetMm, y + kStreetMm);
    const std::int32_t rows = (std::int32_t(sites.size()) + campus.columns - 1) / campus.columns, pitchY = y + kStreetMm,
                       middle = (campus.columns + 1) / 4;
    std::vector<std::int32_t> left(std::size_t(campus.columns), 0);
    std::int32_t at = 0;
    for (std::int32_t c = 0; c < campus.columns; ++c) {
        left[std::size_t(c)] = at;
        at += x + kStreetMm;
        if (c % 2 != 0 || !plan.severalHalls()) continue;
        campus.trunks.push_back(left[std::size_t(c)] + x + kTrunkMm);
        if (core && c / 2 == middle) at += plan.halls.back().sizeX + kCoreMm - kStreetMm / 2;
    }
    campus.middleY = ((rows - 1) * pitchY + y) / 2;
    for (std::size_t n = 0; n < sites.size(); ++n) {
        sites[n].column = std::int32_t(n) % campus.columns;
        sites[n].x = left[std::size_t(sites[n].column)];
        sites[n].y = std::int32_t(n) / campus.columns * pitchY;
    }
    std::vector<std::int32_t> filled(sites.size(), 0);
    for (auto& hall : plan.halls) {
        if (hall.core) {
            hall.siteX = hall.x = left[std::size_t(2 * middle)] + x + kCoreMm;
            hall.siteY = hall.y = campus.middleY - kHallY - hall.hallY / 2; // its racks in the middle, its plant behind them
            hall.siteSizeX = hall.sizeX, hall.siteSizeY = hall.sizeY, hall.siteBuiltY = hall.sizeY - hall.plantDepth;
            continue;
        }
        const auto& site = sites[hall.site];
        hall.column = site.column;
        hall.siteX = site.x, hall.siteY = site.y;
        hall.x = site.x + (site.column % 2 == 0 ? site.sizeX - hall.sizeX : 0); // at the side of the trunk
        hall.y = site.y + filled[hall.site];
        filled[hall.site] += hall.sizeY;
        hall.siteSizeX = site.sizeX, hall.siteSizeY = site.sizeY;
        sites[hall.site].builtY = filled[hall.site] - hall.plantDepth;
    }
    for (auto& hall : plan.halls) // what is kept free behind the last of them is built once its plant is known
        if (!hall.core) hall.siteBuiltY = sites[hall.site].builtY;
}

} // namespace hw::layout
