// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/telemetry/recording.h"

#include "core/foundation/base/file_kind.h"
#include "core/operations/monitoring/incident/alarm_responses.h"
#include "importers/telemetry/prometheus_text.h"

#include <limits>

#include <nlohmann/json.hpp>

namespace hw::telemetry {

namespace {

using nlohmann::json;

/// What this program wrote:
///   {"c":3,"name":"…","labels":{"a":"b"},"unit":"W"}          a channel, or what became known of it
///   {"t":ms,"s":[[3,ms,46.2],[4,ms,null],[5,ms,1,0]]}         what arrived together; null: no number, a fourth 0: not trusted
///   {"t":ms,"gap":{"source":"…","from":ms,"to":ms,"why":"…"}}
///   {"t":ms,"answer":{"alarm":"…","say":"shelve","until":ms,"by":"…"}}   what somebody said of an alarm
///   {"t":ms,"end":true}
class OwnReader final : public RecordingReader {
public:
    explicit OwnReader(LineReader lines) : m_lines(std::move(lines)) {}

    Result<bool> next(RecordingItem& item) override
    {
        auto got = m_lines.next(m_line);
        if (!got) return got;
        if (!*got) {
            if (!m_ended) m_cut = i18n("{} has no end marker: the recording was interrupted or is still in progress", m_lines.file().string());
            return false;
        }
        if (m_ended) return refuse(i18n("data after the end marker"));
        const json line = json::parse(m_line, nullptr, false);
        if (line.is_object() && read(line, item)) return true;
        if (!m_lines.cut()) return refuse(i18n("not a recording line"));
        m_cut = i18n("{} is truncated here: the recording was interrupted or is still in progress", m_lines.place());
        return false;
    }
    [[nodiscard]] Text cut() const override { return m_cut; }

private:
    [[nodiscard]] tl::unexpected<Error> refuse(Text what) const
    {
        return fail(ErrorCode::Unreadable, m_lines.place(), std::move(what), i18n("use another copy of the file"));
    }

    bool read(const json& line, RecordingItem& item)
    {
        if (const auto number = line.find("c"); number != line.end()) return number->is_number_unsigned() && readChannel(line, item);
        const auto time = line.find("t");
        if (time == line.end() || !time->is_number_integer()) return false;
        item.atMs = m_atMs = std::max(m_atMs, time->get<std::int64_t>());
        if (const auto samples = line.find("s"); samples != line.end()) return samples->is_array() && readSamples(*samples, item);
        if (const auto gap = line.find("gap"); gap != line.end()) return gap->is_object() && readGap(*gap, item);
        if (const auto answer = line.find("answer"); answer != line.end()) return answer->is_object() && readAnswer(*answer, item);
        item.kind = RecordingItem::Kind::End;
        return m_ended = line.contains("end");
    }

    bool readChannel(const json& line, RecordingItem& item)
    {
        const auto number = line["c"].get<std::uint64_t>();
        if (number > m_channels || !line.contains("name") || !line["name"].is_string()) return false; // numbers follow each other
        m_channels = std::max(m_channels, number + 1);
        item.kind = RecordingItem::Kind::Channel;
        item.number = bindings::ChannelNo(number);
        item.channel = {line["name"].get<std::string>(), {}, text(line, "unit")};
        if (line.contains("labels"))
            for (const auto& [name, value] : line["labels"].items())
                if (value.is_string()) item.channel.labels.emplace_back(name, value.get<std::string>());
        return true;
    }

    bool readSamples(const json& samples, RecordingItem& item)
    {
        item.kind = RecordingItem::Kind::Samples;
        item.samples.clear();
        for (const auto& one : samples) {
            if (!one.is_array() || one.size() < 3 || !one[0].is_number_unsigned() || !one[1].is_number_integer()) return false;
            if (one[0].get<std::uint64_t>() >= m_channels) return false;
            bindings::Sample sample{bindings::ChannelNo(one[0].get<std::uint64_t>()), one[1].get<std::int64_t>(), number(one[2]), one.size() < 4};
            item.samples.push_back(sample);
        }
        return true;
    }

    static double number(const json& value)
    {
        if (value.is_number()) return value.get<double>();
        if (value == "inf") return std::numeric_limits<double>::infinity();
        return value == "-inf" ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    }
    static std::string text(const json& line, const char* key)
    {
        return line.contains(key) && line[key].is_string() ? line[key].get<std::string>() : std::string();
    }
    static std::int64_t time(const json& line, const char* key)
    {
        return line.contains(key) && line[key].is_number_integer() ? line[key].get<std::int64_t>() : 0;
    }

    bool readGap(const json& gap, RecordingItem& item)
    {
        item.kind = RecordingItem::Kind::Gap;
        item.gap = {text(gap, "source"), time(gap, "from"), time(gap, "to"), verbatim(text(gap, "why"))};
        return true;
    }

    bool readAnswer(const json& answer, RecordingItem& item)
    {
        const auto kind = fromWord<monitoring::Answer::Kind>(text(answer, "say"));
        if (!kind || text(answer, "alarm").empty()) return false;
        item.kind = RecordingItem::Kind::Answer;
        item.answer = {*kind, text(answer, "alarm"), time(answer, "until"), text(answer, "by")};
        return true;
    }

    LineReader m_lines;
    std::string m_line;
    std::uint64_t m_channels = 0;
    std::int64_t m_atMs = std::numeric_limits<std::int64_t>::min();
    bool m_ended = false;
    Text m_cut;
};

bool isAnswer(const json& document)
{
    if (document.is_array()) return !document.empty() && document[0].is_object() && document[0].contains("metric");
    return document.is_object() && document.contains("status") && (document.contains("data") || document.contains("error"));
}

} // namespace

Result<std::unique_ptr<RecordingReader>> openReader(const std::filesystem::path& file, const TableWays& ways)
{
    auto lines = LineReader::open(file);
    if (!lines) return tl::unexpected(lines.error());
    std::string first;
    do {
        const auto got = lines->next(first);
        if (!got) return tl::unexpected(got.error());
        if (!*got) return fail(ErrorCode::Unreadable, file.string(), i18n("empty"), i18n("specify a recording"));
    } while (first.empty());
    if (const auto kind = fileKindOf(file, first)) return fail(ErrorCode::Unreadable, file.string(), kind->what, kind->todo);
    if (first.front() == '<') return fail(ErrorCode::Unreadable, file.string(), i18n("is an XML file"), i18n("export the data as CSV, JSON or DXF"));
    if (first.front() == '{' || first.front() == '[') {
        const json header = json::parse(first, nullptr, false);
        if (first == kRecordingHeader) return std::make_unique<OwnReader>(std::move(*lines));
        if (header.is_object() && header.contains("hallwright"))
            return fail(ErrorCode::Unreadable, lines->place(), i18n("was recorded by a newer version"), i18n("use that version"));
        if (header.is_discarded() || header.is_array() || isAnswer(header)) { // one document
            const auto all = wholeText(file);
            if (!all) return tl::unexpected(all.error());
            const json document = json::parse(*all, nullptr, false);
            if (isAnswer(document))
                return answerReader(file, document.is_array() ? json{{"status", "success"}, {"data", {{"result", document}}}}.dump() : *all);
            if (!document.is_discarded())
                return fail(ErrorCode::Unreadable, file.string(), i18n("is a JSON document without timestamped values"),
                            i18n("use one value per line, such as {}, or a Prometheus query response",
                                 R"({"time": 1743620423000, "channel": "a", "value": 3})"));
        }
        return jsonLinesReader(std::move(*lines), std::move(first));
    }
    if (first.front() == '#' || readExposition(first)) return prometheusTextReader(std::move(*lines), std::move(first));
    return csvReader(file, ways);
}

} // namespace hw::telemetry
