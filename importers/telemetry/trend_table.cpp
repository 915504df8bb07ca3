// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that others made of values over time: Grafana (series as columns or as rows), trend logs of building management. Rows that cannot be
// read are left out, counted and named; times may be local.
#include "core/foundation/base/trim.h"
#include "core/foundation/files/csv_table.h"
#include "importers/telemetry/iso_time.h"
#include "importers/telemetry/local_time.h"
#include "importers/telemetry/prometheus_answer.h"
#include "importers/telemetry/recording.h"
#include "importers/telemetry/time_zone.h"
#include "importers/telemetry/trend_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace hw::telemetry {

namespace {

std::string titleOf(std::string_view text)
{
    std::string out;
    for (const char c : trimmed(text)) out += char(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c == ' ' ? '_' : c);
    return out;
}

template <std::size_t N>
bool isOneOf(const std::string& title, const std::array<std::string_view, N>& titles)
{
    return std::ranges::find(titles, title) != titles.end();
}

constexpr std::array<std::string_view, 12> kTimes = {"time",        "timestamp", "time_stamp",  "date/time", "datetime",     "date_time",
                                                     "date_&_time", "zeit",      "zeitstempel", "time_ms",   "timestamp_ms", "datum/zeit"};
constexpr std::array<std::string_view, 2> kDates = {"date", "datum"};
constexpr std::array<std::string_view, 18> kChannels = {
    "channel", "name",        "topic", "series",   "metric",  "point",          "point_name",       "point_id",
    "object",  "object_name", "tag",   "tag_name", "tagname", "item_reference", "object_reference", "fully_qualified_reference",
    "trend",   "trend_name"};
constexpr std::array<std::string_view, 4> kValues = {"value", "present_value", "wert", "reading"};
constexpr std::array<std::string_view, 4> kUnits = {"unit", "units", "engineering_units", "einheit"};
constexpr std::array<std::string_view, 5> kStates = {"status", "reliability", "quality", "state", "zustand"};
constexpr std::array<std::string_view, 3> kPassed = {"trend_flags", "flags", "row"};

bool isTimeTitle(const std::string& title) { return isOneOf(title, kTimes) || isOneOf(title, kDates); }

/// "Power (kW)", "Power [kW]" → Power, kW; parentheses with something else stay.
std::pair<std::string, std::string> nameAndUnit(const std::string& header)
{
    for (const auto& [open, close] : {std::pair('(', ')'), std::pair('[', ']')}) {
        if (!header.ends_with(close)) continue;
        const auto at = header.rfind(open);
        if (at == header.npos || at == 0) continue;
        const std::string unit(trimmed(header.substr(at + 1, header.size() - at - 2)));
        if (isUnitText(unit)) return {std::string(trimmed(header.substr(0, at))), unit};
    }
    return {header, {}};
}

class TrendTable {
public:
    TrendTable(std::filesystem::path file, const TableWays& ways) : m_file(std::move(file)), m_ways(ways) {}

    struct Value {
        std::int64_t timeMs = 0;
        std::uint32_t channel = 0;
        double value = 0;
        bool good = true;
    };
    std::vector<bindings::ChannelText> channels;
    std::vector<Value> values;
    std::vector<Text> notes;

    Result<void> read(const std::string& text)
    {
        const CsvWays csv{
            [](const std::vector<std::string>& cells) { return std::ranges::any_of(cells, [](const auto& c) { return isTimeTitle(titleOf(c)); }); },
            true};
        auto table = readCsv(text, m_file.string(), csv);
        if (!table) return tl::unexpected(table.error());
        m_table = std::move(*table);
        if (auto found = columns(text); !found) return found;
        if (auto told = tellDates(); !told) return told;
        if (!m_ways.zone.empty()) {
            auto zone = TimeZone::of(m_ways.zone, "--zone");
            if (!zone) return tl::unexpected(zone.error());
            m_zone = std::move(*zone);
        }
        m_comma = m_table.separator != ',' && anyValue([](const std::string& cell) { return hasDecimalComma(cell); });
        for (const auto& row : m_table.rows)
            if (auto wrong = takeRow(row); !wrong.empty()) leave(row.line, std::move(wrong));
        if (values.empty()) {
            const Text why = m_leftCount > 0 ? m_firstWhy : i18n("contains no rows");
            return fail(ErrorCode::Unreadable, place(m_leftCount > 0 ? m_firstLine : m_table.headerLine), why,
                        m_todo.empty() ? i18n("correct the file") : m_todo);
        }
        if (m_leftCount > 0)
            notes.push_back(i18np(m_leftCount, "{:L} row or cell skipped: {}: {}", "{:L} rows or cells skipped; the first: {}: {}",
                                  place(m_firstLine), m_firstWhy));
        if (m_assumedUtc) notes.push_back(i18n("{}: times without a zone are read as UTC; specify --zone if they are local", m_file.string()));
        return {};
    }

private:
    [[nodiscard]] std::string place(std::size_t line) const { return fmt::format("{}:{}", m_file.string(), line); }

    void leave(std::size_t line, Text why)
    {
        if (m_leftCount++ == 0) m_firstLine = line, m_firstWhy = std::move(why);
    }

    Result<void> columns(const std::string& text)
    {
        const auto find = [&](const auto& titles) -> std::optional<std::size_t> {
            for (std::size_t i = 0; i < m_table.header.size(); ++i)
                if (isOneOf(titleOf(m_table.header[i]), titles)) return i;
            return std::nullopt;
        };
        m_date = find(kDates), m_time = find(kTimes);
        if (!m_time) m_time = std::exchange(m_date, std::nullopt);
        m_channel = find(kChannels), m_unit = find(kUnits), m_state = find(kStates);
        for (std::size_t i = 0; i < m_table.header.size() && !m_value; ++i) {
            const auto [name, unit] = nameAndUnit(m_table.header[i]);
            if (isOneOf(titleOf(name), kValues)) m_value = i, m_valueUnit = unit;
        }
        for (std::size_t i = 0; i < m_table.header.size(); ++i)
            if (m_table.header[i] == "__name__") m_metric = i;
        const bool series = (m_value || m_channel) ? m_value.has_value() : m_table.header.size() > 1;
        if (!m_time || !series)
            return fail(ErrorCode::Unreadable, place(m_table.headerLine), i18n("not a recording header"),
                        i18n("use the columns {}, or {} and one column per channel", "time,channel,value,unit", "time"));
        if (m_value && !m_channel && !m_metric) m_alone = nameOfTrend(text);
        return {};
    }

    /// Of a table of one trend: a line before it ("history:/Station/AHU1_SupplyTemp", "Point: AHU1-SAT"), else the file's name.
    [[nodiscard]] std::string nameOfTrend(const std::string& text) const
    {
        std::size_t line = 1;
        for (std::size_t at = 0; at < text.size() && line < m_table.headerLine; ++line) {
            const auto end = std::min(text.find('\n', at), text.size());
            std::string_view one = trimmed(std::string_view(text).substr(at, end - at));
            while (one.ends_with(',') || one.ends_with(';')) one.remove_suffix(1);
            for (const std::string_view key : {"history:", "point:", "point_name:", "name:", "object:", "trend:", "item_reference:"})
                if (titleOf(one.substr(0, key.size())) == key) return std::string(trimmed(one.substr(key.size())));
            at = end + 1;
        }
        auto name = m_file.filename();
        while (name.has_extension() &&
               (name.extension() == ".gz" || name.extension() == ".zst" || name.extension() == ".csv" || name.extension() == ".txt"))
            name = name.stem();
        return name.string();
    }

    bool anyValue(const auto& test) const
    {
        for (const auto& row : m_table.rows)
            for (std::size_t i = 0; i < row.cells.size(); ++i)
                if (m_value ? i == *m_value : isValueColumn(i))
                    if (test(row.cells[i])) return true;
        return false;
    }
    [[nodiscard]] bool isValueColumn(std::size_t i) const
    {
        return i != *m_time && m_date != i && m_unit != i && m_state != i && !isOneOf(titleOf(m_table.header[i]), kPassed) &&
               !m_table.header[i].empty();
    }

    [[nodiscard]] std::string timeText(const CsvTable::Row& row) const
    {
        return m_date ? row.cells[*m_date] + " " + row.cells[*m_time] : row.cells[*m_time];
    }

    /// Whether the day or the month comes first, where dates have slashes.
    Result<void> tellDates()
    {
        if (m_ways.dates == "dmy" || m_ways.dates == "mdy") {
            m_order = m_ways.dates == "dmy" ? DateOrder::DayFirst : DateOrder::MonthFirst;
            return {};
        }
        if (!m_ways.dates.empty()) return fail(ErrorCode::Refused, "--dates " + m_ways.dates, i18n("unknown order"), i18n("use dmy or mdy"));
        bool slashes = false, dayFirst = false, monthFirst = false;
        for (const auto& row : m_table.rows) {
            const auto read = readLocalTime(timeText(row), DateOrder::Unknown);
            if (!read || !read->slashes) continue;
            slashes = true, dayFirst = dayFirst || read->first > 12, monthFirst = monthFirst || read->second > 12;
        }
        if (slashes && dayFirst == monthFirst)
            return fail(ErrorCode::Refused, m_file.string(), i18n("the order of day and month in its dates is ambiguous"),
                        i18n("specify --dates dmy or --dates mdy"));
        if (slashes) m_order = dayFirst ? DateOrder::DayFirst : DateOrder::MonthFirst;
        return {};
    }

    /// Milliseconds since 1970. Otherwise why not.
    std::optional<std::int64_t> timeOf(const std::string& text, Text& why)
    {
        double number = 0;
        if (const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
            read.ec == std::errc() && read.ptr == text.data() + text.size() && std::abs(number) < 1e20) {
            const double size = std::abs(number);
            return std::llround(size < 1e11 ? number * 1000 : size < 1e14 ? number : size < 1e17 ? number / 1000 : number / 1e6);
        }
        const auto local = readLocalTime(text, m_order);
        if (!local) {
            why = i18n("\"{}\" is not a valid time", text);
            return std::nullopt;
        }
        if (local->offsetMinutes) return local->ms - std::int64_t(*local->offsetMinutes) * 60'000;
        if (!local->zone.empty() && m_ways.zone.empty()) {
            why = i18n("time zone {} is not unique", local->zone), m_todo = i18n("specify --zone, for example --zone Europe/Berlin");
            return std::nullopt;
        }
        if (m_ways.zone.empty()) {
            m_assumedUtc = true;
            return local->ms;
        }
        const auto utc = m_zone.utcOf(local->ms);
        if (utc.empty() || utc.back() > m_zone.knownUntilMs()) {
            why =
                utc.empty() ? i18n("\"{}\" does not exist in this time zone", text) : i18n("\"{}\" is after the end of the time zone database", text);
            return std::nullopt;
        }
        // The hour that is there twice: the earlier one until time would go back.
        const std::int64_t at = utc.size() > 1 && m_lastMs && utc.front() < *m_lastMs ? utc.back() : utc.front();
        m_lastMs = at;
        return at;
    }

    /// Empty: taken. Else why not.
    Text takeRow(const CsvTable::Row& row)
    {
        if (!row.wrong.empty()) return row.wrong;
        Text why;
        const std::string text = timeText(row);
        if (trimmed(text).empty()) return i18n("no time given");
        const auto time = timeOf(text, why);
        if (!time) return why;
        TrendStatus status = m_state ? readTrendStatus(row.cells[*m_state]) : TrendStatus::Good;
        if (m_value) {
            bindings::ChannelText channel{m_alone, {}, m_unit ? row.cells[*m_unit] : m_valueUnit};
            if (m_channel) channel.name = row.cells[*m_channel];
            if (m_metric) channel = labeled(row);
            if (channel.name.empty()) return i18n("no channel given");
            return take(std::move(channel), *time, row.cells[*m_value], status);
        }
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            if (!isValueColumn(i) || row.cells[i].empty()) continue;
            const auto [name, unit] = nameAndUnit(m_table.header[i]);
            if (auto wrong = take({name, {}, unit}, *time, row.cells[i], status); !wrong.empty())
                leave(row.line, i18n("{}: {}", m_table.header[i], wrong));
        }
        return {};
    }

    /// Of a table with a column for each label.
    [[nodiscard]] bindings::ChannelText labeled(const CsvTable::Row& row) const
    {
        bindings::ChannelText out;
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            if (isValueColumn(i) && m_value != i && m_metric != i && !row.cells[i].empty()) out.labels.emplace_back(m_table.header[i], row.cells[i]);
        std::ranges::sort(out.labels);
        if (!row.cells[*m_metric].empty()) out.name = seriesName(row.cells[*m_metric], out.labels);
        return out;
    }

    Text take(bindings::ChannelText channel, std::int64_t timeMs, const std::string& cell, TrendStatus status)
    {
        auto read = readTrendCell(cell, m_comma);
        if (!read) return i18n("\"{}\" is not a number", cell);
        if (status == TrendStatus::Null) read->value = std::nan("");
        if (status == TrendStatus::Bad) read->good = false;
        const auto [at, fresh] = m_numbers.try_emplace(channel.name, std::uint32_t(channels.size()));
        if (fresh) {
            if (channel.labels.empty()) // rPDU2DeviceStatusPower{instance="pdu-1"}
                if (const auto series = readSeriesName(channel.name); !series.metric.empty() && channel.name.ends_with('}'))
                    channel.labels = series.labels, channel.name = seriesName(series.metric, series.labels);
            if (channel.unit.empty()) channel.unit = read->unit;
            channels.push_back(channel);
        }
        std::string& unit = channels[at->second].unit;
        const std::string said = !read->unit.empty() ? read->unit : channel.unit;
        if (unit.empty()) unit = said;
        if (!said.empty() && said != unit && !std::isnan(read->value)) {
            const auto converted = inUnit(read->value, said, unit);
            if (!converted) return i18n("unit {} in place of {}", said, unit);
            read->value = *converted;
        }
        values.push_back({timeMs, at->second, read->value, read->good});
        return {};
    }

    std::filesystem::path m_file;
    TableWays m_ways;
    CsvTable m_table;
    std::optional<std::size_t> m_time, m_date, m_channel, m_metric, m_value, m_unit, m_state;
    std::string m_valueUnit, m_alone;
    TimeZone m_zone;
    DateOrder m_order = DateOrder::Unknown;
    bool m_comma = false, m_assumedUtc = false;
    std::optional<std::int64_t> m_lastMs;
    std::map<std::string, std::uint32_t> m_numbers;
    std::size_t m_leftCount = 0, m_firstLine = 0;
    Text m_firstWhy, m_todo;
};

/// Channels first, then values in the order of their times.
class TrendReader final : public RecordingReader {
public:
    explicit TrendReader(TrendTable table) : m_table(std::move(table)) { std::ranges::stable_sort(m_table.values, {}, &TrendTable::Value::timeMs); }
    Result<bool> next(RecordingItem& item) override
    {
        item = {};
        if (m_channel < m_table.channels.size()) {
            item.kind = RecordingItem::Kind::Channel, item.number = bindings::ChannelNo(m_channel);
            item.channel = m_table.channels[m_channel++];
            return true;
        }
        const auto& values = m_table.values;
        if (m_at == values.size()) {
            const std::int64_t last = values.back().timeMs;
            item.atMs = last - ((last % 1000) + 1000) % 1000 + 1000; // what came last is judged then
            return !std::exchange(m_ended, true);
        }
        item.kind = RecordingItem::Kind::Samples, item.atMs = values[m_at].timeMs;
        for (; m_at < values.size() && values[m_at].timeMs == item.atMs; ++m_at)
            item.samples.push_back({bindings::ChannelNo(values[m_at].channel), item.atMs, values[m_at].value, values[m_at].good});
        return true;
    }
    [[nodiscard]] std::vector<Text> notes() const override { return m_table.notes; }

private:
    TrendTable m_table;
    std::size_t m_channel = 0, m_at = 0;
    bool m_ended = false;
};

} // namespace

Result<std::unique_ptr<RecordingReader>> trendReader(const std::filesystem::path& file, const std::string& text, const TableWays& ways)
{
    TrendTable table(file, ways);
    if (auto read = table.read(text); !read) return tl::unexpected(read.error());
    return std::make_unique<TrendReader>(std::move(table));
}

} // namespace hw::telemetry
