// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/evidence/absence.h"
#include "core/operations/monitoring/evidence/silence.h"
#include "core/operations/monitoring/incident/alarm_book.h"
#include "core/operations/monitoring/plan/limits.h"

#include <functional>
#include <optional>
#include <set>

namespace hw::monitoring {

/// Alarms of missing telemetry: of entities whose points fell silent while their source speaks, of many that did so together, and of all.
class MissingTelemetry {
public:
    struct Scene {
        const Figures& figures;
        const bindings::Bound& bound;
        const Silence& silence;
        const Absence& absence;
        const Limits& limits;
        /// Whether what is reported elsewhere says why.
        std::function<bool(EntityRef, const std::set<bindings::PointNo>&)> explained;
        AlarmBook& alarms;
        std::vector<Event>& events;
    };
    void second(const Scene& scene, std::int64_t t);
    void renumber(const std::vector<bindings::PointNo>& now); ///< by old number; kNoPoint: gone

private:
    struct Missing {
        std::int64_t sinceMs = 0;
        std::set<bindings::PointNo> points{};
    };
    struct Together {
        std::set<EntityRef> elements;
        std::int64_t sinceMs = 0, toldMs = 0;
        std::size_t told = 0; ///< elements
    };
    static void tellDeaf(const Scene& scene, std::int64_t t);
    void follow(const Scene& scene, std::int64_t t);
    void tell(const Scene& scene, EntityRef entity, std::int64_t t) const;
    void tellTogether(const Scene& scene, std::int64_t t);

    std::map<EntityRef, Missing> m_missing;
    std::optional<Together> m_together;
};

} // namespace hw::monitoring
