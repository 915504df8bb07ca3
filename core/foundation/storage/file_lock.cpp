// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/file_lock.h"

#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace hw::storage {

Result<FileLock> FileLock::acquire(const std::filesystem::path& path)
{
    for (;;) {
        const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
        if (fd < 0)
            return fail(ErrorCode::Unreadable, path.string(), i18n("cannot be opened for writing: {}", std::strerror(errno)),
                        i18n("check the path and its permissions"));
        FileLock lock(fd);
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const long pid = lockHolder(path);
            Text taken = pid == ::getpid() ? i18n("is already open for writing in this program")
                         : pid > 0         ? i18n("is already open for writing in process {}", pid)
                                           : i18n("is already open for writing in another program");
            return fail(ErrorCode::Unreadable, path.string(), std::move(taken), i18n("close it there first"));
        }
        struct stat locked {
        }, named{};
        if (::fstat(fd, &locked) == 0 && ::stat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev)
            return lock; // else it was replaced between open and lock
    }
}

FileLock::~FileLock()
{
    if (m_fd >= 0) ::close(m_fd);
}

long lockHolder(const std::filesystem::path& path)
{
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return 0;
    char place[64];
    std::snprintf(place, sizeof place, "%02x:%02x:%lu", major(info.st_dev), minor(info.st_dev), static_cast<unsigned long>(info.st_ino));
    std::ifstream locks("/proc/locks"); // proc(5): ordinal: kind mode access pid device:inode start end
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string ordinal, kind, mode, access, at;
        long pid = 0;
        words >> ordinal >> kind >> mode >> access >> pid >> at;
        if (kind == "FLOCK" && access == "WRITE" && at == place) return pid;
    }
    return 0;
}

} // namespace hw::storage
