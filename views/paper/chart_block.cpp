// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/paper/chart_block.h"

#include "core/derived/values/value_field.h"
#include "views/paper/type_grid.h"
#include "views/style/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <array>
#include <cmath>

namespace hw::views::paper {

namespace {

struct Extent {
    double fromS = 0, toS = 1, most = 1;
};

Extent extentOf(const document::Chart& chart)
{
    Extent e;
    bool any = false;
    for (const auto& curve : chart.curves)
        for (const auto& [s, value] : curve.points) {
            e.fromS = any ? std::min(e.fromS, s) : s, e.toS = any ? std::max(e.toS, s) : s;
            e.most = any ? std::max(e.most, value) : value;
            any = true;
        }
    if (e.toS <= e.fromS) e.toS = e.fromS + 1;
    e.most = roundUp(std::max(e.most, 1e-9));
    return e;
}

/// Seconds between the figures of the time axis: at most seven, at round times.
double timeStep(double seconds)
{
    for (const double step : {1., 2., 5., 10., 15., 30., 60., 120., 300., 600., 1800.})
        if (seconds <= 6 * step) return step;
    return 3600 * std::ceil(seconds / 6 / 3600);
}

} // namespace

QPen chartPen(const document::Chart& chart, std::size_t curve)
{
    const bool dashed = chart.curves[curve].dashed;
    std::size_t solid = 0;
    for (std::size_t i = 0; i < curve; ++i) solid += !chart.curves[i].dashed;
    const std::size_t color = dashed && solid > 0 ? solid - 1 : solid;
    const Theme& t = theme();
    const std::array<QColor, 6> colors{t.accent, t.error, t.ok, t.warning, t.network, t.textDim};
    QPen pen(colors[color % colors.size()], dashed ? 1.2 : 1.8);
    if (dashed) pen.setStyle(Qt::DashLine);
    return pen;
}

void paintChart(QPainter& p, const QRectF& rect, const document::Chart& chart)
{
    const Extent e = extentOf(chart);
    const QRectF plot = rect.adjusted(58, 8, -10, -22);
    const auto place = [&](double s, double value) {
        return QPointF(plot.left() + plot.width() * (s - e.fromS) / (e.toS - e.fromS), plot.bottom() - plot.height() * value / e.most);
    };
    for (int i = 0; i <= 4; ++i) {
        const double value = e.most * i / 4, y = place(e.fromS, value).y();
        p.setPen(QPen(theme().grid, 0.8));
        p.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        const QString number = value >= 100 ? QString::number(value, 'f', 0) : QString::number(value, 'g', 3);
        paintLine(p, QRectF(rect.left(), y - 7, 52, 14), QString("%1 %2").arg(number, QString::fromStdString(chart.unit)), face(10), theme().textDim,
                  Qt::AlignRight);
    }
    const double step = timeStep(e.toS - e.fromS);
    for (double s = std::ceil(e.fromS / step) * step + 0.0; s <= e.toS; s += step) {
        const Text said = step >= 60 ? i18n("{:.0f} min", s / 60) : i18n("{:.0f} s", s);
        paintLine(p, QRectF(place(s, 0).x() - 40, plot.bottom() + 4, 80, 14), text(said), face(10), theme().textDim, Qt::AlignHCenter);
    }
    for (const auto& [s, said] : chart.marks) {
        if (s < e.fromS || s > e.toS) continue;
        p.setPen(QPen(theme().text, 1, Qt::DotLine));
        p.drawLine(place(s, 0), place(s, e.most));
        paintLine(p, QRectF(place(s, 0).x() + 4, plot.top(), 220, 14), text(said), face(10), theme().text);
    }
    p.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        p.setPen(chartPen(chart, i));
        QPainterPath path;
        bool pen = false;
        for (const auto& [s, value] : chart.curves[i].points) {
            if (std::isnan(value)) {
                pen = false;
                continue;
            }
            pen ? path.lineTo(place(s, value)) : path.moveTo(place(s, value));
            pen = true;
        }
        p.drawPath(path);
    }
}

} // namespace hw::views::paper
