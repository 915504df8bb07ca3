// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/load_bar.h"

#include "views/style/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace hw::views {

double loadBarHeight() { return QFontMetricsF(scaledFont(0.92)).height() + space(1) + 6; }

void drawLoadBar(QPainter& painter, const QRectF& rect, const LoadBar& bar)
{
    const QFont font = scaledFont(0.92), bold = scaledFont(0.92, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const QColor color = bar.plain ? theme().accent : loadColor(bar.share);
    const QRectF line(rect.left(), rect.top(), rect.width(), metrics.height());
    painter.setFont(bold);
    painter.setPen(!bar.plain && bar.share > 1.0 ? theme().error : theme().text);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, bar.numbers);
    const double numbers = QFontMetricsF(bold).horizontalAdvance(bar.numbers);
    painter.setFont(font);
    painter.setPen(theme().textDim);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(bar.label, Qt::ElideRight, line.width() - numbers - 6));
    const QRectF track(rect.left(), line.bottom() + space(1) * 0.5, rect.width(), 5);
    const double full = std::max(1.0, bar.share); // beyond the capacity the scale shrinks and a mark shows the limit
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().border);
    painter.drawRoundedRect(track, 2.5, 2.5);
    painter.setBrush(color);
    const double width = track.width() * std::clamp(bar.share / full, 0.0, 1.0);
    if (width > 0.5) painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(width, 3.0), track.height())), 2.5, 2.5);
    if (full > 1.0) {
        const double x = track.left() + track.width() / full;
        painter.fillRect(QRectF(x - 1, track.top() - 2, 2, track.height() + 4), theme().text);
    }
}

} // namespace hw::views
