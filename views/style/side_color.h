// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/style/theme.h"

namespace hw::views {

/// Colors of the sides of a power chain, which color-blind readers can tell apart; dim for none or several.
[[nodiscard]] inline QColor sideColor(char side)
{
    const bool dark = theme().dark();
    switch (side) {
    case 'A': return QColor(dark ? "#4c9be8" : "#1f6fc4");
    case 'B': return QColor(dark ? "#d98a2b" : "#b8660a");
    case 'C': return QColor(dark ? "#3fb8a6" : "#0d8577");
    case 'D': return QColor(dark ? "#c985d6" : "#96469f");
    default: return theme().textDim;
    }
}

} // namespace hw::views
