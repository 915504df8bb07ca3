// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QRectF>
#include <QString>

#include <vector>

namespace hw::views::paper {

/// A bookmark. `page` from 0, `y` in points from the page's lower edge.
struct PdfMark {
    QString title;
    int level = 1; ///< 1 or 2
    int page = 0;
    double y = 0;
};
/// A place that leads to another page when it is clicked. Points, from the lower left corner.
struct PdfLink {
    int page = 0;
    QRectF rect;
    int target = 0;
    double y = 0;
};

/// Adds bookmarks and links to a PDF of QPdfWriter, which cannot say them, as an incremental update (ISO 32000-1, 7.5.6), and dates it.
/// A PDF that is not of the expected form comes back as it is.
[[nodiscard]] QByteArray withMarks(QByteArray pdf, const std::vector<PdfMark>& marks, const std::vector<PdfLink>& links, std::int64_t seconds);

} // namespace hw::views::paper
