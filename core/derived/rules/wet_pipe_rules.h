// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/derived/rules/rule.h"

namespace hw::rules {

std::vector<Finding> wetPipes(const RuleInput&); // C14

} // namespace hw::rules
