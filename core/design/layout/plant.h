// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/water.h"

namespace hw::layout {

/// Brings the water that is missing (`writeWater`), then feeds what nothing feeds yet, from the plug up to the utility: strips in racks, busways over
/// rows, and for every group of busways what `Options::redundancy` asks for. 2N: a transformer, a generator set, a switchboard and UPS modules of
/// each side, which carry the nameplate draw alone. N+1: one side, with a transformer, set and module more than needed. Distributed: systems A to D,
/// each of which carries its share and what it takes over from any one other. Block: blocks of which each carries its busways, and a reserve to
/// several that static switches turn to. Then switchgear and utility feeds, over a substation where a side needs more than three feeds, with duct
/// banks to the buildings. Cooling equipment gets a way from boards of two sides, pumps behind the UPS. Parts that are "none" are left out; what has
/// a way in keeps it. Rooms out of `scope` stay as they are. Equipment stands in an electrical room and a yard behind the hall that it feeds; busways
/// hang over their rows.
void writePlant(DesignBuilder& builder, const Options& options, Parts& parts, const Scope& scope = {});

/// Of the catalog, by what they carry.
inline constexpr std::array<const char*, 3> kStaticSwitches{"static-switch-800a", "static-switch-1600a", "static-switch-4000a"};

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
/// Depth that the rooms of so many groups and the water take behind a hall of this width.
[[nodiscard]] std::int32_t plantDepth(const Options& options, const Parts& parts, int groups, std::int32_t width, const WaterRoom& water);

} // namespace hw::layout
