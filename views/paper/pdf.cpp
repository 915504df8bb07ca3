// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/figure_painter.h"
#include "views/paper/page_flow.h"
#include "views/paper/pdf_marks.h"
#include "views/style/theme.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>

namespace hw::views::paper {
namespace {

constexpr int kReportDotsPerInch = 600;
constexpr double kPagePoint = 72.0 / 96; ///< of 1/96 inch

/// Cover, contents and the laid out sections become pages.
class Printer {
public:
    Printer(const document::ReportDocument& document, const PaperJob& job, const Progress& progress)
        : m_d(document), m_job(job), m_progress(progress), m_figures(document, job.twin), m_flow(job.size), m_stamp(text(document.stamp.text()))
    {
        layOut(m_flow, m_d, m_figures);
        m_contents = (int(m_flow.entries().size()) + kEntries - 1) / kEntries;
        m_pages = 1 + m_contents + int(m_flow.sheets().size());
    }

    Result<QByteArray> pdf()
    {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QPdfWriter writer(&buffer);
        writer.setTitle(text(m_d.title));
        writer.setCreator("Hallwright");
        writer.setResolution(kReportDotsPerInch);
        if (auto done = print(writer); !done) return tl::unexpected(done.error());
        return withMarks(buffer.data(), marks(), links(),
                         QDate::fromString(text(m_d.stamp.date), Qt::ISODate).startOfDay(Qt::UTC).toSecsSinceEpoch());
    }

    Result<void> print(QPagedPaintDevice& device)
    {
        setPage(device, false);
        QPainter painter;
        if (!painter.begin(&device))
            return fail(ErrorCode::Unreadable, m_d.stamp.project, i18n("the printer does not accept pages"), i18n("choose another"));
        int page = 0;
        const auto next = [&](bool lying) {
            setPage(device, lying);
            device.newPage();
            ++page;
        };
        onPage(painter, [&] { cover(painter); });
        for (int i = 0; i < m_contents; ++i) {
            next(false);
            onPage(painter, [&] { contents(painter, i); });
        }
        for (const Sheet& sheet : m_flow.sheets()) {
            if (m_progress.stopRequested()) return fail(ErrorCode::Canceled, m_d.stamp.project, i18n("stopped"));
            m_progress.report(0.55 + 0.45 * page / m_pages, words(i18n("page {} of {}", page + 1, m_pages)));
            next(sheet.lying);
            onPage(painter, [&] {
                for (const Mark& mark : sheet.marks) {
                    painter.save();
                    mark(painter);
                    painter.restore();
                }
                frame(painter, sheet, page);
            });
        }
        painter.end();
        return {};
    }

private:
    static constexpr int kEntries = 44; ///< of a page of contents
    static constexpr double kEntryLine = 20;

    void setPage(QPagedPaintDevice& device, bool lying) const
    {
        device.setPageLayout(QPageLayout(QPageSize(m_job.size == PaperSize::A4 ? QPageSize::A4 : QPageSize::Letter),
                                         lying ? QPageLayout::Landscape : QPageLayout::Portrait, QMarginsF(0, 0, 0, 0)));
    }

    template <class Paint>
    void onPage(QPainter& painter, Paint&& paint)
    {
        painter.save();
        painter.scale(painter.device()->logicalDpiX() / 96.0, painter.device()->logicalDpiY() / 96.0);
        painter.setRenderHint(QPainter::Antialiasing);
        paint();
        painter.restore();
    }

    [[nodiscard]] QSizeF pageSize(bool lying) const { return PageFlow::pageSize(m_job.size, lying); }

    /// The lower edge of every page: what it is of, and its number.
    void foot(QPainter& p, QSizeF size, int page) const
    {
        const QRectF line(kSide, size.height() - kBottom + 20, size.width() - 2 * kSide, 16);
        p.setPen(QPen(theme().border, 1));
        p.drawLine(line.topLeft() - QPointF(0, 6), line.topRight() - QPointF(0, 6));
        paintLine(p, line.adjusted(0, 0, -120, 0), m_stamp, face(10), theme().textDim);
        paintLine(p, line, text(i18n("{} / {}", page + 1, m_pages)), face(10), theme().textDim, Qt::AlignRight);
    }

    void frame(QPainter& p, const Sheet& sheet, int page) const
    {
        const QSizeF size = pageSize(sheet.lying);
        const QRectF line(kSide, 36, size.width() - 2 * kSide, 16);
        const double half = line.width() / 2 - 10;
        paintLine(p, QRectF(line.topLeft(), QSizeF(half, 16)), text(m_d.title), face(10), theme().textDim);
        paintLine(p, QRectF(line.right() - half, line.top(), half, 16), sheet.section, face(10), theme().textDim, Qt::AlignRight);
        p.setPen(QPen(theme().border, 1));
        p.drawLine(QPointF(line.left(), line.bottom() + 5), QPointF(line.right(), line.bottom() + 5));
        foot(p, size, page);
    }

    void cover(QPainter& p)
    {
        const QSizeF size = pageSize(false);
        const double width = size.width() - 2 * kSide, height = std::floor(size.height() * 0.45);
        const QRectF picture(0, 0, size.width(), height);
        p.fillRect(picture, theme().floor);
        m_figures.paint(p, picture, {m_figures.twin().isNull() ? document::Drawing::Site : document::Drawing::Twin, 0, {}, {}});
        p.fillRect(QRectF(0, height, size.width(), 4), theme().accent);
        double y = height + 36;
        int pixels = 38;
        while (pixels > 22 && wrap(text(m_d.title), face(pixels, QFont::Bold), width).lines.size() > 2) pixels -= 2;
        const Wrapped title = wrap(text(m_d.title), face(pixels, QFont::Bold), width, 3);
        p.setPen(theme().text);
        title.paint(p, QPointF(kSide, y), width);
        y += title.height() + 6;
        const Wrapped below = wrap(text(m_d.subtitle), face(16), width, 2);
        p.setPen(theme().textDim);
        below.paint(p, QPointF(kSide, y), width);
        y += below.height() + 28;
        paintTiles(p, QRectF(kSide, y, width, 400), m_d.cover, 4);
        y += tilesHeight(m_d.cover.tiles.size(), 4) + 22;
        const QString revision = text(i18n("Revision {} of {}", m_d.stamp.revision, m_d.stamp.date));
        paintLine(p, QRectF(kSide, y, width, 20), revision, face(14, QFont::DemiBold), theme().text);
        paintLine(p, QRectF(kSide, y + 22, width, 18), text(m_d.basis), face(12), theme().textDim);
        foot(p, size, 0);
    }

    [[nodiscard]] int pageOf(const Entry& entry) const { return 1 + m_contents + entry.sheet; }
    [[nodiscard]] QRectF entryRect(int line) const
    {
        return QRectF(kSide, kTop + 56 + kEntryLine * line, pageSize(false).width() - 2 * kSide, kEntryLine);
    }

    void contents(QPainter& p, int part) const
    {
        frame(p, {false, text(i18n("Contents")), {}}, 1 + part);
        paintLine(p, QRectF(kSide, kTop, 400, 40), text(i18n("Contents")), face(26, QFont::DemiBold), theme().text);
        const auto& entries = m_flow.entries();
        for (int i = part * kEntries; i < std::min(int(entries.size()), (part + 1) * kEntries); ++i) {
            const Entry& entry = entries[std::size_t(i)];
            const bool first = entry.level == 1;
            const QRectF line = entryRect(i - part * kEntries).adjusted(first ? 0 : 20, 0, 0, 0);
            const QFont font = face(first ? 13 : 12, first ? QFont::DemiBold : QFont::Normal);
            const QString number = QString::number(pageOf(entry) + 1);
            const double room = line.width() - 50, title = std::min(room, widthOf(entry.title, font));
            paintLine(p, QRectF(line.left(), line.top(), room, line.height()), entry.title, font, theme().text);
            paintLine(p, line, number, face(12), theme().text, Qt::AlignRight);
            p.setPen(QPen(theme().borderStrong, 1, Qt::DotLine));
            const double from = line.left() + title + 8, to = line.right() - widthOf(number, face(12)) - 8;
            if (from < to) p.drawLine(QPointF(from, line.center().y() + 4), QPointF(to, line.center().y() + 4));
        }
    }

    [[nodiscard]] double fromBelow(const Entry& entry) const
    {
        return (pageSize(m_flow.sheets()[std::size_t(entry.sheet)].lying).height() - entry.y + 8) * kPagePoint;
    }

    [[nodiscard]] std::vector<PdfMark> marks() const
    {
        std::vector<PdfMark> result;
        if (m_contents > 0) result.push_back({text(i18n("Contents")), 1, 1, pageSize(false).height() * kPagePoint});
        for (const Entry& entry : m_flow.entries()) result.push_back({entry.title, entry.level, pageOf(entry), fromBelow(entry)});
        return result;
    }

    [[nodiscard]] std::vector<PdfLink> links() const
    {
        std::vector<PdfLink> result;
        const double height = pageSize(false).height();
        for (int i = 0; i < int(m_flow.entries().size()); ++i) {
            const QRectF line = entryRect(i % kEntries);
            const QRectF points(line.left() * kPagePoint, (height - line.bottom()) * kPagePoint, line.width() * kPagePoint,
                                line.height() * kPagePoint);
            const Entry& entry = m_flow.entries()[std::size_t(i)];
            result.push_back({1 + i / kEntries, points, pageOf(entry), fromBelow(entry)});
        }
        return result;
    }

    const document::ReportDocument& m_d;
    const PaperJob& m_job;
    const Progress& m_progress;
    FigurePainter m_figures;
    PageFlow m_flow;
    QString m_stamp;
    int m_contents = 0, m_pages = 0;
};

} // namespace
} // namespace hw::views::paper

namespace hw::views {

Result<QByteArray> makePdf(const document::ReportDocument& document, const PaperJob& job, const Progress& progress)
{
    const PaperScope scope;
    return paper::Printer(document, job, progress).pdf();
}

Result<void> printPages(const document::ReportDocument& document, const PaperJob& job, QPagedPaintDevice& printer, const Progress& progress)
{
    const PaperScope scope;
    return paper::Printer(document, job, progress).print(printer);
}

} // namespace hw::views
