// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hw::telemetry {

enum class DateOrder : std::uint8_t { Unknown, DayFirst, MonthFirst };

/// A time as logs of building management write it: "26.11.2026 09:00", "11/26/2026 9:00:00 AM", "26-Nov-26 9:00:00 AM UTC", "2026/11/26 09:00:00".
struct LocalTime {
    std::int64_t ms = 0;              ///< as if it were UTC
    std::optional<int> offsetMinutes; ///< of a zone that it states: UTC, Z, +01:00
    std::string zone;                 ///< letters that are no unique zone: "CET"; empty: none
    bool slashes = false;             ///< day and month might be either way round
    int first = 0, second = 0;        ///< of a date with slashes
};
/// Nothing: not such a time.
[[nodiscard]] std::optional<LocalTime> readLocalTime(const std::string& text, DateOrder order);

} // namespace hw::telemetry
