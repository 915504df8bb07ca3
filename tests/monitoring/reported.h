// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/monitor.h"

#include <map>

/// Everything that a watch told, and when first, s.
using Reported = std::map<std::string, int>;

inline void note(Reported& told, const std::vector<hw::monitoring::Event>& events, const hw::Figures& figures, int second)
{
    const auto nameOf = [&](hw::EntityRef entity) { return hw::entityName(*figures.snapshot, *figures.parts, entity); };
    for (const hw::monitoring::Event& event : events) {
        if (event.kind == hw::monitoring::Event::Kind::Deviation) {
            const hw::monitoring::Deviation& d = event.deviation;
            const std::string element = d.element.empty() ? "" : " " + d.element;
            told.try_emplace(std::string(hw::wordOf(d.kind)) + " " + nameOf(d.entity) + " " + std::string(hw::wordOf(d.measure)) + element, second);
        } else if (event.kind == hw::monitoring::Event::Kind::Alarm) {
            const hw::monitoring::Alarm& a = event.alarm;
            const bool noSymptom = a.kind == hw::monitoring::AlarmKind::Cause || a.symptoms.empty();
            told.try_emplace(std::string(hw::wordOf(a.kind)) + " of " + nameOf(noSymptom ? a.cause : a.symptoms.front()), second);
        }
    }
}

inline std::string listOf(const Reported& told)
{
    std::string out;
    for (const auto& [what, second] : told) out += what + " after " + std::to_string(second) + " s; ";
    return out;
}
