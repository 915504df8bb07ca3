// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/geometry/placement.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <algorithm>

namespace hw::views {

/// From campus millimeters (y up) to widget pixels (y down) and back.
struct PlanCamera {
    double centerX = 0, centerY = 0; ///< campus mm in the middle of the widget
    double scale = 0.01;             ///< pixels per mm
    QSizeF view{100, 100};

    [[nodiscard]] QPointF toScreen(double x, double y) const
    {
        return {view.width() / 2 + (x - centerX) * scale, view.height() / 2 - (y - centerY) * scale};
    }
    [[nodiscard]] QPointF toWorld(QPointF p) const
    {
        return {centerX + (p.x() - view.width() / 2) / scale, centerY - (p.y() - view.height() / 2) / scale};
    }
    [[nodiscard]] QRectF toScreen(const Box& box) const { return QRectF(toScreen(box.low.x, box.high.y), toScreen(box.high.x, box.low.y)); }
    void panBy(QPointF pixels)
    {
        centerX -= pixels.x() / scale;
        centerY += pixels.y() / scale;
    }
    /// The world point under `anchor` stays there.
    void zoomAt(QPointF anchor, double factor)
    {
        const QPointF before = toWorld(anchor);
        scale = std::clamp(scale * factor, 2e-5, 2.0);
        const QPointF after = toWorld(anchor);
        centerX += before.x() - after.x();
        centerY += before.y() - after.y();
    }
    /// `below`: pixels at the lower edge that stay free besides.
    void fit(const QRectF& world, double marginPixels, double below = 0)
    {
        if (world.width() <= 0 || world.height() <= 0) return;
        const double height = std::max(marginPixels, view.height() - 2 * marginPixels - below);
        scale = std::min((view.width() - 2 * marginPixels) / world.width(), height / world.height());
        scale = std::clamp(scale, 2e-5, 2.0);
        centerX = world.center().x();
        centerY = world.center().y() - below / 2 / scale;
    }
};

/// A box seen from above, in campus mm.
[[nodiscard]] inline QRectF worldRect(const Box& box) { return QRectF(QPointF(box.low.x, box.low.y), QPointF(box.high.x, box.high.y)); }

} // namespace hw::views
