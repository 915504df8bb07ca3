// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MatrixView that measures and draws.
#include "views/fabric/fabric_painter.h"
#include "views/fabric/matrix_view.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace hw::views {
namespace {

constexpr double kCellPad = 10, kLegendHeight = 34, kCrumbs = 26, kLongest = 190;

QColor onColor(const QColor& fill) { return fill.lightnessF() > 0.52 ? QColor("#10151c") : QColor("#f2f5fa"); }

} // namespace

/// Cells as wide as their widest number, headers as their longest title; larger where there is room.
void MatrixView::measure()
{
    if (!m_model || m_matrix.rows.empty()) return;
    m_font = fabricFont(0.95);
    const QFontMetricsF metrics(m_font);
    double widest = 0, left = 0, top = 0;
    for (const auto& cell : m_matrix.cells) widest = std::max(widest, metrics.horizontalAdvance(count(cell.links)));
    for (const auto& row : m_matrix.rows) left = std::max(left, metrics.horizontalAdvance(headerText(row)));
    for (const auto& column : m_matrix.columns) top = std::max(top, metrics.horizontalAdvance(headerText(column)));
    m_left = std::min(left, kLongest) + 2 * kCellPad;
    const double room = viewport()->width() - m_left - kCellPad, tall = viewport()->height() - kCrumbs - kLegendHeight - kCellPad;
    m_cellWidth = std::clamp(room / double(m_matrix.columns.size()), widest + 12, 150.0);
    m_upright = std::min(top, kLongest) + 8 > m_cellWidth;
    m_top = kCrumbs + (m_upright ? std::min(top, kLongest) + 12 : metrics.height() + 12);
    m_cellHeight = std::clamp((tall - m_top + kCrumbs) / double(m_matrix.rows.size()), metrics.height() + 6, 46.0);
    const double width = m_left + m_cellWidth * double(m_matrix.columns.size()) + kCellPad,
                 height = m_top + m_cellHeight * double(m_matrix.rows.size()) + kLegendHeight + kCellPad;
    horizontalScrollBar()->setRange(0, std::max(0, int(std::ceil(width - viewport()->width()))));
    verticalScrollBar()->setRange(0, std::max(0, int(std::ceil(height - viewport()->height()))));
    horizontalScrollBar()->setPageStep(viewport()->width());
    verticalScrollBar()->setPageStep(viewport()->height());
    horizontalScrollBar()->setSingleStep(int(m_cellWidth));
    verticalScrollBar()->setSingleStep(int(m_cellHeight));
}

QRectF MatrixView::cellRect(int row, int column) const
{
    return QRectF(m_left + m_cellWidth * column - horizontalScrollBar()->value(), m_top + m_cellHeight * row - verticalScrollBar()->value(),
                  m_cellWidth, m_cellHeight);
}

std::pair<int, int> MatrixView::cellAt(QPointF position) const
{
    if (position.x() < m_left || position.y() < m_top || position.y() > viewport()->height() - kLegendHeight) return {-1, -1};
    const int column = int((position.x() + horizontalScrollBar()->value() - m_left) / m_cellWidth),
              row = int((position.y() + verticalScrollBar()->value() - m_top) / m_cellHeight);
    if (row >= int(m_matrix.rows.size()) || column >= int(m_matrix.columns.size())) return {-1, -1};
    return {row, column};
}

QRectF MatrixView::crumbRect(int step) const
{
    const QFontMetricsF metrics(fabricFont(0.9));
    const QStringList words = path();
    double x = kCellPad;
    for (int i = 0; i < step; ++i) x += metrics.horizontalAdvance(words[i]) + metrics.horizontalAdvance("  ›  ");
    return QRectF(x, 2, metrics.horizontalAdvance(words[step]), kCrumbs - 4);
}

double MatrixView::share(const FabricBundle& cell) const
{
    if (m_loads) return cell.load.busiest;
    return m_matrix.most > 0 ? double(cell.links) / double(m_matrix.most) : 0;
}

void MatrixView::paintCell(QPainter& painter, int row, int column, const QRectF& rect)
{
    const FabricBundle& cell = m_matrix.at(std::size_t(row), std::size_t(column));
    const QRectF body = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    const double heat = share(cell);
    const QColor fill = cell.links == 0 ? theme().floor : m_loads ? utilizationColor(heat) : mapColor(0.12 + 0.88 * heat);
    painter.fillRect(body, fill);
    if (cell.links > 0) {
        painter.setPen(onColor(fill));
        painter.drawText(body, Qt::AlignCenter, count(cell.links));
    } else {
        painter.setPen(theme().textFaint);
        painter.drawText(body, Qt::AlignCenter, QStringLiteral("·"));
    }
    if (std::pair(row, column) == m_current || std::pair(row, column) == m_hover) {
        painter.setPen(QPen(std::pair(row, column) == m_current ? theme().accent : theme().text, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(body.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void MatrixView::paintCells(QPainter& painter)
{
    painter.setFont(m_font);
    const auto [firstRow, firstColumn] =
        std::pair(int(verticalScrollBar()->value() / m_cellHeight), int(horizontalScrollBar()->value() / m_cellWidth));
    for (int row = std::max(0, firstRow); row < int(m_matrix.rows.size()); ++row) {
        if (cellRect(row, 0).top() > viewport()->height()) break;
        for (int column = std::max(0, firstColumn); column < int(m_matrix.columns.size()); ++column) {
            const QRectF rect = cellRect(row, column);
            if (rect.left() > viewport()->width()) break;
            paintCell(painter, row, column, rect);
        }
    }
}

void MatrixView::paintHeaders(QPainter& painter)
{
    painter.fillRect(QRectF(0, 0, viewport()->width(), m_top), theme().canvas);
    painter.fillRect(QRectF(0, 0, m_left, viewport()->height()), theme().canvas);
    painter.setFont(m_font);
    const QFontMetricsF metrics(m_font);
    const auto words = [&](const FabricIndex::Part& part, double room) { return metrics.elidedText(headerText(part), Qt::ElideMiddle, room); };
    painter.setClipRect(QRectF(0, m_top, m_left, viewport()->height()));
    for (int row = 0; row < int(m_matrix.rows.size()); ++row) {
        const QRectF rect = cellRect(row, 0);
        painter.setPen(selected(m_matrix.rows[std::size_t(row)])        ? theme().accent
                       : row == m_hover.first || row == m_current.first ? theme().text
                                                                        : theme().textDim);
        painter.drawText(QRectF(kCellPad, rect.top(), m_left - 2 * kCellPad, rect.height()), Qt::AlignRight | Qt::AlignVCenter,
                         words(m_matrix.rows[std::size_t(row)], m_left - 2 * kCellPad));
    }
    painter.setClipRect(QRectF(m_left, kCrumbs, viewport()->width(), m_top - kCrumbs));
    for (int column = 0; column < int(m_matrix.columns.size()); ++column) {
        const QRectF rect = cellRect(0, column);
        if (rect.right() < m_left || rect.left() > viewport()->width()) continue;
        painter.setPen(selected(m_matrix.columns[std::size_t(column)])          ? theme().accent
                       : column == m_hover.second || column == m_current.second ? theme().text
                                                                                : theme().textDim);
        const double room = (m_upright ? m_top - kCrumbs : m_cellWidth) - 8;
        painter.save();
        if (m_upright) {
            painter.translate(rect.center().x(), m_top - 5);
            painter.rotate(-90);
            painter.drawText(QRectF(0, -m_cellWidth / 2, room, m_cellWidth), Qt::AlignLeft | Qt::AlignVCenter,
                             words(m_matrix.columns[std::size_t(column)], room));
        } else {
            painter.drawText(QRectF(rect.left() + 4, kCrumbs, room, m_top - kCrumbs), Qt::AlignCenter,
                             words(m_matrix.columns[std::size_t(column)], room));
        }
        painter.restore();
    }
    painter.setClipping(false);
}

void MatrixView::paintLegend(QPainter& painter, const QRectF& rect)
{
    painter.fillRect(rect, theme().canvas);
    painter.setFont(fabricFont(0.82));
    const double width = std::min(220.0, rect.width() * 0.4);
    constexpr int kSteps = 40;
    const QRectF bar(rect.left() + kCellPad, rect.top() + 6, width, 9);
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(bar.left() + width * i / kSteps, bar.top(), width / kSteps + 0.6, bar.height()),
                         m_loads ? utilizationColor((i + 0.5) / kSteps) : mapColor(0.12 + 0.88 * (i + 0.5) / kSteps));
    painter.setPen(theme().textDim);
    const QRectF ticks = bar.adjusted(0, 10, 0, 16);
    painter.drawText(ticks, Qt::AlignLeft | Qt::AlignTop, m_loads ? QStringLiteral("0 %") : QStringLiteral("0"));
    painter.drawText(ticks, Qt::AlignRight | Qt::AlignTop, m_loads ? QStringLiteral("100 %") : count(m_matrix.most));
    painter.setPen(theme().textFaint);
    painter.drawText(rect.adjusted(width + 3 * kCellPad, 0, -kCellPad, -6), Qt::AlignLeft | Qt::AlignVCenter,
                     m_loads ? tr("numbers: links · color: busiest link") : tr("links per cell; double-click to drill down"));
}

void MatrixView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme().canvas);
    if (!m_model || m_matrix.rows.empty()) return;
    paintCells(painter);
    paintHeaders(painter);
    painter.setFont(fabricFont(0.9));
    const QStringList words = path();
    for (int step = 0; step < int(words.size()); ++step) {
        const bool here = step + 1 == int(words.size());
        painter.setPen(here ? theme().text : theme().accent);
        painter.drawText(crumbRect(step).adjusted(0, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, words[step]);
        painter.setPen(theme().textFaint);
        if (!here)
            painter.drawText(QPointF(crumbRect(step).right(), crumbRect(step).center().y() + painter.fontMetrics().ascent() / 2.0 - 1), "  ›  ");
    }
    paintLegend(painter, QRectF(0, viewport()->height() - kLegendHeight, viewport()->width(), kLegendHeight));
    if (m_hover.first >= 0) paintFabricCard(painter, card(m_hover.first, m_hover.second), m_cursor, QRectF(viewport()->rect()));
}

} // namespace hw::views
