// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/physics/weather/climates.h"

#include "core/foundation/base/resources.h"
#include "core/foundation/files/csv_table.h"
#include "core/physics/weather/psychrometrics.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

namespace hw::weather {

namespace {

/// Share of the daily range by which hours 1 to 24 are below the maximum (ASHRAE; from memory, assumed; a cosine does as well).
constexpr std::array<double, 24> kBelowMaximum{.88, .92, .95, .98, 1,   .98, .91, .74, .55, .38, .23, .13,
                                               .05, 0,   0,   .06, .14, .24, .39, .50, .59, .68, .75, .82};
constexpr double kDewPointFollows = 0.75; ///< of the deviation of the dry bulb (fit)

/// Quantile of the standard normal distribution, by halving of its error function.
double normalQuantile(double share)
{
    double low = -6, high = 6;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (std::erfc(-middle / std::sqrt(2.0)) / 2 < share ? low : high) = middle;
    }
    return (low + high) / 2;
}

/// Days of a month in an order that mixes them: each step goes on by the golden section of the month.
std::vector<int> mixed(int days)
{
    int step = std::max(1, int(std::lround(days * 0.618)));
    while (std::gcd(step, days) != 1) ++step;
    std::vector<int> out;
    for (int i = 0; i < days; ++i) out.push_back(i * step % days);
    return out;
}

class Row {
public:
    Row(const CsvTable& table, const CsvTable::Row& row, const std::string& file) : m_table(table), m_row(row), m_file(file) {}
    [[nodiscard]] std::string place() const { return fmt::format("{}:{}", m_file, m_row.line); }
    [[nodiscard]] const std::string& text(std::string_view column) const
    {
        static const std::string none;
        const auto at = std::ranges::find(m_table.header, column);
        return at == m_table.header.end() ? none : m_row.cells[std::size_t(at - m_table.header.begin())];
    }
    [[nodiscard]] Result<double> number(std::string_view column, double least, double most) const
    {
        const std::string& cell = text(column);
        double value = 0;
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc() || end != cell.data() + cell.size() || !(value >= least && value <= most))
            return fail(ErrorCode::Unreadable, place(), i18n("{} \"{}\" is not a number from {:g} to {:g}", std::string(column), cell, least, most),
                        i18n("correct the table of climates"));
        return value;
    }

private:
    const CsvTable& m_table;
    const CsvTable::Row& m_row;
    const std::string& m_file;
};

Result<void> readMonth(const Row& row, std::vector<Climate>& out)
{
    const std::string& slug = row.text("place");
    if (slug.empty()) return fail(ErrorCode::Unreadable, row.place(), i18n("no location"), i18n("correct the table of climates"));
    auto climate = std::ranges::find(out, slug, &Climate::slug);
    double elevation = 0, month = 0;
    MonthNormals normals;
    const std::initializer_list<std::tuple<const char*, double, double, double*>> columns{{"elevation_m", -450, 6000, &elevation},
                                                                                          {"month", 1, 12, &month},
                                                                                          {"mean_c", -60, 60, &normals.meanC},
                                                                                          {"daily_range_k", 0, 40, &normals.dailyRangeK},
                                                                                          {"sd_of_daily_mean_k", 0, 20, &normals.deviationK},
                                                                                          {"dew_point_c", -70, 40, &normals.dewPointC}};
    for (const auto& [name, least, most, value] : columns) {
        const auto read = row.number(name, least, most);
        if (!read) return tl::unexpected(read.error());
        *value = *read;
    }
    if (climate == out.end()) {
        Climate fresh{.slug = slug,
                      .title = row.text("title"),
                      .country = row.text("country"),
                      .grid = row.text("grid"),
                      .source = row.text("source"),
                      .license = row.text("license")};
        fresh.elevationM = elevation, fresh.confidence = 'A';
        fresh.latitude = row.number("latitude", -90, 90).value_or(0), fresh.longitude = row.number("longitude", -180, 180).value_or(0);
        if (const auto grams = row.number("grid_g_per_kwh", 0, 3000)) fresh.gramsPerKwh = *grams;
        out.push_back(std::move(fresh));
        climate = out.end() - 1;
    }
    if (const std::string& trust = row.text("confidence"); !trust.empty()) climate->confidence = std::max(climate->confidence, trust.front());
    climate->months[std::size_t(month) - 1] = normals;
    return {};
}

} // namespace

Result<std::vector<Climate>> readClimates(std::string_view text, const std::string& file)
{
    const auto table = readCsv(text, file);
    if (!table) return tl::unexpected(table.error());
    std::vector<Climate> out;
    std::map<std::string, int> months;
    for (const CsvTable::Row& cells : table->rows) {
        const Row row(*table, cells, file);
        if (const auto read = readMonth(row, out); !read) return tl::unexpected(read.error());
        ++months[row.text("place")];
    }
    for (const auto& [slug, count] : months)
        if (count != 12)
            return fail(ErrorCode::Unreadable, file, i18n("{} has {} months", slug, count), i18n("specify each of the twelve months once"));
    return out;
}

const Result<std::vector<Climate>>& shippedClimates()
{
    static const Result<std::vector<Climate>> all = [] {
        const auto path = resourceFolder() / "climates" / "climates.csv";
        std::ifstream in(path, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        return readClimates(text.str(), path.string());
    }();
    return all;
}

Result<Climate> shippedClimate(std::string_view slug)
{
    const auto& all = shippedClimates();
    if (!all) return tl::unexpected(all.error());
    std::string known;
    for (const Climate& climate : *all) {
        if (climate.slug == slug) return climate;
        known += (known.empty() ? "" : ", ") + climate.slug;
    }
    return fail(ErrorCode::Refused, std::string(slug), i18n("no climate of this name"), i18n("choose from {}, or use an EPW file", known));
}

WeatherYear synthesize(const Climate& climate)
{
    WeatherYear out{.slug = climate.slug, .title = climate.title, .country = climate.country, .source = climate.source, .grid = climate.grid};
    out.gramsPerKwh = climate.gramsPerKwh;
    out.latitude = climate.latitude, out.longitude = climate.longitude, out.elevationM = climate.elevationM;
    out.synthetic = true, out.assumed = climate.confidence >= 'C';
    out.hours.reserve(kHours);
    const double pressure = standardPressure(climate.elevationM);
    const double mean = std::accumulate(kBelowMaximum.begin(), kBelowMaximum.end(), 0.0) / 24;
    for (std::size_t m = 0; m < 12; ++m) {
        const MonthNormals& normals = climate.months[m];
        const int days = kMonthDays[m];
        for (const int day : mixed(days)) {
            const double off = normals.deviationK * normalQuantile((day + 0.5) / days);
            for (std::size_t h = 0; h < 24; ++h) {
                Air air;
                air.dryBulbC = normals.meanC + off + normals.dailyRangeK * (mean - kBelowMaximum[h]);
                air.dewPointC = std::min(air.dryBulbC, normals.dewPointC + kDewPointFollows * off);
                air.pressure = pressure;
                air.wetBulbC = wetBulb(air.dryBulbC, air.dewPointC, pressure);
                out.hours.push_back(air);
            }
        }
    }
    return out;
}

} // namespace hw::weather
