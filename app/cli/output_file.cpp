// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output_file.h"

#include "core/foundation/storage/project_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hw::cli {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> cannotWrite(const fs::path& target, int error)
{
    return fail(ErrorCode::Unreadable, target.string(), i18n("cannot be written: {}", std::strerror(error)),
                i18n("choose an existing folder with write permission"));
}

/// Data and name reach the disk before success is reported.
bool syncPath(const fs::path& path, int flags)
{
    const int fd = open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0) return false;
    const bool done = fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
    close(fd);
    return done;
}

Result<void> writeBeside(const fs::path& target, const std::function<Result<void>(const fs::path&)>& write)
{
    if (access(target.c_str(), F_OK) == 0 && access(target.c_str(), W_OK) != 0) return cannotWrite(target, errno);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (access(folder.c_str(), W_OK | X_OK) != 0) return cannotWrite(target, errno);
    const fs::path part = folder / fmt::format(".{}.{}.part{}", target.stem().string(), getpid(), target.extension().string());
    const interrupt::UnfinishedFile guard(part);
    std::error_code ignored;
    if (auto written = write(part); !written) {
        fs::remove(part, ignored);
        Error error = written.error();
        if (const auto at = error.where.find(part.string()); at != std::string::npos) error.where.replace(at, part.string().size(), target.string());
        return tl::unexpected(error);
    }
    if (interrupt::token().stop_requested()) {
        fs::remove(part, ignored);
        return fail(ErrorCode::Canceled, target.string(), i18n("stopped before the file was written"));
    }
    if (struct stat old{}; stat(target.c_str(), &old) == 0) chmod(part.c_str(), old.st_mode & 07777);
    if (!syncPath(part, O_RDONLY) || std::rename(part.c_str(), target.c_str()) != 0) {
        const int error = errno;
        fs::remove(part, ignored);
        return cannotWrite(target, error);
    }
    (void)syncPath(folder, O_RDONLY | O_DIRECTORY);
    return {};
}

/// For devices and pipes: made elsewhere, then copied.
Result<void> writeThrough(const fs::path& target, const std::function<Result<void>(const fs::path&)>& write)
{
    std::error_code error;
    const fs::path part = fs::temp_directory_path(error) / fmt::format("hallwright.{}.part{}", getpid(), target.extension().string());
    const interrupt::UnfinishedFile guard(part);
    auto done = write(part);
    if (done) {
        std::FILE* from = std::fopen(part.c_str(), "rb");
        std::FILE* to = std::fopen(target.c_str(), "wb");
        char buffer[65536];
        bool good = from && to;
        for (std::size_t n = 0; good && (n = std::fread(buffer, 1, sizeof buffer, from)) > 0;) good = std::fwrite(buffer, 1, n, to) == n;
        if (from) std::fclose(from);
        if (to && std::fclose(to) != 0) good = false;
        if (!good) done = cannotWrite(target, errno);
    }
    fs::remove(part, error);
    return done;
}

} // namespace

Result<void> refuseProject(const fs::path& target)
{
    std::error_code error;
    if (!fs::is_regular_file(target, error) || !isProjectFile(target)) return {};
    return fail(ErrorCode::Unreadable, target.string(), i18n("is a Hallwright project file"), i18n("choose another file name"));
}

Result<void> writeWhole(const fs::path& target, const std::function<Result<void>(const fs::path&)>& write)
{
    std::error_code error;
    const auto status = fs::status(target, error); // follows links
    if (status.type() == fs::file_type::directory) return cannotWrite(target, EISDIR);
    if (fs::exists(status) && status.type() != fs::file_type::regular) return writeThrough(target, write);
    if (const auto fine = refuseProject(target); !fine) return fine;
    const fs::path real = fs::is_symlink(fs::symlink_status(target, error)) ? fs::weakly_canonical(target, error) : target;
    return writeBeside(real.empty() ? target : real, write);
}

Result<void> writeWholeText(const fs::path& target, std::string_view text)
{
    return writeWhole(target, [&](const fs::path& path) -> Result<void> {
        std::FILE* file = std::fopen(path.c_str(), "wb");
        if (!file) return cannotWrite(path, errno);
        const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
        if (std::fclose(file) != 0 || !written) return cannotWrite(path, errno);
        return {};
    });
}

Result<void> requireFile(const fs::path& target, std::string_view option)
{
    std::error_code error;
    const auto status = fs::status(target, error);
    if (!fs::exists(status) || fs::is_regular_file(status)) return {};
    return fail(ErrorCode::Unreadable, std::string(option) + ' ' + target.string(), i18n("not a valid file name"), i18n("specify a file to write"));
}

Result<std::string> outputFormat(const fs::path& target, std::initializer_list<std::string_view> known)
{
    std::string extension = target.extension().string();
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    if (std::ranges::find(known, extension) != known.end()) return extension;
    Text any;
    for (const auto ending : known) any = any.empty() ? verbatim(std::string(ending)) : i18n("{} or {}", any, ending);
    return fail(ErrorCode::Usage, "-o " + target.string(), i18n("file type not recognized from the name"), i18n("use the extension {}", any));
}

} // namespace hw::cli
