// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// Networks of pipes: rows of racks behind a pump, with and without check valves, to 100,000 pipes.
void benchHydraulics(std::ostream& out);

} // namespace hw::bench
