// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/document/report_document.h"

#include <QPen>
#include <QRectF>

class QPainter;

namespace hw::views::paper {

/// Values over time with axes, in a rectangle; without caption and legend.
void paintChart(QPainter& painter, const QRectF& rect, const document::Chart& chart);
/// Of a curve: what was planned or predicted has the color of the curve before it, dashed.
[[nodiscard]] QPen chartPen(const document::Chart& chart, std::size_t curve);

} // namespace hw::views::paper
