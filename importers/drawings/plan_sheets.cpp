// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/drawings/sheets.h"

#include <fmt/format.h>

namespace hw::drawings {

namespace {

constexpr double kAround = 2800;                                                           ///< mm of the model around a room: its dimensions and name
constexpr std::array<std::int64_t, 9> kScales{20, 25, 50, 100, 200, 250, 500, 1000, 2000}; ///< ISO 5455, with 1:25 and 1:250

} // namespace

Result<void> addPlanSheets(Scene& scene, const SheetSet& set)
{
    const At low = SheetFrame::low(set), high = SheetFrame::high(set);
    std::size_t number = 0;
    for (const HallId hall : scene.halls) {
        const Box& b = scene.figures.placement->hall(hall);
        const double width = double(b.high.x - b.low.x) + 2 * kAround, depth = double(b.high.y - b.low.y) + 2 * kAround;
        const auto fits = [&](std::int64_t scale) { return width / double(scale) <= high.x - low.x && depth / double(scale) <= high.y - low.y; };
        const auto found = std::ranges::find_if(kScales, fits);
        const std::string& name = scene.s.halls.name[hall];
        if (found == kScales.end())
            return fail(ErrorCode::Refused, "--sheets", i18n("{} is too large for {} at 1:{}", name, set.paper.name, kScales.back()),
                        i18n("use a larger sheet: --paper A0"));
        if (set.scale > 0 && !fits(set.scale))
            return fail(ErrorCode::Refused, fmt::format("--scale {}", set.scale), i18n("{} does not fit on {}", name, set.paper.name),
                        i18n("use {} or a larger sheet: --paper", *found));
        const std::int64_t scale = set.scale > 0 ? set.scale : *found;
        SheetFrame frame(scene, set, fmt::format("P-{:02}", ++number), words(i18n("{} plan", name)), fmt::format("1:{}", scale));
        frame.space().viewport(scene.layers[On::Viewport], {{(low.x + high.x) / 2, (low.y + high.y) / 2},
                                                            high.x - low.x,
                                                            high.y - low.y,
                                                            scene.at((double(b.low.x) + b.high.x) / 2, (double(b.low.y) + b.high.y) / 2),
                                                            double(scale)});
        frame.scaleBar(scale);
    }
    return {};
}

} // namespace hw::drawings
