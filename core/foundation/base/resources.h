// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace hw {

/// Folder with catalog, templates, samples: $HALLWRIGHT_RESOURCES, else `../share/hallwright` beside
/// the executable's folder (installed), else the source tree that this was built from.
[[nodiscard]] std::filesystem::path resourceFolder();

} // namespace hw
