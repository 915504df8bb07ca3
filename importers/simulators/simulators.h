// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::importers {

// Network and hydraulic simulators: what they read, written out of a design, and what they write, read.
[[nodiscard]] std::unique_ptr<exchange::Exporter> astraExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> simaiExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> htsimExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> simgridExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> epanetExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> openfoamExporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> epanetImporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> simaiImporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> chakraImporter();

/// Adds all of them.
void addSimulatorFormats(exchange::Formats& formats);

} // namespace hw::importers
