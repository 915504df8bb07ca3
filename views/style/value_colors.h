// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/values/value_field.h"

#include <cstdint>
#include <vector>

namespace hw::views {

// The one way from a value to a color, for every view: 0xRRGGBB, on any thread. Shares and amounts stand on a map
// of load_map.h (that of changes where nothing is in the middle), classes of temperatures on one of their own, categories have the theme's colors.

[[nodiscard]] std::uint32_t valueRgb(const ValueField& field, float value, bool dark);
/// Of what has no value: an empty rack, a thing without findings.
[[nodiscard]] std::uint32_t noValueRgb(bool dark);
/// Of ids 0 … size-1.
[[nodiscard]] std::vector<std::uint32_t> valueColors(const ValueField& field, std::size_t size, bool dark);

} // namespace hw::views
