// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// Kills switches of a 122,880-GPU fabric under a full all-reduce and prints CPU ms until the new rates stand: routing of the flows
/// that lost their way and the incremental solve, worst and mean by tier; beside it a solve of everything from nothing. Aims: 16 ms
/// for what is reached, 100 ms for everything (with the frame's loads, series, and the proof).
void benchFailover(std::ostream& out);

} // namespace hw::bench
