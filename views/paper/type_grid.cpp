// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/type_grid.h"

#include "views/style/theme.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>

#include <cmath>

namespace hw::views::paper {

QFont face(int pixels, int weight)
{
    QFont font = QApplication::font();
    font.setPixelSize(pixels);
    font.setWeight(QFont::Weight(weight));
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleStrategy(QFont::PreferNoShaping); // contextual hyphens and brackets have no characters to search for
    return font;
}

QColor ink(document::Tone tone)
{
    switch (tone) {
    case document::Tone::Plain: return theme().text;
    case document::Tone::Dim: return theme().textDim;
    case document::Tone::Good: return theme().ok;
    case document::Tone::Warning: return theme().warning;
    case document::Tone::Bad: return theme().error;
    }
    return theme().text;
}

double widthOf(const QString& text, const QFont& font) { return QFontMetricsF(font).horizontalAdvance(text); }

Wrapped wrap(const QString& text, const QFont& font, double width, int most)
{
    Wrapped result{{}, font, std::ceil(QFontMetricsF(font).height() * 1.08)};
    for (const QString& paragraph : text.split('\n')) {
        QTextLayout layout(paragraph, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(option);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(std::max(8.0, width));
            const QString words = paragraph.mid(line.textStart(), line.textLength());
            if (result.lines.size() < most)
                result.lines << words.trimmed();
            else if (!result.lines.isEmpty()) {
                result.lines.back() = QFontMetricsF(font).elidedText(result.lines.back() + " " + words, Qt::ElideRight, width);
                return result;
            }
        }
        layout.endLayout();
    }
    return result;
}

void Wrapped::paint(QPainter& painter, QPointF topLeft, double width, Qt::Alignment alignment) const
{
    painter.setFont(font);
    for (qsizetype i = 0; i < lines.size(); ++i)
        painter.drawText(QRectF(topLeft.x(), topLeft.y() + lineHeight * double(i), width, lineHeight),
                         int(alignment | Qt::AlignVCenter) | Qt::TextSingleLine | Qt::TextDontClip, lines[i]);
}

void paintLine(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& color, Qt::Alignment alignment)
{
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(rect, int(alignment | Qt::AlignVCenter) | Qt::TextSingleLine | Qt::TextDontClip,
                     QFontMetricsF(font).elidedText(text, Qt::ElideMiddle, rect.width()));
}

} // namespace hw::views::paper
