// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of PlanPainter that write about the drawing: dimensions, rulers, legend, read-out.
#include "views/plan/plan_painter.h"

#include "core/foundation/model/setting_values.h"
#include "views/bridge/network_filter.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/units.h"

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr double kRuler = 18;

/// A rounded plate for text over the drawing; returns the area inside.
QRectF plate(QPainter& painter, const QRectF& rect)
{
    QColor back = theme().raised;
    back.setAlphaF(0.94f);
    painter.setPen(QPen(theme().borderStrong, 1));
    painter.setBrush(back);
    painter.drawRoundedRect(rect, 6, 6);
    return rect.adjusted(space(2), space(1), -space(2), -space(1));
}

struct DeltaLine {
    QString label, value, change;
    int direction = 0; ///< +1 worse, -1 better
};

std::vector<DeltaLine> deltaLines(const Figures& before, const Figures& now)
{
    const CableTotals &a = before.get<CableTotalsNode>(), &b = now.get<CableTotalsNode>();
    const auto line = [](const QString& label, const QString& value, std::int64_t change, const QString& amount) {
        return DeltaLine{label, value, signedText(amount, change), change > 0 ? 1 : change < 0 ? -1 : 0};
    };
    return {line(QObject::tr("Cable"), length(b.lengthMm), b.lengthMm - a.lengthMm, length(std::abs(b.lengthMm - a.lengthMm))),
            line(QObject::tr("Longest"), length(b.longestMm), b.longestMm - a.longestMm, length(std::abs(b.longestMm - a.longestMm))),
            line(QObject::tr("Optics"), count(b.optics), b.optics - a.optics, count(std::abs(b.optics - a.optics))),
            line(QObject::tr("Cable and optics cost"), money(b.cost), (b.cost - a.cost).count(), money(Money(std::abs((b.cost - a.cost).count()))))};
}

} // namespace

void PlanPainter::dimension(QPointF a, QPointF b, const QString& label)
{
    const QLineF line(a, b);
    const QFontMetricsF metrics(scaledFont(0.8));
    if (line.length() < metrics.horizontalAdvance(label) * 0.6 + 8) return;
    m_painter.setPen(QPen(theme().textDim, 1));
    m_painter.drawLine(line);
    const QPointF tick = line.dx() == 0 ? QPointF(3.5, 0) : QPointF(0, 3.5);
    m_painter.drawLine(a - tick, a + tick);
    m_painter.drawLine(b - tick, b + tick);
    m_painter.setFont(scaledFont(0.8));
    QRectF box = metrics.boundingRect(label).adjusted(-4, -1, 4, 1);
    box.moveCenter(line.center());
    QColor back = theme().canvas;
    back.setAlphaF(0.88f);
    m_painter.fillRect(box, back);
    m_painter.setPen(theme().text);
    m_painter.drawText(box, Qt::AlignCenter, label);
}

void PlanPainter::drawDimensions()
{
    m_snapshot.halls.forEach([&](HallId id) {
        const Box& box = m_figures.placement->hall(id);
        const QRectF rect = m_camera.toScreen(box);
        if (!visible(rect) || rect.width() < 260) return; // nothing but numbers from far away
        dimension(rect.bottomLeft() + QPointF(0, 14), rect.bottomRight() + QPointF(0, 14), length(box.high.x - box.low.x));
        dimension(rect.topRight() + QPointF(16, 0), rect.bottomRight() + QPointF(16, 0), length(box.high.y - box.low.y));
    });
    if (m_scene.selection.size() != 1) return;
    const EntityRef e = m_scene.selection.front();
    if (e.kind == EntityKind::Row) {
        const RowId row(e.id);
        gapsAround(m_figures.placement->row(row), m_figures.placement->hall(m_snapshot.rows.hall[row]), row);
    }
}

/// Free floor between a row and its neighbors, or the walls, on its two long sides and its two ends.
void PlanPainter::gapsAround(const Box& box, const Box& hall, RowId except)
{
    int left = hall.low.x, right = hall.high.x, below = hall.low.y, above = hall.high.y;
    m_snapshot.rows.forEach([&](RowId id) {
        if (id == except || m_snapshot.rows.hall[id] != m_snapshot.rows.hall[except]) return;
        const Box& other = m_figures.placement->row(id);
        const bool sideBySide = other.low.y < box.high.y && other.high.y > box.low.y;
        const bool inLine = other.low.x < box.high.x && other.high.x > box.low.x;
        if (sideBySide && other.high.x <= box.low.x) left = std::max(left, other.high.x);
        if (sideBySide && other.low.x >= box.high.x) right = std::min(right, other.low.x);
        if (inLine && other.high.y <= box.low.y) below = std::max(below, other.high.y);
        if (inLine && other.low.y >= box.high.y) above = std::min(above, other.low.y);
    });
    const double midX = (double(box.low.x) + box.high.x) / 2, midY = (double(box.low.y) + box.high.y) / 2;
    if (left < box.low.x) dimension(m_camera.toScreen(left, midY), m_camera.toScreen(box.low.x, midY), exactLength(box.low.x - left));
    if (right > box.high.x) dimension(m_camera.toScreen(box.high.x, midY), m_camera.toScreen(right, midY), exactLength(right - box.high.x));
    if (below < box.low.y) dimension(m_camera.toScreen(midX, box.low.y), m_camera.toScreen(midX, below), exactLength(box.low.y - below));
    if (above > box.high.y) dimension(m_camera.toScreen(midX, above), m_camera.toScreen(midX, box.high.y), exactLength(above - box.high.y));
}

void PlanPainter::drawRulers()
{
    const double unit = 1000 / inLengthUnit(1000);
    double step = unit;
    for (int i = 0; step * m_camera.scale < 56; ++i) step *= i % 2 == 0 ? 5 : 2;
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.fillRect(QRectF(0, 0, m_area.width(), kRuler), theme().panel);
    m_painter.fillRect(QRectF(0, 0, kRuler, m_area.height()), theme().panel);
    m_painter.setFont(scaledFont(0.75));
    const QPointF low = m_camera.toWorld(m_area.bottomLeft()), high = m_camera.toWorld(m_area.topRight());
    for (double v = std::ceil(low.x() / step) * step; v <= high.x(); v += step) {
        const double x = m_camera.toScreen(v, 0).x();
        if (x < kRuler) continue;
        m_painter.setPen(theme().borderStrong);
        m_painter.drawLine(QPointF(x, kRuler - 5), QPointF(x, kRuler));
        m_painter.setPen(theme().textDim);
        m_painter.drawText(QRectF(x + 3, 0, 60, kRuler), Qt::AlignVCenter, QString::number(v / unit, 'f', 0));
    }
    for (double v = std::ceil(low.y() / step) * step; v <= high.y(); v += step) {
        const double y = m_camera.toScreen(0, v).y();
        if (y < kRuler) continue;
        m_painter.setPen(theme().borderStrong);
        m_painter.drawLine(QPointF(kRuler - 5, y), QPointF(kRuler, y));
        m_painter.save();
        m_painter.translate(0, y - 3);
        m_painter.rotate(-90);
        m_painter.setPen(theme().textDim);
        m_painter.drawText(QRectF(0, 0, 60, kRuler), Qt::AlignVCenter, QString::number(v / unit, 'f', 0));
        m_painter.restore();
    }
    m_painter.fillRect(QRectF(0, 0, kRuler, kRuler), theme().panel);
    m_painter.setPen(theme().textFaint);
    m_painter.drawText(QRectF(0, 0, kRuler, kRuler), Qt::AlignCenter, lengthUnit());
    m_painter.setRenderHint(QPainter::Antialiasing, true);
}

namespace {

QFont legendFont() { return scaledFont(0.85); }

/// A third of a small view at most: it must not hide the drawing.
QRectF legendRoom(QSizeF view)
{
    const double most = std::max(QFontMetricsF(legendFont()).height() + 22, view.height() * 0.34);
    return {kRuler + 8, view.height() - most - 8, std::max(0.0, view.width() - kRuler - 16), most};
}

} // namespace

QRectF PlanPainter::legendRect(const Legend& legend, QSizeF view)
{
    const QRectF room = legendRoom(view);
    const QSizeF size = LegendLayout(legend, legendFont(), room.size()).size();
    return {QPointF(room.left(), room.bottom() - size.height()), size};
}

QRectF PlanPainter::drawLegend(const Legend& legend) { return paintLegend(m_painter, legend, theme(), legendFont(), legendRoom(m_area.size())); }

void PlanPainter::drawNorth()
{
    const double bearing = numberSetting(m_snapshot, "site.plan_north_deg") * M_PI / 180;
    if (std::abs(std::sin(bearing / 2)) < 1e-4) return; // up
    const QFont font = scaledFont(0.8, QFont::DemiBold);
    const double size = QFontMetricsF(font).height();
    const QPointF middle(m_area.right() - 2 * size - 8, kRuler + 2 * size + 8), ahead(-std::sin(bearing), -std::cos(bearing)),
        left(ahead.y(), -ahead.x());
    QColor back = theme().raised;
    back.setAlphaF(0.94f);
    m_painter.setPen(QPen(theme().borderStrong, 1));
    m_painter.setBrush(back);
    m_painter.drawEllipse(middle, 1.9 * size, 1.9 * size);
    m_painter.setPen(QPen(theme().text, 1));
    const QPointF tip = middle + ahead * size * 0.75, tail = middle - ahead * size * 1.2, notch = middle - ahead * size * 0.75;
    m_painter.setBrush(theme().text);
    m_painter.drawPolygon(QPolygonF({tip, tail + left * size * 0.6, notch}));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPolygon(QPolygonF({tip, tail - left * size * 0.6, notch}));
    m_painter.setFont(font);
    QRectF letter(0, 0, 2 * size, size);
    letter.moveCenter(middle + ahead * size * 1.3);
    m_painter.drawText(letter, Qt::AlignCenter, QObject::tr("N", "north"));
}

void PlanPainter::drawReadOut(const PlanDrag& drag)
{
    if (!drag.active() || !m_scene.before) return;
    const auto lines = deltaLines(*m_scene.before, m_figures);
    const QFont font = scaledFont(0.95), bold = scaledFont(1.0, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const double lineHeight = metrics.height() * 1.35;
    const double width =
        metrics.horizontalAdvance(QObject::tr("Cable and optics cost")) + metrics.horizontalAdvance("000000000  000000000") + 2 * space(3);
    const QRectF inside =
        plate(m_painter, QRectF(m_area.width() - width - 12, kRuler + 10, width, lineHeight * double(lines.size() + 1) + 2 * space(1)));
    m_painter.setFont(bold);
    m_painter.setPen(theme().text);
    const QString what = drag.entities().size() == 1 ? text(entityName(m_snapshot, *m_figures.parts, drag.entities().front()))
                                                     : QObject::tr("%1 objects").arg(drag.entities().size());
    m_painter.drawText(QRectF(inside.left(), inside.top(), inside.width(), lineHeight), Qt::AlignVCenter,
                       QString("%1   x %2   y %3").arg(what, signedLength(drag.moved().x()), signedLength(drag.moved().y())));
    m_painter.setFont(font);
    double y = inside.top() + lineHeight;
    for (const auto& line : lines) {
        const QRectF row(inside.left(), y, inside.width(), lineHeight);
        m_painter.setPen(theme().textDim);
        m_painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, line.label);
        m_painter.setPen(theme().text);
        m_painter.drawText(row.adjusted(0, 0, -metrics.horizontalAdvance("000000000"), 0), Qt::AlignVCenter | Qt::AlignRight, line.value);
        m_painter.setPen(line.direction > 0 ? theme().warning : line.direction < 0 ? theme().ok : theme().textFaint);
        m_painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, line.change);
        y += lineHeight;
    }
}

} // namespace hw::views
