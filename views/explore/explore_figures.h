// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString> // before core's headers: moc cannot read <compare> as the very first one

#include "simulation/explore/explore.h"

#include <optional>
#include <vector>

namespace hw::views {

/// A figure of explored designs as tables and charts show it.
struct ExploreFigure {
    const char* key;
    QString title;
    QString (*text)(double value, const QString& currency);
    bool objective = false, high = false; ///< offered as an objective; greater is better
};
[[nodiscard]] const std::vector<ExploreFigure>& exploreFigures(); ///< in the order of columns
/// Nothing where a point does not have it.
[[nodiscard]] std::optional<double> exploreValue(const sim::Json& point, const char* key);
/// "segments=8 server=hgx-h100"
[[nodiscard]] QString exploreParameters(const sim::Json& point);

} // namespace hw::views
