// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/storage/sqlite.h"

#include <functional>
#include <optional>

namespace hw::storage {

/// What a step does to the bytes of one journaled commit; nothing when they are malformed.
using CommitChange = std::function<std::optional<std::string>(std::string_view)>;

/// Fingerprints of formats 1 and 2, from what the SQL tables say: a step checks those of the old format
/// first, so that it never vouches for a damaged file, and renews them when it is done.
/// Errors: Unreadable (what the file says of itself does not hold).
[[nodiscard]] Result<void> checkFingerprints(Database& database);
[[nodiscard]] Result<void> renewFingerprints(Database& database, const CommitChange& change);

} // namespace hw::storage
