// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_routes.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace hw::views {
namespace {

constexpr double kWidest = 26, kThinnest = 0.8, kApart = 3.5; ///< pixels; narrower devices are not told apart
constexpr double kUsed = 0.82;                                ///< share of an edge that bundles may cover

struct End {
    int route = 0;
    double farX = 0;
};

/// Places the ends on one edge from left to right; gives every bundle's x.
template <class Put>
void placeEnds(std::vector<End>& ends, const QRectF& box, const std::vector<FabricRoutes::Route>& routes, Put&& put)
{
    std::ranges::stable_sort(ends, {}, &End::farX);
    double sum = 0;
    for (const End& end : ends) sum += routes[std::size_t(end.route)].width;
    const double room = box.width() * kUsed, air = ends.size() > 1 ? std::clamp((room - sum) / double(ends.size() - 1), 0.0, 6.0) : 0;
    const double total = sum + air * double(ends.size() - 1), squeeze = total > room && total > 0 ? room / total : 1;
    double x = box.center().x() - total * squeeze / 2;
    for (const End& end : ends) {
        const double width = routes[std::size_t(end.route)].width * squeeze;
        put(end.route, x + width / 2);
        x += width + air * squeeze;
    }
}

} // namespace

/// One route a bundle, or one for all bundles between two frames where their parts are thin lines.
void FabricRoutes::join(const FabricModel& model, const std::vector<QRectF>& rects)
{
    const auto& boxes = model.boxes();
    std::vector<int> end(boxes.size());
    bool joined = false;
    for (std::size_t i = 0; i < boxes.size(); ++i) { // frames come before their parts
        end[i] = int(i);
        const int parent = boxes[i].parent;
        if (parent < 0) continue;
        if (end[std::size_t(parent)] != parent || rects[i].width() < kApart) end[i] = end[std::size_t(parent)], joined = true;
    }
    m_routes.reserve(model.bundles().size());
    std::unordered_map<std::uint64_t, std::size_t> places; // only looked up
    for (std::size_t i = 0; i < model.bundles().size(); ++i) {
        const FabricBundle& bundle = model.bundles()[i];
        Route route;
        route.a = end[std::size_t(bundle.a)], route.b = end[std::size_t(bundle.b)];
        route.bundle = int(i);
        route.links = bundle.links;
        route.peers = boxes[std::size_t(bundle.a)].row == boxes[std::size_t(bundle.b)].row;
        if (route.a == route.b) continue;
        if (joined) {
            const auto [place, fresh] = places.try_emplace(std::uint64_t(std::uint32_t(route.a)) << 32 | std::uint32_t(route.b), m_routes.size());
            if (!fresh) {
                Route& sum = m_routes[place->second];
                sum.links += bundle.links;
                ++sum.bundles;
                if (bundle.load.busiest > model.bundles()[std::size_t(sum.bundle)].load.busiest) sum.bundle = int(i);
                continue;
            }
        }
        m_routes.push_back(route);
    }
}

FabricRoutes::FabricRoutes(const FabricModel& model, const FabricLayout& layout, const FabricGeometry& geometry)
{
    std::vector<QRectF> rects(model.boxes().size());
    for (std::size_t i = 0; i < rects.size(); ++i) rects[i] = geometry.rect(model, layout, int(i));
    join(model, rects);
    std::vector<std::vector<End>> tops(rects.size()), bottoms(rects.size());
    std::vector<std::int64_t> up(rects.size(), 0), down(rects.size(), 0);
    for (std::size_t i = 0; i < m_routes.size(); ++i) {
        const auto a = std::size_t(m_routes[i].a), b = std::size_t(m_routes[i].b);
        if (m_routes[i].peers) continue;
        tops[a].push_back({int(i), rects[b].center().x()});
        bottoms[b].push_back({int(i), rects[a].center().x()});
        up[a] += m_routes[i].links, down[b] += m_routes[i].links;
    }
    struct Scale {
        double perLink = 1e300;
        std::int64_t most = 1;
    };
    const auto rows = std::size_t(std::max(1, model.index().rows()));
    std::vector<Scale> scales(rows * rows); // by lower and upper row
    const auto scaleOf = [&](const Route& r) -> Scale& {
        return scales[std::size_t(model.boxes()[std::size_t(r.a)].row) * rows + std::size_t(model.boxes()[std::size_t(r.b)].row)];
    };
    for (const Route& route : m_routes) {
        const auto a = std::size_t(route.a), b = std::size_t(route.b);
        Scale& scale = scaleOf(route);
        if (up[a] > 0) scale.perLink = std::min(scale.perLink, rects[a].width() * kUsed / double(up[a]));
        if (down[b] > 0) scale.perLink = std::min(scale.perLink, rects[b].width() * kUsed / double(down[b]));
        scale.most = std::max(scale.most, route.links);
    }
    for (Route& route : m_routes) {
        const Scale& scale = scaleOf(route);
        route.width = std::max(kThinnest, double(route.links) * std::min(scale.perLink, kWidest / double(scale.most)));
        if (route.peers) route.width = std::min(route.width, 5.0);
        const QRectF &low = rects[std::size_t(route.a)], &high = rects[std::size_t(route.b)];
        route.from = QPointF(low.center().x(), route.peers ? low.bottom() : low.top());
        route.to = QPointF(high.center().x(), high.bottom());
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
        if (point.y() > r.from.y() + dip || point.y() < r.to.y() || point.x() < std::min(r.from.x(), r.to.x()) - reach ||
            point.x() > std::max(r.from.x(), r.to.x()) + reach)
            continue;
        if (found >= 0 && m_routes[std::size_t(found)].width <= r.width) continue;
        const QPainterPath path = FabricRoutes::path(r);
        double nearest = 1e300;
        QPointF last = r.from;
        for (int step = 1; step <= 32; ++step) { // the curve in short straight pieces
            const QPointF next = path.pointAtPercent(step / 32.0), way = next - last;
            const double length = QPointF::dotProduct(way, way),
                         t = length > 0 ? std::clamp(QPointF::dotProduct(point - last, way) / length, 0.0, 1.0) : 0;
            const QPointF off = point - (last + way * t);
            nearest = std::min(nearest, std::hypot(off.x(), off.y()));
            last = next;
        }
        if (nearest <= reach && shown(r.bundle)) found = int(i);
    }
    return found >= 0 && m_routes[std::size_t(found)].bundles == 1 ? m_routes[std::size_t(found)].bundle : -1;
}

} // namespace hw::views
