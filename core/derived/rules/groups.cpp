// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/rules/groups.h"

#include <algorithm>

namespace hw::rules {

namespace {

constexpr std::size_t kMostOfGroup = 50; ///< entities that a finding lists: enough to see where it is

/// Key of an entity with one, else its id: what a group's mark is made from.
std::string keyOf(const Snapshot& s, const RuleInput& input, EntityRef e)
{
    if (e.kind == EntityKind::Device) return keyOrId(s.devices.key[DeviceId(e.id)], e.id);
    if (e.kind == EntityKind::Rack) return keyOrId(s.racks.key[RackId(e.id)], e.id);
    return input.subject(e);
}

} // namespace

std::vector<Finding> Groups::findings() const
{
    std::vector<Finding> out;
    for (const auto& [name, g] : m_groups) {
        std::vector<std::string> keys;
        keys.reserve(g.entities.size());
        for (const EntityRef e : g.entities) keys.push_back(keyOf(m_input.snapshot(), m_input, e));
        Finding f{.severity = g.severity, .message = g.message};
        if (g.entities.size() > 1) f.message = i18np(g.entities.size() - 1, "{1}; {0:L} more like this", "{1}; {0:L} more like this", g.message);
        f.entities.push_back(g.entities[g.worst]);
        f.entities.insert(f.entities.end(), g.also.begin(), g.also.end());
        for (std::size_t i = 0; i < g.entities.size() && f.entities.size() < kMostOfGroup; ++i)
            if (i != g.worst) f.entities.push_back(g.entities[i]);
        f.id = findingId(m_rule, {name}) + groupMark(std::move(keys));
        out.push_back(std::move(f));
    }
    return out;
}

} // namespace hw::rules
