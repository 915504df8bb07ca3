// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace hw::views {

/// One load against its capacity, as every panel draws it: label left, numbers right, a bar below with
/// a mark at the capacity when the load is beyond it.
struct LoadBar {
    QString label, numbers;
    double share = 0;   ///< load / capacity
    bool plain = false; ///< more is not worse: drawn in the accent, never amber or red
    QString hint;       ///< what stands behind it, for the tool tip
    QString subject{};  ///< name of the one thing that the numbers are of; a click leads there
};
void drawLoadBar(QPainter& painter, const QRectF& rect, const LoadBar& bar);
[[nodiscard]] double loadBarHeight(); ///< for the current font

} // namespace hw::views
