// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/files/atomic_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace hw {
namespace {

std::filesystem::path folderOf(const std::filesystem::path& file) { return file.has_parent_path() ? file.parent_path() : std::filesystem::path("."); }

/// The umask, read without changing it: `umask` itself would open the files of other threads to everybody for a moment.
mode_t currentUmask()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("Umask:")) return mode_t(std::strtoul(line.c_str() + 6, nullptr, 8));
    return 022;
}

/// The mode that a plainly created file would have: 0666 less the umask, or that of the file replaced.
mode_t modeFor(const std::filesystem::path& target)
{
    struct stat status {};
    if (::stat(target.c_str(), &status) == 0) return status.st_mode & 0777;
    return 0666 & ~currentUmask();
}

} // namespace

AtomicFile::AtomicFile(std::filesystem::path target, std::filesystem::path temporary, int handle)
    : m_target(std::move(target)), m_temporary(std::move(temporary)), m_handle(handle)
{
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_target(std::move(other.m_target)), m_temporary(std::move(other.m_temporary)), m_handle(std::exchange(other.m_handle, -1))
{
    other.m_temporary.clear();
}

AtomicFile::~AtomicFile()
{
    if (m_handle >= 0) ::close(m_handle);
    if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
}

Result<void> AtomicFile::failure(Text what) const
{
    return fail(ErrorCode::Unreadable, m_target.string(), std::move(what), i18n("choose another location or free up disk space"));
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& given)
{
    std::error_code ignored;
    // A link stays a link: what it points to is replaced.
    const auto target = std::filesystem::is_symlink(given, ignored) ? std::filesystem::weakly_canonical(given, ignored) : given;
    if (target.empty() || target.filename().empty() || std::filesystem::is_directory(target, ignored))
        return fail(ErrorCode::Unreadable, given.string(), i18n("not a valid file name"), i18n("specify a file to write"));
    auto pattern = (folderOf(target) / ("." + target.filename().string() + ".XXXXXX")).string();
    const int handle = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (handle < 0)
        return fail(ErrorCode::Unreadable, given.string(), i18n("cannot be written: {}", std::strerror(errno)),
                    i18n("choose an existing folder with write permission"));
    ::fchmod(handle, modeFor(target));
    return AtomicFile(target, pattern, handle);
}

Result<void> AtomicFile::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto written = ::write(m_handle, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return failure(i18n("cannot be written: {}", std::strerror(errno)));
        bytes.remove_prefix(std::size_t(written));
    }
    return {};
}

Result<void> AtomicFile::commit()
{
    // A library may have replaced the file behind the name, so what is made durable is what stands there.
    ::close(std::exchange(m_handle, ::open(m_temporary.c_str(), O_RDONLY | O_CLOEXEC)));
    if (m_handle < 0 || ::fsync(m_handle) != 0) return failure(i18n("cannot be synced to disk: {}", std::strerror(errno)));
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0) return failure(i18n("cannot be replaced: {}", std::strerror(errno)));
    m_temporary.clear();
    if (const int folder = ::open(folderOf(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        ::fsync(folder);
        ::close(folder);
    }
    return {};
}

Result<void> writeFile(const std::filesystem::path& target, std::string_view bytes)
{
    auto file = AtomicFile::create(target);
    if (!file) return tl::unexpected(file.error());
    if (auto written = file->write(bytes); !written) return written;
    return file->commit();
}

} // namespace hw
