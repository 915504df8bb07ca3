// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace hw::views {

/// "Name value" as rich text, the name dim and the value bold: one of a line of figures.
[[nodiscard]] QString namedFigure(const QString& name, const QString& value);

} // namespace hw::views
