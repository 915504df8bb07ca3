// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hw::storage {

inline constexpr std::uint32_t kApplicationId = 0x48414C4C; ///< "HALL"
inline constexpr std::uint32_t kFormatVersion = 3;          ///< user_version that this program writes
inline constexpr std::uint32_t kPageBytes = 4096;

/// The bytes of a project's database as of its last complete commit: the main file with its
/// write-ahead log put over it. Reading it leaves no trace: no lock, no side file, no checkpoint.
struct FileImage {
    std::string bytes;
    std::uint32_t version = 0; ///< the file's user_version
    bool tornTail = false;     ///< the log ends within a commit that was never completed
};

/// Refuses what is not a sound project of this or an older format, before SQLite sees it.
/// Errors (Unreadable): missing, empty, not ours, newer, truncated, damaged.
[[nodiscard]] Result<FileImage> readImage(const std::filesystem::path& path, std::uint32_t newestVersion = kFormatVersion);

/// Checks the first 100 bytes (SQLite file format 1.3) of a file of `size` bytes.
[[nodiscard]] Result<std::uint32_t> checkHeader(const std::string& header, std::uint64_t size, const std::string& where, std::uint32_t newestVersion);

enum class WalState { Empty, Complete, Torn, Damaged };
/// Puts the committed pages of a write-ahead log over `image` (SQLite file format 4.1 to 4.3).
[[nodiscard]] WalState applyWal(const std::string& wal, std::string& image);

} // namespace hw::storage
