// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/point.h"
#include "views/models/cell_table_model.h"

namespace hw::views {

/// "bound", "unbound", "ambiguous", "other unit", "set aside", with its icon; what is wrong in `warning`.
[[nodiscard]] Cell bindingCell(bindings::Bound::Reason reason, const QColor& warning);

} // namespace hw::views
