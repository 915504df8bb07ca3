// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::exchange {

/// Labels for both ends of every cable: as a table, for a label printer (ZPL II), or as a list for label software.
[[nodiscard]] std::unique_ptr<Exporter> labelExporter();

} // namespace hw::exchange
