// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/foundation/base/fence.h"
#include "core/operations/monitoring/incident/alarm_responses.h"
#include "importers/telemetry/recording.h"
#include "importers/telemetry/source_thread.h"
#include "importers/telemetry/sources.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <optional>

namespace hw::telemetry {

namespace {

using Clock = std::chrono::steady_clock;

/// The moment of the recording that is played: runs on by itself at a pace, or waits. The replay's thread asks, others change the pace.
class Pace {
public:
    explicit Pace(double speed) : m_speed(speed) {}

    void change(double speed)
    {
        const std::lock_guard lock(m_mutex);
        m_speed = speed;
        m_changed.notify_all();
    }
    void pause(bool yes)
    {
        const std::lock_guard lock(m_mutex);
        m_paused = yes;
        m_changed.notify_all();
    }
    void begin(std::int64_t atMs) { m_at = double(atMs), m_asked = Clock::now(); }

    /// Waits until the moment is `untilMs` or the next whole second is reached, and gives which; nothing: to be stopped.
    std::optional<std::int64_t> advance(std::int64_t untilMs, const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        while (!stop.stop_requested()) {
            const auto now = Clock::now();
            if (!m_paused) m_at += std::chrono::duration<double, std::milli>(now - m_asked).count() * m_speed;
            m_asked = now;
            if (!m_paused && (m_speed == 0 || m_at >= double(untilMs))) {
                if (m_speed == 0) m_at = double(untilMs);
                m_second = std::int64_t(std::floor(double(untilMs) / 1000)) * 1000;
                return untilMs;
            }
            const std::int64_t second = std::int64_t(std::floor(m_at / 1000)) * 1000;
            if (!m_paused && second > m_second && second < untilMs) return m_second = second;
            const double left = std::min(double(untilMs), double(second + 1000)) - m_at;
            const auto wait =
                m_paused ? std::chrono::milliseconds(200) : std::chrono::milliseconds(1 + std::int64_t(std::clamp(left / m_speed, 0., 200.)));
            m_changed.wait_for(lock, stop, wait, [] { return false; });
        }
        return std::nullopt;
    }

private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    double m_speed, m_at = 0;
    bool m_paused = false;
    Clock::time_point m_asked;
    std::int64_t m_second = std::numeric_limits<std::int64_t>::min();
};

class FileReplay final : public Replay {
public:
    FileReplay(std::filesystem::path file, std::unique_ptr<RecordingReader> reader, double speed, TableWays ways)
        : m_file(std::move(file)), m_ways(std::move(ways)), m_reader(std::move(reader)), m_pace(speed), m_thread(m_file.string())
    {
    }
    ~FileReplay() override { m_thread.stop(); }

    [[nodiscard]] std::string name() const override { return m_thread.name(); }
    Result<void> start(bindings::Intake& intake) override;
    void stop() override { m_thread.stop(); }
    [[nodiscard]] bool ended() const override { return m_thread.ended(); }
    [[nodiscard]] Text trouble() const override { return m_thread.trouble(); }
    void pace(double speed) override { m_pace.change(speed); }
    void pause(bool yes) override { m_pace.pause(yes); }
    [[nodiscard]] std::shared_ptr<RecordingEnd> end() const override { return m_end; }

private:
    void play(const std::stop_token& stop);
    bool reach(std::int64_t atMs, const std::stop_token& stop);
    void pass(RecordingItem& item);

    const std::filesystem::path m_file;
    const TableWays m_ways;
    std::unique_ptr<RecordingReader> m_reader;
    Pace m_pace;
    bool m_begun = false;
    bindings::Intake* m_intake = nullptr;
    std::vector<bindings::ChannelNo> m_numbers;                                   ///< of the intake, by those of the recording
    const std::shared_ptr<RecordingEnd> m_end = std::make_shared<RecordingEnd>(); ///< written by the thread
    SourceThread m_thread;
};

Result<void> FileReplay::start(bindings::Intake& intake)
{
    m_intake = &intake;
    if (!m_reader) { // played before
        auto again = openReader(m_file, m_ways);
        if (!again) return tl::unexpected(again.error());
        m_reader = std::move(*again);
    }
    m_begun = false;
    m_numbers.clear();
    m_thread.start(intake, [this](const std::stop_token& stop) { play(stop); });
    return {};
}

void FileReplay::play(const std::stop_token& stop)
{
    RecordingItem item;
    RecordingEnd end;
    const auto fault = faultIn([&] {
        while (!stop.stop_requested()) {
            const auto got = m_reader->next(item);
            if (!got) end.damage = got.error();
            if (!got || !*got) break;
            if (item.kind != RecordingItem::Kind::Channel && !reach(item.atMs, stop)) break;
            pass(item);
        }
        end.cut = m_reader->cut();
        end.notes = m_reader->notes();
    });
    if (fault) end.damage = Error(ErrorCode::Fault, m_file.string(), faultOf(m_file.string(), *fault), i18n("please report it with the recording"));
    m_reader.reset();
    m_thread.trouble(end.damage ? i18n("{}: {}", end.damage->where, end.damage->what) : end.cut);
    *m_end = std::move(end);
}

/// The clock runs second by second, so that what is missing is missed while nothing comes. False: stopped.
bool FileReplay::reach(std::int64_t atMs, const std::stop_token& stop)
{
    if (!std::exchange(m_begun, true)) m_pace.begin(atMs);
    for (;;) {
        const auto now = m_pace.advance(atMs, stop);
        if (!now) return false;
        m_intake->clock(std::min(*now, atMs));
        if (*now >= atMs) return true;
    }
}

void FileReplay::pass(RecordingItem& item)
{
    switch (item.kind) {
    case RecordingItem::Kind::Channel: {
        const auto number = m_intake->channel(item.channel);
        if (item.number >= m_numbers.size()) m_numbers.resize(item.number + 1);
        m_numbers[item.number] = number;
        return;
    }
    case RecordingItem::Kind::Samples:
        std::erase_if(item.samples,
                      [&](const bindings::Sample& sample) { return sample.channel >= m_numbers.size(); }); // of a channel without a name
        for (auto& sample : item.samples) sample.channel = m_numbers[sample.channel];
        return m_intake->take(item.samples);
    case RecordingItem::Kind::Gap: return m_intake->gap(item.gap);
    case RecordingItem::Kind::Answer:
        if (auto* taker = dynamic_cast<monitoring::AlarmResponseSink*>(m_intake)) taker->answered(item.atMs, item.answer);
        return;
    case RecordingItem::Kind::End: return;
    }
}

} // namespace

Result<std::unique_ptr<Replay>> openRecording(const std::filesystem::path& file, double speed, const TableWays& ways)
{
    auto reader = openReader(file, ways);
    if (!reader) return tl::unexpected(reader.error());
    return std::make_unique<FileReplay>(file, std::move(*reader), std::max(0., speed), ways);
}

} // namespace hw::telemetry
