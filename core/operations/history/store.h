// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/operations/bindings/channel.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hw::history {

/// How long values are kept, and how fine.
struct Retention {
    std::int64_t rawMs = 7LL * 24 * 3600 * 1000;       ///< every sample
    std::int64_t minutesMs = 400LL * 24 * 3600 * 1000; ///< means, least and most of minutes
};

/// Values of one channel over a time: samples as they came, ascending, or of steps of equal length (minutes, or whole minutes together).
struct Series {
    std::vector<std::int64_t> timesMs;
    std::vector<double> values;      ///< or means
    std::vector<double> least, most; ///< of steps; empty for samples
};

/// Where history is read from: the embedded store, or a long-term store that answers PromQL.
class Reader {
public:
    virtual ~Reader() = default;
    /// One series per channel name asked for, in that order, of [fromMs, toMs]; steps where there are more than `most` samples of one, or
    /// where samples are no longer kept. A step stands at its beginning; a channel that is not known has an empty series.
    [[nodiscard]] virtual Result<std::vector<Series>> read(std::span<const std::string> channels, std::int64_t fromMs, std::int64_t toMs,
                                                           std::size_t most) const = 0;
    /// The value of each channel at a moment: its last not after it, no older than `maxAgeMs`; none: NaN.
    [[nodiscard]] virtual Result<std::vector<double>> at(std::span<const std::string> channels, std::int64_t timeMs, std::int64_t maxAgeMs) const = 0;
};

struct StoreFigures {
    std::uint64_t samples = 0, bytes = 0; ///< on disk
    std::int64_t oldestMs = 0, newestMs = 0;
    /// Of what was appended since it was opened: appended = stored + lost + duplicate + waiting.
    std::uint64_t appended = 0, stored = 0, duplicate = 0, waiting = 0;
    std::uint64_t lost = 0;   ///< samples that could not be written (disk full or too slow), with the reason in `trouble`
    Text trouble;             ///< at the moment; empty: none
    std::uint64_t faults = 0; ///< exceptions in its threads, which went on
    std::string fault;        ///< what the last of them said
};

/// Compressed chunks by channel and time in one file beside the project; never part of document, undo or project file.
/// `append` is called by one thread; `read` and `at` by any.
class Store : public Reader {
public:
    /// "x.hall" → "x.telemetry"
    [[nodiscard]] static std::filesystem::path besides(const std::filesystem::path& project);
    [[nodiscard]] static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file, const Retention& retention);
    /// Samples of channels (Sample::channel is the index into `channels`, which only grows). Returns at once; what is appended is durable
    /// against the death of the program after at most a second. Samples of one channel out of order are kept; one with the same time as one
    /// that is kept is not kept twice, whichever run kept it. NaN is kept: a gap.
    virtual void append(std::span<const bindings::Sample> samples, std::span<const bindings::ChannelText> channels) = 0;
    /// Which channels are read together (those of a rack): one number per channel as in `append`, 0: not known. Holds for channels that
    /// have not been packed yet.
    virtual void together(std::span<const std::uint32_t> groups) = 0;
    /// Waits until all that was appended is written, or cannot be.
    virtual Result<void> flush() = 0;
    [[nodiscard]] virtual StoreFigures figures() const = 0;
};

} // namespace hw::history
