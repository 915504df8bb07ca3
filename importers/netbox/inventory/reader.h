// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/exchange/formats.h"
#include "importers/netbox/inventory/rest.h"

namespace hw::importers::netbox_in {

/// The options of an import of an installation.
[[nodiscard]] std::vector<exchange::FormatOption> inventoryOptions();

/// URLs (sources without content), folders and exported files as one plan. Errors: of the readers.
[[nodiscard]] Result<exchange::ImportPlan> planInventory(std::span<const exchange::ImportSource> sources, const SnapshotPtr& base,
                                                         const Progress& progress, const Patience& patience = {});

} // namespace hw::importers::netbox_in
