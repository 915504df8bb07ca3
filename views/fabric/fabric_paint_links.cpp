// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FabricPainter that draws bundles.
#include "views/fabric/fabric_painter.h"

#include "views/style/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace hw::views {
namespace {

constexpr std::size_t kMany = 800; ///< beyond it, neighbors that would lie on one another are joined

/// Bundles whose ends fall on the same few pixels in the same color, drawn as one.
struct Joiner {
    struct Stroke {
        FabricRoutes::Route route;
        QColor color;
        double opacity;
    };
    std::vector<Stroke> strokes;
    std::unordered_map<std::uint64_t, std::size_t> places; // only looked up

    void add(const FabricRoutes::Route& route, const QColor& color, double opacity, double grain)
    {
        const auto step = [&](double v) { return std::uint64_t(std::llround(v / grain) & 0xFFF); };
        const std::uint64_t key = step(route.from.x()) << 52 | step(route.to.x()) << 40 | (std::uint64_t(color.rgb()) & 0xFFFFFF) << 16 |
                                  (std::uint64_t(std::llround(route.from.y())) & 0xFF) << 8 | (std::uint64_t(std::llround(route.to.y())) & 0xFF);
        const auto [place, fresh] = places.try_emplace(key, strokes.size());
        if (fresh)
            strokes.push_back({route, color, opacity});
        else
            strokes[place->second].opacity = std::min(0.9, strokes[place->second].opacity + 0.08);
    }
};

} // namespace

bool FabricPainter::touchesSelection(const FabricBundle& bundle) const
{
    return !m_boxSelected.empty() && (m_boxSelected[std::size_t(bundle.a)] == 2 || m_boxSelected[std::size_t(bundle.b)] == 2);
}

void FabricPainter::strokeRoute(const FabricRoutes::Route& route, QColor color, double opacity)
{
    color.setAlphaF(float(opacity));
    m_p.setPen(QPen(color, route.width, Qt::SolidLine, Qt::FlatCap));
    m_p.drawPath(FabricRoutes::path(route));
}

/// One pixel wide and in a dozen straight pieces, which needs no outline.
void FabricPainter::strokeHair(const FabricRoutes::Route& route, QColor color, double opacity)
{
    if (route.peers) return strokeRoute(route, color, opacity);
    constexpr int kPieces = 12;
    std::array<QPointF, kPieces + 1> points;
    for (int i = 0; i <= kPieces; ++i) { // the curve of FabricRoutes::path
        const double t = double(i) / kPieces, u = 1 - t, ease = t * t * (3 - 2 * t);
        const double y = u * u * u * route.from.y() + 3 * u * t * (route.from.y() + route.to.y()) / 2 + t * t * t * route.to.y();
        points[std::size_t(i)] = {route.from.x() + (route.to.x() - route.from.x()) * ease, y};
    }
    color.setAlphaF(float(opacity));
    m_p.setPen(QPen(color, 0));
    m_p.drawPolyline(points.data(), int(points.size()));
}

void FabricPainter::paintBundles()
{
    m_p.setBrush(Qt::NoBrush);
    const auto& routes = m_routes.all();
    const auto bundleOf = [&](std::size_t i) -> const FabricBundle& { return m_model.bundles()[std::size_t(routes[i].bundle)]; };
    const auto touched = [&](std::size_t i) { return routes[i].bundles == 1 && touchesSelection(bundleOf(i)); };
    std::vector<std::size_t> visible;
    bool chosen = false;
    for (std::size_t i = 0; i < routes.size(); ++i) {
        const double left = std::min(routes[i].from.x(), routes[i].to.x()), right = std::max(routes[i].from.x(), routes[i].to.x());
        if (right < m_geometry.area.left() - 20 || left > m_geometry.area.right() + 20 || !bundleShown(bundleOf(i))) continue;
        visible.push_back(i);
        chosen = chosen || touched(i);
    }
    const double crowd = visible.size() > 300 ? 0.8 : 1.0;
    const auto opacity = [&](std::size_t i) {
        if (chosen) return touched(i) ? 0.9 : 0.10;
        return (routes[i].width > 4 ? 0.42 : 0.62) * crowd;
    };
    Joiner joiner;
    const double grain = std::clamp(2.0 * std::sqrt(double(visible.size()) / kMany), 3.0, 24.0); // some hundreds of strokes, however many bundles
    for (const bool front : {false, true})
        for (const std::size_t i : visible) {
            if (chosen ? touched(i) != front : front) continue;
            const QColor color = bundleColor(m_model, bundleOf(i), m_look);
            if (visible.size() > kMany)
                joiner.add(routes[i], color, opacity(i) * 0.6, grain);
            else
                strokeRoute(routes[i], color, opacity(i));
        }
    const bool many = joiner.strokes.size() > kMany / 2;
    for (auto& stroke : joiner.strokes) {
        const bool hair = many && stroke.route.width <= 1.5;
        m_p.setRenderHint(QPainter::Antialiasing, !hair);
        if (hair)
            strokeHair(stroke.route, stroke.color, stroke.opacity);
        else
            strokeRoute(stroke.route, stroke.color, stroke.opacity);
    }
    m_p.setRenderHint(QPainter::Antialiasing);
}

void FabricPainter::paintHover()
{
    m_p.save();
    m_p.setClipRect(m_geometry.area.adjusted(-2, 0, 12, 0));
    m_p.setBrush(Qt::NoBrush);
    const auto& bundles = m_model.bundles();
    const bool one = m_look.hoverBundle >= 0 && m_look.hoverBundle < int(bundles.size());
    std::size_t drawn = 0;
    for (const auto& route : m_routes.all()) {
        if (!one && m_look.hoverBox < 0) break;
        const FabricBundle& bundle = bundles[std::size_t(route.bundle)];
        const bool touched =
            one ? route.bundle == m_look.hoverBundle && route.bundles == 1 : route.a == m_look.hoverBox || route.b == m_look.hoverBox;
        if (!touched || !bundleShown(bundle)) continue;
        strokeRoute(route, bundleColor(m_model, bundle, m_look), 0.95);
        if (++drawn == kMany) break;
    }
    const auto outline = [&](int box, const QColor& color) {
        m_p.setPen(QPen(color, 1.8));
        m_p.drawRoundedRect(rectOf(box).adjusted(-1, -1, 1, 1), 5, 5);
    };
    if (one)
        for (const int end : {bundles[std::size_t(m_look.hoverBundle)].a, bundles[std::size_t(m_look.hoverBundle)].b}) outline(end, theme().text);
    else if (m_look.hoverBox >= 0 && m_look.hoverBox < int(m_model.boxes().size()))
        outline(m_look.hoverBox, theme().text);
    if (m_look.focus)
        if (const int box = m_model.find(*m_look.focus); box >= 0) {
            m_p.setPen(QPen(theme().accent, 1.4, Qt::DashLine));
            m_p.drawRoundedRect(rectOf(box).adjusted(-3, -3, 3, 3), 6, 6);
        }
    m_p.restore();
}

} // namespace hw::views
