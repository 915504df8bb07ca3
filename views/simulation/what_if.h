// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"
#include "core/foundation/catalog/entity.h"
#include "simulation/questions/request.h"

namespace hw::views {

/// The failure scenario of one thing of the design: a device, one of its ports or cages, a link or its cable. The fault is the first that the
/// scenario knows for such a thing. Errors: Refused where it knows none.
[[nodiscard]] Result<sim::ScenarioRequest> failureOf(const Figures& figures, EntityRef entity);

/// A scenario that starts after the loss of what is named: the present one where its kind can, else an all-reduce over all hosts.
[[nodiscard]] sim::ScenarioRequest requestAfterLoss(const std::vector<std::string>& failed, const sim::ScenarioRequest* present);

} // namespace hw::views
