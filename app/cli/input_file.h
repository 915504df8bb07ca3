// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hw::cli {

/// Files as they are named, and the files of folders by name. Unreadable: a folder that cannot be read, or holds none; `remedy` says what to name.
[[nodiscard]] Result<std::vector<std::filesystem::path>> filesOf(const std::vector<std::string>& paths, const Text& remedy);

} // namespace hw::cli
