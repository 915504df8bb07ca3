// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/monitoring/incident/alarm_responses.h"
#include "importers/telemetry/recording.h"
#include "importers/telemetry/sources.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <mutex>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

namespace hw::telemetry {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kFlushAfter = std::chrono::milliseconds(200); ///< compressed bytes reach the file at least so often

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

std::string numberText(double value)
{
    if (std::isnan(value)) return "null";
    if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
    return fmt::format("{}", value); // the shortest that reads back as the same
}

/// The file: each batch is handed to the system at once, compressed ones a few times a second.
class Sink {
public:
    Sink(int handle, bool packed) : m_handle(handle), m_stream(packed ? ZSTD_createCStream() : nullptr)
    {
        if (m_stream) ZSTD_CCtx_setParameter(m_stream, ZSTD_c_checksumFlag, 1);
    }
    ~Sink()
    {
        ZSTD_freeCStream(m_stream);
        if (m_handle >= 0) ::close(m_handle);
    }
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;

    void write(std::string_view text)
    {
        if (!m_stream) return put(text);
        pack(text, Clock::now() - m_flushed > kFlushAfter ? ZSTD_e_flush : ZSTD_e_continue);
    }
    void finish()
    {
        if (m_stream) pack({}, ZSTD_e_end);
        if (m_error == 0 && ::fsync(m_handle) != 0 && errno != EINVAL) m_error = errno;
        if (::close(std::exchange(m_handle, -1)) != 0 && m_error == 0) m_error = errno;
    }
    [[nodiscard]] int error() const { return m_error; }

private:
    void pack(std::string_view text, ZSTD_EndDirective how)
    {
        char room[1 << 16];
        ZSTD_inBuffer in{text.data(), text.size(), 0};
        for (std::size_t left = 1; left != 0;) {
            ZSTD_outBuffer out{room, sizeof room, 0};
            left = ZSTD_compressStream2(m_stream, &out, &in, how);
            put({room, out.pos});
            if (ZSTD_isError(left) || (how == ZSTD_e_continue && in.pos == in.size)) break;
        }
        if (how != ZSTD_e_continue) m_flushed = Clock::now();
    }
    /// After a failure nothing more is written: what stands there stays readable.
    void put(std::string_view bytes)
    {
        while (!bytes.empty() && m_error == 0) {
            const auto wrote = ::write(m_handle, bytes.data(), bytes.size());
            if (wrote >= 0)
                bytes.remove_prefix(std::size_t(wrote));
            else if (errno != EINTR)
                m_error = errno;
        }
    }
    int m_handle, m_error = 0;
    ZSTD_CStream* m_stream;
    Clock::time_point m_flushed{};
};

class JsonRecorder final : public bindings::Recorder, public monitoring::AlarmResponseSink {
public:
    JsonRecorder(std::filesystem::path file, int handle) : m_file(std::move(file)), m_sink(handle, m_file.extension() == ".zst")
    {
        put(std::string(kRecordingHeader) + '\n');
    }

    void channel(bindings::ChannelNo number, const bindings::ChannelText& text) override
    {
        std::string line = fmt::format("{{\"c\":{},\"name\":{}", number, quoted(text.name));
        if (!text.labels.empty()) {
            line += ",\"labels\":{";
            for (const auto& [name, value] : text.labels) line += (line.back() == '{' ? "" : ",") + quoted(name) + ':' + quoted(value);
            line += '}';
        }
        if (!text.unit.empty()) line += ",\"unit\":" + quoted(text.unit);
        put(line + "}\n");
    }

    void take(std::int64_t arrivedMs, std::span<const bindings::Sample> samples) override
    {
        if (samples.empty()) return;
        m_line = fmt::format("{{\"t\":{},\"s\":[", arrivedMs);
        for (const auto& sample : samples) {
            if (m_line.back() == ']') m_line += ',';
            m_line += fmt::format("[{},{},{}{}]", sample.channel, sample.timeMs, numberText(sample.value), sample.good ? "" : ",0");
        }
        m_line += "]}\n";
        put(m_line);
    }

    void gap(std::int64_t arrivedMs, const bindings::Gap& gap) override
    {
        put(fmt::format("{{\"t\":{},\"gap\":{{\"source\":{},\"from\":{},\"to\":{},\"why\":{}}}}}\n", arrivedMs, quoted(gap.source), gap.fromMs,
                        gap.toMs, quoted(words(gap.why))));
    }

    void answered(std::int64_t atMs, const monitoring::Answer& answer) override
    {
        put(fmt::format("{{\"t\":{},\"answer\":{{\"alarm\":{},\"say\":\"{}\",\"until\":{},\"by\":{}}}}}\n", atMs, quoted(answer.alarm),
                        wordOf(answer.kind), answer.untilMs, quoted(answer.author)));
    }

    Result<void> finish(std::int64_t atMs) override
    {
        put(fmt::format("{{\"t\":{},\"end\":true}}\n", atMs));
        m_sink.finish();
        if (m_sink.error() == 0) return {};
        return fail(ErrorCode::Unreadable, m_file.string(), i18n("write incomplete: {}", std::strerror(m_sink.error())),
                    i18n("free up disk space; the data written so far can be replayed"));
    }

    [[nodiscard]] Text trouble() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_trouble;
    }

private:
    void put(std::string_view text)
    {
        m_sink.write(text);
        if (m_sink.error() == 0) return;
        const std::lock_guard lock(m_mutex);
        m_trouble = i18n("{} cannot be written: {}", m_file.string(), std::strerror(m_sink.error()));
    }

    const std::filesystem::path m_file;
    Sink m_sink;
    std::string m_line;
    mutable std::mutex m_mutex;
    Text m_trouble;
};

/// What may be replaced: nothing, an empty file, a recording.
Result<void> requireRecording(const std::filesystem::path& file)
{
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return {}; // opening tells what is wrong with the place
    const auto refuse = [&](Text what) { return fail(ErrorCode::Unreadable, file.string(), std::move(what), i18n("specify another file")); };
    if (!S_ISREG(status.st_mode)) return refuse(i18n("is not a regular file"));
    if (status.st_size == 0) return {};
    auto lines = LineReader::open(file);
    std::string first;
    if (!lines) return tl::unexpected(lines.error());
    const auto got = lines->next(first);
    if (got && *got && first.starts_with("{\"hallwright\":\"recording/")) return {};
    return refuse(i18n("exists and is not a Hallwright recording"));
}

} // namespace

Result<std::unique_ptr<bindings::Recorder>> makeRecorder(const std::filesystem::path& file)
{
    if (const auto fit = requireRecording(file); !fit) return tl::unexpected(fit.error());
    const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (handle < 0) return fail(ErrorCode::Unreadable, file.string(), i18n("cannot be written: {}", std::strerror(errno)), i18n("check the path"));
    return std::make_unique<JsonRecorder>(file, handle);
}

} // namespace hw::telemetry
