// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::importers {

// Files for schedulers, collective libraries and automation, one exporter each.
[[nodiscard]] std::unique_ptr<exchange::Exporter> ncclExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> slurmExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> nodeLabelExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> ansibleExporter();

/// Adds all of them.
void addClusterFormats(exchange::Formats& formats);

} // namespace hw::importers
