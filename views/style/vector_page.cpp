// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/vector_page.h"

#include "views/style/theme.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace hw::views {
namespace {

constexpr int kDotsPerInch = 96, kPdfDotsPerInch = 600;
constexpr QSizeF kA3_mm(420, 297);
constexpr double kStampHeight = 22;

QSizeF pageSize() { return kA3_mm / 25.4 * kDotsPerInch; }

/// The drawing, and below it a line with what the print is of.
void paintStamped(QPainter& painter, const QRectF& page, const VectorTitle& title, const PagePainter& paint)
{
    const double height = title.stamp.isEmpty() ? 0 : kStampHeight;
    painter.fillRect(page, theme().canvas);
    painter.save();
    paint(painter, page.adjusted(0, 0, 0, -height));
    painter.restore();
    if (height == 0) return;
    const QRectF line(page.left() + 14, page.bottom() - height, page.width() - 28, height);
    painter.fillRect(QRectF(page.left(), line.top(), page.width(), height), theme().canvas);
    painter.setPen(QPen(theme().border, 1));
    painter.drawLine(QPointF(page.left(), line.top()), QPointF(page.right(), line.top()));
    const QFont font = scaledFont(0.85);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme().textDim);
    const double stamp = std::min(line.width() * 0.6, metrics.horizontalAdvance(title.stamp) + 2);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(title.title, Qt::ElideMiddle, line.width() - stamp - 20));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(title.stamp, Qt::ElideMiddle, stamp));
}

void paintPdf(QIODevice& device, const VectorTitle& title, const PagePainter& paint)
{
    QPdfWriter writer(&device);
    writer.setTitle(title.title);
    writer.setCreator("Hallwright");
    writer.setResolution(kPdfDotsPerInch);
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A3), QPageLayout::Landscape, QMarginsF(0, 0, 0, 0)));
    QPainter painter(&writer);
    painter.scale(double(kPdfDotsPerInch) / kDotsPerInch, double(kPdfDotsPerInch) / kDotsPerInch);
    paintStamped(painter, QRectF(QPointF(), pageSize()), title, paint);
}

void paintSvg(QIODevice& device, QSizeF size, const VectorTitle& title, const PagePainter& paint)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setTitle(title.title);
    generator.setDescription(title.description);
    generator.setResolution(kDotsPerInch);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(), size));
    QPainter painter(&generator);
    paintStamped(painter, QRectF(QPointF(), size), title, paint);
}

} // namespace

bool isVectorFile(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == "svg" || suffix == "pdf";
}

Result<void> writeVectorPage(const QString& path, const VectorTitle& title, const PagePainter& paint)
{
    if (!isVectorFile(path)) return fail(ErrorCode::Usage, path.toStdString(), i18n("is neither .svg nor .pdf"), i18n("use one of these extensions"));
    QSaveFile file(path);
    const PaperScope paper;
    if (!file.open(QIODevice::WriteOnly))
        return fail(ErrorCode::Unreadable, path.toStdString(), verbatim(file.errorString().toStdString()), i18n("choose another location"));
    if (QFileInfo(path).suffix().toLower() == "svg")
        paintSvg(file, pageSize(), title, paint);
    else
        paintPdf(file, title, paint);
    if (!file.commit())
        return fail(ErrorCode::Unreadable, path.toStdString(), verbatim(file.errorString().toStdString()),
                    i18n("free up disk space or choose another location"));
    return {};
}

QByteArray svgOf(QSizeF size, const VectorTitle& title, const PagePainter& paint)
{
    const PaperScope paper;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    paintSvg(buffer, size, {title.title, title.description, {}}, paint);
    return buffer.data();
}

} // namespace hw::views
