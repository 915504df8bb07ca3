// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace hw {

/// XXH64 (xxHash specification 0.1.1, Yann Collet): detects damage, not malice.
[[nodiscard]] std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

} // namespace hw
