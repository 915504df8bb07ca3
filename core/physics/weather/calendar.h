// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace hw::weather {

inline constexpr std::size_t kHours = 8760;
inline constexpr std::array<int, 12> kMonthDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

/// An hour of a year of 365 days.
struct Moment {
    int month = 1, day = 1; ///< from 1
    int hour = 0;           ///< that begins, 0 to 23
    int weekday = 0;        ///< 0 = Monday
    [[nodiscard]] bool weekend() const { return weekday >= 5; }
    [[nodiscard]] std::string text() const; ///< "07-14 15:00"
    friend bool operator==(const Moment&, const Moment&) = default;
};
/// `firstWeekday`: of 1 January.
[[nodiscard]] Moment momentOf(std::size_t hour, int firstWeekday = 0);
/// The first hour of a day.
[[nodiscard]] std::size_t hourOf(int month, int day);

} // namespace hw::weather
