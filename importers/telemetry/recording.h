// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "core/operations/monitoring/monitor.h"
#include "importers/telemetry/recording_lines.h"
#include "importers/telemetry/sources.h"

#include <memory>
#include <vector>

namespace hw::telemetry {

/// The first line of recordings that this program writes.
inline constexpr std::string_view kRecordingHeader = R"({"hallwright":"recording/1"})";

/// What a recording says next. Channels come before their samples.
struct RecordingItem {
    enum class Kind { Channel, Samples, Gap, Answer, End } kind = Kind::End;
    std::int64_t atMs = 0; ///< of arrival; never goes back
    bindings::ChannelNo number = 0;
    bindings::ChannelText channel;
    std::vector<bindings::Sample> samples; ///< by `number`
    bindings::Gap gap;
    monitoring::Answer answer;
};

/// Reads a recording from its beginning. One thread.
class RecordingReader {
public:
    virtual ~RecordingReader() = default;
    /// False: no more. Error: Unreadable with FILE:LINE; what came before stands.
    [[nodiscard]] virtual Result<bool> next(RecordingItem& item) = 0;
    [[nodiscard]] virtual Text cut() const { return {}; }                ///< after the last: why more may have been meant to follow
    [[nodiscard]] virtual std::vector<Text> notes() const { return {}; } ///< what was assumed, and what was left out, with its place and number
};

/// By its content: what this program writes, JSON lines, CSV, Prometheus text (also one page without times, dated by its file), the answer of a
/// Prometheus server to a query. Error: Unreadable, with the way out for files of other kinds.
[[nodiscard]] Result<std::unique_ptr<RecordingReader>> openReader(const std::filesystem::path& file, const TableWays& ways = {});

/// Those of others (recording_table.cpp); `first` is the line read last.
[[nodiscard]] std::unique_ptr<RecordingReader> jsonLinesReader(LineReader lines, std::string first);
[[nodiscard]] std::unique_ptr<RecordingReader> prometheusTextReader(LineReader lines, std::string first);
[[nodiscard]] Result<std::unique_ptr<RecordingReader>> csvReader(const std::filesystem::path& file, const TableWays& ways);
/// Tables of Grafana and of building management (trend_table.cpp). `text`: all of the file.
[[nodiscard]] Result<std::unique_ptr<RecordingReader>> trendReader(const std::filesystem::path& file, const std::string& text, const TableWays& ways);
[[nodiscard]] Result<std::unique_ptr<RecordingReader>> answerReader(const std::filesystem::path& file, const std::string& json);
/// All of a file that may be compressed. Error: Unreadable, also for more than 1 GiB.
[[nodiscard]] Result<std::string> wholeText(const std::filesystem::path& file);

} // namespace hw::telemetry
