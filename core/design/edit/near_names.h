// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace hw::edit {

/// Edit distance, given up above `limit` (limit + 1 then).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);

} // namespace hw::edit
