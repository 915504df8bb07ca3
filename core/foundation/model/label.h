// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"

namespace hw {

/// What people call a network or a tier: its label, which a language translates where a template gave it, else its name.
template <class TableT>
[[nodiscard]] Text labelText(const TableT& table, typename TableT::IdType id)
{
    return table.label[id].empty() ? verbatim(table.name[id]) : resourceText(table.label[id]);
}

} // namespace hw
