// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/figures/small_hall.h"

namespace hw::test {

/// A random hall with servers, power strips on a busway, cooling units, and a second network.
[[nodiscard]] Snapshot randomSite(unsigned seed);

/// Gives one value of one column of one row another value that the model allows (references point to living rows of the right kind), the
/// column being number `column` of all columns of the design. Says which one it was; empty where the column is not for edits.
[[nodiscard]] std::string editColumn(Snapshot& s, std::size_t column, unsigned& state);
[[nodiscard]] std::size_t columnCount();

/// Inserts or erases rows with what depends on them: a rack, a device with ports, a link with its cable, a tray, a tier …
void growOrShrink(Snapshot& s, unsigned& state);

} // namespace hw::test
