// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input_file.h"

#include <algorithm>

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

Result<std::vector<std::filesystem::path>> filesOf(const std::vector<std::string>& paths, const Text& remedy)
{
    std::vector<std::filesystem::path> files;
    for (const auto& path : paths) {
        std::error_code error;
        if (!std::filesystem::is_directory(path, error)) {
            files.emplace_back(path);
            continue;
        }
        std::vector<std::filesystem::path> inside;
        for (const auto& entry : std::filesystem::directory_iterator(path, error))
            if (entry.is_regular_file(error) && !entry.path().filename().string().starts_with('.')) inside.push_back(entry.path());
        if (error) return fail(ErrorCode::Unreadable, path, i18n("cannot be read"), i18n("check the path and the permissions"));
        if (inside.empty()) return fail(ErrorCode::Unreadable, path, i18n("has no file in it"), remedy);
        std::ranges::sort(inside);
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

} // namespace hw::cli
