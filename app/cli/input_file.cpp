// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hw::cli {

Result<std::string> readText(const std::filesystem::path& path)
{
    constexpr std::size_t kLargest = std::size_t(256) << 20;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    std::string text;
    std::size_t got = 0;
    char buffer[65536];
    while (file && text.size() <= kLargest && (got = std::fread(buffer, 1, sizeof buffer, file)) > 0) text.append(buffer, got);
    const int error = !file ? errno : std::ferror(file) ? EIO : text.size() > kLargest ? EFBIG : 0;
    if (file) std::fclose(file);
    if (error == 0) return text;
    return fail(ErrorCode::Unreadable, path.string(), i18n("cannot be read: {}", std::strerror(error)), i18n("check the path"));
}

} // namespace hw::cli
