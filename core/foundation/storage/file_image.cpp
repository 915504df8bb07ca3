// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/storage/file_image.h"

#include "core/foundation/storage/file_lock.h"
#include "core/foundation/storage/project_file.h"
#include "core/foundation/storage/sqlite.h"

#include "version.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hw::storage {

namespace {

constexpr char kMagic[] = "SQLite format 3"; // with its closing zero, 16 bytes // no text
constexpr std::size_t kHeader = 100;

std::uint32_t big32(const std::string& bytes, std::size_t at)
{
    const auto* p = reinterpret_cast<const unsigned char*>(bytes.data() + at);
    return std::uint32_t(p[0]) << 24 | std::uint32_t(p[1]) << 16 | std::uint32_t(p[2]) << 8 | p[3];
}

struct Descriptor {
    int fd = -1;
    ~Descriptor()
    {
        if (fd >= 0) ::close(fd);
    }
};

tl::unexpected<Error> unreadable(const std::string& where, Text what, Text todo)
{
    return fail(ErrorCode::Unreadable, where, std::move(what), std::move(todo));
}

tl::unexpected<Error> damaged(const std::string& where, const Text& what)
{
    return unreadable(where, i18n("project file damaged: {}", what), i18n("restore a backup"));
}

/// A file's bytes from the start, at most `limit`; a missing file is empty if `optional`.
Result<std::string> readBytes(const std::string& path, bool optional, struct stat& info, std::size_t limit = SIZE_MAX)
{
    Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    info = {};
    if (file.fd < 0 && errno == ENOENT && optional) return std::string();
    if (file.fd < 0 || ::fstat(file.fd, &info) != 0)
        return unreadable(path, i18n("cannot be opened: {}", std::strerror(errno)), i18n("check the path and its permissions"));
    if (!S_ISREG(info.st_mode)) return unreadable(path, i18n("is not a regular file"), i18n("specify a .hall file"));
    std::string bytes(std::min(std::size_t(info.st_size), limit), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const auto got = ::pread(file.fd, bytes.data() + have, bytes.size() - have, off_t(have));
        if (got < 0) return unreadable(path, i18n("cannot be read: {}", std::strerror(errno)), i18n("check the disk"));
        if (got == 0) break;
        have += std::size_t(got);
    }
    bytes.resize(have);
    return bytes;
}

/// Fields that every project has the same; a difference is damage that SQLite might not notice.
bool fixedFieldsHold(const std::string& h)
{
    static constexpr char kPayload[] = {0, 64, 32, 32}; // no reserved bytes; payload fractions
    const bool formats = (h[18] == 1 || h[18] == 2) && h[18] == h[19];
    const bool zeros = h.find_first_not_of('\0', 72) >= 92; // reserved for expansion
    return formats && std::memcmp(h.data() + 20, kPayload, 4) == 0 && big32(h, 44) == 4 && big32(h, 52) == 0 && big32(h, 56) == 1 &&
           big32(h, 64) == 0 && zeros;
}

using Version = std::array<unsigned, 3>;

/// Zeros when it is not a version.
Version versionOf(const std::string& text)
{
    Version v{};
    return std::sscanf(text.c_str(), "%5u.%5u.%5u", &v[0], &v[1], &v[2]) == 3 ? v : Version{};
}

/// The program version that a newer file asks for, if the file says so.
std::string neededProgram(std::string image)
{
    image[18] = image[19] = 1;
    auto database = Database::openImage(image, "");
    if (!database) return {};
    return database->text("SELECT value FROM meta WHERE key = 'needs'").value_or(std::string()); // no text
}

tl::unexpected<Error> newer(const std::string& where, std::uint32_t version, std::uint32_t newest, const std::string& needs)
{
    const Version v = versionOf(needs);
    const bool helps = v > versionOf(HW_VERSION);
    return unreadable(where,
                      i18n("was written by a newer version of Hallwright: file format {}; this version ({}) reads file formats up to {}", version,
                           HW_VERSION, newest),
                      helps ? i18n("open it with Hallwright {}.{}.{} or later (file format {})", v[0], v[1], v[2], version)
                            : i18n("open it with a newer version of Hallwright (file format {})", version));
}

/// SQLite keeps the file as long as its header says: no more, no less.
Result<void> checkSize(const std::string& image, const std::string& where)
{
    const std::uint64_t expected = std::uint64_t(big32(image, 28)) * kPageBytes;
    if (image.size() > expected) return damaged(where, i18n("file size is {} bytes, but the header specifies {}", image.size(), expected));
    if (image.size() < expected) return unreadable(where, i18n("is truncated: {} of {} bytes", image.size(), expected), i18n("restore a backup"));
    return {};
}

/// The log's first 32 bytes: its salts are new whenever the log starts again. Empty: no log.
std::string logHeader(const std::string& path)
{
    struct stat info {};
    return readBytes(path + "-wal", true, info, 32).value_or(std::string());
}

/// Whether the main file, read as `bytes`, may have been written since it was opened (`read`). File times
/// have steps of milliseconds, so a file written in the second before is read again and compared.
bool writtenSince(const std::string& path, const std::string& bytes, const struct stat& read)
{
    struct stat now {};
    if (::stat(path.c_str(), &now) != 0 || now.st_ino != read.st_ino || now.st_size != read.st_size || now.st_mtim.tv_sec != read.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != read.st_mtim.tv_nsec)
        return true;
    struct timespec clock {};
    ::clock_gettime(CLOCK_REALTIME, &clock);
    if (clock.tv_sec > read.st_mtim.tv_sec + 1) return false;
    const auto again = readBytes(path, false, now);
    return !again || *again != bytes;
}

/// One attempt: main file, then log, so that pages which a running writer moves between them are in one of the two.
/// That holds if the log did not start again between its header read before and the one read after (its frames
/// would be of two logs), and, where there was no log, if the main file was not written.
Result<FileImage> readOnce(const std::string& path, std::uint32_t newestVersion, bool& changedMeanwhile)
{
    struct stat main {
    }, log{}, now{};
    const auto firstHeader = logHeader(path);
    auto bytes = readBytes(path, false, main);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto wal = readBytes(path + "-wal", true, log);
    if (!wal) return tl::unexpected(wal.error());
    changedMeanwhile = wal->substr(0, 32) != firstHeader || logHeader(path) != firstHeader || ::stat(path.c_str(), &now) != 0 ||
                       now.st_ino != main.st_ino || (wal->size() <= 32 && writtenSince(path, *bytes, main));
    const auto version = checkHeader(*bytes, bytes->size(), path, newestVersion);
    if (!version) {
        if (bytes->size() >= kHeader && big32(*bytes, 68) == kApplicationId && big32(*bytes, 60) > newestVersion)
            return newer(path, big32(*bytes, 60), newestVersion, neededProgram(*bytes));
        return tl::unexpected(version.error());
    }
    struct stat journal {};
    if (::stat((path + "-journal").c_str(), &journal) == 0 && journal.st_size > 0)
        return unreadable(path, i18n("another program left an unfinished transaction ({}-journal)", path),
                          i18n("complete it in that program, or use a copy"));
    const auto state = applyWal(*wal, *bytes);
    if (state == WalState::Damaged) return damaged(path, i18n("write-ahead log ({}-wal) contains damaged commits", path));
    if (auto whole = checkSize(*bytes, path); !whole) return tl::unexpected(whole.error());
    (*bytes)[18] = (*bytes)[19] = 1; // the image has no log
    return FileImage{std::move(*bytes), *version, state == WalState::Torn};
}

} // namespace

Result<std::uint32_t> checkHeader(const std::string& header, std::uint64_t size, const std::string& where, std::uint32_t newestVersion)
{
    if (size == 0) return unreadable(where, i18n("file is empty"), i18n("choose a project (.hall) or create one with `new`"));
    if (std::memcmp(header.data(), kMagic, std::min<std::size_t>(header.size(), 16)) != 0)
        return unreadable(where, i18n("is not a Hallwright project"), i18n("choose a .hall file; use `import` for other formats"));
    if (size < kHeader) return unreadable(where, i18n("is truncated: {} bytes", size), i18n("restore a backup"));
    if (big32(header, 68) != kApplicationId)
        return unreadable(where, i18n("is an SQLite database of another application (application ID {})", big32(header, 68)),
                          i18n("choose a .hall file"));
    const std::uint32_t version = big32(header, 60);
    if (version > newestVersion) return newer(where, version, newestVersion, {});
    if (version == 0) return damaged(where, i18n("file format version is 0"));
    if (big32(header, 16) >> 16 != kPageBytes || !fixedFieldsHold(header)) return damaged(where, i18n("invalid file header"));
    return version;
}

Result<FileImage> readImage(const std::filesystem::path& path, std::uint32_t newestVersion)
{
    for (int attempt = 0;; ++attempt) {
        bool changed = false;
        auto image = readOnce(path.string(), newestVersion, changed);
        if (!changed || attempt == 50) return image;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

} // namespace hw::storage

namespace hw {

bool isProjectFile(const std::filesystem::path& path)
{
    struct stat info {};
    const auto header = storage::readBytes(path.string(), true, info, storage::kHeader);
    return header && header->size() == storage::kHeader && std::memcmp(header->data(), storage::kMagic, sizeof storage::kMagic) == 0 &&
           storage::big32(*header, 68) == storage::kApplicationId;
}

} // namespace hw
