// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hw::cli {

/// Whether a drawing needs OpenGL: without a display a private Xvfb is started, and ended afterward.
enum class DrawsWith : std::uint8_t {
    Nothing,   ///< no display
    Display,   ///< or it fails
    IfPossible ///< goes on without one, with a note
};

/// Runs the drawing half of this program (hallwright-render), which is the one that needs Qt and VTK and stands beside it, and lets it
/// write `output`, which appears whole or not at all. `arguments` gets the path to write to. The half prints its own errors; its reports of
/// progress are passed on. Gives its exit code.
[[nodiscard]] Outcome runDrawing(const std::filesystem::path& output, DrawsWith with,
                                 const std::function<std::vector<std::string>(const std::filesystem::path&)>& arguments, const Progress& progress);

} // namespace hw::cli
