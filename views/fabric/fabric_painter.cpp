// SPDX-License-Identifier: GPL-3.0-or-later
// Ground, header, row labels and legend; boxes and links have their own files.
#include "views/fabric/fabric_painter.h"

#include "views/style/format.h"
#include "views/style/legend.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QFontInfo>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr double kMapLabels = 176, kMapMargin = 12;

} // namespace

QFont fabricFont(double factor, int weight)
{
    if (onPaper()) return scaledFont(factor, weight);
    static QFont known; // what a font's size in pixels is costs more than drawing a word; of the screen, so of one thread
    static int pixels = 0;
    QFont font = QApplication::font();
    if (pixels == 0 || known != font) known = font, pixels = QFontInfo(font).pixelSize();
    font.setPixelSize(std::max(6, int(std::lround(pixels * factor))));
    font.setWeight(QFont::Weight(weight));
    return font;
}

double fabricTextWidth(const QFontMetrics& metrics, QString text)
{
    for (QChar& c : text)
        if (c.isDigit()) c = QLatin1Char('8');
    return metrics.horizontalAdvance(text);
}

FabricPainter::FabricPainter(QPainter& painter, const FabricModel& model, const FabricLayout& layout, const FabricGeometry& geometry,
                             const FabricRoutes& routes, const FabricLook& look)
    : m_p(painter), m_model(model), m_index(model.index()), m_layout(layout), m_geometry(geometry), m_routes(routes), m_look(look)
{
    m_p.setRenderHint(QPainter::Antialiasing);
    if (look.selected.empty()) return;
    m_boxSelected.resize(model.boxes().size());
    for (std::size_t i = 0; i < m_boxSelected.size(); ++i) {
        const std::int64_t found = countIn(model.boxes()[i], look.selected);
        m_boxSelected[i] = found == 0 ? 0 : found == model.boxes()[i].devices() ? 2 : 1;
    }
}

void FabricPainter::place(FabricGeometry& geometry, const QRectF& rect, const FabricModel& model, const FabricLayout& layout)
{
    const double head = kHeaderLine * std::max(1, layout.depth) + 4;
    geometry.whole = rect;
    geometry.rows = std::max(1, model.index().rows());
    geometry.area = rect.adjusted(std::min(kMapLabels, rect.width() * 0.28), head, -kMapMargin, -kLegend);
}

QRectF FabricPainter::headerRect(const FabricModel& model, const FabricLayout& layout, const FabricGeometry& geometry, int column)
{
    const auto& c = model.index().columns()[std::size_t(column)];
    const QRectF span = geometry.columnRect(layout, column);
    if (c.depth < 1 || span.width() <= 0) return {};
    const double top = geometry.area.top() - 4 - kHeaderLine * std::max(1, layout.depth) + kHeaderLine * (c.depth - 1);
    return QRectF(span.left(), top + 2, span.width(), kHeaderLine - 2);
}

void FabricPainter::paint()
{
    m_p.fillRect(m_geometry.whole, theme().canvas);
    m_p.save();
    m_p.setClipRect(m_geometry.area.adjusted(-2, 0, kMapMargin, 0));
    paintColumns();
    paintBundles();
    paintBoxes();
    m_p.restore();
    paintHeader();
    paintRowLabels();
    paintLegend();
}

/// A lighter ground under every column of the first level.
void FabricPainter::paintColumns()
{
    for (std::size_t i = 0; i < m_index.columns().size(); ++i) {
        if (m_model.column(int(i)) == FabricModel::Fold::Hidden || m_index.columns()[i].depth != 1) continue;
        const QRectF rect = m_geometry.columnRect(m_layout, int(i));
        if (!rect.intersects(m_geometry.area)) continue;
        const double grow = std::min(4.0, rect.width() * 0.03);
        m_p.fillRect(rect.adjusted(-grow, 0, grow, 0), theme().floor);
    }
}

void FabricPainter::paintHeader()
{
    m_p.save();
    const double height = kHeaderLine * std::max(1, m_layout.depth) + 6;
    m_p.setClipRect(QRectF(m_geometry.area.left() - 2, m_geometry.area.top() - height, m_geometry.area.width() + 2 + kMapMargin, height));
    for (std::size_t i = 0; i < m_index.columns().size(); ++i)
        if (m_model.column(int(i)) != FabricModel::Fold::Hidden) paintHeaderCell(int(i));
    m_p.restore();
}

void FabricPainter::paintHeaderCell(int column)
{
    const QRectF rect = headerRect(m_model, m_layout, m_geometry, column);
    if (rect.isEmpty() || rect.right() < m_geometry.area.left() || rect.left() > m_geometry.area.right() + kMapMargin) return;
    const bool openable = !m_index.columns()[std::size_t(column)].children.empty(), open = m_model.column(column) == FabricModel::Fold::Open;
    const bool focused = m_look.focus == m_index.columnKey(column);
    if (rect.width() < 4) {
        m_p.fillRect(rect.adjusted(0, 0, -std::min(1.0, rect.width() * 0.4), 0), theme().raised);
        return;
    }
    m_p.setPen(QPen(focused ? theme().accent : theme().border, focused ? 1.5 : 1));
    m_p.setBrush(open ? theme().hover : theme().raised);
    m_p.drawRoundedRect(rect, 3, 3);
    // The title stays in view while its column is scrolled.
    const QRectF seen =
        rect.intersected(QRectF(m_geometry.area.left(), rect.top(), m_geometry.area.width() + kMapMargin, rect.height())).adjusted(3, 0, -3, 0);
    m_p.setFont(fabricFont(0.85, QFont::DemiBold));
    m_p.setPen(open ? theme().text : theme().textDim);
    const QString mark = !openable ? QString() : open ? QStringLiteral("− ") : QStringLiteral("+ ");
    const QString title = columnTitle(m_index, column), number = title.section(' ', -1);
    for (const QString& text : {mark + title, mark + number, number}) {
        if (fabricTextWidth(m_p.fontMetrics(), text) > seen.width()) continue;
        m_p.drawText(seen, Qt::AlignCenter, text);
        return;
    }
}

double FabricPainter::paintTierLabel(int layer, QRectF area)
{
    const auto& info = m_index.layers()[std::size_t(layer)];
    const std::vector<FabricIndex::Run> runs{{info.first, info.last}};
    const auto sums = m_index.sums(runs);
    m_p.setPen(theme().text);
    m_p.setFont(fabricFont(1.08, QFont::DemiBold));
    m_p.drawText(area, Qt::AlignLeft | Qt::AlignTop, m_p.fontMetrics().elidedText(tierTitle(m_index, layer), Qt::ElideRight, int(area.width())));
    double y = m_p.fontMetrics().height();
    m_p.setFont(fabricFont(0.9));
    m_p.setPen(theme().textDim);
    QStringList lines{devicesText(m_index, layer, sums.devices, 0)};
    if (sums.backup > 0) lines << tr("+ %1 backup").arg(count(sums.backup));
    if (!info.attached && sums.upGbps > 0 && sums.downGbps > 0) lines << tr("%1 : 1 to the tier above").arg(ratio(sums.oversubscription()));
    for (const QString& line : lines) {
        m_p.drawText(area.adjusted(0, y, 0, 0), Qt::AlignLeft | Qt::AlignTop, line);
        y += m_p.fontMetrics().height();
    }
    return y;
}

void FabricPainter::paintRowLabels()
{
    const QRectF strip(m_geometry.whole.left(), m_geometry.area.top(), m_geometry.area.left() - m_geometry.whole.left() - 3,
                       m_geometry.area.height());
    m_p.save();
    m_p.setClipRect(strip);
    m_p.fillRect(strip, theme().canvas);
    for (int row = 0; row < m_index.rows(); ++row) {
        const QRectF band = m_geometry.band(row);
        double y = band.top();
        const double floor = row == 0 ? strip.bottom() : (band.bottom() + m_geometry.band(row - 1).top()) / 2 - 12;
        int left = 0;
        for (std::size_t layer = 0; layer < m_index.layers().size(); ++layer) {
            if (m_index.layers()[layer].row != row) continue;
            if (y > band.top() && y + m_p.fontMetrics().height() * 3 > floor)
                ++left;
            else
                y += paintTierLabel(int(layer), QRectF(strip.left() + kMapMargin, y, strip.width() - kMapMargin - 4, 60)) + 2;
        }
        if (left > 0)
            m_p.drawText(QRectF(strip.left() + kMapMargin, y, strip.width(), 20), Qt::AlignLeft | Qt::AlignTop, tr("and %1 more tiers").arg(left));
        const auto note = [&](const QStringList& lines, double middle) {
            m_p.setPen(theme().accent);
            m_p.setFont(fabricFont(0.9));
            const double height = m_p.fontMetrics().height() * double(lines.size());
            m_p.drawText(QRectF(strip.left() + kMapMargin, middle - height / 2, strip.width() - kMapMargin, height + 4), Qt::AlignLeft | Qt::AlignTop,
                         lines.join('\n'));
        };
        if (const auto peers = linksBetween(m_index, row, row); !peers.empty()) note({tr("%1 to peers").arg(peers.join(", "))}, band.bottom() + 9);
        for (int above = row + 1; above < m_index.rows(); ++above) {
            auto lines = linksBetween(m_index, row, above);
            if (lines.empty()) continue;
            if (above > row + 1)
                lines.front() += tr(" bypassing %1")
                                     .arg(tierTitle(m_index, int(std::ranges::find(m_index.layers(), row + 1, &FabricIndex::Layer::row) -
                                                                 m_index.layers().begin())));
            note(lines, (band.top() + m_geometry.band(row + 1).bottom()) / 2 + (above - row - 1) * 16);
        }
    }
    m_p.restore();
}

std::vector<FabricPainter::LegendItem> FabricPainter::legendItems(const FabricModel& model, const FabricGeometry& geometry, const FabricLook& look)
{
    std::vector<LegendItem> items;
    const FabricIndex& index = model.index();
    const bool rails = look.color == FabricColor::Rail;
    if (look.color != FabricColor::Lane && !rails) return items;
    const int lanes = rails ? index.snapshot().networks.rails[index.network()] : index.lanes();
    if (lanes <= 1) return items;
    const QFontMetricsF metrics(fabricFont(0.9));
    double x = geometry.area.left();
    const double y = geometry.area.bottom() + 6;
    const double wide = metrics.horizontalAdvance(rails ? tr("Rail %1").arg(lanes) : laneTitle(index, lanes - 1)) + 30;
    const bool narrow = wide * lanes > geometry.area.width() * 0.8;
    for (int lane = 0; lane < lanes; ++lane) {
        const QString text = narrow ? QString::number(lane + 1) : rails ? tr("Rail %1").arg(lane + 1) : laneTitle(index, lane);
        const double width = narrow ? metrics.horizontalAdvance(text) + 22 : wide;
        items.push_back({lane, QRectF(x, y, width, kLegend - 10), text});
        x += width;
    }
    return items;
}

void FabricPainter::paintScale(QRectF rect, const QStringList& ticks, const std::function<QColor(double)>& color)
{
    constexpr int kSteps = 48;
    for (int i = 0; i < kSteps; ++i)
        m_p.fillRect(QRectF(rect.left() + rect.width() * i / kSteps, rect.top() + 5, rect.width() / kSteps + 0.6, 9), color((i + 0.5) / kSteps));
    m_p.setPen(theme().textDim);
    for (int i = 0; i < int(ticks.size()); ++i) {
        const double x = rect.left() + rect.width() * i / double(std::max<qsizetype>(1, ticks.size() - 1));
        m_p.drawText(QRectF(x - 40, rect.top() + 12, 80, 14), Qt::AlignHCenter | Qt::AlignTop, ticks[i]);
    }
}

void FabricPainter::paintLegend()
{
    const QRectF strip(m_geometry.whole.left(), m_geometry.area.bottom(), m_geometry.whole.width(), kLegend);
    m_p.fillRect(strip, theme().canvas);
    m_p.setFont(fabricFont(0.9));
    const int lanesAre = m_look.color == FabricColor::Lane ? m_index.lanes() : m_index.snapshot().networks.rails[m_index.network()];
    for (const auto& item : legendItems(m_model, m_geometry, m_look)) {
        const bool off = m_look.color == FabricColor::Lane && hidden(m_look, item.lane);
        const QColor color = laneColor(item.lane, lanesAre);
        m_p.setPen(QPen(color, 1.4));
        m_p.setBrush(off ? QBrush(Qt::NoBrush) : QBrush(color));
        m_p.drawRoundedRect(QRectF(item.rect.left() + 1, item.rect.center().y() - 5, 10, 10), 3, 3);
        m_p.setPen(off ? theme().textFaint : theme().text);
        m_p.drawText(item.rect.adjusted(16, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, item.text);
    }
    if (m_look.color == FabricColor::Values && m_look.values) {
        Legend legend = overlayLegend(*m_look.values, EntityKind::Device, theme());
        for (Legend::Entry& entry : legend.entries) entry.count.clear(); // of all devices, not of this network's
        legend.title.clear();
        legend.bars.clear();
        const LegendLayout layout(legend, fabricFont(0.78), {m_geometry.area.width() * 0.7, strip.height()}, LegendLayout::Frame::None);
        layout.paint(m_p, QPointF(m_geometry.area.left() + 12, strip.top() + 1), theme());
        m_p.setPen(theme().textDim);
        m_p.setFont(fabricFont(0.82));
        m_p.drawText(strip.adjusted(0, 0, -kMapMargin, 0), Qt::AlignRight | Qt::AlignVCenter,
                     tr("%1 · highest value per box").arg(overlayTitle(*m_look.values, EntityKind::Device)));
        return;
    }
    m_p.setFont(fabricFont(0.78));
    const QRectF scale(m_geometry.area.left() + 20, strip.top() + 1, std::min(300.0, m_geometry.area.width() * 0.5), kLegend);
    if (m_look.color == FabricColor::Oversubscription)
        paintScale(scale, {"1 : 1", "2 : 1", "4 : 1", "8 : 1", "16 : 1"}, [](double t) { return oversubscriptionColor(std::exp2(4 * t)); });
    if (m_look.color == FabricColor::Load) paintScale(scale, {"0 %", "25 %", "50 %", "75 %", "100 %"}, [](double t) { return utilizationColor(t); });
    m_p.setPen(m_look.color == FabricColor::Load && m_look.loadsStale ? theme().warning : theme().textDim);
    m_p.setFont(fabricFont(0.82));
    const QString stale = m_look.loadsStale ? tr("outdated") + " · " : QString();
    const QString loads = tr("%1%2 · color: busiest link · width: links").arg(stale, m_look.loadsOf);
    const QRectF words = strip.adjusted(0, 0, -kMapMargin, 0);
    m_p.drawText(m_look.color == FabricColor::Load ? words.adjusted(scale.right() + 20 - words.left(), 0, 0, 0) : words,
                 Qt::AlignRight | Qt::AlignVCenter,
                 m_look.color == FabricColor::Load ? m_p.fontMetrics().elidedText(loads, Qt::ElideLeft, int(words.right() - scale.right() - 20))
                 : m_look.color == FabricColor::Oversubscription ? tr("color: down / up ratio of the lower end · width: links")
                                                                 : tr("width: number of links"));
}

} // namespace hw::views
