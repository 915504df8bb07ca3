// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QRectF>
#include <QString>

#include <functional>

class QPainter;

namespace hw::views {

/// True for a file that holds a drawing as lines: .svg or .pdf.
[[nodiscard]] bool isVectorFile(const QString& path);
/// Draws on A3, lying, and writes it by the name's ending; light, because it is for paper. Whole or not at all. Errors: Usage, Unreadable.
[[nodiscard]] Result<void> writeVectorPage(const QString& path, const QString& title, const QString& description,
                                           const std::function<void(QPainter&, const QRectF&)>& paint);

} // namespace hw::views
