// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/cabling/cable_label.h"
#include "core/derived/rules/functions.h"

#include <algorithm>
#include <unordered_map>

namespace hw::rules {

/// Two cable ends with one label. The label that holds without a pattern of one's own names rack, unit and port, and is not looked at.
std::vector<Finding> labels(const RuleInput& input)
{
    const Snapshot& s = input.snapshot();
    std::vector<Finding> out;
    const std::string pattern = s.setting("cabling.label");
    if (pattern.empty() || pattern == CableLabels::kPattern) return out;
    const Cabling& cabling = *input.figures.cabling;
    const CablePlugs plugs(s, input.parts(), cabling);
    const CableLabels labels(s);
    std::unordered_map<std::string, CableId> first;
    std::size_t doubled = 0;
    std::vector<EntityRef> cables;
    std::string example;
    s.cables.forEach([&](CableId id) {
        if (s.cables.medium[id] != Medium::Data) return;
        const auto ends = plugs.of(id);
        if (ends.from.empty() || ends.to.empty()) return;
        const auto look = [&](const CablePlug& near, const CablePlug& far) {
            const auto [known, fresh] = first.emplace(labels.of(id, near, far), id);
            if (fresh) return;
            if (doubled++ == 0) example = known->first;
            for (const CableId one : {known->second, id})
                if (std::find(cables.begin(), cables.end(), ref(one)) == cables.end() && cables.size() < 100) cables.push_back(ref(one));
        };
        for (const auto& plug : ends.from) look(plug, ends.to.front());
        for (const auto& plug : ends.to) look(plug, ends.from.front());
    });
    if (doubled == 0) return out;
    out.push_back(
        {.message =
             i18np(doubled, "{0:L} cable end has the same label as another, such as \"{1}\"; include port and device or {{cable}} in the pattern",
                   "{0:L} cable ends have the same label as another, such as \"{1}\"; include port and device or {{cable}} in the pattern", example),
         .entities = std::move(cables),
         .id = findingId("D1", {"label", pattern})});
    return out;
}

} // namespace hw::rules
