// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// Channels of a whole campus bound to its design: all at once, and when some more appear.
void benchBindings(std::ostream& out);

} // namespace hw::bench
