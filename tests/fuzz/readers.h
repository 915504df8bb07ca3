// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hw::fuzz {

/// A reader of bytes that come from outside.
struct Reader {
    std::string name;
    std::vector<std::filesystem::path> seeds;     ///< small files that it can read, or nearly
    std::function<bool(const std::string&)> read; ///< whether the bytes were accepted; must neither throw nor hang
};
[[nodiscard]] const std::vector<Reader>& readers();

} // namespace hw::fuzz
