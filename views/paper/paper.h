// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/progress.h"
#include "core/output/document/report_document.h"

#include <QByteArray>
#include <QImage>

class QPagedPaintDevice;

namespace hw::views {

enum class PaperSize : std::uint8_t { A4, Letter };

/// What a report is printed with besides its document.
struct PaperJob {
    PaperSize size = PaperSize::A4;
    QImage twin; ///< of the cover; null: the site from above instead
};

/// The report as a PDF: cover, contents with page numbers, bookmarks, vector drawings, text that can be searched. Its dates are those of
/// the stamp, so the same document gives the same bytes. Any thread. Error: Canceled.
[[nodiscard]] Result<QByteArray> makePdf(const document::ReportDocument& document, const PaperJob& job, const Progress& progress = {});
/// The same pages on a printer, without the bookmarks: its paper is set to the job's. Any thread. Errors: Canceled; Unreadable where it takes
/// no pages.
[[nodiscard]] Result<void> printPages(const document::ReportDocument& document, const PaperJob& job, QPagedPaintDevice& printer,
                                      const Progress& progress = {});
/// The same as one HTML file with nothing outside: drawings as SVG in it, light and dark, printable. Any thread. Error: Canceled.
[[nodiscard]] Result<QByteArray> makeHtml(const document::ReportDocument& document, const PaperJob& job, const Progress& progress = {});

} // namespace hw::views
