// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/storage/sqlite.h"

#include <span>

namespace hw::storage {

/// One step of the file format, from version `from` to `from + 1`. One file of this folder per step,
/// named after the version it leads to, tested on a stored file of the old version. A step changes the
/// tables and the journal with SQL; it never goes through today's C++ tables, which move on.
struct Migration {
    std::uint32_t from;
    Result<void> (*run)(Database& database);
};

/// The steps of this program, in order; the last leads to kFormatVersion.
[[nodiscard]] std::span<const Migration> migrations();

/// Takes a database from `version` to the end of `steps` in one transaction. An error changes nothing.
[[nodiscard]] Result<void> migrate(Database& database, std::uint32_t version, std::span<const Migration> steps);

} // namespace hw::storage
