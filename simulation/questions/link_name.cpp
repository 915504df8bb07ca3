// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulation/questions/link_name.h"

#include "core/foundation/catalog/entity.h"
#include "core/foundation/catalog/link_ends.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace hw::sim {
inline namespace questions {

namespace {

using Found = std::optional<EntityRef>;

std::optional<std::pair<EntityRef, EntityRef>> endsNamed(const Snapshot& s, const ProjectParts& parts, std::string_view text)
{
    for (const auto& [first, second] : endsInName(text)) {
        const Found a = findEntity(s, parts, first);
        const Found b = a ? findEntity(s, parts, second) : std::nullopt;
        if (a && b) return std::pair(*a, *b);
    }
    return std::nullopt;
}

bool isEnd(const Snapshot& s, PortId port, EntityRef wanted)
{
    if (wanted.kind == EntityKind::Port) return port.value == wanted.id;
    return wanted.kind == EntityKind::Device && s.ports.device[port].value == wanted.id;
}

} // namespace

Result<std::vector<LinkId>> linksNamed(const Snapshot& s, const ProjectParts& parts, const std::string& text)
{
    std::vector<LinkId> found;
    if (const auto ends = endsNamed(s, parts, text)) {
        const auto [a, b] = *ends;
        s.links.forEach([&](LinkId link) {
            const PortId from = s.links.from[link], to = s.links.to[link];
            if ((isEnd(s, from, a) && isEnd(s, to, b)) || (isEnd(s, from, b) && isEnd(s, to, a))) found.push_back(link);
        });
    } else if (const Found one = findEntity(s, parts, text); one && one->kind != EntityKind::Device) {
        s.links.forEach([&](LinkId link) {
            const auto cable = s.links.cable[link];
            const bool laid = one->kind == EntityKind::Cable && cable == CableId(one->id);
            if (laid || isEnd(s, s.links.from[link], *one) || isEnd(s, s.links.to[link], *one)) found.push_back(link);
        });
    }
    if (found.empty())
        return fail(ErrorCode::Refused, "link", i18n("'{}' is not a link of this design", text),
                    i18n("specify its two ends, devices or ports, separated by a dash: LEAF - SPINE"));
    return found;
}

} // namespace questions
} // namespace hw::sim
