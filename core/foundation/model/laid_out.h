// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/column_info.h"

namespace hw::overridden {

/// The layout into a given hall made this, or gave it its place, and may take that away again.
inline constexpr std::uint32_t kLaidOut = 1024;

/// Once somebody has put it elsewhere the place is theirs.
[[nodiscard]] constexpr std::uint32_t placedByHand(std::uint32_t bits) { return (bits | kPlace) & ~kLaidOut; }

} // namespace hw::overridden
