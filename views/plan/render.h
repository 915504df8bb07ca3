// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/base/result.h"
#include "core/operations/overlays/overlays.h"
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
/// offscreen. `overlay`: "" or a name of core/operations/overlays/overlays.h for plans (Usage for others); findings are worked out
/// here, loads must be given.
[[nodiscard]] Result<QImage> renderPlan(const FiguresPtr& figures, QSize size, bool dark, const QString& overlay,
                                        std::shared_ptr<const sim::FlowResult> loads = nullptr, const PlanExtras& extras = {});
/// The front of one rack, with the same overlays.
[[nodiscard]] Result<QImage> renderRack(const FiguresPtr& figures, RackId rack, QSize size, bool dark = false, const QString& overlay = {},
                                        std::shared_ptr<const sim::FlowResult> loads = nullptr);

struct PlanSheet;
/// As a vector drawing on A3 by its suffix, .svg or .pdf; light, because it is for paper. `stamp`: project, revision, date. Any thread.
/// Errors: Usage, Unreadable.
[[nodiscard]] Result<void> writePlanPage(const PlanSheet& sheet, const QString& path, const QString& stamp);
/// The front of a rack in the same way; `values` null: what its devices are for.
[[nodiscard]] Result<void> writeRackPage(const FiguresPtr& figures, RackId rack, std::shared_ptr<const OverlayValues> values, const QString& path,
                                         const QString& stamp);

} // namespace hw::views
