// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/fabric/fabric_model.h"

#include <QRectF>
#include <QSizeF>

namespace hw::views {

/// Where things stand from left to right, in units of about one pixel at a zoom of 1. A function of the
/// model alone: a column's width follows from what is open in it, siblings keep their order and widths.
struct FabricLayout {
    struct Span {
        double x = 0, width = 0;
        [[nodiscard]] double right() const { return x + width; }
        [[nodiscard]] double middle() const { return x + width / 2; }
    };
    std::vector<Span> boxes;   ///< by box of the model
    std::vector<Span> columns; ///< by column of the index; no width = not shown
    double width = 0;
    int depth = 0; ///< of the deepest shown column: lines of the header

    [[nodiscard]] static FabricLayout make(const FabricModel& model);
    /// On the way from another model's layout, t from 0 to 1: what was there slides, what is new comes out
    /// of what held its devices before.
    [[nodiscard]] static FabricLayout between(const FabricModel& from, const FabricLayout& fromLayout, const FabricModel& to,
                                              const FabricLayout& toLayout, double t);
};

/// From layout units and rows to pixels. The wheel zooms along x, so that all tiers stay in view.
struct FabricGeometry {
    QRectF whole;                 ///< everything that may be painted
    QRectF area;                  ///< where boxes and links are drawn; row labels stand left, the header above
    double origin = 0, scale = 1; ///< layout x at the left edge of `area`; pixels per unit
    double lift = 0, stretch = 1; ///< pixels that the rows are shifted up; their height against filling the area
    int rows = 1;

    [[nodiscard]] double toScreen(double x) const { return area.left() + (x - origin) * scale; }
    [[nodiscard]] double toLayout(double x) const { return origin + (x - area.left()) / scale; }
    [[nodiscard]] QRectF band(int row) const; ///< of a row's boxes, over the whole area; row 0 is the lowest
    [[nodiscard]] QRectF rect(const FabricModel& model, const FabricLayout& layout, int box) const;
    [[nodiscard]] QRectF columnRect(const FabricLayout& layout, int column) const;
    void fit(const FabricLayout& layout);
    void zoomAt(double screenX, double factor, const FabricLayout& layout);
    void stretchAt(double screenY, double factor);
    void pan(QPointF pixels, const FabricLayout& layout);
};

inline constexpr double kFabricFrameTitle = 17; ///< pixels above the parts of an open group

} // namespace hw::views
