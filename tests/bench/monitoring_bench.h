// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// What judging costs: 100,000 samples a second at the size of an HPN pod, as a share of one core; and what a fault of half of it costs.
void benchWatch(std::ostream& out);
/// The whole table of injected faults: one of every kind of equipment of several designs, alone and two at once, with several seeds.
void benchFaults(std::ostream& out);

} // namespace hw::bench
