// SPDX-License-Identifier: GPL-3.0-or-later
// How the blocks of a document stand on sheets.
#include "views/paper/chart_block.h"
#include "views/paper/figure_painter.h"
#include "views/paper/page_flow.h"
#include "views/style/theme.h"

#include <QPainter>

#include <cmath>
#include <memory>

namespace hw::views::paper {
namespace {

using namespace document;
using document::Table, document::Tone;

void layOut(PageFlow& flow, const Paragraph& block)
{
    const bool lead = block.style == Paragraph::Style::Lead, heading = block.style == Paragraph::Style::Heading;
    const QFont font = lead ? face(15) : heading ? face(13, QFont::DemiBold) : face(12);
    const auto wrapped = std::make_shared<Wrapped>(wrap(text(block.text), font, flow.body().width()));
    const double before = heading ? kLine : 0, after = heading ? kLine : kGap - kLine;
    const QRectF place = flow.take(before + wrapped->height(), before + wrapped->height() + (heading ? 60 : 0));
    const QColor color = ink(block.tone);
    flow.put([=](QPainter& p) {
        p.setPen(color);
        wrapped->paint(p, place.topLeft() + QPointF(0, before), place.width());
    });
    flow.skip(after);
}

void layOut(PageFlow& flow, const Facts& block)
{
    const double labels = flow.body().width() * 0.26, gap = 3 * kLine;
    for (const auto& line : block.lines) {
        const QString label = text(line.label);
        const auto value = std::make_shared<Wrapped>(wrap(text(line.value), face(12), flow.body().width() - labels - gap));
        const QRectF place = flow.take(value->height() + kLine * 1.5);
        const QColor color = ink(line.tone);
        flow.put([=](QPainter& p) {
            paintLine(p, QRectF(place.left(), place.top(), labels, value->lineHeight), label, face(12), theme().textDim);
            p.setPen(color);
            value->paint(p, place.topLeft() + QPointF(labels + gap, 0), place.width() - labels - gap);
            p.setPen(QPen(theme().grid, 0.8));
            p.drawLine(place.bottomLeft() - QPointF(0, kLine / 2), place.bottomRight() - QPointF(0, kLine / 2));
        });
    }
    flow.skip(kGap - kLine);
}

void layOut(PageFlow& flow, const Points& block)
{
    constexpr double kIndent = 16;
    for (const auto& point : block.points) {
        const auto said = std::make_shared<Wrapped>(wrap(text(point.text), face(12), flow.body().width() - kIndent));
        const QRectF place = flow.take(said->height() + kLine);
        const QColor color = ink(point.tone);
        flow.put([=](QPainter& p) {
            p.setPen(Qt::NoPen);
            p.setBrush(color);
            p.drawEllipse(QPointF(place.left() + 4, place.top() + said->lineHeight / 2), 2.6, 2.6);
            p.setPen(theme().text);
            said->paint(p, place.topLeft() + QPointF(kIndent, 0), place.width() - kIndent);
        });
    }
    flow.skip(kGap - kLine);
}

void layOut(PageFlow& flow, const Bars& block)
{
    constexpr double kRow = 20;
    const QString caption = text(block.caption);
    const QRectF head = flow.take(20, 20 + 3 * kRow);
    flow.put([=](QPainter& p) { paintLine(p, head, caption, face(11, QFont::DemiBold), theme().text); });
    flow.skip(kLine);
    for (const auto& bar : block.bars) {
        const QRectF place = flow.take(kRow);
        const QString label = text(bar.label), value = text(bar.value);
        const double share = bar.share, worst = bar.worst;
        flow.put([=](QPainter& p) {
            const double w = place.width();
            paintLine(p, QRectF(place.left(), place.top(), w * 0.27, kRow), label, face(11), theme().text);
            const QRectF track(place.left() + w * 0.29, place.center().y() - 4, w * 0.40, 8);
            p.fillRect(track, theme().border);
            p.fillRect(QRectF(track.left(), track.top(), track.width() * std::clamp(share, 0.0, 1.0), track.height()), loadColor(worst));
            p.fillRect(QRectF(track.left() + track.width() * std::clamp(worst, 0.0, 1.0) - 1, track.top() - 3, 2, track.height() + 6), theme().text);
            paintLine(p, QRectF(track.right() + 8, place.top(), w * 0.08, kRow), percent(worst, 0), face(11, QFont::DemiBold), loadColor(worst),
                      Qt::AlignRight);
            paintLine(p, QRectF(place.right() - w * 0.20, place.top(), w * 0.20, kRow), value, face(11), theme().textDim, Qt::AlignRight);
        });
    }
    flow.skip(kGap);
}

void layOut(PageFlow& flow, const Chart& block)
{
    constexpr double kHeight = 210, kHead = 20, kLegend = 14;
    const double below = kLegend * double(block.curves.size()) + kLine;
    const QRectF place = flow.take(kHead + kHeight + below, kHead + kHeight + below);
    const auto chart = std::make_shared<const Chart>(block);
    flow.put([=](QPainter& p) {
        paintLine(p, QRectF(place.left(), place.top(), place.width(), kHead), text(chart->caption), face(11, QFont::DemiBold), theme().text);
        paintChart(p, QRectF(place.left(), place.top() + kHead, place.width(), kHeight), *chart);
        double y = place.top() + kHead + kHeight + 4;
        for (std::size_t i = 0; i < chart->curves.size(); ++i, y += kLegend) {
            p.setPen(chartPen(*chart, i));
            p.drawLine(QPointF(place.left(), y + kLegend / 2), QPointF(place.left() + 26, y + kLegend / 2));
            paintLine(p, QRectF(place.left() + 34, y, place.width() - 34, kLegend), text(chart->curves[i].label), face(10), theme().textDim);
        }
    });
    flow.skip(kGap);
}

/// Fills the rest of a sheet.
void layOutFigure(PageFlow& flow, const Figure& figure, FigurePainter& figures)
{
    const QString caption = text(figure.caption), note = text(figure.note);
    const double below = 22 + (note.isEmpty() ? 0 : 16);
    const QRectF place = flow.take(flow.room());
    flow.put([=, &figures](QPainter& p) {
        const double height = figures.heightFor(figure, place.width(), place.height() - below);
        const QRectF drawing(place.left(), place.top(), place.width(), height);
        figures.paint(p, drawing, figure);
        p.setPen(QPen(theme().border, 1));
        p.setBrush(Qt::NoBrush);
        p.drawRect(drawing);
        paintLine(p, QRectF(place.left(), drawing.bottom() + 6, place.width(), 16), caption, face(11, QFont::DemiBold), theme().text);
        if (!note.isEmpty()) paintLine(p, QRectF(place.left(), drawing.bottom() + 22, place.width(), 16), note, face(11), theme().textDim);
    });
}

/// What could not be read on one sheet follows on sheets of its own, part by part.
void layOutParts(PageFlow& flow, const Figure& figure, FigurePainter& figures)
{
    constexpr double kBelow = 22;
    const QSizeF size = flow.bodyOf(FigurePainter::lies(figure)).size() - QSizeF(0, kBelow);
    const std::size_t parts = figures.parts(figure, size);
    for (std::size_t part = 0; part < parts; ++part) {
        flow.startSheet(FigurePainter::lies(figure));
        const QRectF place = flow.take(flow.room());
        const QString caption = text(i18n("{}: part {} of {}", figure.caption, part + 1, parts));
        flow.put([=, &figures](QPainter& p) {
            const QRectF drawing(place.topLeft(), size);
            figures.paintPart(p, drawing, figure, part);
            p.setPen(QPen(theme().border, 1));
            p.setBrush(Qt::NoBrush);
            p.drawRect(drawing);
            paintLine(p, QRectF(place.left(), drawing.bottom() + 6, place.width(), 16), caption, face(11, QFont::DemiBold), theme().text);
        });
    }
}

/// Three upright drawings side by side.
void layOut(PageFlow& flow, const Gallery& block, FigurePainter& figures)
{
    constexpr std::size_t kColumns = 3;
    constexpr double kBetween = 16, kLeast = 640, kHead = 54;
    for (std::size_t first = 0; first < block.figures.size(); first += kColumns) {
        if (flow.room() < kLeast) flow.startSheet(false);
        const QRectF place = flow.take(flow.room());
        const double width = (place.width() - (kColumns - 1) * kBetween) / kColumns;
        for (std::size_t i = first; i < std::min(first + kColumns, block.figures.size()); ++i) {
            const Figure figure = block.figures[i];
            const QRectF cell(place.left() + double(i - first) * (width + kBetween), place.top(), width, place.height());
            const auto note = std::make_shared<Wrapped>(wrap(text(figure.note), face(10), width, 2));
            flow.put([=, &figures](QPainter& p) {
                paintLine(p, QRectF(cell.left(), cell.top(), cell.width(), 18), text(figure.caption), face(12, QFont::DemiBold), theme().text);
                p.setPen(theme().textDim);
                note->paint(p, cell.topLeft() + QPointF(0, 19), cell.width());
                figures.paint(p, cell.adjusted(0, kHead, 0, 0), figure);
            });
        }
    }
}

void layOutHeading(PageFlow& flow, const Section& section)
{
    const QString title = text(section.title);
    const bool first = section.level == 1;
    const QFont font = first ? face(26, QFont::DemiBold) : face(17, QFont::DemiBold);
    const double height = first ? 40 : 28;
    if (!first && !flow.atTop()) flow.skip(2 * kLine);
    if (!first && flow.room() < 140) flow.startSheet(false);
    flow.enter(title, section.level);
    const QRectF place = flow.take(height);
    flow.put([=](QPainter& p) { paintLine(p, place, title, font, theme().text); });
    flow.skip(first ? 4 * kLine : 2 * kLine);
}

constexpr int kTileHeight = 66;

} // namespace

double tilesHeight(std::size_t tiles, int columns)
{
    return double((tiles + std::size_t(columns) - 1) / std::size_t(columns)) * (kTileHeight + 2 * kLine);
}

void paintTiles(QPainter& painter, const QRectF& rect, const Tiles& tiles, int columns)
{
    constexpr double kBetween = 12;
    const double width = (rect.width() - (columns - 1) * kBetween) / columns;
    for (std::size_t i = 0; i < tiles.tiles.size(); ++i) {
        const auto& tile = tiles.tiles[i];
        const QRectF cell(rect.left() + double(int(i) % columns) * (width + kBetween),
                          rect.top() + double(int(i) / columns) * (kTileHeight + 2 * kLine), width, kTileHeight);
        painter.fillRect(cell, theme().raised);
        painter.fillRect(QRectF(cell.left(), cell.top(), 3, cell.height()), tile.tone == Tone::Plain ? theme().accent : ink(tile.tone));
        const QRectF inside = cell.adjusted(12, 7, -8, -6);
        const QString value = text(tile.value);
        int pixels = 22;
        while (pixels > 13 && widthOf(value, face(pixels, QFont::DemiBold)) > inside.width()) --pixels;
        paintLine(painter, QRectF(inside.left(), inside.top(), inside.width(), 26), value, face(pixels, QFont::DemiBold),
                  tile.tone == Tone::Plain ? theme().text : ink(tile.tone));
        paintLine(painter, QRectF(inside.left(), inside.top() + 26, inside.width(), 14), text(tile.label), face(11), theme().text);
        paintLine(painter, QRectF(inside.left(), inside.top() + 40, inside.width(), 13), text(tile.note), face(10), theme().textDim);
    }
}

void layOutTiles(PageFlow& flow, const Tiles& tiles)
{
    constexpr int kColumns = 4;
    const QRectF place = flow.take(tilesHeight(tiles.tiles.size(), kColumns));
    flow.put([=](QPainter& p) { paintTiles(p, place, tiles, kColumns); });
    flow.skip(kGap - 2 * kLine);
}

void layOut(PageFlow& flow, const ReportDocument& document, FigurePainter& figures)
{
    for (const Section& section : document.sections) {
        const auto* figure = section.blocks.empty() ? nullptr : std::get_if<Figure>(&section.blocks.front());
        if (section.level == 1) flow.setSection(text(section.title));
        if (section.level == 1 || figure || flow.sheets().empty() || flow.sheets().back().lying)
            flow.startSheet(figure && FigurePainter::lies(*figure));
        layOutHeading(flow, section);
        for (const Block& block : section.blocks) {
            if (const auto* drawing = std::get_if<Figure>(&block)) {
                if (flow.sheets().back().lying != FigurePainter::lies(*drawing) || flow.room() < 300) flow.startSheet(FigurePainter::lies(*drawing));
                layOutFigure(flow, *drawing, figures);
                layOutParts(flow, *drawing, figures);
            } else if (const auto* gallery = std::get_if<Gallery>(&block)) {
                layOut(flow, *gallery, figures);
            } else if (const auto* table = std::get_if<Table>(&block)) {
                layOutTable(flow, *table);
            } else if (const auto* tiles = std::get_if<Tiles>(&block)) {
                layOutTiles(flow, *tiles);
            } else if (const auto* paragraph = std::get_if<Paragraph>(&block)) {
                layOut(flow, *paragraph);
            } else if (const auto* facts = std::get_if<Facts>(&block)) {
                layOut(flow, *facts);
            } else if (const auto* points = std::get_if<Points>(&block)) {
                layOut(flow, *points);
            } else if (const auto* bars = std::get_if<Bars>(&block)) {
                layOut(flow, *bars);
            } else if (const auto* chart = std::get_if<Chart>(&block)) {
                layOut(flow, *chart);
            }
        }
    }
}

} // namespace hw::views::paper
