// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/monitoring/incident/findings.h"

#include <map>

namespace hw::monitoring {

/// The alarms that stand, by what they are about, and what was said of them. Every change is an event.
class AlarmBook {
public:
    /// `about`: unique among what stands; the alarm's id is made of it and the time.
    void raise(const std::string& about, Alarm alarm, std::int64_t atMs, std::vector<Event>& events);
    /// Other symptoms or another impact; nothing happens where nothing changed.
    void change(const std::string& about, const Alarm& alarm, std::int64_t atMs, std::vector<Event>& events);
    void end(const std::string& about, std::int64_t atMs, std::vector<Event>& events);
    void answer(const Answer& answer, std::int64_t atMs, std::vector<Event>& events);
    /// Shelves that are over.
    void second(std::int64_t atMs, std::vector<Event>& events);

    [[nodiscard]] bool stands(const std::string& about) const { return m_standing.contains(about); }
    [[nodiscard]] const Alarm* find(const std::string& about) const;
    [[nodiscard]] std::vector<Alarm> newestFirst() const;
    [[nodiscard]] const std::map<std::string, Alarm>& standing() const { return m_standing; }

private:
    static void tell(const Alarm& alarm, Event::Kind kind, std::int64_t atMs, std::vector<Event>& events);
    std::map<std::string, Alarm> m_standing;
};

} // namespace hw::monitoring
