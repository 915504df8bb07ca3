// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/resources.h"

#include <cstdlib>

namespace hw {

std::filesystem::path resourceFolder()
{
    if (const char* folder = std::getenv("HALLWRIGHT_RESOURCES")) return folder;
    std::error_code error;
    const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
    const auto installed = executable.parent_path() / "../share/hallwright";
    if (!error && std::filesystem::exists(installed / "catalog", error)) return std::filesystem::canonical(installed, error);
    return HW_SOURCE_RESOURCES;
}

} // namespace hw
