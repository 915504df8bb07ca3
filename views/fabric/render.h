// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/base/result.h"
#include "simulation/result.h"
#include "views/fabric/fabric_look.h"

#include <QImage>

class QPainter;

namespace hw::views {

/// A network on one page: what is open beyond the readable default, what its colors mean.
struct FabricPage {
    FabricModelPtr model;
    FabricLook look;
    QString title, subtitle, stamp{};
};
/// What to draw of a design. `color` is empty, or an overlay that fabrics have; `open` are
/// names of devices that get a box of their own.
struct FabricPicture {
    std::string network, color;
    std::vector<std::string> open;
    std::shared_ptr<const sim::FlowResult> loads;
    QSize size{1600, 900}; ///< pixels of an image; a page is A3, lying
    bool dark = false;
    std::shared_ptr<const OverlayValues> values{}; ///< for colors that are values of devices: `color` is their name
};

/// Usage error naming what there is when network, color or a device to open is unknown.
[[nodiscard]] Result<FabricPage> makeFabricPage(const FiguresPtr& figures, const FabricPicture& picture);
/// The same from a state that a window shows.
[[nodiscard]] FabricPage makeFabricPage(FabricModelPtr model, FabricLook look);

/// Title, drawing and legend in a rectangle, in the theme that is set.
void paintFabricPage(QPainter& painter, const QRectF& rect, const FabricPage& page);

[[nodiscard]] Result<QImage> renderFabric(const FiguresPtr& figures, const FabricPicture& picture);
/// A vector drawing on A3 by its suffix, .svg or .pdf; light, because it is for paper. Errors: Usage, Unreadable.
[[nodiscard]] Result<void> writeFabricPage(const FabricPage& page, const QString& path);

} // namespace hw::views
