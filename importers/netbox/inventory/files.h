// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/output/exchange/formats.h"
#include "importers/netbox/inventory/inventory.h"

#include <span>

namespace hw::importers::netbox_in {

/// Whether a file is an exported list of NetBox: CSV with the columns of an import or of a list, JSON of the API.
[[nodiscard]] bool looksExported(const exchange::ImportSource& source);

/// Adds the objects of exported files. A row that cannot be read is left out and named. Errors: Unreadable for a file that is no list of NetBox.
[[nodiscard]] Result<void> readExported(std::span<const exchange::ImportSource> files, const PlaceFields& fields, const Progress& progress,
                                        Inventory& into);

/// The exported files of a folder, by name; others are named. Errors: Unreadable.
[[nodiscard]] Result<std::vector<exchange::ImportSource>> exportedFiles(const std::filesystem::path& folder, Inventory& into);

} // namespace hw::importers::netbox_in
