// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::cli {

/// All formats that `import` and `export` know: those of the importers, the address plan, and drawings.
[[nodiscard]] const exchange::Formats& formats();

} // namespace hw::cli
