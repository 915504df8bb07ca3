// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/text.h"
#include "core/foundation/model/snapshot.h"

#include <optional>

namespace hw {

/// What no correct program writes: columns of different lengths, a wrong count of living rows, a
/// reference to a row that does not live, an enumerator out of range. Names table, column and row of the
/// first such place; nothing when the snapshot is sound. About 30 ms for 122,880 GPUs.
[[nodiscard]] std::optional<Text> findInconsistency(const Snapshot& snapshot);

} // namespace hw
