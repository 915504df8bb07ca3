// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <functional>
#include <vector>

namespace hw {

/// What a regeneration did.
struct MergeReport {
    std::vector<Text> notKept;                      ///< changes by hand that had no place in the new design, for people
    std::size_t inserted = 0, erased = 0, kept = 0; ///< rows
};

/// Makes a design when it is asked for, once at most.
using MakeDesign = std::function<Result<SnapshotPtr>()>;

/// Brings a design that was made again into one that people have worked on, by key: ids stay, what was moved, renamed or rewired by hand
/// stays where it still exists. `makeBase` gives what `mine` was made as. Error: that of `makeBase`.
[[nodiscard]] Result<MergeReport> mergeDesign(Snapshot& mine, const Snapshot& theirs, MakeDesign makeBase);

} // namespace hw
