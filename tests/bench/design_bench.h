// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// Prints one table for `pods` pods of the hpn template: instantiate, figures, report, check, schedules,
/// save, open, rows moved, undo, all-reduce, and memory after each. Medians of a few runs, milliseconds of
/// wall time, on whatever the machine does besides; compare ratios. Run it in a process of its own, since memory
/// is that of the process.
void benchDesign(std::ostream& out, int pods);

} // namespace hw::bench
