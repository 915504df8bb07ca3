// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/air_rules.h"

#include "core/derived/rules/functions.h"

namespace hw {

std::span<const Rule> airRules()
{
    using enum Severity;
    static const std::vector<Rule> list{
        {"C18", Error, TextId("rack inlet air too warm in the simulated hall"), {}, nullptr, {rules::kInletRecommended}},
        {"C19", Warning, TextId("rack starved of air in the simulated hall"), {}, nullptr, {rules::kStarvedPa}},
        {"C20", Warning, TextId("rack draws exhaust air in the simulated hall"), {}, nullptr, {rules::kLeastCapture}},
        {"C21", Warning, TextId("air units at their capacity in the simulated hall"), {}, nullptr, {}},
    };
    return list;
}

} // namespace hw
