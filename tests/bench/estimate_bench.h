// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// What `size` estimates against the designs that are made then, template by template and size by size: the table of
/// core/design/sizing/README.md.
void benchEstimate(std::ostream& out);

} // namespace hw::bench
