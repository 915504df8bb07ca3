// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/sizing/demand.h"

namespace hw::importers {

/// Reads CSV (`date,accelerators[,tenant]`, a point a line) or JSON (README.md, "Demand"). Errors:
/// Unreadable with line or key.
[[nodiscard]] Result<sizing::DemandCurve> readDemand(const std::string& text, const std::string& where);

} // namespace hw::importers
