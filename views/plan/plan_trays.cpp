// SPDX-License-Identifier: GPL-3.0-or-later
// Cable trays from above: how full they are, what they are for, and their names.
#include "views/plan/plan_painter.h"

#include "views/bridge/network_filter.h"
#include "views/style/format.h"
#include "views/style/side_color.h"
#include "views/style/value_colors.h"

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

/// The edges of a tray say what it carries: data drawn through, power dashed, coolant dotted.
Qt::PenStyle edgeStyle(Carries carries)
{
    switch (carries) {
    case Carries::Any:
    case Carries::Data: break;
    case Carries::Power: return Qt::DashLine;
    case Carries::Coolant: return Qt::DotLine;
    }
    return Qt::SolidLine;
}

char letterOf(PowerSide side) { return side == PowerSide::None ? char(0) : char('A' + int(side) - int(PowerSide::A)); }

} // namespace

void PlanPainter::drawTrays()
{
    m_snapshot.trays.forEach([&](TrayId id) {
        const TrayLine& line = m_figures.placement->tray(id);
        const QPointF a = m_camera.toScreen(line.a.x, line.a.y), b = m_camera.toScreen(line.b.x, line.b.y);
        if (!visible(QRectF(a, b).normalized().adjusted(-8, -8, 8, 8))) return;
        const double width =
            m_figures.parts->tray(m_snapshot.trays.type[id]).width.value.count() * std::max<int>(1, m_snapshot.trays.count[id]) * m_camera.scale;
        const QPointF side = a == b ? QPointF() : QPointF((b - a).y(), -(b - a).x()) / std::hypot((b - a).x(), (b - a).y()) * width / 2;
        const bool filtered = !m_facts.hiddenNetworks.empty();
        const auto network = shownNetwork(m_facts, id);
        QColor color = network ? networkColor(m_snapshot, *network) : theme().tray;
        const float value = m_trayValues ? m_trayValues->at(id.value) : ValueField::kNone;
        if (known(value)) color = QColor::fromRgb(valueRgb(*m_trayValues, value, theme().dark()));
        color.setAlphaF(known(value) ? 0.85f : network ? 0.45f : filtered ? 0.05f : 0.13f);
        m_painter.setPen(QPen(color, std::max(1.0, width), Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(a, b);
        if (width < 3) return;
        color.setAlphaF(filtered && !network ? 0.2f : 0.65f);
        const char letter = letterOf(m_snapshot.trays.side[id]);
        m_painter.setPen(QPen(m_trayValues && letter ? sideColor(letter) : color, 1, edgeStyle(m_snapshot.trays.carries[id])));
        m_painter.drawLine(a + side, b + side);
        m_painter.drawLine(a - side, b - side);
    });
}

/// Along the tray, on a plate that the next one does not lie on. Long trays first, so that short ones give way.
void PlanPainter::drawTrayNames()
{
    const QFont font = scaledFont(0.68);
    const QFontMetricsF metrics(font);
    std::vector<std::pair<double, TrayId>> byLength;
    m_snapshot.trays.forEach([&](TrayId id) {
        const TrayLine& line = m_figures.placement->tray(id);
        const QLineF on(m_camera.toScreen(line.a.x, line.a.y), m_camera.toScreen(line.b.x, line.b.y));
        if (visible(QRectF(on.p1(), on.p2()).normalized().adjusted(-1, -1, 1, 1))) byLength.emplace_back(on.length(), id);
    });
    std::ranges::stable_sort(byLength, std::greater(), [](const auto& entry) { return entry.first; });
    std::vector<QRectF> taken;
    m_painter.setFont(font);
    for (const auto& [length, id] : byLength) {
        const TrayLine& line = m_figures.placement->tray(id);
        const QPointF a = m_camera.toScreen(line.a.x, line.a.y), b = m_camera.toScreen(line.b.x, line.b.y), middle = (a + b) / 2;
        const float fill = m_trayValues ? m_trayValues->at(id.value) : ValueField::kNone;
        const QString share = known(fill) ? percent(double(fill), 0) : QString(), name = text(m_snapshot.trays.name[id]);
        QString label = share.isEmpty() ? name : name + "  " + share;
        if (metrics.horizontalAdvance(label) + 8 > length) label = share; // the figure matters more than the name
        if (label.isEmpty() || metrics.horizontalAdvance(label) + 8 > length) continue;
        const bool upright = std::abs(b.y() - a.y()) > std::abs(b.x() - a.x());
        const QSizeF size(metrics.horizontalAdvance(label) + 6, metrics.height());
        const QSizeF turned = upright ? size.transposed() : size;
        const QRectF plate(middle - QPointF(turned.width(), turned.height()) / 2, turned);
        if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(plate); })) continue;
        taken.push_back(plate);
        m_painter.save();
        m_painter.translate(middle);
        if (upright) m_painter.rotate(-90);
        const QRectF area(QPointF(-size.width() / 2, -size.height() / 2), size);
        QColor back = theme().canvas;
        back.setAlphaF(0.88f);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(back);
        m_painter.drawRoundedRect(area, 2, 2);
        m_painter.setPen(known(fill) && fill > 1 ? theme().error : theme().text);
        m_painter.drawText(area, Qt::AlignCenter, label);
        m_painter.restore();
    }
}

} // namespace hw::views
