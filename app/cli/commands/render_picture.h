// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands/commands.h"

namespace hw::cli {

/// What `render` takes; `export fabric-svg` and `fabric-pdf` ask for the same pictures.
struct RenderOptions {
    std::string file, output, view = "twin", overlay, size = "1600x900", theme = "light";
    std::vector<std::string> open, fail, layers;
};
[[nodiscard]] Outcome renderPicture(const RenderOptions& options, const Progress& progress);

} // namespace hw::cli
