// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <QRectF>
#include <QString>

#include <functional>

class QPainter;

namespace hw::views {

/// What a drawing says of itself. The stamp (project, revision, date) stands at its lower edge.
struct VectorTitle {
    QString title, description, stamp;
};
using PagePainter = std::function<void(QPainter&, const QRectF&)>;

/// True for a file that holds a drawing as lines: .svg or .pdf.
[[nodiscard]] bool isVectorFile(const QString& path);
/// Draws on A3, lying, and writes it by the name's ending; light, because it is for paper. Whole or not at all. Any thread. Errors: Usage,
/// Unreadable.
[[nodiscard]] Result<void> writeVectorPage(const QString& path, const VectorTitle& title, const PagePainter& paint);
/// The same as SVG in memory, without a stamp, so many pixels of 1/96 inch large.
[[nodiscard]] QByteArray svgOf(QSizeF size, const VectorTitle& title, const PagePainter& paint);

} // namespace hw::views
