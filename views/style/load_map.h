// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace hw::views {

/// A place 0 … 1 (clamped) between equally spaced colors: 0xRRGGBB.
template <std::size_t N>
[[nodiscard]] std::uint32_t rgbBetween(const std::array<std::array<int, 3>, N>& stops, double place)
{
    const double x = std::clamp(place, 0.0, 1.0) * double(N - 1);
    const auto i = std::min(std::size_t(x), N - 2);
    std::uint32_t rgb = 0;
    for (std::size_t c = 0; c < 3; ++c)
        rgb = rgb << 8 | std::uint32_t(std::lround(stops[i][c] * (1 - (x - double(i))) + stops[i + 1][c] * (x - double(i))));
    return rgb;
}

/// The one color map of loads, for every view and for both themes: 0xRRGGBB of a share 0 … 1 (clamped). Matplotlib's inferno (Smith,
/// van der Walt, Firing; CC0), which color-blind readers can tell apart. It runs the same way in both themes, violet for little and
/// yellow for much, and leaves out the ends that would sink into the floor: black on a dark one, pale yellow on a light one. No Qt.
[[nodiscard]] inline std::uint32_t loadMapRgb(double share, bool dark)
{
    constexpr std::array<std::array<int, 3>, 9> stops{
        {{0, 0, 4}, {31, 12, 72}, {85, 15, 109}, {136, 34, 106}, {186, 54, 85}, {227, 89, 51}, {249, 140, 10}, {249, 201, 50}, {252, 255, 164}}};
    const double from = dark ? 0.22 : 0.30, to = dark ? 1.0 : 0.84;
    return rgbBetween(stops, from + (to - from) * std::clamp(share, 0.0, 1.0));
}

/// The one color map of changes, for values on both sides of nothing: 0 … 1 (clamped), 0.5 nothing. Blue for less, orange for more,
/// which color-blind readers can tell apart; what did not change has the gray of equipment and steps back. No Qt.
[[nodiscard]] inline std::uint32_t changeMapRgb(double place, bool dark)
{
    constexpr std::array<std::array<int, 3>, 5> onDark{{{96, 190, 255}, {58, 118, 176}, {84, 92, 106}, {196, 110, 40}, {255, 176, 64}}};
    constexpr std::array<std::array<int, 3>, 5> onLight{{{0, 84, 166}, {92, 150, 200}, {196, 202, 210}, {226, 146, 84}, {176, 72, 0}}};
    return rgbBetween(dark ? onDark : onLight, place);
}

} // namespace hw::views
