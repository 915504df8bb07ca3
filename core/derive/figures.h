// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/derive/cabling.h"
#include "core/derive/fabric.h"
#include "core/derive/power.h"
#include "core/geometry/placement.h"
#include "core/geometry/routing.h"

namespace hw {

/// Everything that follows from a snapshot and that the report, the rules, the bill of materials and
/// the views share. Immutable; parts that a change does not touch are shared with the figures before.
struct Figures {
    SnapshotPtr snapshot;
    std::shared_ptr<const ProjectParts> parts;
    std::shared_ptr<const Placement> placement;
    std::shared_ptr<const Routing> routing;
    std::shared_ptr<const Cabling> cabling;
    std::shared_ptr<const PowerFigures> power;
    std::shared_ptr<const FabricFigures> fabric;
};
using FiguresPtr = std::shared_ptr<const Figures>;

/// All figures of a snapshot from nothing: the oracle for `updateFigures`.
[[nodiscard]] Result<FiguresPtr> computeFigures(SnapshotPtr snapshot, const Progress& progress = {});
/// The same result made from the figures before a change: `changes` leads from the snapshot of `before`
/// to `after`. Parts that the change does not touch are shared.
[[nodiscard]] Result<FiguresPtr> updateFigures(const FiguresPtr& before, SnapshotPtr after, const ChangeSet& changes);
/// True when both hold the same values, bit for bit.
[[nodiscard]] bool sameFigures(const Figures& a, const Figures& b);

} // namespace hw
