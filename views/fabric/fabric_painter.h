// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/fabric/fabric_routes.h"
#include "views/fabric/fabric_text.h"

#include <QFont>
#include <QPainter>

namespace hw::views {

/// Draws one network: on a widget, an image, or a page of SVG or PDF. What would be smaller than a pixel is
/// joined with its neighbors, so that the cost follows the picture and not the network. Made again for each frame.
class FabricPainter {
public:
    FabricPainter(QPainter& painter, const FabricModel& model, const FabricLayout& layout, const FabricGeometry& geometry, const FabricRoutes& routes,
                  const FabricLook& look);

    void paint();      ///< everything but what follows the cursor
    void paintHover(); ///< the hovered box or bundle with its links, and the keyboard's place

    static constexpr double kHeaderLine = 21, kLegend = 30;
    /// Lays out header, labels and legend in a rectangle; scale and origin stay.
    static void place(FabricGeometry& geometry, const QRectF& rect, const FabricModel& model, const FabricLayout& layout);
    [[nodiscard]] static QRectF headerRect(const FabricModel& model, const FabricLayout& layout, const FabricGeometry& geometry, int column);
    struct LegendItem {
        int lane = -1;
        QRectF rect;
        QString text;
    };
    [[nodiscard]] static std::vector<LegendItem> legendItems(const FabricModel& model, const FabricGeometry& geometry, const FabricLook& look);
    struct PortCell {
        PortId port;
        QRectF rect;
    };
    /// Ports of an open device: those toward above in the upper part. `rect` is the device's.
    [[nodiscard]] static std::vector<PortCell> portCells(const FabricModel& model, const FabricBox& box, const QRectF& rect);
    [[nodiscard]] static QRectF frameTitle(const QRectF& frame)
    {
        return QRectF(frame.left(), frame.top(), frame.width(), std::min(kFabricFrameTitle, frame.height() * 0.25));
    }

private:
    void paintColumns();
    void paintHeader();
    void paintHeaderCell(int column);
    void paintRowLabels();
    double paintTierLabel(int layer, QRectF area);
    void paintLegend();
    void paintScale(QRectF rect, const QStringList& ticks, const std::function<QColor(double)>& color);
    void paintBundles();
    void strokeHair(const FabricRoutes::Route& route, QColor color, double opacity);
    void strokeRoute(const FabricRoutes::Route& route, QColor color, double opacity);
    void paintBoxes();
    void paintBox(int place);
    void paintFrame(const FabricBox& box, const QRectF& rect);
    void paintBody(const FabricBox& box, const QRectF& rect, bool match);
    void paintWords(const FabricBox& box, const QRectF& rect);
    void paintNumber(const FabricBox& box, const QRectF& area);
    void paintSquares(const FabricBox& box, const QRectF& rect, const QColor& color);
    void paintPortBars(const FabricBox& box, const QRectF& rect, const QColor& color);
    void paintPorts(const FabricBox& box, const QRectF& rect);
    void paintMarks(const FabricBox& box, const QRectF& rect);
    [[nodiscard]] std::int64_t countIn(const FabricBox& box, const std::vector<char>& flags) const;
    [[nodiscard]] bool touchesSelection(const FabricBundle& bundle) const;
    [[nodiscard]] QRectF rectOf(int box) const { return m_geometry.rect(m_model, m_layout, box); }
    [[nodiscard]] bool bundleShown(const FabricBundle& bundle) const { return !hidden(m_look, laneOf(m_model, bundle)); }

    QPainter& m_p;
    const FabricModel& m_model;
    const FabricIndex& m_index;
    const FabricLayout& m_layout;
    const FabricGeometry& m_geometry;
    const FabricRoutes& m_routes;
    const FabricLook& m_look;
    std::vector<char> m_boxSelected; ///< 1 partly, 2 wholly; empty without a selection
};

/// The application's font in whole pixels, which mean the same on a screen and on a scaled page.
[[nodiscard]] QFont fabricFont(double factor, int weight = QFont::Normal);
/// Width of a text with every digit as wide as the widest, so that neighbors are shortened alike.
[[nodiscard]] double fabricTextWidth(const QFontMetrics& metrics, QString text);
/// Draws a card beside `at`, inside `bounds`.
void paintFabricCard(QPainter& painter, const FabricCard& card, QPointF at, const QRectF& bounds);

} // namespace hw::views
