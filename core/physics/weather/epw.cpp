// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/weather/epw.h"

#include "core/foundation/base/trim.h"
#include "core/physics/weather/psychrometrics.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hw::weather {

namespace {

constexpr std::size_t kHeaderLines = 8, kColumns = 35, kMostBytes = 64u << 20;

std::vector<std::string_view> cellsOf(std::string_view line)
{
    std::vector<std::string_view> out;
    while (true) {
        const auto comma = line.find(',');
        out.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return out;
        line.remove_prefix(comma + 1);
    }
}

std::optional<double> numberOf(std::string_view cell)
{
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (cell.empty() || error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

struct Hour {
    std::optional<double> dry, dew, pressure;
};

class Reader {
public:
    Reader(std::string_view text, const std::string& file) : m_text(text), m_file(file) {}

    Result<WeatherYear> read()
    {
        if (const auto header = readHeader(); !header) return tl::unexpected(header.error());
        std::string_view line;
        while (next(line)) {
            if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
            if (const auto hour = readHour(line); !hour) return tl::unexpected(hour.error());
        }
        if (m_hours.size() != kHours)
            return fail(ErrorCode::Unreadable, m_file, i18n("{} hours of 8,760", m_hours.size()), i18n("use a file with one complete year"));
        if (const auto filled = fill(); !filled) return tl::unexpected(filled.error());
        return m_year;
    }

private:
    [[nodiscard]] tl::unexpected<Error> broken(Text what) const
    {
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", m_file, m_line), std::move(what), i18n("use an unmodified EPW file"));
    }
    bool next(std::string_view& line)
    {
        if (m_at >= m_text.size()) return false;
        const auto end = m_text.find('\n', m_at);
        line = m_text.substr(m_at, end == std::string_view::npos ? end : end - m_at);
        m_at = end == std::string_view::npos ? m_text.size() : end + 1;
        ++m_line;
        return true;
    }

    Result<void> readHeader()
    {
        static constexpr std::array<std::string_view, kHeaderLines> kNames{
            "LOCATION",   "DESIGN CONDITIONS", "TYPICAL/EXTREME PERIODS", "GROUND TEMPERATURES", "HOLIDAYS/DAYLIGHT SAVINGS", "COMMENTS 1",
            "COMMENTS 2", "DATA PERIODS"};
        for (const std::string_view name : kNames) {
            std::string_view line;
            if (!next(line)) return broken(i18n("the file ends in its header"));
            const auto cells = cellsOf(line);
            const bool holidays = name.starts_with("HOLIDAYS") && cells.front().starts_with("HOLIDAYS");
            if (cells.front() != name && !holidays)
                return broken(i18n("\"{}\" instead of the header line \"{}\"", std::string(cells.front().substr(0, 40)), std::string(name)));
            if (name == "LOCATION")
                if (const auto place = readPlace(cells); !place) return place;
            if (name == "DESIGN CONDITIONS") readDesign(cells);
            if (name == "DATA PERIODS")
                if (const auto periods = readPeriods(cells); !periods) return periods;
        }
        return {};
    }

    Result<void> readPlace(const std::vector<std::string_view>& cells)
    {
        if (cells.size() < 10) return broken(i18n("LOCATION has {} fields of 10", cells.size()));
        m_year.title = std::string(cells[1]), m_year.country = std::string(cells[3]), m_year.source = std::string(cells[4]);
        const auto latitude = numberOf(cells[6]), longitude = numberOf(cells[7]), elevation = numberOf(cells[9]);
        if (!latitude || !longitude || !elevation || *elevation < -450 || *elevation > 6000)
            return broken(i18n("latitude, longitude and elevation must be numbers"));
        m_year.latitude = *latitude, m_year.longitude = *longitude, m_year.elevationM = *elevation;
        return {};
    }

    /// Values stand at fixed places after "Heating", "Cooling" and "Extremes"; what is not there is not known.
    void readDesign(const std::vector<std::string_view>& cells)
    {
        const auto after = [&](std::string_view name, std::size_t places) -> std::optional<double> {
            const auto at = std::ranges::find(cells, name);
            if (at == cells.end() || std::size_t(cells.end() - at) <= places) return std::nullopt;
            return numberOf(*(at + std::ptrdiff_t(places)));
        };
        m_year.design = {after("Heating", 2), after("Cooling", 3), after("Cooling", 9), after("Extremes", 4)};
    }

    Result<void> readPeriods(const std::vector<std::string_view>& cells)
    {
        if (cells.size() < 7) return broken(i18n("DATA PERIODS has {} fields of 7", cells.size()));
        if (cells[1] != "1" || cells[2] != "1") return broken(i18n("{} periods with {} records an hour; 1 and 1 are supported", cells[1], cells[2]));
        static constexpr std::array<std::string_view, 7> kDays{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
        const auto day = std::ranges::find(kDays, cells[4]);
        m_year.firstWeekday = day == kDays.end() ? 0 : int(day - kDays.begin());
        return {};
    }

    /// A value, nothing where it is one of the format's marks of a missing one.
    Result<std::optional<double>> value(std::string_view cell, const Text& name, double missing, double least, double most) const
    {
        const auto read = numberOf(cell);
        if (!read) return broken(i18n("{} \"{}\" is not a number", name, std::string(cell.substr(0, 40))));
        if (*read >= missing) return std::optional<double>();
        if (*read < least || *read > most) return broken(i18n("{} {:g} is outside {:g} to {:g}", name, *read, least, most));
        return read;
    }

    Result<void> readHour(std::string_view line)
    {
        const auto cells = cellsOf(line);
        if (cells.size() < 10) return broken(i18n("{} columns of {}", cells.size(), kColumns));
        const auto month = numberOf(cells[1]), day = numberOf(cells[2]), hour = numberOf(cells[3]);
        if (!month || !day || !hour) return broken(i18n("month, day and hour must be numbers"));
        if (*month == 2 && *day == 29) return {};
        if (m_hours.size() >= kHours) return broken(i18n("more than 8,760 hours"));
        const Moment expected = momentOf(m_hours.size());
        if (*month != expected.month || *day != expected.day || *hour != expected.hour + 1)
            return broken(
                i18n("month {:g}, day {:g}, hour {:g} instead of {}, {}, {}", *month, *day, *hour, expected.month, expected.day, expected.hour + 1));
        const auto dry = value(cells[6], i18n("dry bulb"), 99.9, -70, 70), dew = value(cells[7], i18n("dew point"), 99.9, -90, 70),
                   humidity = value(cells[8], i18n("relative humidity"), 999, 0, 110),
                   pressure = value(cells[9], i18n("pressure"), 999'999, 31'000, 120'000);
        for (const auto* read : {&dry, &dew, &humidity, &pressure})
            if (!*read) return tl::unexpected(read->error());
        Hour out{*dry, *dew, *pressure};
        if (out.dry && !out.dew && *humidity) out.dew = dewPoint(*out.dry, **humidity / 100);
        m_hours.push_back(out);
        m_lines.push_back(m_line);
        return {};
    }

    /// Between what stands before and after a gap; the year is a circle.
    Result<void> fill(std::optional<double> Hour::*field, Text name)
    {
        for (std::size_t i = 0; i < kHours; ++i) {
            if (m_hours[i].*field) continue;
            std::size_t before = 1, after = 1;
            while (before <= kLongestGap && !(m_hours[(i + kHours - before) % kHours].*field)) ++before;
            while (after <= kLongestGap && !(m_hours[(i + after) % kHours].*field)) ++after;
            if (before + after > kLongestGap + 1)
                return fail(ErrorCode::Unreadable, fmt::format("{}:{}", m_file, m_lines[i]),
                            i18n("{} missing for more than {} hours", name, kLongestGap), i18n("use another file for this location"));
            const double a = *(m_hours[(i + kHours - before) % kHours].*field), b = *(m_hours[(i + after) % kHours].*field);
            m_filled.emplace_back(i, field);
            m_values.push_back(a + (b - a) * double(before) / double(before + after));
        }
        return {};
    }

    Result<void> fill()
    {
        const double standard = standardPressure(m_year.elevationM);
        for (Hour& hour : m_hours)
            if (!hour.pressure) hour.pressure = standard;
        for (const auto& [field, name] : {std::pair(&Hour::dry, i18n("dry bulb")), std::pair(&Hour::dew, i18n("dew point and relative humidity"))})
            if (const auto done = fill(field, name); !done) return done;
        std::vector<char> touched(kHours, 0);
        for (std::size_t k = 0; k < m_filled.size(); ++k)
            m_hours[m_filled[k].first].*m_filled[k].second = m_values[k], touched[m_filled[k].first] = 1;
        m_year.filled = std::ranges::count(touched, char(1));
        for (const Hour& hour : m_hours) {
            Air air{*hour.dry, 0, std::min(*hour.dew, *hour.dry), *hour.pressure};
            air.wetBulbC = wetBulb(air.dryBulbC, air.dewPointC, air.pressure);
            m_year.suspect += m_year.design.wetBulbMostC && air.wetBulbC > *m_year.design.wetBulbMostC + 0.5;
            m_year.hours.push_back(air);
        }
        return {};
    }

    std::string_view m_text;
    const std::string& m_file;
    std::size_t m_at = 0, m_line = 0;
    std::vector<Hour> m_hours;
    std::vector<std::size_t> m_lines;
    std::vector<std::pair<std::size_t, std::optional<double> Hour::*>> m_filled;
    std::vector<double> m_values;
    WeatherYear m_year;
};

} // namespace

Result<WeatherYear> readEpw(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

Result<WeatherYear> readEpwFile(const std::filesystem::path& file)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    std::ifstream in(file, std::ios::binary);
    if (error || !in || !std::filesystem::is_regular_file(file, error))
        return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be read"), i18n("check its path and permissions"));
    if (size > kMostBytes) return fail(ErrorCode::Unreadable, file.string(), i18n("larger than 64 MiB"), i18n("use an EPW file"));
    std::ostringstream text;
    text << in.rdbuf();
    return readEpw(text.str(), file.string());
}

} // namespace hw::weather
