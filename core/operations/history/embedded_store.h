// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/history/contents.h"
#include "core/operations/history/reading.h"
#include "core/operations/history/store.h"
#include "core/operations/history/telemetry_file.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <thread>

namespace hw::history {

/// How often the writer does what.
struct Pace {
    std::chrono::milliseconds tick{250}, packEvery{600'000};
    std::size_t packAt = 3'000'000; ///< samples in memory
    std::size_t most = 1'000'000;   ///< samples that may wait for it
};

/// The store of one file. `append` hands over to the writer, which every quarter of a second adds what came to the tail and to memory, and
/// every ten minutes (or three million samples) packs memory into chunks. A third thread folds SQLite's log into the file.
class EmbeddedStore final : public Store {
public:
    [[nodiscard]] static Result<std::unique_ptr<EmbeddedStore>> open(const std::filesystem::path& path, const Retention& retention,
                                                                     const Pace& pace = {});
    ~EmbeddedStore() override;

    void append(std::span<const bindings::Sample> samples, std::span<const bindings::ChannelText> channels) override;
    void together(std::span<const std::uint32_t> groups) override;
    Result<void> flush() override;
    [[nodiscard]] StoreFigures figures() const override;
    [[nodiscard]] Result<std::vector<Series>> read(std::span<const std::string> channels, std::int64_t fromMs, std::int64_t toMs,
                                                   std::size_t most) const override
    {
        return m_reading->read(channels, fromMs, toMs, most);
    }
    [[nodiscard]] Result<std::vector<double>> at(std::span<const std::string> channels, std::int64_t timeMs, std::int64_t maxAgeMs) const override
    {
        return m_reading->at(channels, timeMs, maxAgeMs);
    }

private:
    using Clock = std::chrono::steady_clock;
    EmbeddedStore(TelemetryFile file, std::unique_ptr<Contents> contents, const Retention& retention, const Pace& pace);

    void run();
    void work(bool stopping, bool all); ///< what the writer does each time
    void failed(const std::string& fault);
    void tick(); ///< what came → tail and memory
    [[nodiscard]] bool more() const;
    bool collect();                                       ///< takes over what came; false: nothing
    void keep(std::span<const bindings::Sample> samples); ///< into memory, and among what is to be written
    [[nodiscard]] bool there(ChannelId channel, std::int64_t timeMs);
    [[nodiscard]] ChannelId idOf(bindings::ChannelNo number);
    void writeTail();
    void packMemory();
    void packIfDue(bool early); ///< not early: only where nothing more fits into memory
    void prune();
    void fold(const std::stop_token& stop);
    void complain(const Error* error); ///< null: all is well again
    void fell(const std::string& fault, const char* thread);
    [[nodiscard]] bool hasRoom() const;

    TelemetryFile m_file;
    std::unique_ptr<Contents> m_contents;
    std::unique_ptr<Reading> m_reading;
    const Retention m_retention;
    const Pace m_pace;

    mutable std::mutex m_mutex; ///< of the following
    std::condition_variable m_came, m_went;
    std::vector<bindings::Sample> m_incoming;
    std::vector<std::string> m_newNames;
    std::size_t m_named = 0; ///< channels whose name was handed over
    std::vector<std::uint32_t> m_newGroups;
    StoreFigures m_figures;
    std::uint64_t m_wrongDates = 0;
    bool m_stopping = false, m_failing = false;
    std::uint64_t m_flushAsked = 0, m_flushDone = 0;
    Clock::time_point m_progress = Clock::now();

    // The writer's own.
    std::vector<bindings::Sample> m_taken;
    std::size_t m_dealtWith = 0;      ///< of these: kept, or known to be wrong or duplicate
    std::vector<std::string> m_names; ///< by ChannelNo
    std::vector<ChannelId> m_ids;     ///< by ChannelNo; 0: none yet
    std::vector<std::uint32_t> m_groups;
    std::vector<Loose> m_toWrite;
    ChannelId m_savedNames = 0; ///< channels whose name is in the file
    ChannelId m_loaded = 0;     ///< channels that were there when it was opened, with nothing newer than:
    std::int64_t m_loadedNewestMs = 0;
    std::vector<ChannelId> m_placed;
    std::int64_t m_frozenTail = 0;
    Clock::time_point m_lastTick = Clock::now(), m_packFrom = Clock::now(), m_packAgain{}, m_pruneNext{};

    std::thread m_writer;
    std::jthread m_folder;
};

} // namespace hw::history
