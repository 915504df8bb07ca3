// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace hw::cli {

/// The whole of a text file of at most 256 MiB. Error: Unreadable.
[[nodiscard]] Result<std::string> readText(const std::filesystem::path& path);

} // namespace hw::cli
