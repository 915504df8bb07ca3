// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/detectors/missing_telemetry.h"

#include "core/foundation/catalog/entity.h"
#include "core/operations/monitoring/incident/event_output.h"

#include <algorithm>

namespace hw::monitoring {

using bindings::PointNo;

namespace {

std::string missingName(EntityRef entity, const MissingTelemetry::Scene& scene)
{
    return entityName(*scene.figures.snapshot, *scene.figures.parts, entity);
}

std::string aboutMissing(EntityRef entity, const MissingTelemetry::Scene& scene) { return "missing:" + missingName(entity, scene); } // no text: a key

} // namespace

void MissingTelemetry::renumber(const std::vector<PointNo>& now)
{
    for (auto at = m_missing.begin(); at != m_missing.end();) {
        std::set<PointNo> points;
        for (const PointNo p : at->second.points)
            if (now[p] != bindings::kNoPoint) points.insert(now[p]);
        at->second.points = std::move(points);
        at = at->second.points.empty() ? m_missing.erase(at) : std::next(at);
    }
}

/// No source says anything.
void MissingTelemetry::tellDeaf(const Scene& scene, std::int64_t t)
{
    const std::string deaf = "no-telemetry"; // no text: a key
    const std::int64_t sinceMs = scene.absence.deafMs();
    if (sinceMs < 0) return scene.alarms.end(deaf, t, scene.events);
    if (scene.alarms.stands(deaf)) return;
    Alarm alarm;
    alarm.kind = AlarmKind::MissingData, alarm.sinceMs = sinceMs;
    alarm.what = i18n("no telemetry since {}: check sources and network", timeText(sinceMs));
    scene.alarms.raise(deaf, std::move(alarm), t, scene.events);
}

void MissingTelemetry::follow(const Scene& scene, std::int64_t t)
{
    for (const PointNo p : scene.silence.back()) {
        const EntityRef entity = scene.bound.points[p].entity;
        const auto at = m_missing.find(entity);
        if (at == m_missing.end()) continue;
        at->second.points.erase(p);
        if (!at->second.points.empty()) continue;
        m_missing.erase(at);
        scene.alarms.end(aboutMissing(entity, scene), t, scene.events);
    }
    for (const PointNo p : scene.absence.missed())
        if (!bindings::isSetpoint(scene.bound.points[p]))
            m_missing.try_emplace(scene.bound.points[p].entity, Missing{t}).first->second.points.insert(p);
}

/// An entity whose points fall silent while its source speaks; once no cause tells why.
void MissingTelemetry::second(const Scene& scene, std::int64_t t)
{
    tellDeaf(scene, t);
    follow(scene, t);
    std::vector<EntityRef> due;
    std::size_t lately = 0; // that fell silent with what is due
    for (const auto& [entity, missing] : m_missing) {
        if (missing.points.empty() || (m_together && m_together->elements.contains(entity))) continue;
        if (scene.explained(entity, missing.points)) {
            scene.alarms.end(aboutMissing(entity, scene), t, scene.events);
            continue;
        }
        lately += t - missing.sinceMs < scene.limits.togetherMs;
        if (t - missing.sinceMs >= scene.limits.causeHoldMs + 3000) due.push_back(entity);
    }
    if (!due.empty() && (m_together || double(lately) >= scene.limits.together)) {
        if (!m_together) m_together = Together{{}, t, 0, 0};
        for (const EntityRef entity : due) {
            if (t - m_missing[entity].sinceMs >= scene.limits.togetherMs) continue; // by itself, before
            m_together->elements.insert(entity);
            m_together->sinceMs = std::min(m_together->sinceMs, m_missing[entity].sinceMs);
            scene.alarms.end(aboutMissing(entity, scene), t, scene.events);
        }
    }
    for (const EntityRef entity : due)
        if (!m_together || !m_together->elements.contains(entity)) tell(scene, entity, t);
    if (m_together) tellTogether(scene, t);
}

void MissingTelemetry::tell(const Scene& scene, EntityRef entity, std::int64_t t) const
{
    const std::string about = aboutMissing(entity, scene);
    if (scene.alarms.stands(about)) return;
    const Missing& missing = m_missing.at(entity);
    const bindings::Point& first = scene.bound.points[*missing.points.begin()];
    Alarm alarm;
    alarm.kind = AlarmKind::MissingData, alarm.sinceMs = missing.sinceMs, alarm.symptoms = {first.entity}, alarm.element = first.element;
    alarm.what = i18np(std::int64_t(missing.points.size()), "{1}: {0} reading missing", "{1}: {0} readings missing", missingName(entity, scene));
    scene.alarms.raise(about, std::move(alarm), t, scene.events);
}

/// Elements whose points fell silent together: their source, or what is between, and one alarm.
void MissingTelemetry::tellTogether(const Scene& scene, std::int64_t t)
{
    constexpr std::int64_t kSettledMs = 30'000;   // between two words of it
    const std::string about = "missing-together"; // no text: a key
    Together& all = *m_together;
    std::erase_if(all.elements, [&](EntityRef entity) {
        const auto at = m_missing.find(entity);
        return at == m_missing.end() || at->second.points.empty() || scene.explained(entity, at->second.points);
    });
    if (all.elements.empty()) {
        scene.alarms.end(about, t, scene.events);
        m_together.reset();
        return;
    }
    if (all.told > 0 && (all.elements.size() <= all.told || t - all.toldMs < kSettledMs)) return;
    std::size_t readings = 0;
    for (const EntityRef entity : all.elements) readings += m_missing[entity].points.size();
    Alarm alarm;
    alarm.kind = AlarmKind::MissingData, alarm.sinceMs = all.sinceMs;
    alarm.symptoms.assign(all.elements.begin(), all.elements.end());
    alarm.what = i18np(std::int64_t(readings), "{0:L} reading of {1:L} elements missing at the same time, including {2}: check the source",
                       "{0:L} readings of {1:L} elements missing at the same time, including {2}: check their source",
                       std::int64_t(all.elements.size()), missingName(alarm.symptoms.front(), scene));
    all.told == 0 ? scene.alarms.raise(about, std::move(alarm), t, scene.events) : scene.alarms.change(about, alarm, t, scene.events);
    all.told = all.elements.size(), all.toldMs = t;
}

} // namespace hw::monitoring
