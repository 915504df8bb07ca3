// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/snapshot.h"

#include <string_view>

namespace hw {

/// A setting as a number: what the project says, else the default of the registry; 0 where neither is one.
[[nodiscard]] double numberOf(const Snapshot& snapshot, std::string_view key);
/// True where the project itself says something.
[[nodiscard]] bool isSet(const Snapshot& snapshot, std::string_view key);

} // namespace hw
