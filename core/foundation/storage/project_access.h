// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/storage/file_image.h"
#include "core/foundation/storage/tables_io.h"

namespace hw::storage {

/// Verifies and reads an image; brings one of an older format up to date in memory. `toEdit`: with steps to undo.
[[nodiscard]] Result<LoadedFile> loadImage(FileImage& image, const std::string& where, const Progress& progress,
                                           std::optional<std::uint64_t> revision = {}, bool toEdit = false);

/// `writeProject`, giving what a writer needs to carry on with the file.
[[nodiscard]] Result<FileState> writeNewFile(const Snapshot& snapshot, const std::filesystem::path& path, const Progress& progress);

} // namespace hw::storage
