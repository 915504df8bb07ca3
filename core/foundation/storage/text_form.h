// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <filesystem>

namespace hw {

inline constexpr std::uint64_t kTextVersion = 3; ///< that `exportText` writes; older ones are read

/// The diffable form of a project: one UTF-8 file with every table in order, rows by id, one row a
/// line, tab between values. Carries ids, the next free ids and the revision, so that reading it back
/// and writing it again gives the same bytes. Appears whole or not at all, never over a project. Errors: Unreadable, Canceled.
[[nodiscard]] Result<void> exportText(const Snapshot& snapshot, const std::filesystem::path& path, const Progress& progress = {});

/// Errors name `PATH:LINE`; also for bytes that are not UTF-8.
[[nodiscard]] Result<SnapshotPtr> importText(const std::filesystem::path& path, const Progress& progress = {});

} // namespace hw
