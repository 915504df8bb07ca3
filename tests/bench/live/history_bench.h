// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>

namespace hw::bench {

/// The store: bytes and time per sample of its columns beside those of Gorilla (Pelkonen et al., VLDB 2015), how fast it takes samples,
/// and a day of one rack (300 channels, each second and each ten seconds) scrubbed.
bool benchHistory(std::ostream& out);

} // namespace hw::bench
