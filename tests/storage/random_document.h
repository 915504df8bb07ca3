// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/document.h"

#include <random>

namespace hw::test {

using Random = std::mt19937_64;

/// A design of the shape of a real one (every table has rows, every reference holds), with about
/// `servers` servers of 8 links each. 2,040 servers are one pod in size: 16,320 links, 50,000 ports.
[[nodiscard]] std::shared_ptr<Snapshot> makeDesign(int servers, int linksPerServer = 8);

/// One transaction, undo or redo of random kind and size; sound afterward. It may change nothing.
void randomEdit(Document& document, Random& random);

/// The same contents in rows of the same ids, at the same revision.
[[nodiscard]] bool identical(const Snapshot& a, const Snapshot& b);

} // namespace hw::test
