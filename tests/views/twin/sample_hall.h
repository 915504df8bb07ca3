// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/model/document.h"
#include "simulation/result.h"

namespace hw::test {

/// The shipped `hpn` template with `pods` pods and `segments` segments each. Aborts with the error's
/// text when it cannot be made.
[[nodiscard]] SnapshotPtr hpnDesign(int pods, int segments = 15);
[[nodiscard]] FiguresPtr figuresOf(SnapshotPtr snapshot);
/// Loads that look like an uneven permutation: every link's from a hash, the first rail's busier.
/// `frame`: another moment, with other loads on the same links.
[[nodiscard]] std::shared_ptr<const sim::FlowResult> pretendedLoads(const Snapshot& snapshot, std::uint32_t frame = 0);
/// The same design with one row moved by (dx, dy) mm, and what that changed.
struct Moved {
    FiguresPtr figures;
    std::shared_ptr<const ChangeSet> changes;
};
[[nodiscard]] Moved moveRow(Document& document, const FiguresPtr& before, RowId row, int dx, int dy);

} // namespace hw::test
