// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/twin/widget/front_atlas.h"

#include "views/twin/scene/build.h"

#include <QLinearGradient>
#include <QPainter>

namespace hw::views::twin {

namespace {

constexpr int kSize = 1024;

struct Brushes {
    QPainter& p;
    QRectF area; ///< the cell, one unit = one texel

    void plate(QColor top, QColor bottom) const
    {
        QLinearGradient gradient(area.topLeft(), area.bottomLeft());
        gradient.setColorAt(0, top);
        gradient.setColorAt(1, bottom);
        p.fillRect(area.adjusted(-4, -4, 4, 4), gradient); // over the rim, against bleeding
        p.fillRect(QRectF(area.left(), area.top(), area.width(), 3), top.lighter(130));
        p.fillRect(QRectF(area.left(), area.bottom() - 4, area.width(), 4), bottom.darker(160));
    }
    void ears(QColor color) const
    {
        for (const double x : {area.left(), area.right() - 20}) {
            p.fillRect(QRectF(x, area.top() + 3, 20, area.height() - 7), color);
            for (const double y : {area.top() + 14, area.bottom() - 18}) {
                p.setBrush(color.darker(190));
                p.setPen(Qt::NoPen);
                p.drawEllipse(QPointF(x + 10, y), 3.2, 3.2);
            }
        }
    }
    /// A perforated field: rows of dots.
    void vent(QRectF r, QColor dark, double pitch = 7) const
    {
        p.setPen(Qt::NoPen);
        p.setBrush(dark);
        int row = 0;
        for (double y = r.top() + pitch / 2; y < r.bottom(); y += pitch * 0.866, ++row)
            for (double x = r.left() + (row % 2 ? pitch : pitch / 2); x < r.right(); x += pitch)
                p.drawEllipse(QPointF(x, y), pitch * 0.34, pitch * 0.34);
    }
    void bays(QRectF r, int columns, int rows, QColor face, QColor gap) const
    {
        p.fillRect(r, gap);
        const double w = r.width() / columns, h = r.height() / rows;
        for (int i = 0; i < columns * rows; ++i) {
            const QRectF bay(r.left() + w * (i % columns) + 1.5, r.top() + h * (i / columns) + 1.5, w - 3, h - 3);
            p.fillRect(bay, face);
            p.fillRect(QRectF(bay.left(), bay.top(), bay.width(), 2), face.lighter(140));
            p.fillRect(QRectF(bay.right() - 5, bay.bottom() - 6, 3, 3), QColor(0x5CE08A));
        }
    }
    void light(QPointF at, QColor color, double r = 3) const
    {
        p.setPen(Qt::NoPen);
        p.setBrush(color);
        p.drawEllipse(at, r, r);
    }
};

void paintGpuServer(const Brushes& b)
{
    b.plate(QColor(0xA6AFB6), QColor(0x848D95));
    b.ears(QColor(0xB4BCC3));
    const QRectF inner = b.area.adjusted(26, 10, -26, -12);
    b.p.fillRect(inner, QColor(0x59626A));
    b.vent(QRectF(inner.left() + 8, inner.top() + 8, inner.width() - 16, inner.height() * 0.52), QColor(0x20262B), 9);
    b.p.fillRect(QRectF(inner.left(), inner.top() + inner.height() * 0.57, inner.width(), 9), QColor(0xB79A4C));
    b.bays(QRectF(inner.left() + 10, inner.top() + inner.height() * 0.64, inner.width() * 0.52, inner.height() * 0.31), 4, 2, QColor(0x8A949C),
           QColor(0x23292E));
    b.vent(QRectF(inner.left() + inner.width() * 0.58, inner.top() + inner.height() * 0.64, inner.width() * 0.39, inner.height() * 0.31),
           QColor(0x20262B), 8);
    b.light({inner.right() - 12, inner.bottom() - 8}, QColor(0x6FE39A), 4);
}

void paintServer(const Brushes& b)
{
    b.plate(QColor(0x99A2A9), QColor(0x79828A));
    b.ears(QColor(0xA8B0B7));
    b.bays(b.area.adjusted(30, 14, -190, -14), 6, 1, QColor(0x77818A), QColor(0x23292E));
    b.vent(QRectF(b.area.right() - 180, b.area.top() + 14, 140, b.area.height() - 28), QColor(0x171B1F), 7);
    b.light({b.area.right() - 30, b.area.top() + 18}, QColor(0x6FE39A));
}

void paintSwitch(const Brushes& b, int rows)
{
    b.plate(QColor(0x4C6072), QColor(0x3A4B5B));
    b.ears(QColor(0x5F7488));
    const QRectF inner = b.area.adjusted(28, 12, -28, -14);
    b.p.fillRect(QRectF(inner.left(), inner.top() - 5, inner.width(), 3), QColor(0x58A6E8));
    const int columns = 16;
    const double w = inner.width() / columns, h = inner.height() / rows;
    for (int i = 0; i < columns * rows; ++i) {
        const QRectF cage(inner.left() + w * (i % columns) + 2, inner.top() + h * (i / columns) + 3, w - 4, h - 7);
        b.p.fillRect(cage, QColor(0x97A2AD));
        b.p.fillRect(cage.adjusted(2, 2, -2, -2), QColor(0x10151A));
        b.p.fillRect(QRectF(cage.left() + 2, cage.bottom() + 1, 4, 3), i % 7 == 3 ? QColor(0xE0B050) : QColor(0x5CE08A));
    }
}

void paintStorage(const Brushes& b)
{
    b.plate(QColor(0x8FA096), QColor(0x6F8076));
    b.ears(QColor(0xA3B3A9));
    b.bays(b.area.adjusted(28, 10, -28, -12), 12, 2, QColor(0x6F7F76), QColor(0x1E2521));
}

void paintFacility(const Brushes& b)
{
    b.plate(QColor(0x8A857A), QColor(0x6B675E));
    b.ears(QColor(0x9C968A));
    b.vent(b.area.adjusted(40, 20, -200, -20), QColor(0x3A3730), 10);
    b.p.fillRect(QRectF(b.area.right() - 170, b.area.top() + 30, 120, b.area.height() - 60), QColor(0x1D2A33));
}

void paintRear(const Brushes& b)
{
    b.plate(QColor(0x89929A), QColor(0x6A737B));
    b.ears(QColor(0x9AA3AB));
    const QRectF inner = b.area.adjusted(26, 12, -26, -12);
    b.p.fillRect(inner, QColor(0x3E464D));
    const double spacing = inner.width() * 0.25 * 0.72, r = std::min(inner.height() * 0.22, spacing * 0.47);
    b.p.setPen(QPen(QColor(0x1C2227), 3));
    for (int row = 0; row < 2; ++row)
        for (int i = 0; i < 4; ++i) {
            const QPointF c(inner.left() + spacing * (0.5 + i), inner.top() + inner.height() * (0.27 + 0.46 * row));
            b.p.setBrush(QColor(0x59636B));
            b.p.drawEllipse(c, r, r);
            b.p.setBrush(QColor(0x12161A));
            b.p.drawEllipse(c, r * 0.28, r * 0.28);
        }
    b.bays(QRectF(inner.left() + inner.width() * 0.74, inner.top() + 12, inner.width() * 0.23, inner.height() - 24), 2, 6, QColor(0x8B949C),
           QColor(0x14181B));
}

void paintCell(QPainter& p, FrontKind kind)
{
    const auto uv = frontCell(kind);
    const Brushes b{p,
                    QRectF(QPointF(double(uv[0]) * kSize, (1 - double(uv[3])) * kSize), QPointF(double(uv[2]) * kSize, (1 - double(uv[1])) * kSize))};
    switch (kind) {
    case FrontKind::GpuServer: paintGpuServer(b); break;
    case FrontKind::Server: paintServer(b); break;
    case FrontKind::SwitchTall: paintSwitch(b, 4); break;
    case FrontKind::SwitchFlat: paintSwitch(b, 2); break;
    case FrontKind::Storage: paintStorage(b); break;
    case FrontKind::Facility: paintFacility(b); break;
    case FrontKind::Rear: paintRear(b); break;
    }
}

} // namespace

QImage frontAtlas()
{
    QImage image(kSize, kSize, QImage::Format_RGBA8888);
    image.fill(QColor(0x4A5259));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < kFrontKinds; ++i) paintCell(painter, FrontKind(i));
    painter.end();
    return image.mirrored();
}

} // namespace hw::views::twin
