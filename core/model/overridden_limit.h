// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// The bit of `overridden` for a power limit that was set by hand; the others are in tables.h.
namespace hw::overridden {
inline constexpr std::uint32_t kLimit = 128;
}
