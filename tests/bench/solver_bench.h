// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// Prints a table of fair-share problems: size, CPU ms to build the index, to solve, to touch every hop once (the yardstick,
/// measured in the same run) and the ratio; then problems run to completion, with 10,000 flows at most. Where SimGrid is
/// installed it runs beside ours: its time, the ratio and the worst deviation. `large` adds 1,000,000 flows.
void benchSolver(std::ostream& out, bool large = true);

} // namespace hw::bench
