// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/input_file.h"

#include <algorithm>

namespace hw::cli {

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
        if (error) return fail(ErrorCode::Unreadable, path, i18n("cannot be read"), i18n("check the path and its permissions"));
        if (inside.empty()) return fail(ErrorCode::Unreadable, path, i18n("contains no files"), remedy);
        std::ranges::sort(inside);
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

} // namespace hw::cli
