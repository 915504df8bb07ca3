// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/hash.h"

#include <xxhash.h>

namespace hw {

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) { return XXH64(bytes.data(), bytes.size(), seed); }

} // namespace hw
