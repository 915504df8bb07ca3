// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/project_access.h"

#include "core/foundation/storage/file_lock.h"

#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hw {

namespace storage {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(const fs::path& path, int error)
{
    return fail(ErrorCode::Unreadable, path.string(), i18n("cannot be written: {}", std::strerror(error)),
                error == ENOSPC ? i18n("free up disk space") : i18n("check the folder and its permissions"));
}

Result<void> syncPath(const fs::path& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool done = fd >= 0 && ::fsync(fd) == 0;
    const int error = errno;
    if (fd >= 0) ::close(fd);
    if (!done) return cannotWrite(path, error);
    return {};
}

/// A file that goes away unless it was given its final name.
struct TemporaryFile {
    fs::path path;
    ~TemporaryFile()
    {
        if (path.empty()) return;
        std::error_code ignored;
        for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(path.string() + suffix, ignored);
    }
};

Result<FileState> fillNewFile(const Snapshot& snapshot, const fs::path& path, const Progress& progress)
{
    auto database = Database::open(path.string(), true);
    if (!database) return tl::unexpected(database.error());
    FileState state;
    // Nobody else sees this file and it is synced as a whole afterward, so SQLite need not be careful.
    auto done = database
                    ->run("PRAGMA page_size = " + std::to_string(kPageBytes) +             // no text
                          "; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; " // no text
                          "PRAGMA synchronous = OFF; PRAGMA encoding = 'UTF-8'; BEGIN")    // no text
                    .and_then([&] { return createSchema(*database); })
                    .and_then([&] { return writeTables(*database, snapshot, nullptr, state, progress); })
                    .and_then([&] { return database->run("COMMIT; PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)"); }) // no text
                    .and_then([&] { return database->close(); });
    if (!done) return tl::unexpected(done.error());
    return state;
}

/// A log beside the file that is about to be replaced would be taken for the new file's log. It is put
/// into the old file first, so that a crash before the renaming loses nothing of it.
void settleOldLog(const fs::path& path)
{
    std::error_code ignored;
    const fs::path log = path.string() + "-wal";
    if (!fs::exists(log, ignored)) return;
    if (auto database = Database::open(path.string(), false)) {
        (void)database->run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA wal_checkpoint(TRUNCATE)"); // no text
        (void)database->close();
    }
    fs::remove(log, ignored);
    fs::remove(path.string() + "-shm", ignored);
}

/// Side files without their project belong to one that was deleted; beside a new project they would be
/// taken for its own. Each gets the name FILE.orphan, or FILE.orphan-2 and so on: they may hold work.
Result<void> moveOrphansAside(const fs::path& path, const fs::path& folder)
{
    bool moved = false;
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
        const std::string from = path.string() + suffix;
        std::string to = from + ".orphan";
        std::error_code error;
        if (!fs::exists(fs::symlink_status(from, error))) continue;
        for (int i = 2; fs::exists(fs::symlink_status(to, error)); ++i) to = from + ".orphan-" + std::to_string(i);
        if (::rename(from.c_str(), to.c_str()) != 0 && errno != ENOENT)
            return fail(ErrorCode::Unreadable, path.string(),
                        i18n("leftover file of a deleted project ({}) cannot be renamed: {}", from, std::strerror(errno)),
                        i18n("move that file elsewhere"));
        moved = true;
    }
    return moved ? syncPath(folder) : Result<void>();
}

/// What stands in the way of the new file, whose own bytes are complete now.
Result<void> makeRoom(const fs::path& target, const fs::path& folder, bool replaces)
{
    if (replaces) {
        settleOldLog(target);
        return {};
    }
    std::error_code ignored;
    if (fs::exists(target, ignored))
        return fail(ErrorCode::Unreadable, target.string(), i18n("was created by another program in the meantime"), i18n("choose another file name"));
    return moveOrphansAside(target, folder);
}

} // namespace

Result<FileState> writeNewFile(const Snapshot& snapshot, const fs::path& path, const Progress& progress)
{
    std::error_code ignored;
    const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
    std::optional<FileLock> lock;
    struct stat old {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (exists) {
        if (!S_ISREG(old.st_mode)) return fail(ErrorCode::Unreadable, path.string(), i18n("is not a regular file"), i18n("specify a .hall file"));
        auto acquired = FileLock::acquire(target);
        if (!acquired) return tl::unexpected(acquired.error());
        lock.emplace(std::move(*acquired));
    }
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    TemporaryFile temporary{folder / ("." + target.filename().string() + ".new-" + std::to_string(::getpid()))};
    fs::remove(temporary.path, ignored);
    auto state = fillNewFile(snapshot, temporary.path, progress);
    if (!state) {
        state.error().where = path.string();
        return state;
    }
    if (exists) ::chmod(temporary.path.c_str(), old.st_mode & 07777);
    if (auto done = syncPath(temporary.path); !done) return tl::unexpected(done.error());
    if (progress.stopRequested()) return fail(ErrorCode::Canceled, path.string(), i18n("stopped"));
    if (auto done = makeRoom(target, folder, exists); !done) return tl::unexpected(done.error());
    if (::rename(temporary.path.c_str(), target.c_str()) != 0) return cannotWrite(path, errno);
    temporary.path.clear();
    if (auto done = syncPath(folder); !done) return tl::unexpected(done.error());
    progress.report(1.0, words(i18n("Saving")));
    return state;
}

} // namespace storage

Result<void> writeProject(const Snapshot& snapshot, const std::filesystem::path& path, const Progress& progress)
{
    auto state = storage::writeNewFile(snapshot, path, progress);
    if (!state) return tl::unexpected(state.error());
    return {};
}

} // namespace hw
