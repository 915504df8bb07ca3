// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace hw {

/// Order of names as people count them: rack-2 before rack-10, letters of either case alike; equal only where the texts are.
[[nodiscard]] bool naturallyBefore(std::string_view a, std::string_view b);

} // namespace hw
