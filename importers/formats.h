// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"

namespace hw::importers {

// One per format.
[[nodiscard]] std::unique_ptr<exchange::Importer> textImporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> textExporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> netboxImporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> dxfImporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> aicbImporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> demandImporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> priceImporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> dsxExporter();
[[nodiscard]] std::unique_ptr<exchange::Importer> ifcImporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> ifcExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> gltfExporter();
[[nodiscard]] std::unique_ptr<exchange::Exporter> usdExporter();

/// Adds all of them.
void registerFormats(exchange::Formats& formats);

} // namespace hw::importers
