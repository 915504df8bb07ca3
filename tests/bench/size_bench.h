// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// Counting designs without making them, and sizing for 1,000 to 200,000 accelerators over all shipped templates.
void benchSize(std::ostream& out);

} // namespace hw::bench
