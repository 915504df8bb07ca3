// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fabric/fabric_painter.h"

#include "views/style/theme.h"

#include <algorithm>

namespace hw::views {

void paintFabricCard(QPainter& painter, const FabricCard& card, QPointF at, const QRectF& bounds)
{
    const QFont bold = fabricFont(0.92, QFont::DemiBold), plain = fabricFont(0.88);
    const QFontMetricsF title(bold), line(plain);
    const double most = std::max(160.0, bounds.width() * 0.6), pad = 9, gap = 18;
    double left = 0, right = 0;
    for (const auto& [name, value] : card.lines) {
        left = std::max(left, line.horizontalAdvance(name));
        right = std::max(right, line.horizontalAdvance(value));
    }
    const double inner = std::min(most, std::max(title.horizontalAdvance(card.title), left + (right > 0 ? gap + right : 0)));
    QRectF rect(at + QPointF(16, 18), QSizeF(inner + 2 * pad, title.height() + 4 + line.height() * double(card.lines.size()) + 2 * pad - 4));
    if (rect.right() > bounds.right() - 4) rect.moveRight(at.x() - 12);
    if (rect.bottom() > bounds.bottom() - 4) rect.moveBottom(at.y() - 12);
    rect.moveLeft(std::max(rect.left(), bounds.left() + 4));
    rect.moveTop(std::max(rect.top(), bounds.top() + 4));
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = theme().raised;
    ground.setAlphaF(0.97f);
    painter.setPen(QPen(theme().borderStrong, 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(rect, 6, 6);
    double y = rect.top() + pad - 2;
    painter.setFont(bold);
    painter.setPen(theme().text);
    painter.drawText(QRectF(rect.left() + pad, y, inner, title.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     title.elidedText(card.title, Qt::ElideMiddle, inner));
    y += title.height() + 4;
    painter.setFont(plain);
    for (const auto& [name, value] : card.lines) {
        const double wide = line.horizontalAdvance(value);
        painter.setPen(theme().textDim);
        painter.drawText(QRectF(rect.left() + pad, y, inner - (value.isEmpty() ? 0 : wide + 8), line.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         line.elidedText(name, Qt::ElideMiddle, inner - (value.isEmpty() ? 0 : wide + 8)));
        painter.setPen(theme().text);
        painter.drawText(QRectF(rect.left() + pad, y, inner, line.height()), Qt::AlignRight | Qt::AlignVCenter, value);
        y += line.height();
    }
}

} // namespace hw::views
