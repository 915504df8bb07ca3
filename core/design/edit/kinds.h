// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/model/tables.h"

#include <optional>
#include <string>
#include <string_view>

namespace hw::edit {

/// The word of a kind in scripts, from its table's name: rack, part-type.
[[nodiscard]] const std::string& kindWord(EntityKind kind);
[[nodiscard]] std::optional<EntityKind> kindOfWord(std::string_view word);
/// The same for people; `counted`: "3 racks", "1 part type".
[[nodiscard]] Text kindText(EntityKind kind);
[[nodiscard]] Text kindText(PartKind kind);
[[nodiscard]] Text counted(std::size_t count, EntityKind kind);

} // namespace hw::edit
