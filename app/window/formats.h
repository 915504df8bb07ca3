// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::app {

/// All formats that the window imports and exports: the list of both programs.
[[nodiscard]] const exchange::Formats& formats();

} // namespace hw::app
