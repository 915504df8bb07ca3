// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "importers/dxf/drawing.h"
#include "importers/dxf/roles.h"

namespace hw::importers::dxf {

/// Turns a drawing whose walls run askew, so that most of their length runs along x and y: rows of racks stand along the axes of a hall. Places
/// of walls that were one up to `tolerance`, in the drawing's units, are one again. Degrees that it was turned by, in (-45, 45]; 0 where the walls
/// run along the axes, or in no direction and across it.
double turnToWalls(Drawing& drawing, const Roles& roles, double tolerance);

} // namespace hw::importers::dxf
