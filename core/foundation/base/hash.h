// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace hw {

/// XXH64 (libxxhash): detects damage, not malice. Files hold its values, so it stays this function with this seed.
[[nodiscard]] std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

} // namespace hw
