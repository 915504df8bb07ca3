// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace hw::views {

/// The one colour map of loads, for every view and for both themes: 0xRRGGBB of a share 0 … 1 (clamped). Matplotlib's inferno (Smith,
/// van der Walt, Firing; CC0), which colour-blind readers can tell apart. It runs the same way in both themes, violet for little and
/// yellow for much, and leaves out the ends that would sink into the floor: black on a dark one, pale yellow on a light one. No Qt.
[[nodiscard]] inline std::uint32_t loadMapRgb(double share, bool dark)
{
    constexpr std::array<std::array<int, 3>, 9> stops{
        {{0, 0, 4}, {31, 12, 72}, {85, 15, 109}, {136, 34, 106}, {186, 54, 85}, {227, 89, 51}, {249, 140, 10}, {249, 201, 50}, {252, 255, 164}}};
    const double from = dark ? 0.22 : 0.30, to = dark ? 1.0 : 0.84;
    const double x = (from + (to - from) * std::clamp(share, 0.0, 1.0)) * double(stops.size() - 1);
    const auto i = std::min(std::size_t(x), stops.size() - 2);
    std::uint32_t rgb = 0;
    for (std::size_t c = 0; c < 3; ++c)
        rgb = rgb << 8 | std::uint32_t(std::lround(stops[i][c] * (1 - (x - double(i))) + stops[i + 1][c] * (x - double(i))));
    return rgb;
}

} // namespace hw::views
