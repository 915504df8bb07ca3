// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/alarm_book.h"

#include <algorithm>

namespace hw::monitoring {

void AlarmBook::tell(const Alarm& alarm, Event::Kind kind, std::int64_t atMs, std::vector<Event>& events)
{
    Event event;
    event.kind = kind, event.atMs = atMs, event.alarm = alarm;
    events.push_back(std::move(event));
}

void AlarmBook::raise(const std::string& about, Alarm alarm, std::int64_t atMs, std::vector<Event>& events)
{
    const auto [at, isNew] = m_standing.try_emplace(about);
    if (!isNew) return;
    alarm.id = about + '@' + std::to_string(alarm.sinceMs);
    at->second = std::move(alarm);
    tell(at->second, Event::Kind::Alarm, atMs, events);
}

void AlarmBook::change(const std::string& about, const Alarm& alarm, std::int64_t atMs, std::vector<Event>& events)
{
    const auto at = m_standing.find(about);
    if (at == m_standing.end()) return;
    Alarm now = alarm;
    now.id = at->second.id, now.sinceMs = at->second.sinceMs;
    const Alarm& was = at->second;
    // What is left counts down. More is left only where less is lost, or a battery gives much less.
    const bool later = was.rideThroughS >= 0 && now.rideThroughS >= 0 && now.rideThroughEndsMs > was.rideThroughEndsMs;
    const bool less = now.kind == AlarmKind::Cause ? now.together.size() < was.together.size()
                                                   : now.rideThroughEndsMs - was.rideThroughEndsMs > (was.rideThroughEndsMs - atMs) / 4;
    if (later && !less) now.rideThroughEndsMs = was.rideThroughEndsMs, now.rideThroughS = was.rideThroughS;
    now.acknowledged = at->second.acknowledged, now.shelvedUntilMs = at->second.shelvedUntilMs;
    if (now == at->second) return;
    at->second = std::move(now);
    tell(at->second, Event::Kind::AlarmChanges, atMs, events);
}

void AlarmBook::end(const std::string& about, std::int64_t atMs, std::vector<Event>& events)
{
    const auto at = m_standing.find(about);
    if (at == m_standing.end()) return;
    at->second.clearedMs = atMs;
    tell(at->second, Event::Kind::AlarmEnds, atMs, events);
    m_standing.erase(at);
}

void AlarmBook::answer(const Answer& answer, std::int64_t atMs, std::vector<Event>& events)
{
    for (auto& [about, alarm] : m_standing) {
        if (alarm.id != answer.alarm) continue;
        switch (answer.kind) {
        case Answer::Kind::Acknowledge: alarm.acknowledged = true; break;
        case Answer::Kind::Shelve: alarm.shelvedUntilMs = answer.untilMs; break;
        case Answer::Kind::Unshelve: alarm.shelvedUntilMs = 0; break;
        }
        tell(alarm, Event::Kind::AlarmChanges, atMs, events);
    }
}

void AlarmBook::second(std::int64_t atMs, std::vector<Event>& events)
{
    for (auto& [about, alarm] : m_standing) {
        if (alarm.shelvedUntilMs == 0 || alarm.shelvedUntilMs > atMs) continue;
        alarm.shelvedUntilMs = 0;
        tell(alarm, Event::Kind::AlarmChanges, atMs, events);
    }
}

const Alarm* AlarmBook::find(const std::string& about) const
{
    const auto at = m_standing.find(about);
    return at == m_standing.end() ? nullptr : &at->second;
}

std::vector<Alarm> AlarmBook::newestFirst() const
{
    std::vector<Alarm> out;
    for (const auto& [about, alarm] : m_standing) out.push_back(alarm);
    std::ranges::stable_sort(out, std::greater(), &Alarm::sinceMs);
    return out;
}

std::optional<double> rideThroughLeftS(const Alarm& alarm, std::int64_t atMs)
{
    if (alarm.rideThroughS < 0) return std::nullopt;
    return double(std::max<std::int64_t>(alarm.rideThroughEndsMs - atMs, 0)) / 1000;
}

} // namespace hw::monitoring
