// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that are racks, where a rule says so.
#pragma once

#include "core/design/build/design_builder.h"
#include "importers/dxf/drawing.h"
#include "importers/dxf/loops.h"

namespace hw::importers::dxf {

/// `--rack-block PATTERN=TYPE[@EDGE]`: insertions of blocks so named are racks of a type. `*` in the type stands for what the first `*` of the
/// pattern does.
struct RackRule {
    std::string pattern, type;
    std::size_t front = 0; ///< the edge of the block at which the rack's front is: 0 bottom, 1 right, 2 top, 3 left
};
/// One a line. Errors: Usage.
[[nodiscard]] Result<std::vector<RackRule>> rackRules(const std::string& given);
/// The first rule that a block's name fits; null: none.
[[nodiscard]] const RackRule* ruleOf(const std::vector<RackRule>& rules, const std::string& block);

/// A rack as it is drawn, in mm of the room's frame.
struct DrawnRack {
    std::string name{}, row{}; ///< of its attributes; empty: none
    std::string type{};        ///< slug
    std::string block{};
    std::array<Spot, 3> front{}; ///< ends of its front edge, and the corner behind the first
};
/// The insertions that rules make racks of, moved and scaled into the room's frame.
[[nodiscard]] std::vector<DrawnRack> drawnRacks(const Drawing& drawing, const std::vector<RackRule>& rules, double millimeters, Spot origin);

/// Puts racks into rows of a hall: those in one line with the same front, no further apart than an aisle, or of one ROW attribute. Racks that
/// stand askew or outside, or whose name the design has, are left out and named. Errors: Refused for a type that does not exist.
[[nodiscard]] Result<void> writeRacks(DesignBuilder& build, HallId hall, const std::vector<DrawnRack>& racks, const std::string& file,
                                      exchange::ImportPlan& plan);

} // namespace hw::importers::dxf
