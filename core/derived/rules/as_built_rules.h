// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/rule.h"

namespace hw::rules {

std::vector<Finding> asBuilt(const RuleInput&); // D6

} // namespace hw::rules
