// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/power/one_line_symbols.h"

#include "views/style/theme.h"

#include <QPainter>

namespace hw::views {
namespace {

void drawLetter(QPainter& painter, const QRectF& square, const QString& letter)
{
    const QFont before = painter.font();
    QFont font = before;
    font.setPixelSize(std::max(1, int(square.height() * 0.52)));
    font.setWeight(QFont::DemiBold);
    painter.setFont(font);
    painter.drawText(square, Qt::AlignCenter, letter);
    painter.setFont(before);
}

/// Alternating current: one wave in a rectangle.
void drawWave(QPainter& painter, const QRectF& r)
{
    QPainterPath wave(QPointF(r.left(), r.center().y()));
    wave.quadTo(QPointF(r.left() + r.width() * 0.25, r.top()), r.center());
    wave.quadTo(QPointF(r.left() + r.width() * 0.75, r.bottom()), QPointF(r.right(), r.center().y()));
    painter.drawPath(wave);
}

/// A converter between alternating and direct current.
void drawConverter(QPainter& painter, const QRectF& r)
{
    painter.drawRect(r);
    painter.drawLine(r.bottomLeft(), r.topRight());
    drawWave(painter, QRectF(r.left() + r.width() * 0.10, r.top() + r.height() * 0.14, r.width() * 0.36, r.height() * 0.24));
    for (const double y : {0.70, 0.82})
        painter.drawLine(QPointF(r.left() + r.width() * 0.56, r.top() + r.height() * y),
                         QPointF(r.left() + r.width() * 0.90, r.top() + r.height() * y));
}

void drawBattery(QPainter& painter, const QRectF& r)
{
    const double middle = r.center().x();
    painter.drawLine(QPointF(middle, r.top()), QPointF(middle, r.top() + r.height() * 0.3));
    painter.drawLine(QPointF(r.left(), r.top() + r.height() * 0.3), QPointF(r.right(), r.top() + r.height() * 0.3));
    painter.drawLine(QPointF(r.left() + r.width() * 0.25, r.bottom()), QPointF(r.right() - r.width() * 0.25, r.bottom()));
}

void drawCross(QPainter& painter, QPointF at, double half)
{
    painter.drawLine(at - QPointF(half, half), at + QPointF(half, half));
    painter.drawLine(at - QPointF(half, -half), at + QPointF(half, -half));
}

/// A bar with ways out of it.
void drawBoard(QPainter& painter, const QRectF& r, bool breakers)
{
    const double y = r.top() + r.height() * 0.22;
    QPen pen = painter.pen(), bar = pen;
    bar.setWidthF(pen.widthF() * 2.2);
    painter.setPen(bar);
    painter.drawLine(QPointF(r.left(), y), QPointF(r.right(), y));
    painter.setPen(pen);
    for (const double x : {0.2, 0.5, 0.8}) {
        const double at = r.left() + r.width() * x, half = r.width() * 0.11;
        const double middle = r.top() + r.height() * 0.56;
        painter.drawLine(QPointF(at, y), QPointF(at, middle - half));
        if (breakers)
            painter.drawRect(QRectF(at - half, middle - half, 2 * half, 2 * half));
        else
            drawCross(painter, QPointF(at, middle), half * 0.9);
        painter.drawLine(QPointF(at, middle + half), QPointF(at, r.bottom()));
    }
}

void drawTransformer(QPainter& painter, const QRectF& r)
{
    const double d = r.height() * 0.60;
    painter.drawEllipse(QRectF(r.center().x() - d / 2, r.top(), d, d));
    painter.drawEllipse(QRectF(r.center().x() - d / 2, r.bottom() - d, d, d));
}

void drawUtility(QPainter& painter, const QRectF& r)
{
    painter.drawRect(r);
    for (const double at : {0.33, 0.67}) {
        painter.drawLine(QPointF(r.left(), r.top() + r.height() * at), QPointF(r.left() + r.width() * at, r.top()));
        painter.drawLine(QPointF(r.left() + r.width() * at, r.bottom()), QPointF(r.right(), r.top() + r.height() * at));
    }
    painter.drawLine(r.bottomLeft(), r.topRight());
}

void drawBusway(QPainter& painter, const QRectF& r)
{
    const QRectF track(r.left(), r.top() + r.height() * 0.25, r.width(), r.height() * 0.22);
    painter.drawRect(track);
    for (const double x : {0.2, 0.5, 0.8}) {
        const QRectF tap(r.left() + r.width() * x - r.width() * 0.08, track.bottom(), r.width() * 0.16, r.height() * 0.2);
        painter.drawRect(tap);
        painter.drawLine(QPointF(tap.center().x(), tap.bottom()), QPointF(tap.center().x(), r.bottom()));
    }
}

void drawStrip(QPainter& painter, const QRectF& r)
{
    const QRectF strip(r.center().x() - r.width() * 0.2, r.top(), r.width() * 0.4, r.height());
    painter.drawRect(strip);
    for (const double y : {0.2, 0.4, 0.6, 0.8}) {
        const QPointF at(strip.center().x(), r.top() + r.height() * y);
        painter.drawLine(at - QPointF(r.width() * 0.06, 0), at + QPointF(r.width() * 0.06, 0));
    }
}

void drawRack(QPainter& painter, const QRectF& r)
{
    const QRectF rack = r.adjusted(r.width() * 0.18, 0, -r.width() * 0.18, 0);
    painter.drawRect(rack);
    for (const double y : {0.25, 0.5, 0.75})
        painter.drawLine(QPointF(rack.left() + 2, r.top() + r.height() * y), QPointF(rack.right() - 2, r.top() + r.height() * y));
}

void drawTransfer(QPainter& painter, const QRectF& r)
{
    painter.drawRect(r);
    const QPointF out(r.center().x(), r.bottom()), pivot(r.center().x(), r.top() + r.height() * 0.65);
    painter.drawLine(out, pivot);
    painter.drawLine(pivot, QPointF(r.left() + r.width() * 0.25, r.top() + r.height() * 0.3));
    for (const double x : {0.25, 0.75})
        painter.drawLine(QPointF(r.left() + r.width() * x, r.top()), QPointF(r.left() + r.width() * x, r.top() + r.height() * 0.3));
}

} // namespace

void drawPowerSymbol(QPainter& painter, const OneLineGroup& group, const QRectF& r)
{
    painter.setBrush(Qt::NoBrush);
    if (!group.tier) return drawRack(painter, r);
    switch (group.kind) {
    case PowerElement::Utility: return drawUtility(painter, r);
    case PowerElement::Transformer: return drawTransformer(painter, r);
    case PowerElement::Switchgear: return drawBoard(painter, r, false);
    case PowerElement::Generator: painter.drawEllipse(r); return drawLetter(painter, r, "G"); // no text
    case PowerElement::Ups:
        drawConverter(painter, QRectF(r.left(), r.top(), r.width() * 0.72, r.height()));
        return drawBattery(painter, QRectF(r.left() + r.width() * 0.80, r.top() + r.height() * 0.3, r.width() * 0.26, r.height() * 0.4));
    case PowerElement::StaticSwitch: return drawTransfer(painter, r);
    case PowerElement::Switchboard: return drawBoard(painter, r, true);
    case PowerElement::Busway: return drawBusway(painter, r);
    case PowerElement::Pdu: return drawStrip(painter, r);
    case PowerElement::Shelf: return drawConverter(painter, r);
    case PowerElement::None: break;
    }
    painter.drawEllipse(r);
    if (group.load) drawLetter(painter, r, "M"); // no text
}

} // namespace hw::views
