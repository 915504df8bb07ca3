// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"
#include "core/foundation/model/snapshot.h"

#include <vector>

namespace hw {

class Figures;

/// By device the phase in which power and cooling equipment outside racks and rows is required, 0 for all else. Racks and rows, and cooling and
/// power equipment in them, have their phases already; those of other plant are not read.
///
/// An element comes with the first load that it supplies. Of parallel units of one type (UPS modules, generator sets, chillers, pumps, CDUs, air
/// units), of which n carry the final load and r are redundant, phase p gets ceil(n x share of the load up to p) + r: redundancy and utilization
/// are never worse than in the finished design. Of cooling units those come first whose switchboards feed the IT of the earliest phase, so that other
/// switchboards come later. Headers, tanks, switchgear and switchboards are not divided.
[[nodiscard]] std::vector<int> plantPhases(const Figures& figures);
/// The same of a snapshot. Error: as `figuresOf`.
[[nodiscard]] Result<std::vector<int>> plantPhases(const SnapshotPtr& design);

} // namespace hw
