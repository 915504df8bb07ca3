// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/render.h"

#include "core/exchange/design_stamp.h"
#include "core/model/entity.h"
#include "views/power/cooling_texts.h"
#include "views/power/one_line_painter.h"
#include "views/power/one_line_texts.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/vector_page.h"

#include <QApplication>
#include <QPainter>

namespace hw::views {

OneLinePage makeOneLinePage(OneLineModelPtr model)
{
    const OneLine& line = *model->line;
    QString title = line.cooling() ? coolingTitle(line) : powerTitle(line), summary = line.cooling() ? coolingSummary(line) : powerSummary(line),
            problems = line.cooling() ? coolingProblems(line) : powerProblems(line);
    QString stamp = text(DesignStamp::of(*model->line->snapshot).text());
    return {std::move(model), std::move(title), std::move(summary), std::move(problems), std::move(stamp)};
}

namespace {

Result<OneLinePage> pageOf(const OneLinePtr& line, const Figures& figures, double width, const std::vector<std::string>& open, const Text& none,
                           const Text& choices)
{
    OneLineCamera camera;
    camera.place(QRectF(0, 0, width, width));
    OneLineOpen opened = OneLineOpen::readable(*line, camera.area.width() / OneLineCamera::kLegible);
    for (const std::string& name : open) {
        const auto entity = findEntity(*figures.snapshot, *figures.parts, name);
        if (!entity || !opened.open(*line, *entity))
            return fail(ErrorCode::Refused, "--open " + name, entity ? none : i18n("is not in this design"), choices); // no text
    }
    return makeOneLinePage(OneLineModel::make(line, opened));
}

} // namespace

Result<OneLinePage> makeOneLinePage(const Figures& figures, double width, const std::vector<std::string>& open)
{
    return pageOf(OneLine::make(figures, powerBasisOf(*figures.snapshot)), figures, width, open, i18n("has no part in the power chain"),
                  i18n("name power equipment, a rack, a row, a building or a tier"));
}

Result<OneLinePage> makeCoolingPage(const Figures& figures, double width, const std::vector<std::string>& open)
{
    return pageOf(OneLine::makeCooling(figures), figures, width, open, i18n("has no part in the cooling"),
                  i18n("name cooling equipment, a rack, a row, a building or a tier"));
}

void paintOneLinePage(QPainter& painter, const QRectF& rect, const OneLinePage& page)
{
    constexpr double kHeading = 62, kEdge = 14;
    painter.fillRect(rect, theme().canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    double left = rect.left() + kEdge;
    const auto heading = [&](double top, double height, int pixels, int weight, const QColor& color, const QString& text) {
        QFont font = scaledFont(1);
        font.setPixelSize(pixels);
        font.setWeight(QFont::Weight(weight));
        painter.setFont(font);
        painter.setPen(color);
        const double wide = std::max(0.0, rect.right() - kEdge - left);
        painter.drawText(QRectF(left, rect.top() + top, wide, height), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, wide));
        return QFontMetricsF(font).horizontalAdvance(text);
    };
    heading(10, 26, 20, QFont::DemiBold, theme().text, page.title);
    left += heading(37, 18, 12, QFont::Normal, theme().textDim, page.subtitle) + 18;
    heading(37, 18, 12, QFont::DemiBold, theme().error, page.problems);
    OneLineCamera camera;
    camera.place(rect.adjusted(0, kHeading, 0, 0));
    const OneLineLayout layout = OneLineLayout::make(*page.model, camera.shape());
    camera.fit(layout);
    OneLinePainter(painter, *page.model, layout, camera, {}).paint();
}

Result<QImage> renderOneLine(const Figures& figures, QSize size, bool dark, const std::vector<std::string>& open)
{
    return renderOneLine(makeOneLinePage(figures, size.width(), open), size, dark);
}

Result<QImage> renderOneLine(const Result<OneLinePage>& page, QSize size, bool dark)
{
    if (!page) return tl::unexpected(page.error());
    applyTheme(*qobject_cast<QApplication*>(QApplication::instance()), dark ? ThemeKind::Dark : ThemeKind::Light);
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    paintOneLinePage(painter, QRectF(QPointF(), QSizeF(size)), *page);
    return image;
}

Result<void> writeOneLinePage(const OneLinePage& page, const QString& path)
{
    return writeVectorPage(path, {page.title, page.subtitle, page.stamp},
                           [&](QPainter& painter, const QRectF& rect) { paintOneLinePage(painter, rect, page); });
}

} // namespace hw::views
