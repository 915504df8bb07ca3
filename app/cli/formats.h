// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::cli {

/// All formats that `import` and `export` know: the list of both programs.
[[nodiscard]] const exchange::Formats& formats();

} // namespace hw::cli
