// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/figures/figures.h"

#include <string>

namespace hw::importers {

/// A coolant loop of a design as an EPANET 2.2 input file: supply and return as cabled, every consumer behind a flow control valve at its
/// design flow, pumps by their one stated point, a reference reservoir for the fill pressure. In L/min, m and mm, Darcy-Weisbach.
/// Errors: Usage for a loop that is not there, with the names that there are; Refused where nothing is to be calculated.
[[nodiscard]] Result<std::string> epanetText(const Figures& figures, const std::string& loop);

} // namespace hw::importers
