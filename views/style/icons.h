// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace hw::views {

/// A line icon of resources/icons, drawn in the theme's text color at any size and scale; faint when
/// disabled, in the accent when checked. It follows a change of theme without being made again.
[[nodiscard]] QIcon icon(const QString& name);
/// The same icon in one fixed color.
[[nodiscard]] QIcon icon(const QString& name, const QColor& color);

} // namespace hw::views
