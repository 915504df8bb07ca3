// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/layout/water.h"

namespace hw::layout {

/// Ladders for what feeds a design, once all of it stands and is wired, each side of power on its own: over the equipment of every room, along
/// the ends of the rows whose busways are fed there, between the rooms of a building, and ducts between buildings where none lead yet. As many
/// side by side as the cables need at the fill and weight that are planned for. Adds the cords, whips, tap-off boxes and cables that the design
/// may need to its parts. What has a way through trays already needs no others, nor does what runs between rooms out of `scope`. Then racks for
/// the pipes of coolant in the same way, where the options name one.
void writeSupplyTrays(DesignBuilder& builder, const Options& options, Parts& parts, const Scope& scope = {});

} // namespace hw::layout
