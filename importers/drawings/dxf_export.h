// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::drawings {

/// `export dxf`: plan, sheets, elevations and diagrams of a design.
[[nodiscard]] std::unique_ptr<exchange::Exporter> dxfExporter();

} // namespace hw::drawings
