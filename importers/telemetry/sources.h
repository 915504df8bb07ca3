// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"
#include "core/operations/history/store.h"
#include "importers/telemetry/access.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

/// Where live values come from. Everything here reads only: no HTTP request but GET, nothing published over MQTT.
namespace hw::telemetry {

struct SourceOptions {
    std::string url;                                                 ///< without password: mqtt://host:1883, mqtts://…, http://…, https://…
    Access access;                                                   ///< see accessOf
    std::vector<std::filesystem::path> mappings;                     ///< files of the source's kind; none: the shipped ones
    std::chrono::milliseconds interval{10'000};                      ///< between questions of sources that are asked
    std::chrono::seconds longestAnswer{0};                           ///< to a query that did not fail before; 0: twice the interval, 10 to 30 s
    std::size_t mostWaiting = 200'000;                               ///< samples that a broker sent and nobody took yet; then it waits
    std::chrono::milliseconds firstWait{1'000}, longestWait{30'000}; ///< before a server that is away is tried again
};

/// Each works between start and stop on a thread of its own. Errors: Usage (an address that is none, or of another kind), Unreadable (a mapping).
[[nodiscard]] Result<std::unique_ptr<bindings::Source>> makeMqttSource(SourceOptions options); ///< mqtt, mqtts
[[nodiscard]] Result<std::unique_ptr<bindings::Source>>
makePrometheusSource(SourceOptions options);                                                      ///< http, https: a server, or what it would scrape
[[nodiscard]] Result<std::unique_ptr<bindings::Source>> makeRedfishSource(SourceOptions options); ///< http, https: a service root
/// What a Prometheus server, or a store that answers the same, kept. Asks as it is read; safe from any thread.
[[nodiscard]] Result<std::unique_ptr<history::Reader>> makePrometheusReader(SourceOptions options);

/// What became of a recording, once its source has ended.
struct RecordingEnd {
    std::optional<Error> damage; ///< FILE:LINE and what is wrong there; what stood before was played
    Text cut;                    ///< the file has no end: its writer died, or still writes. What is there was played
    std::vector<Text> notes{};   ///< rows that were left out, and what was assumed
};

/// What tables do not say of their times.
struct TableWays {
    std::string zone;  ///< of times without one: "Europe/Berlin", "+01:00"; empty: UTC
    std::string dates; ///< "dmy" or "mdy", of dates such as 11/12/2026; empty: as the file shows by a day after the 12th
};

/// A recording as a source: what arrived together arrives together again, at the pace of then times `speed`.
class Replay : public bindings::Source {
public:
    virtual void pace(double speed) = 0; ///< 0: as fast as it is taken; any thread
    virtual void pause(bool yes) = 0;
    /// Filled before it has ended; outlives the replay.
    [[nodiscard]] virtual std::shared_ptr<RecordingEnd> end() const = 0;
};
/// Reads what `makeRecorder` wrote, JSON lines, CSV, Prometheus text or answers; also compressed with gzip or zstd. Error: Unreadable where the file
/// cannot be read or is none of these.
[[nodiscard]] Result<std::unique_ptr<Replay>> openRecording(const std::filesystem::path& file, double speed = 1, const TableWays& ways = {});

/// Writes JSON lines as things arrive; `.zst` compresses. What was written stays readable when the program dies. Replaces an older recording,
/// no other file. Error: Unreadable.
[[nodiscard]] Result<std::unique_ptr<bindings::Recorder>> makeRecorder(const std::filesystem::path& file);

} // namespace hw::telemetry
