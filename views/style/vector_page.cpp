// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/vector_page.h"

#include "views/style/theme.h"

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

QSizeF pageSize() { return kA3_mm / 25.4 * kDotsPerInch; }

/// Sets the theme's colours for one drawing without restyling the application.
class PaperColours {
public:
    PaperColours() : m_before(theme().kind) { setPaintTheme(ThemeKind::Light); }
    ~PaperColours() { setPaintTheme(m_before); }
    PaperColours(const PaperColours&) = delete;
    PaperColours& operator=(const PaperColours&) = delete;

private:
    ThemeKind m_before;
};

void paintPdf(QIODevice& device, const QString& title, const std::function<void(QPainter&, const QRectF&)>& paint)
{
    QPdfWriter writer(&device);
    writer.setTitle(title);
    writer.setCreator("Hallwright");
    writer.setResolution(kPdfDotsPerInch);
    writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A3), QPageLayout::Landscape, QMarginsF(0, 0, 0, 0)));
    QPainter painter(&writer);
    painter.scale(double(kPdfDotsPerInch) / kDotsPerInch, double(kPdfDotsPerInch) / kDotsPerInch);
    paint(painter, QRectF(QPointF(), pageSize()));
}

void paintSvg(QIODevice& device, const QString& title, const QString& description, const std::function<void(QPainter&, const QRectF&)>& paint)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setTitle(title);
    generator.setDescription(description);
    generator.setResolution(kDotsPerInch);
    generator.setSize(pageSize().toSize());
    generator.setViewBox(QRectF(QPointF(), pageSize()));
    QPainter painter(&generator);
    paint(painter, QRectF(QPointF(), pageSize()));
}

} // namespace

bool isVectorFile(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    return suffix == "svg" || suffix == "pdf";
}

Result<void> writeVectorPage(const QString& path, const QString& title, const QString& description,
                             const std::function<void(QPainter&, const QRectF&)>& paint)
{
    if (!isVectorFile(path)) return fail(ErrorCode::Usage, path.toStdString(), i18n("is neither .svg nor .pdf"), i18n("choose one of these endings"));
    QSaveFile file(path);
    const PaperColours paper;
    if (!file.open(QIODevice::WriteOnly))
        return fail(ErrorCode::Unreadable, path.toStdString(), verbatim(file.errorString().toStdString()), i18n("choose another place"));
    if (QFileInfo(path).suffix().toLower() == "svg")
        paintSvg(file, title, description, paint);
    else
        paintPdf(file, title, paint);
    if (!file.commit())
        return fail(ErrorCode::Unreadable, path.toStdString(), verbatim(file.errorString().toStdString()),
                    i18n("free some space or choose another place"));
    return {};
}

} // namespace hw::views
