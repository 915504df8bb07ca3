// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/derived/year/load_profile.h"

#include "core/foundation/files/csv_table.h"
#include "core/foundation/model/setting_values.h"
#include "core/physics/weather/calendar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

namespace hw {

LoadProfile loadProfile(const Snapshot& s, int firstWeekday)
{
    using weather::kHours;
    LoadProfile out{std::vector<double>(kHours, 1), settingOf(s, "year.profile")};
    const auto share = [&](const char* key) { return numberSetting(s, key) / 100; };
    if (out.source == "daily") {
        const double swing = share("year.daily_swing_percent"), weekend = share("year.weekend_percent");
        constexpr double kBusiest = 15; // hour of the day
        for (std::size_t h = 0; h < kHours; ++h) {
            const auto now = weather::momentOf(h, firstWeekday);
            out.shares[h] = (1 + swing * std::cos(2 * std::numbers::pi * (now.hour + 0.5 - kBusiest) / 24)) * (now.weekend() ? weekend : 1);
        }
    } else if (out.source == "jobs") {
        const double job = std::max(1.0, numberSetting(s, "year.job_days") * 24), gap = numberSetting(s, "year.idle_hours");
        for (std::size_t h = 0; h < kHours; ++h)
            if (std::fmod(double(h), job + gap) >= job) out.shares[h] = share("year.idle_percent");
    }
    const double mean = std::accumulate(out.shares.begin(), out.shares.end(), 0.0) / double(kHours), factor = numberSetting(s, "cost.load_factor");
    const double start = share("year.growth_start_percent");
    for (std::size_t h = 0; h < kHours; ++h) {
        const double grown = start + (1 - start) * (double(h) + 0.5) / double(kHours);
        out.shares[h] = std::clamp(mean > 0 ? out.shares[h] / mean * factor * grown : 0, 0.0, 1.0);
    }
    return out;
}

Result<LoadProfile> readLoadProfile(std::string_view text, const std::string& file)
{
    const auto table = readCsv(text, file);
    if (!table) return tl::unexpected(table.error());
    const auto column = std::ranges::find(table->header, "load");
    if (column == table->header.end())
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, table->headerLine), i18n("no column \"load\""),
                    i18n("use a table with a column \"load\" from 0 to 1 and a row per hour"));
    LoadProfile out{{}, file};
    for (const CsvTable::Row& row : table->rows) {
        const std::string& cell = row.cells[std::size_t(column - table->header.begin())];
        double value = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc() || end != cell.data() + cell.size() || !(value >= 0 && value <= 1))
            return fail(ErrorCode::Unreadable, fmt::format("{}:{}", file, row.line), i18n("load \"{}\" is not a number from 0 to 1", cell),
                        i18n("specify the share of the design load"));
        out.shares.push_back(value);
    }
    if (out.shares.size() != weather::kHours)
        return fail(ErrorCode::Unreadable, file, i18n("{} hours of 8,760", out.shares.size()), i18n("specify every hour of a 365-day year"));
    return out;
}

} // namespace hw
