// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rule.h"

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

std::string_view basisName(PowerBasis basis)
{
    switch (basis) {
    case PowerBasis::Typical: return "typical";
    case PowerBasis::Design: return "design";
    case PowerBasis::Nameplate: return "nameplate";
    }
    return {};
}

std::optional<PowerBasis> basisFromName(std::string_view name)
{
    for (const auto basis : {PowerBasis::Typical, PowerBasis::Design, PowerBasis::Nameplate})
        if (basisName(basis) == name) return basis;
    return std::nullopt;
}

PowerBasis projectBasis(const Snapshot& snapshot) { return basisFromName(snapshot.setting("site.power_basis")).value_or(PowerBasis::Design); }

} // namespace hw
