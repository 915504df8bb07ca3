// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/entity.h"

namespace hw {

/// Whether the design has this row.
[[nodiscard]] bool exists(const Snapshot& snapshot, EntityRef entity);

} // namespace hw
