// SPDX-License-Identifier: GPL-3.0-or-later
// D6: the built hall, as its captures in the project have it, against the design.
#include "core/derived/rules/as_built_rules.h"

#include "core/operations/asbuilt/compare.h"

namespace hw::rules {

namespace {

std::vector<EntityRef> entitiesOf(const asbuilt::Difference& d)
{
    std::vector<EntityRef> all;
    for (const LinkId id : d.links) all.push_back(ref(id));
    for (const auto& seen : d.seen)
        for (const auto& end : {seen.from, seen.to}) {
            if (end.port)
                all.push_back(ref(*end.port));
            else if (end.device)
                all.push_back(ref(*end.device));
        }
    return all;
}

} // namespace

std::vector<Finding> asBuilt(const RuleInput& input)
{
    if (input.snapshot().observations.empty()) return {};
    const auto compared = asbuilt::differencesStored(input.figures, input.progress);
    if (!compared) {
        if (compared.error().code == ErrorCode::Canceled) return {};
        return {{.severity = Severity::Warning,
                 .message = i18n("captures cannot be compared with the design: {}: {}; {}", compared.error().where, compared.error().what,
                                 compared.error().todo),
                 .id = findingId("D6", {"names"})}};
    }
    std::vector<Finding> out;
    for (const auto& d : compared->differences)
        out.push_back({.severity = Severity::Error,
                       .message = d.message,
                       .entities = entitiesOf(d),
                       .id = findingId("D6", {std::string_view(d.id).substr(d.id.find('@') + 1)})});
    if (const auto& left = compared->unmatched; !left.empty())
        out.push_back({.severity = Severity::Warning,
                       .message = i18np(left.size(), "{0:L} observation not matched with the design: {1}: {2}; define a name rule for it",
                                        "{0:L} observations not matched with the design, for example {1}: {2}; define name rules for them",
                                        left.front().where, left.front().what),
                       .id = findingId("D6", {"unmatched"})});
    return out;
}

} // namespace hw::rules
