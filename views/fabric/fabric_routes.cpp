// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_routes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hw::views {
namespace {

constexpr double kWidest = 26, kThinnest = 0.8, kUsed = 0.82; ///< pixels; share of an edge that bundles may cover

struct End { int bundle = 0; double farX = 0; };

/// Places the ends on one edge from left to right; gives every bundle's x.
void placeEnds(std::vector<End>& ends, const QRectF& box, const std::vector<FabricRoutes::Route>& routes, const std::function<void(int, double)>& put)
{
    std::ranges::stable_sort(ends, {}, &End::farX);
    double sum = 0;
    for (const End& end : ends) sum += routes[std::size_t(end.bundle)].width;
    const double room = box.width() * kUsed, air = ends.size() > 1 ? std::clamp((room - sum) / double(ends.size() - 1), 0.0, 6.0) : 0;
    const double total = sum + air * double(ends.size() - 1), squeeze = total > room && total > 0 ? room / total : 1;
    double x = box.center().x() - total * squeeze / 2;
    for (const End& end : ends) {
        const double width = routes[std::size_t(end.bundle)].width * squeeze;
        put(end.bundle, x + width / 2);
        x += width + air * squeeze;
    }
}

} // namespace

FabricRoutes::FabricRoutes(const FabricModel& model, const FabricLayout& layout, const FabricGeometry& geometry)
{
    const auto& bundles = model.bundles();
    m_routes.resize(bundles.size());
    std::vector<QRectF> rects(model.boxes().size());
    for (std::size_t i = 0; i < rects.size(); ++i) rects[i] = geometry.rect(model, layout, int(i));
    std::vector<std::vector<End>> tops(rects.size()), bottoms(rects.size());
    std::vector<std::int64_t> up(rects.size(), 0), down(rects.size(), 0);
    const auto rows = [&](const FabricBundle& b) { return std::pair(model.boxes()[std::size_t(b.a)].row, model.boxes()[std::size_t(b.b)].row); };
    for (std::size_t i = 0; i < bundles.size(); ++i) {
        const auto a = std::size_t(bundles[i].a), b = std::size_t(bundles[i].b);
        m_routes[i].peers = model.boxes()[a].row == model.boxes()[b].row;
        if (m_routes[i].peers) continue;
        tops[a].push_back({int(i), rects[b].center().x()});
        bottoms[b].push_back({int(i), rects[a].center().x()});
        up[a] += bundles[i].links, down[b] += bundles[i].links;
    }
    std::map<std::pair<int, int>, std::pair<double, std::int64_t>> scales; // pixels per link; most links of a bundle
    for (const auto& bundle : bundles) {
        const auto a = std::size_t(bundle.a), b = std::size_t(bundle.b);
        auto& [scale, most] = scales.try_emplace(rows(bundle), 1e300, 1).first->second;
        if (up[a] > 0) scale = std::min(scale, rects[a].width() * kUsed / double(up[a]));
        if (down[b] > 0) scale = std::min(scale, rects[b].width() * kUsed / double(down[b]));
        most = std::max(most, bundle.links);
    }
    for (std::size_t i = 0; i < bundles.size(); ++i) {
        const auto& [scale, most] = scales.at(rows(bundles[i]));
        m_routes[i].width = std::max(kThinnest, double(bundles[i].links) * std::min(scale, kWidest / double(most)));
        const QRectF &low = rects[std::size_t(bundles[i].a)], &high = rects[std::size_t(bundles[i].b)];
        m_routes[i].from = m_routes[i].peers ? QPointF(low.center().x(), low.bottom()) : QPointF(low.center().x(), low.top());
        m_routes[i].to = QPointF(high.center().x(), high.bottom());
        if (m_routes[i].peers) m_routes[i].width = std::min(m_routes[i].width, 5.0);
    }
    for (std::size_t box = 0; box < rects.size(); ++box) {
        placeEnds(tops[box], rects[box], m_routes, [&](int i, double x) { m_routes[std::size_t(i)].from.setX(x); });
        placeEnds(bottoms[box], rects[box], m_routes, [&](int i, double x) { m_routes[std::size_t(i)].to.setX(x); });
    }
}

QPainterPath FabricRoutes::path(const Route& route)
{
    QPainterPath path(route.from);
    if (route.peers) {
        const double dip = std::min(34.0, 8 + std::abs(route.to.x() - route.from.x()) * 0.12);
        path.cubicTo(route.from + QPointF(0, dip), route.to + QPointF(0, dip), route.to);
        return path;
    }
    const double middle = (route.from.y() + route.to.y()) / 2;
    path.cubicTo(QPointF(route.from.x(), middle), QPointF(route.to.x(), middle), route.to);
    return path;
}

int FabricRoutes::at(QPointF point, const std::function<bool(int)>& shown) const
{
    int found = -1;
    for (std::size_t i = 0; i < m_routes.size(); ++i) {
        const Route& r = m_routes[i];
        const double reach = r.width / 2 + 2.5;
        const double dip = r.peers ? 36 : 0;
        if (point.y() > r.from.y() + dip || point.y() < r.to.y() || point.x() < std::min(r.from.x(), r.to.x()) - reach || point.x() > std::max(r.from.x(), r.to.x()) + reach) continue;
        if (found >= 0 && m_routes[std::size_t(found)].width <= r.width) continue;
        const QPainterPath path = FabricRoutes::path(r);
        double nearest = 1e300;
        QPointF last = r.from;
        for (int step = 1; step <= 32; ++step) { // the curve in short straight pieces
            const QPointF next = path.pointAtPercent(step / 32.0), way = next - last;
            const double length = QPointF::dotProduct(way, way), t = length > 0 ? std::clamp(QPointF::dotProduct(point - last, way) / length, 0.0, 1.0) : 0;
            const QPointF off = point - (last + way * t);
            nearest = std::min(nearest, std::hypot(off.x(), off.y()));
            last = next;
        }
        if (nearest <= reach && shown(int(i))) found = int(i);
    }
    return found;
}

} // namespace hw::views
