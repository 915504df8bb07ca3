// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/plan.h"

namespace hw::layout {

/// Feeds what nothing feeds yet, from the plug up to the utility, so that side A and side B each carry the nameplate draw alone (2N): strips in
/// racks, busways over rows, and for every group of busways a transformer, a generator set, a switchboard and UPS modules of each side; then
/// switchgear and utility feeds, over a substation where the campus needs more than three feeds a side. Cooling equipment gets a way from the
/// boards of both sides, pumps behind the UPS. Parts that are "none" are left out; what has a way in keeps it.
/// Equipment stands in an electrical room and a yard behind the hall that it feeds; busways hang over their rows.
void writePlant(DesignBuilder& builder, const Options& options, Parts& parts);

/// Width and depth of things that stand in lines: in a room of this width, with this much room before each line.
struct Footprint {
    std::int32_t width = 0, depth = 0;
};
struct Line {
    std::int32_t x = 0, y = 0;
};
/// Lower corners of the things, and the depth that they take.
[[nodiscard]] std::pair<std::vector<Line>, std::int32_t> inLines(std::span<const Footprint> things, std::int32_t width, std::int32_t gap,
                                                                 std::int32_t front);
/// Depth that the rooms of so many groups take behind a hall of this width.
[[nodiscard]] std::int32_t plantDepth(const Options& options, const Parts& parts, int groups, std::int32_t width);

} // namespace hw::layout
