// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings of others: a line or cell for each value. They arrive when they are dated.
#include "core/foundation/files/csv_table.h"
#include "importers/telemetry/iso_time.h"
#include "importers/telemetry/prometheus_answer.h"
#include "importers/telemetry/prometheus_text.h"
#include "importers/telemetry/recording.h"
#include "importers/telemetry/redfish_readings.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <deque>
#include <limits>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hw::telemetry {

namespace {

using nlohmann::json;

constexpr double kNoSample = std::numeric_limits<double>::quiet_NaN();

std::string inSmall(std::string_view text)
{
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    return out;
}

std::optional<double> numberInCell(std::string_view text)
{
    if (inSmall(text) == "nan") return kNoSample;
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Also the words of those who write states and gaps so.
std::optional<double> valueInCell(std::string_view text)
{
    const std::string word = inSmall(text);
    if (word.empty() || word == "null") return kNoSample;
    if (word == "true" || word == "false") return word == "true" ? 1 : 0;
    return numberInCell(text);
}

/// Seconds, milli-, micro- or nanoseconds since 1970, which differ by their size, or ISO 8601.
std::optional<std::int64_t> timeIn(const std::string& text)
{
    const auto number = numberInCell(text);
    if (!number) return isoTime(text);
    const double size = std::abs(*number);
    if (!(size < 1e20)) return std::nullopt;
    return std::llround(size < 1e11 ? *number * 1000 : size < 1e14 ? *number : size < 1e17 ? *number / 1000 : *number / 1e6);
}

/// The next whole second: what came last is judged then.
std::int64_t afterward(std::int64_t atMs) { return atMs - ((atMs % 1000) + 1000) % 1000 + 1000; }

/// A state in words, of a Redfish property or true and false; a number in quotes.
std::optional<double> stateIn(const std::string& channel, const std::string& word)
{
    if (const auto hash = channel.find('#'); hash != std::string::npos)
        if (const auto state = redfishState(std::string_view(channel).substr(hash + 1), word)) return state;
    return valueInCell(word);
}

/// Gives items out of what a subclass finds, line by line: new channels first, then the value.
class TableReader : public RecordingReader {
public:
    Result<bool> next(RecordingItem& item) override
    {
        while (m_ready.empty()) {
            const auto more = readMore();
            if (!more) return tl::unexpected(more.error());
            if (!*more) return finish(item);
        }
        item = std::move(m_ready.front());
        m_ready.pop_front();
        return true;
    }

protected:
    [[nodiscard]] virtual Result<bool> readMore() = 0;

    void add(bindings::ChannelText text, std::int64_t timeMs, double value)
    {
        const auto [known, fresh] = m_channels.try_emplace(text.name, bindings::ChannelNo(m_channels.size()));
        if (fresh) m_ready.push_back({RecordingItem::Kind::Channel, m_atMs, known->second, std::move(text), {}, {}, {}});
        m_atMs = std::max(m_atMs, timeMs);
        m_ready.push_back({RecordingItem::Kind::Samples, m_atMs, 0, {}, {{known->second, timeMs, value, true}}, {}, {}});
    }

private:
    bool finish(RecordingItem& item)
    {
        item = {};
        item.atMs = afterward(m_atMs);
        return !std::exchange(m_ended, true) && !m_channels.empty();
    }
    std::deque<RecordingItem> m_ready;
    std::unordered_map<std::string, bindings::ChannelNo> m_channels;
    std::int64_t m_atMs = std::numeric_limits<std::int64_t>::min();
    bool m_ended = false;
};

class LinesReader : public TableReader {
public:
    LinesReader(LineReader lines, std::string first) : m_lines(std::move(lines)), m_line(std::move(first)) {}

protected:
    [[nodiscard]] virtual Result<void> readLine(const std::string& line) = 0;
    [[nodiscard]] tl::unexpected<Error> refuse(Text what, Text todo) const
    {
        return fail(ErrorCode::Unreadable, m_lines.place(), std::move(what), std::move(todo));
    }

    [[nodiscard]] const std::filesystem::path& file() const { return m_lines.file(); }

private:
    Result<bool> readMore() override
    {
        if (!std::exchange(m_first, false)) {
            const auto got = m_lines.next(m_line);
            if (!got || !*got) return got;
        }
        const auto read = readLine(m_line);
        if (read) return true;
        if (!m_lines.cut()) return tl::unexpected(read.error());
        m_cut = i18n("{} is truncated here: the recording was interrupted or is still in progress", m_lines.place());
        return false;
    }
    [[nodiscard]] Text cut() const override { return m_cut; }
    Text m_cut;
    LineReader m_lines;
    std::string m_line;
    bool m_first = true;
};

/// {"time": …, "channel": "…", "value": 3, "unit": "W", "labels": {…}}
class JsonLinesReader final : public LinesReader {
    using LinesReader::LinesReader;
    Result<void> readLine(const std::string& text) override
    {
        if (text.empty()) return {};
        const json line = json::parse(text, nullptr, false);
        const auto of = [&](std::initializer_list<const char*> keys) {
            for (const auto* key : keys)
                if (line.is_object() && line.contains(key)) return line[key];
            return json();
        };
        const json time = of({"time", "timestamp", "t"}), channel = of({"channel", "name", "topic"}), value = of({"value"}), unit = of({"unit"});
        const auto timeMs = timeIn(time.is_string() ? time.get<std::string>() : time.dump());
        const auto state = value.is_string() && channel.is_string() ? stateIn(channel.get<std::string>(), value.get<std::string>()) : std::nullopt;
        if (!timeMs || !channel.is_string() || !(value.is_number() || value.is_boolean() || value.is_null() || state))
            return refuse(i18n("time, channel or value is missing"),
                          i18n("for example: {}", R"({"time": 1743620423000, "channel": "a", "value": 3, "unit": "W"})"));
        bindings::ChannelText out{channel.get<std::string>(), {}, unit.is_string() ? unit.get<std::string>() : std::string()};
        if (const json labels = of({"labels"}); labels.is_object())
            for (const auto& [name, label] : labels.items())
                if (label.is_string()) out.labels.emplace_back(name, label.get<std::string>());
        add(std::move(out), *timeMs,
            state                ? *state
            : value.is_null()    ? kNoSample
            : value.is_boolean() ? double(value.get<bool>())
                                 : value.get<double>());
        return {};
    }
};

/// Scrapes one after the other, each value with its time; or one page without any, which was read when its file was written.
class PrometheusTextReader final : public LinesReader {
    using LinesReader::LinesReader;
    /// Of a value without a time. Error: its series had one already.
    Result<std::int64_t> moment(Exposed& sample)
    {
        if (!m_moment) {
            std::error_code error;
            const auto written = std::filesystem::last_write_time(file(), error);
            if (error) return refuse(i18n("timestamp is missing"), i18n("add a timestamp in milliseconds after each value"));
            m_moment = std::chrono::floor<std::chrono::milliseconds>(std::chrono::file_clock::to_sys(written)).time_since_epoch().count();
        }
        if (std::ranges::find(sample.labels, "instance", &std::pair<std::string, std::string>::first) == sample.labels.end()) {
            const std::string name = file().filename().string(); // the page of one exporter does not say whose it is
            sample.labels.emplace_back("instance", name.substr(0, stemOf(name)));
            std::ranges::sort(sample.labels);
        }
        if (!m_once.insert(seriesName(sample.metric, sample.labels)).second)
            return refuse(i18n("has no timestamp, and its series appeared earlier"), i18n("add a timestamp in milliseconds after each value"));
        return *m_moment;
    }
    /// Where its endings begin: "host-1.prom.gz".
    static std::size_t stemOf(std::string_view name)
    {
        for (const std::string_view ending : {".gz", ".zst", ".prom", ".txt", ".metrics"})
            if (name.ends_with(ending)) name.remove_suffix(ending.size());
        return name.size();
    }
    Result<void> readLine(const std::string& text) override
    {
        if (text.empty()) return {};
        if (text.front() == '#') {
            if (auto unit = readUnitLine(text)) m_units.insert(std::move(*unit));
            return {};
        }
        auto sample = readExposition(text);
        if (!sample) return refuse(i18n("not a line of the Prometheus text format"), i18n("correct the file"));
        if (besideTheHall(*sample)) return {};
        if (!sample->timeMs) {
            const auto time = moment(*sample);
            if (!time) return tl::unexpected(time.error());
            sample->timeMs = *time;
        }
        const auto unit = m_units.find(sample->metric);
        add({seriesName(sample->metric, sample->labels), sample->labels, unit == m_units.end() ? std::string() : unit->second}, *sample->timeMs,
            sample->value);
        return {};
    }
    std::unordered_map<std::string, std::string> m_units;
    std::optional<std::int64_t> m_moment; ///< of the page, where values have no time
    std::unordered_set<std::string> m_once;
};

/// Series of a Prometheus server, in the order of their times.
class AnswerReader final : public RecordingReader {
public:
    explicit AnswerReader(PrometheusAnswer answer) : m_answer(std::move(answer))
    {
        for (std::size_t n = 0; n < m_answer.series.size(); ++n)
            for (std::size_t i = 0; i < m_answer.series[n].timesMs.size(); ++i) m_samples.emplace_back(m_answer.series[n].timesMs[i], n, i);
        std::ranges::stable_sort(m_samples, {}, [](const auto& sample) { return std::get<0>(sample); });
    }
    Result<bool> next(RecordingItem& item) override
    {
        item = {};
        if (m_channel < m_answer.series.size()) {
            const auto& series = m_answer.series[m_channel];
            item.kind = RecordingItem::Kind::Channel, item.number = bindings::ChannelNo(m_channel++);
            item.channel = {seriesName(series.metric, series.labels), series.labels, {}};
            return true;
        }
        if (m_at == m_samples.size()) {
            item.atMs = afterward(std::get<0>(m_samples.back()));
            return !std::exchange(m_ended, true);
        }
        item.kind = RecordingItem::Kind::Samples, item.atMs = std::get<0>(m_samples[m_at]);
        for (; m_at < m_samples.size() && std::get<0>(m_samples[m_at]) == item.atMs; ++m_at) {
            const auto& [time, n, i] = m_samples[m_at];
            item.samples.push_back({bindings::ChannelNo(n), time, m_answer.series[n].values[i], true});
        }
        return true;
    }
    [[nodiscard]] Text cut() const override { return m_answer.partial; }
    [[nodiscard]] bool empty() const { return m_samples.empty(); }

private:
    PrometheusAnswer m_answer;
    std::vector<std::tuple<std::int64_t, std::size_t, std::size_t>> m_samples; ///< time, series, place
    std::size_t m_channel = 0, m_at = 0;
    bool m_ended = false;
};

/// A row for each value (time, channel, value, unit), or a column for each channel: "name [unit]".
class CsvReader final : public TableReader {
public:
    CsvReader(std::filesystem::path file, CsvTable table) : m_file(std::move(file)), m_table(std::move(table)) {}

    /// Error: Unreadable, no column of times.
    Result<void> prepare()
    {
        m_time = column({"time", "timestamp", "time_ms", "timestamp_ms"});
        m_channel = column({"channel", "name", "topic"});
        m_value = column({"value"}), m_unit = column({"unit"});
        if (m_time && (m_channel.has_value() == m_value.has_value()) && m_table.header.size() > 1) return {};
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}", m_file.string(), m_table.headerLine), i18n("not a recording header"),
                    i18n("use the columns {}, or {} and one column per channel", "time,channel,value,unit", "time"));
    }

private:
    [[nodiscard]] std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const
    {
        for (std::size_t i = 0; i < m_table.header.size(); ++i)
            if (std::ranges::find(names, inSmall(m_table.header[i])) != names.end()) return i; // "Time" of Grafana
        return std::nullopt;
    }
    [[nodiscard]] tl::unexpected<Error> refuse(const CsvTable::Row& row, std::size_t column, Text what) const
    {
        return fail(ErrorCode::Unreadable, fmt::format("{}:{}: {}", m_file.string(), row.line, m_table.header[column]), std::move(what),
                    i18n("correct the file"));
    }

    Result<bool> readMore() override
    {
        if (m_row == m_table.rows.size()) return false;
        const auto& row = m_table.rows[m_row++];
        const auto time = timeIn(row.cells[*m_time]);
        if (!time) return refuse(row, *m_time, i18n("\"{}\" is not a valid time", row.cells[*m_time]));
        if (m_channel) return readValue(row, *m_value, {row.cells[*m_channel], {}, m_unit ? row.cells[*m_unit] : std::string()}, *time);
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            if (i != *m_time && !row.cells[i].empty())
                if (auto read = readValue(row, i, headed(m_table.header[i]), *time); !read) return read;
        return true;
    }
    Result<bool> readValue(const CsvTable::Row& row, std::size_t column, bindings::ChannelText text, std::int64_t time)
    {
        const auto value = valueInCell(row.cells[column]);
        if (!value) return refuse(row, column, i18n("\"{}\" is not a number", row.cells[column]));
        if (text.name.empty() && m_channel) return refuse(row, *m_channel, i18n("empty"));
        if (text.name.empty())
            return fail(ErrorCode::Unreadable, fmt::format("{}:{}", m_file.string(), m_table.headerLine), i18n("column {} has no name", column + 1),
                        i18n("add the name of its channel, or remove the column"));
        add(std::move(text), time, *value);
        return true;
    }
    static bindings::ChannelText headed(const std::string& header)
    {
        const auto bracket = header.rfind(" [");
        if (bracket == std::string::npos || !header.ends_with(']')) return {header, {}, {}};
        return {header.substr(0, bracket), {}, header.substr(bracket + 2, header.size() - bracket - 3)};
    }

    std::filesystem::path m_file;
    CsvTable m_table;
    std::optional<std::size_t> m_time, m_channel, m_value, m_unit;
    std::size_t m_row = 0;
};

/// A header in the words of docs/live.md, in the first line: each cell is as it should be, and a file with another is refused.
bool isOwnTable(std::string_view text)
{
    std::string_view first = text.substr(0, text.find('\n'));
    first = first.substr(0, first.find_first_of(",;\t\r"));
    return first == "time" || first == "timestamp" || first == "time_ms" || first == "timestamp_ms" || first == "channel";
}

} // namespace

std::unique_ptr<RecordingReader> jsonLinesReader(LineReader lines, std::string first)
{
    return std::make_unique<JsonLinesReader>(std::move(lines), std::move(first));
}

std::unique_ptr<RecordingReader> prometheusTextReader(LineReader lines, std::string first)
{
    return std::make_unique<PrometheusTextReader>(std::move(lines), std::move(first));
}

Result<std::string> wholeText(const std::filesystem::path& file)
{
    auto lines = LineReader::open(file);
    if (!lines) return tl::unexpected(lines.error());
    std::string all, line;
    for (;;) {
        const auto got = lines->next(line);
        if (!got) return tl::unexpected(got.error());
        if (!*got) return all;
        if (all.size() > (std::size_t(1) << 30))
            return fail(ErrorCode::Unreadable, file.string(), i18n("exceeds 1 GiB"), i18n("split it into smaller files, or use JSON Lines"));
        all += line;
        all += '\n';
    }
}

Result<std::unique_ptr<RecordingReader>> answerReader(const std::filesystem::path& file, const std::string& json)
{
    auto answer = readAnswer(json);
    if (!answer.why.empty()) return fail(ErrorCode::Unreadable, file.string(), answer.why, i18n("correct the query and save its response again"));
    auto reader = std::make_unique<AnswerReader>(std::move(answer));
    if (reader->empty())
        return fail(ErrorCode::Unreadable, file.string(), i18n("is a Prometheus query response without values"),
                    i18n("check the metric and time range of the query"));
    return reader;
}

Result<std::unique_ptr<RecordingReader>> csvReader(const std::filesystem::path& file, const TableWays& ways)
{
    const auto all = wholeText(file);
    if (!all) return tl::unexpected(all.error());
    if (!isOwnTable(*all)) return trendReader(file, *all, ways);
    auto table = readCsv(*all, file.string());
    if (!table) return tl::unexpected(table.error());
    auto reader = std::make_unique<CsvReader>(file, std::move(*table));
    if (auto prepared = reader->prepare(); !prepared) return tl::unexpected(prepared.error());
    return reader;
}

} // namespace hw::telemetry
