// SPDX-License-Identifier: GPL-3.0-or-later
// Symbols of cooling equipment, after ISO 14617 and ISO 10628 where these have one.
#include "views/power/one_line_symbols.h"

#include <QPainter>
#include <QPainterPath>

namespace hw::views {
namespace {

QPointF at(const QRectF& r, double x, double y) { return {r.left() + r.width() * x, r.top() + r.height() * y}; }

void drawPump(QPainter& p, const QRectF& r)
{
    p.drawEllipse(r);
    p.drawPolyline(QPolygonF({at(r, 0.28, 0.12), at(r, 0.98, 0.5), at(r, 0.28, 0.88)}));
}

void drawValve(QPainter& p, const QRectF& r) { p.drawPolygon(QPolygonF({at(r, 0, 0.25), at(r, 1, 0.75), at(r, 1, 0.25), at(r, 0, 0.75)})); }

/// Plates between two loops.
void drawExchanger(QPainter& p, const QRectF& r)
{
    p.drawRect(r);
    p.drawPolyline(QPolygonF({at(r, 0, 0.3), at(r, 0.3, 0.3), at(r, 0.45, 0.7), at(r, 0.6, 0.3), at(r, 0.75, 0.7), at(r, 1, 0.7)}));
}

void drawCdu(QPainter& p, const QRectF& r)
{
    drawExchanger(p, QRectF(r.left(), r.top(), r.width(), r.height() * 0.6));
    drawPump(p, QRectF(r.center().x() - r.width() * 0.18, r.top() + r.height() * 0.64, r.width() * 0.36, r.height() * 0.36));
}

void drawFan(QPainter& p, const QRectF& r)
{
    p.drawEllipse(at(r, 0.5, 0.34), r.width() * 0.1, r.height() * 0.28);
    p.drawEllipse(at(r, 0.5, 0.66), r.width() * 0.1, r.height() * 0.28);
}

void drawFanBox(QPainter& p, const QRectF& r)
{
    p.drawRect(r);
    p.drawEllipse(r.adjusted(r.width() * 0.12, r.height() * 0.12, -r.width() * 0.12, -r.height() * 0.12));
    drawFan(p, r.adjusted(r.width() * 0.16, r.height() * 0.16, -r.width() * 0.16, -r.height() * 0.16));
}

/// A coil under a fan.
void drawDryCooler(QPainter& p, const QRectF& r)
{
    drawFan(p, QRectF(at(r, 0.3, 0), QSizeF(r.width() * 0.4, r.height() * 0.4)));
    const QRectF coil(at(r, 0, 0.45), QSizeF(r.width(), r.height() * 0.5));
    p.drawRect(coil);
    p.drawPolyline(
        QPolygonF({at(coil, 0, 0.5), at(coil, 0.2, 0.15), at(coil, 0.4, 0.85), at(coil, 0.6, 0.15), at(coil, 0.8, 0.85), at(coil, 1, 0.5)}));
}

void drawChiller(QPainter& p, const QRectF& r)
{
    p.drawRect(r);
    p.drawEllipse(QRectF(at(r, 0.28, 0.28), QSizeF(r.width() * 0.44, r.height() * 0.44)));
    for (const double y : {0.14, 0.86}) p.drawLine(at(r, 0.1, y), at(r, 0.9, y));
}

void drawTower(QPainter& p, const QRectF& r)
{
    p.drawPolygon(QPolygonF({at(r, 0.2, 0.1), at(r, 0.8, 0.1), at(r, 1, 1), at(r, 0, 1)}));
    for (const double x : {0.3, 0.5, 0.7}) p.drawLine(at(r, x, 0.3), at(r, x, 0.7));
}

/// A pair of pipes with branches.
void drawHeader(QPainter& p, const QRectF& r)
{
    p.drawLine(at(r, 0, 0.25), at(r, 1, 0.25));
    p.drawLine(at(r, 0, 0.45), at(r, 1, 0.45));
    for (const double x : {0.2, 0.5, 0.8}) {
        p.drawLine(at(r, x - 0.05, 0.25), at(r, x - 0.05, 0.95));
        p.drawLine(at(r, x + 0.05, 0.45), at(r, x + 0.05, 0.95));
    }
}

void drawTank(QPainter& p, const QRectF& r)
{
    p.drawRoundedRect(r.adjusted(r.width() * 0.2, 0, -r.width() * 0.2, 0), r.width() * 0.25, r.height() * 0.2);
}

/// Air that circulates in a room.
void drawRoom(QPainter& p, const QRectF& r)
{
    p.drawRect(r);
    for (const double y : {0.35, 0.65}) {
        QPainterPath wave(at(r, 0.15, y));
        wave.quadTo(at(r, 0.32, y - 0.2), at(r, 0.5, y));
        wave.quadTo(at(r, 0.68, y + 0.2), at(r, 0.85, y));
        p.drawPath(wave);
    }
}

} // namespace

void drawCoolingSymbol(QPainter& painter, const OneLineGroup& group, const QRectF& r)
{
    painter.setBrush(Qt::NoBrush);
    if (group.rooms) return drawRoom(painter, r);
    if (!group.tier) return drawPowerSymbol(painter, group, r); // racks are racks
    switch (group.cooling) {
    case CoolingElement::Manifold:
    case CoolingElement::Header: return drawHeader(painter, r);
    case CoolingElement::Cdu: return drawCdu(painter, r);
    case CoolingElement::Pump: return drawPump(painter, r);
    case CoolingElement::Valve: return drawValve(painter, r);
    case CoolingElement::Exchanger: return drawExchanger(painter, r);
    case CoolingElement::Tank: return drawTank(painter, r);
    case CoolingElement::Chiller: return drawChiller(painter, r);
    case CoolingElement::DryCooler: return drawDryCooler(painter, r);
    case CoolingElement::Tower: return drawTower(painter, r);
    case CoolingElement::FanWall:
    case CoolingElement::Crah:
    case CoolingElement::InRow:
    case CoolingElement::RearDoor: return drawFanBox(painter, r);
    case CoolingElement::None: break;
    }
    painter.drawEllipse(r);
}

} // namespace hw::views
