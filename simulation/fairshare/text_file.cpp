// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hw::sim {
inline namespace fairshare {

namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_fd >= 0) ::close(m_fd);
    }
    int get() const { return m_fd; }

private:
    int m_fd;
};

tl::unexpected<ProblemError> systemError(TextId what, TextId todo)
{
    return tl::unexpected(ProblemError{0, i18n("{}: {}", what, std::strerror(errno)), todo});
}

/// Of a pipe or terminal, whose length is not known before its end.
tl::expected<TextFile, ProblemError> readStream(int fd)
{
    size_t room = size_t(1) << 20;
    TextFile text{std::make_unique_for_overwrite<char[]>(room), 0};
    for (;;) {
        const ssize_t count = ::read(fd, text.bytes.get() + text.length, room - text.length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return systemError(TextId("cannot be read"), TextId("check that the entire file is readable"));
        if (count == 0) return text;
        text.length += static_cast<size_t>(count);
        if (text.length < room) continue;
        auto larger = std::make_unique_for_overwrite<char[]>(2 * room);
        std::memcpy(larger.get(), text.bytes.get(), text.length);
        text.bytes = std::move(larger);
        room *= 2;
    }
}

bool writeAll(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(fd, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        text.remove_prefix(static_cast<size_t>(count));
    }
    return true;
}

} // namespace

tl::expected<TextFile, ProblemError> readTextFile(const std::filesystem::path& path)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    if (file.get() < 0 || ::fstat(file.get(), &info) != 0)
        return systemError(TextId("cannot be opened"), TextId("check the path and its permissions"));
    if (S_ISDIR(info.st_mode)) return tl::unexpected(ProblemError{0, i18n("is a folder"), i18n("specify the path of a file")});
    if (!S_ISREG(info.st_mode)) return readStream(file.get());
    const auto length = static_cast<size_t>(info.st_size);
    TextFile text{std::make_unique_for_overwrite<char[]>(length), 0};
    while (text.length < length) {
        const ssize_t count = ::read(file.get(), text.bytes.get() + text.length, length - text.length);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return systemError(TextId("cannot be read"), TextId("check the disk"));
        if (count == 0) break;
        text.length += static_cast<size_t>(count);
    }
    return text;
}

tl::expected<void, ProblemError> writeTextFile(const std::filesystem::path& path, std::string_view text)
{
    std::error_code ignored;
    const bool direct = std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
    std::filesystem::path part = path;
    if (!direct) part += ".part-" + std::to_string(::getpid());
    const Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) return systemError(TextId("cannot be written"), TextId("check the folder and its permissions"));
    if (!writeAll(file.get(), text) || (!direct && ::rename(part.c_str(), path.c_str()) != 0)) {
        auto error = systemError(TextId("cannot be written"), TextId("check free disk space and permissions"));
        if (!direct) ::unlink(part.c_str());
        return error;
    }
    return {};
}

} // namespace fairshare
} // namespace hw::sim
