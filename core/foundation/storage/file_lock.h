// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <filesystem>
#include <utility>

namespace hw::storage {

/// The right to write one project file: a flock on the file itself, so nothing is left behind when
/// its owner dies. It binds neither readers nor SQLite's own locks.
class FileLock {
public:
    /// Errors (Unreadable): missing or not writable; open for writing elsewhere, naming the process if known.
    [[nodiscard]] static Result<FileLock> acquire(const std::filesystem::path& path);
    FileLock(FileLock&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    FileLock& operator=(FileLock&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

private:
    explicit FileLock(int fd) : m_fd(fd) {}
    int m_fd;
};

/// The process that holds the write lock, 0 when nobody does or the system does not tell. Takes no lock.
[[nodiscard]] long lockHolder(const std::filesystem::path& path);

} // namespace hw::storage
