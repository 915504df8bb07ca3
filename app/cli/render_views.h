// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <string>

namespace hw::cli {

enum class RenderView { Twin, Plan, Rack, Fabric, Power, Cooling, Trays };

/// `--view`: what to draw and, for racks and fabrics, of what; plans and trays may be of one hall.
struct ViewChoice {
    RenderView view = RenderView::Twin;
    std::string name;
};
/// `--size`, in pixels.
struct PictureSize {
    int width = 1600, height = 900;
};

[[nodiscard]] Result<ViewChoice> parseView(const std::string& text);
/// `--overlay`: those that core/operations/overlays/overlays.h lists for the view; power, cooling and trays take none.
/// Error: Usage.
[[nodiscard]] Result<void> checkOverlay(const ViewChoice& choice, const std::string& overlay);
[[nodiscard]] Result<PictureSize> parseSize(const std::string& text);
/// Only the twin is drawn by OpenGL, which needs a display.
[[nodiscard]] inline bool needsDisplay(const ViewChoice& choice) { return choice.view == RenderView::Twin; }

} // namespace hw::cli
