// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/model/table.h"

namespace hw {

/// The row that holds this one: of the columns that name a parent the first that is set.
[[nodiscard]] inline EntityRef parentOf(const std::vector<const ColumnBase*>& columns, std::uint32_t row)
{
    for (const auto* column : columns)
        if (column->traits().role == ColumnRole::Parent)
            if (const EntityRef parent = column->reference(row)) return parent;
    return {};
}

} // namespace hw
