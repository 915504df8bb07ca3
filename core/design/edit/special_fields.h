// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/edit/fields.h"
#include "core/design/edit/kinds.h"

namespace hw::edit {

/// Sets the columns that more depends on than their own value, or refuses them for a reason that no declaration tells;
/// nothing for all other columns.
[[nodiscard]] std::optional<Result<void>> setSpecially(Transaction& transaction, const ProjectParts& parts, Lookup& lookup, EntityRef entity,
                                                       const Field& field, const std::optional<std::string>& value);

} // namespace hw::edit
