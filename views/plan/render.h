// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/derive/figures.h"
#include "simulation/result.h"

#include <QImage>
#include <QString>

namespace hw::views {

/// The floor plan as a picture, everything in view. Needs a QApplication; any platform will do, also
/// offscreen. `overlay`: "" or a name of core/values/overlays.h for plans (Usage for others); findings are worked out
/// here, loads must be given.
[[nodiscard]] Result<QImage> renderPlan(const FiguresPtr& figures, QSize size, bool dark, const QString& overlay,
                                        std::shared_ptr<const sim::FlowResult> loads = nullptr);
/// The front of one rack, with the same overlays.
[[nodiscard]] Result<QImage> renderRack(const FiguresPtr& figures, RackId rack, QSize size, bool dark = false, const QString& overlay = {},
                                        std::shared_ptr<const sim::FlowResult> loads = nullptr);

} // namespace hw::views
