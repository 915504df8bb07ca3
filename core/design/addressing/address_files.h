// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/addressing/address_tables.h"

#include <filesystem>

namespace hw {

/// `{"schema": "hallwright.addressing/1", "design": …, "switches": […], …}`: a member per table, an object per row.
/// Errors of all writers: Unreadable, Canceled. A file appears whole or not at all.
[[nodiscard]] Result<void> writeAddressJson(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts,
                                            const std::filesystem::path& file, const Progress& progress = {});
/// Every address in one table.
[[nodiscard]] Result<void> writeAddressCsv(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts,
                                           const std::filesystem::path& file, const Progress& progress = {});
/// `addressing.json`, a CSV for each table, and `breakout/SWITCH.txt` for each switch with split cages.
/// The folder is made where there is none.
[[nodiscard]] Result<void> writeAddressFolder(const AddressPlan& plan, const Snapshot& snapshot, const ProjectParts& parts,
                                              const std::filesystem::path& folder, const Progress& progress = {});

} // namespace hw
