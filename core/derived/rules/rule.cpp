// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/rule.h"

#include <algorithm>
#include <cstdlib>

namespace hw {

double RuleInput::threshold(const Threshold& threshold) const
{
    const std::string text = snapshot().setting(threshold.setting);
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' ? threshold.value : value;
}

const Rule* findRule(std::string_view id)
{
    const auto rules = allRules();
    const auto found = std::ranges::find(rules, id, &Rule::id);
    return found == rules.end() ? nullptr : &*found;
}

} // namespace hw
