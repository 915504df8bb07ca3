// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// The cooling chain of designs with air and with liquid: loops, flows, and the worst single loss.
void benchCooling(std::ostream& out);

} // namespace hw::bench
