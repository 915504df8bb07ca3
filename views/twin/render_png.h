// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/catalog/entity.h"
#include "core/operations/overlays/overlays.h"
#include "simulation/result.h"
#include "views/twin/layers.h"

#include <QImage>
#include <QSize>

#include <optional>

namespace hw::views {

struct TwinPicture {
    FiguresPtr figures;
    std::shared_ptr<const sim::FlowResult> loads;   ///< null: plain colors
    std::shared_ptr<const OverlayValues> overlay{}; ///< colors of racks; null: by kind
    QSize size{1600, 900};                          ///< pixels
    bool dark = false;
    TwinPreset preset = TwinPreset::Home;
    EntityRef focus;                  ///< if set, it is selected and the camera goes there instead of to `preset`
    std::optional<TwinCamera> camera; ///< if set, it is used as it is
};

/// Draws the twin without a window. Needs a QGuiApplication on a platform with OpenGL (an X server,
/// Xvfb is enough) and TwinView::prepareApplication() before it. Errors: no OpenGL (Fault).
[[nodiscard]] Result<QImage> renderTwin(const TwinPicture& picture);

} // namespace hw::views
