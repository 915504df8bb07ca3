// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/foundation/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hw::telemetry {

/// What local times are local to: a fixed distance from UTC, or a place of the time zone database.
class TimeZone {
public:
    TimeZone() = default; ///< UTC
    /// "+01:00", "UTC", "Europe/Berlin". Error: Refused at `where`, for a name that the system does not have.
    [[nodiscard]] static Result<TimeZone> of(const std::string& text, const std::string& where);
    /// Milliseconds since 1970 of a local time, given as if it were UTC: one, two in the hour that is there twice (earlier first), none in the
    /// hour that is left out.
    [[nodiscard]] std::vector<std::int64_t> utcOf(std::int64_t localMs) const;
    /// Local times behind this cannot be told: the database of the system ends there, and the place has summer time.
    [[nodiscard]] std::int64_t knownUntilMs() const { return m_untilMs; }

private:
    struct Change {
        std::int64_t atMs = 0, offsetMs = 0;
    };
    std::int64_t m_firstMs = 0; ///< offset before the first change
    std::vector<Change> m_changes;
    std::int64_t m_untilMs = INT64_MAX;
};

} // namespace hw::telemetry
