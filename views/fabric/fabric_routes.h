// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/fabric/fabric_layout.h"
#include "views/fabric/fabric_look.h"

#include <QPainterPath>

#include <functional>

namespace hw::views {

/// Where bundles run on the screen: out of the lower box's top into the upper one's bottom, side by side in
/// the order of their far ends. Widths are in proportion to the number of links between the same two rows,
/// but never thinner than a hair. Bundles of devices too narrow to be told apart run together to their frame.
class FabricRoutes {
public:
    struct Route {
        QPointF from, to;
        double width = 1;
        bool peers = false; ///< within a row: an arc below the boxes
        int a = 0, b = 0;   ///< boxes, or the frames that stand for them
        int bundle = 0;     ///< the first of those that it stands for, or the one with the busiest link
        int bundles = 1;
        std::int64_t links = 0;
    };
    FabricRoutes() = default;
    FabricRoutes(const FabricModel& model, const FabricLayout& layout, const FabricGeometry& geometry);

    [[nodiscard]] const std::vector<Route>& all() const { return m_routes; } ///< by (a, b)
    [[nodiscard]] static QPainterPath path(const Route& route);
    /// The bundle under a point, the narrowest where several are; -1 for none or for many in one. `shown` leaves bundles out.
    [[nodiscard]] int at(QPointF point, const std::function<bool(int)>& shown) const;

private:
    void join(const FabricModel& model, const std::vector<QRectF>& rects);
    std::vector<Route> m_routes;
};

} // namespace hw::views
