// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/panels/scenario_panel.h"

namespace hw::app {

/// The scenario panel's way to the flow engine.
[[nodiscard]] views::ScenarioRunner flowRunner();

} // namespace hw::app
