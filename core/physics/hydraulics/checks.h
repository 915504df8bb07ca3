// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/physics/hydraulics/network.h"

namespace hw::hydraulics {

/// What makes a network one that can be solved: numbers in their ranges, links between nodes that are there, every node joined
/// to a fixed head by links (shut or not). Error: Unreadable, at "links[3].diameter_mm" (the names of network_file.h).
[[nodiscard]] Result<void> check(const Network& network);

/// "A, B, C and 4 more", for errors about many.
[[nodiscard]] Text someNames(const std::vector<std::string>& names);

} // namespace hw::hydraulics
