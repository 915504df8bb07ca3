// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/document/report_document.h"
#include "views/style/format.h"

#include <QColor>
#include <QFont>
#include <QStringList>

class QPainter;

/// Sizes and colors of the printed report, in 1/96 inch.
namespace hw::views::paper {

inline constexpr double kLine = 4;  ///< everything stands on multiples of it
inline constexpr double kSide = 64; ///< margins left and right
inline constexpr double kTop = 76, kBottom = 64;
inline constexpr double kGap = 5 * kLine; ///< between blocks

[[nodiscard]] QFont face(int pixels, int weight = QFont::Normal);
[[nodiscard]] QColor ink(document::Tone tone);

/// A text broken into lines of a width; with more than `most` the last ends in an ellipsis.
struct Wrapped {
    QStringList lines;
    QFont font;
    double lineHeight = 0;
    [[nodiscard]] double height() const { return lineHeight * double(lines.size()); }
    void paint(QPainter& painter, QPointF topLeft, double width, Qt::Alignment alignment = Qt::AlignLeft) const;
};
[[nodiscard]] Wrapped wrap(const QString& text, const QFont& font, double width, int most = 1000);
[[nodiscard]] double widthOf(const QString& text, const QFont& font);
/// On one line, cut in the middle where it is too long, because names differ at their ends.
void paintLine(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font, const QColor& color,
               Qt::Alignment alignment = Qt::AlignLeft);

} // namespace hw::views::paper
