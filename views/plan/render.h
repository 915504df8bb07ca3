// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/derive/figures.h"
#include "core/values/overlays.h"
#include "simulation/result.h"
#include "views/plan/plan_layers.h"

#include <QImage>
#include <QString>

namespace hw::views {

/// What a picture of the plan may show besides.
struct PlanExtras {
    std::shared_ptr<const OverlayValues> values; ///< instead of an overlay: what a failure leaves
    PlanLayers layers;
};
/// The floor plan as a picture, everything in view. Needs a QApplication; any platform will do, also
/// offscreen. `overlay`: "" or a name of core/values/overlays.h for plans (Usage for others); findings are worked out
/// here, loads must be given.
[[nodiscard]] Result<QImage> renderPlan(const FiguresPtr& figures, QSize size, bool dark, const QString& overlay,
                                        std::shared_ptr<const sim::FlowResult> loads = nullptr, const PlanExtras& extras = {});
/// The front of one rack, with the same overlays.
[[nodiscard]] Result<QImage> renderRack(const FiguresPtr& figures, RackId rack, QSize size, bool dark = false, const QString& overlay = {},
                                        std::shared_ptr<const sim::FlowResult> loads = nullptr);

} // namespace hw::views
