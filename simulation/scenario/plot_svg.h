// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "simulation/scenario/parameter_schema.h"

#include <string>

namespace hw::sim {

/// The swept answer as a chart in SVG: the first axis from left to right, one line for every value of the second, `key` of the results
/// upwards. An empty `key` takes the first number that changes. A logarithmic x where the values span a factor of 100 or more.
/// Errors: Usage when the answer is no sweep, or `key` is not a number of its results (naming some that are).
[[nodiscard]] Result<std::string> plotSvg(const Json& document, const std::string& key);

} // namespace hw::sim
