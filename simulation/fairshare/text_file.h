// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include <tl/expected.hpp>

#include "problem.h"

namespace hw::sim {
inline namespace fairshare {

/// The bytes of one file.
struct TextFile {
    std::unique_ptr<char[]> bytes;
    size_t length = 0;

    std::string_view view() const { return {bytes.get(), length}; }
};

/// Reads a regular file in one go, a pipe until its end. The error has line 0.
tl::expected<TextFile, ProblemError> readTextFile(const std::filesystem::path& path);

/// Writes a file whole or not at all: beside the target first, then renamed over it.
/// A target that is no regular file (a device, a pipe) is written to directly.
tl::expected<void, ProblemError> writeTextFile(const std::filesystem::path& path, std::string_view text);

} // namespace fairshare
} // namespace hw::sim
