// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/changeset.h"
#include "core/foundation/storage/file_schema.h"

#include <optional>
#include <string>

namespace hw::storage {

/// The "after" side of a changeset as bytes: changed rows of a chunk where they are few, else the chunk.
[[nodiscard]] std::string packCommit(const ChangeSet& changes);
/// Makes `snapshot` what the commit left and gives what it changed, without name and revisions; nothing when the bytes
/// do not fit it (nothing is then promised about the snapshot). `schema` is the list of tables of the file that the
/// bytes come from; what a file of another list lacks is completed in the snapshot and no part of the changes.
[[nodiscard]] std::optional<ChangeSet> applyCommit(std::string_view bytes, const FileSchema& schema, Snapshot& snapshot);

} // namespace hw::storage
