// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/changeset.h"

#include <string>

namespace hw::storage {

/// The "after" side of a changeset as bytes: changed rows of a chunk where they are few, else the chunk.
[[nodiscard]] std::string packCommit(const ChangeSet& changes);
/// Makes `snapshot` what the commit left; false when the bytes do not fit it (nothing is then promised about it).
[[nodiscard]] bool applyCommit(std::string_view bytes, Snapshot& snapshot);

/// An empty snapshot, for its column types.
[[nodiscard]] const Snapshot& schemaSnapshot();

} // namespace hw::storage
