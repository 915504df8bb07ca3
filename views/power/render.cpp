// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/render.h"

#include "core/foundation/catalog/entity.h"
#include "core/output/exchange/design_stamp.h"
#include "views/power/cooling_texts.h"
#include "views/power/one_line_painter.h"
#include "views/power/one_line_texts.h"
#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/style/vector_page.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hw::views {

OneLinePage makeOneLinePage(OneLineModelPtr model, const OneLineLook& shown)
{
    const OneLine& line = *model->line;
    QString title = line.cooling() ? coolingTitle(line) : powerTitle(line), summary = line.cooling() ? coolingSummary(line) : powerSummary(line),
            problems = line.cooling() ? coolingProblems(line) : powerProblems(line);
    QString stamp = text(DesignStamp::of(*model->line->snapshot).text());
    return {std::move(model),    std::move(title), std::move(summary),
            std::move(problems), std::move(stamp), {{}, OneLine::kNone, OneLine::kNone, shown.values, shown.findings}};
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
    return pageOf(OneLine::make(figures, powerBasisOf(*figures.snapshot)), figures, width, open, i18n("is not part of the power chain"),
                  i18n("specify power equipment, a rack, a row, a building or a tier"));
}

Result<OneLinePage> makeCoolingPage(const Figures& figures, double width, const std::vector<std::string>& open)
{
    return pageOf(OneLine::makeCooling(figures), figures, width, open, i18n("is not part of the cooling system"),
                  i18n("specify cooling equipment, a rack, a row, a building or a tier"));
}

namespace {

constexpr double kSheetHeading = 62, kSheetEdge = 14;

/// Title, what there is to say and what is wrong; smaller where it is long.
void paintHeading(QPainter& painter, const QRectF& rect, const OneLinePage& page, const QString& title)
{
    painter.fillRect(rect, theme().canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    double left = rect.left() + kSheetEdge;
    const auto heading = [&](double top, double height, int pixels, int least, int weight, const QColor& color, const QString& text) {
        const double wide = std::max(0.0, rect.right() - kSheetEdge - left);
        QFont font = scaledFont(1);
        font.setWeight(QFont::Weight(weight));
        font.setPixelSize(pixels);
        while (pixels > least && QFontMetricsF(font).horizontalAdvance(text) > wide) font.setPixelSize(--pixels);
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(QRectF(left, rect.top() + top, wide, height), Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(font).elidedText(text, Qt::ElideRight, wide));
        return QFontMetricsF(font).horizontalAdvance(text);
    };
    heading(10, 26, 20, 13, QFont::DemiBold, theme().text, title);
    left += heading(37, 18, 12, 9, QFont::Normal, theme().textDim, page.subtitle) + 18;
    heading(37, 18, 12, 9, QFont::DemiBold, theme().error, page.problems);
}

/// Where a part that begins at `left` ends: with as few elements as can be on the cut, and as far right as it can be; not so far left that
/// it would take one more part than there have to be.
double cutAfter(const OneLineLayout& layout, double left, double wide)
{
    constexpr double kStep = 4, kShort = 0.55;
    const double repeats = OneLineLayout::kBoxWidth + 3 * kStep, rest = layout.width - left; // what is on the cut stands in both
    const double more = std::max(1.0, std::ceil((rest - wide) / (wide - repeats)));
    const double least = std::clamp((rest + 4 * kStep - more * (wide - repeats)) / wide, kShort, 1.0);
    double best = left + wide;
    std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
    for (double at = left + wide; at >= left + least * wide; at -= kStep) {
        const auto on = std::ranges::count_if(
            layout.boxes, [&](const auto& box) { return box.x - kStep < at && at < box.x + OneLineLayout::kBoxWidth + 2 * kStep; });
        if (on < fewest) fewest = on, best = at;
    }
    return best;
}

/// Parts of a layout, each at most so wide; what a cut runs through stands in both.
std::vector<std::pair<double, double>> spansOf(const OneLineLayout& layout, double most)
{
    constexpr double kPad = 10;
    const double wide = most - kPad;
    std::vector<std::pair<double, double>> spans;
    for (double left = -kPad; left < layout.width;) {
        const double right = layout.width - left <= wide ? layout.width + kPad : cutAfter(layout, left, wide);
        spans.emplace_back(left, right);
        if (right >= layout.width) break;
        double next = right;
        for (const auto& box : layout.boxes)
            if (box.x < right && box.x + OneLineLayout::kBoxWidth > right && box.x - kPad > left) next = std::min(next, box.x - kPad);
        left = next;
    }
    return spans;
}

} // namespace

OneLineParts partsOf(const OneLinePage& page, const QSizeF& size)
{
    constexpr double kMost = 1.1;
    OneLineCamera camera;
    camera.place(QRectF(QPointF(), size).adjusted(0, kSheetHeading, 0, 0));
    OneLineParts parts{OneLineLayout::make(*page.model, camera.shape()), 1, {}};
    camera.fit(parts.layout);
    parts.scale = camera.scale;
    const double width = parts.layout.width;
    if (camera.scale >= OneLineCamera::kLegible || width <= 0 || camera.area.isEmpty()) {
        parts.spans = {{0, width}};
        return parts;
    }
    parts.layout = OneLineLayout::make(*page.model, 0);
    parts.scale = std::clamp(camera.area.height() / parts.layout.height, 0.75 * OneLineCamera::kLegible, kMost);
    if (const double spare = camera.area.height() / parts.scale; spare > parts.layout.height) // levels use the height that is there
        parts.layout = OneLineLayout::make(*page.model, width / spare);
    parts.scale = std::min(parts.scale, camera.area.height() / std::max(1.0, parts.layout.height));
    parts.spans = spansOf(parts.layout, camera.area.width() / parts.scale);
    for (const double smaller : {0.96, 0.92, 0.88}) // rather a little smaller than one part more
        if (auto spans = spansOf(parts.layout, camera.area.width() / (parts.scale * smaller)); spans.size() < parts.spans.size()) {
            parts.scale *= smaller;
            parts.spans = std::move(spans);
            break;
        }
    return parts;
}

void paintOneLinePart(QPainter& painter, const QRectF& rect, const OneLinePage& page, const OneLineParts& parts, std::size_t part)
{
    const auto [left, right] = parts.spans[part];
    paintHeading(painter, rect, page, text(i18n("{}, part {} of {}", page.title.toStdString(), part + 1, parts.spans.size())));
    OneLineCamera camera;
    camera.place(rect.adjusted(0, kSheetHeading, 0, 0));
    camera.scale = parts.scale;
    camera.cut = right;
    camera.origin = QPointF(left, (parts.layout.height - camera.area.height() / parts.scale) / 2);
    OneLinePainter(painter, *page.model, parts.layout, camera, page.look).paint();
    painter.setPen(QPen(theme().borderStrong, 1, Qt::DashLine));
    for (const bool first : {true, false}) { // where it goes on
        if (part == (first ? 0 : parts.spans.size() - 1)) continue;
        const double x = first ? camera.area.left() - 4 : camera.toScreen(right, 0).x();
        painter.drawLine(QPointF(x, camera.whole.top()), QPointF(x, camera.area.bottom()));
    }
}

void paintOneLinePage(QPainter& painter, const QRectF& rect, const OneLinePage& page)
{
    paintHeading(painter, rect, page, page.title);
    OneLineCamera camera;
    camera.place(rect.adjusted(0, kSheetHeading, 0, 0));
    const OneLineLayout layout = OneLineLayout::make(*page.model, camera.shape());
    camera.fit(layout);
    OneLinePainter(painter, *page.model, layout, camera, page.look).paint();
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
