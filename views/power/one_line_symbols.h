// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/oneline/one_line.h"

#include <QColor>
#include <QRectF>

class QPainter;

namespace hw::views {

/// The symbol of an element in a square, in the pen and font that the painter has: as on drawings after IEC 60617, simplified.
void drawPowerSymbol(QPainter& painter, const OneLineGroup& group, const QRectF& square);

/// The same of a diagram of cooling.
void drawCoolingSymbol(QPainter& painter, const OneLineGroup& group, const QRectF& square);

} // namespace hw::views
