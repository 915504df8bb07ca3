// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/derive/figures.h"

#include <QImage>
#include <QString>

namespace hw::views {

/// The floor plan as a picture, everything in view. Needs a QApplication; any platform will do, also
/// offscreen. `overlay`: "" or "kind", "power", "findings" (Usage for others).
[[nodiscard]] Result<QImage> renderPlan(const FiguresPtr& figures, QSize size, bool dark, const QString& overlay);
/// The front of one rack.
[[nodiscard]] QImage renderRack(const FiguresPtr& figures, RackId rack, QSize size, bool dark = false);

} // namespace hw::views
