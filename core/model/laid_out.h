// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/column_info.h"

namespace hw::overridden {

/// Of a row of a table that no template made: the layout into a given hall did, and may take it away again.
inline constexpr std::uint32_t kLaidOut = 1024;

} // namespace hw::overridden
