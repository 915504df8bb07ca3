// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/named_figure.h"

#include "views/style/theme.h"

namespace hw::views {

QString namedFigure(const QString& name, const QString& value)
{
    return QString("<span style='color:%1'>%2</span> <b>%3</b>").arg(theme().textDim.name(), name.toHtmlEscaped(), value.toHtmlEscaped());
}

} // namespace hw::views
