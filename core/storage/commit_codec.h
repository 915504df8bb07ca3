// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/changeset.h"
#include "core/storage/file_schema.h"

#include <string>

namespace hw::storage {

/// The "after" side of a changeset as bytes: changed rows of a chunk where they are few, else the chunk.
[[nodiscard]] std::string packCommit(const ChangeSet& changes);
/// Makes `snapshot` what the commit left; false when the bytes do not fit it (nothing is then promised about it).
/// `schema` is the list of tables of the file that the bytes come from.
[[nodiscard]] bool applyCommit(std::string_view bytes, const FileSchema& schema, Snapshot& snapshot);

} // namespace hw::storage
