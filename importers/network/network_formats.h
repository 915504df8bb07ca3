// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::importers {

// Files for the network team, one exporter each.
[[nodiscard]] std::unique_ptr<exchange::Exporter> addressingExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> sonicExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> avdExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> containerlabExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> ptmExporter();

/// Adds all of them.
void addNetworkFormats(exchange::Formats& formats);

} // namespace hw::importers
