// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/report/report.h"
#include "views/style/load_bar.h"

#include <QStringList>

#include <vector>

namespace hw::views {

/// A headline number of the design.
struct KeyFigure {
    QString value, label;
    double share = -1; ///< of a limit, for the color; -1 = none
};
struct BudgetCard {
    QString title;
    std::vector<LoadBar> bars;
    QStringList notes;
};

[[nodiscard]] std::vector<KeyFigure> keyFigures(const Report& report, const Figures& figures);
/// Power, cooling, one card per network, fiber and cost, in this order.
[[nodiscard]] std::vector<BudgetCard> budgetCards(const Report& report, const Figures& figures);

} // namespace hw::views
