// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/template/expression.h"
#include "core/design/template/spec.h"
#include "core/foundation/model/snapshot.h"

namespace hw {

/// Gives things the phases that the section `phases` says: `number` is of each device with a pod; a rack, row, hall or building comes with the
/// first of them that is in it, plant with the loads that it supplies (`plantPhases`), and all else with what holds it. Throws TemplateFailure for
/// numbers outside 1 to 1,000.
void assignPhases(Snapshot& snapshot, const PhasesSpec& spec, Scope& constants);

} // namespace hw
