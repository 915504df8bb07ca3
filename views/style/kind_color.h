// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/rack_kind.h"
#include "views/style/theme.h"

namespace hw::views {

/// Of a rack or device, by what it is for.
[[nodiscard]] QColor kindColor(const Theme& theme, RackKind kind);

} // namespace hw::views
